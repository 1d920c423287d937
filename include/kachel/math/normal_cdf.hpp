// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The distribution function of the normal distribution, of which gelu is made.
/// Phi(-a) = exp(-a^2 / 2) t q(t) with t = 1 / (a + c), where a is above 0.8325, else 1/2 - a p(a^2). Each quantity
/// whose rounding would show is kept in two numbers. Constants and the errors of the polynomials come from
/// tools/sollya/constants.sollya.
#pragma once

#include <kachel/math/exp.hpp>
#include <kachel/math/reciprocal.hpp>

namespace kachel::math {

/// \cond
/// Beyond `largest` Phi(-a) is 0, also times a. t q(t) grows as t^(1 + slope t).
template <class T>
struct NormalConstants;

template <>
struct NormalConstants<float> {
  static constexpr float largest = 14.8f, offset = 2.5f, centre = 0.1875f, slope = 2.9f;
  static constexpr float middle = 0x1.5c31fp-1f, middle_low = float(0x1.5c31ef56690f1p-1 - 0x1.5c31fp-1);
};

template <>
struct NormalConstants<double> {
  static constexpr double largest = 38.8, offset = 4, centre = 0, slope = 7, middle = 0x1.9884533d6e3c7p-2,
                          middle_low = 0;
};

/// (q(t) - middle) / u with u = t - centre, times scale, a power of two.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T normal_tail_rest(T u, T scale) {
  if constexpr (std::is_same_v<T, float>)
    return polynomial(u, scale * 0x1.0af1e8p1f, scale * 0x1.aaaa06p1f, scale * -0x1.45965cp-1f, scale * -0x1.4efeb8p3f,
                      scale * 0x1.ccf846p0f, scale * 0x1.658e66p5f, scale * -0x1.ebd7acp4f, scale * -0x1.8b60ccp7f);
  else
    return polynomial(u, scale * 0x1.988453306baddp0, scale * 0x1.7efc0fcf47bbbp2, scale * 0x1.4beb5d43ce9a9p4,
                      scale * 0x1.041e7b7cae3afp6, scale * 0x1.621253edd0afep7, scale * 0x1.828059031e5c7p8,
                      scale * 0x1.86de1cc4eebe5p8, scale * 0x1.97d962a2f2703p9, scale * -0x1.0243c314a76b8p15,
                      scale * 0x1.35957c1a08422p18, scale * -0x1.add3f8831fea3p21, scale * 0x1.bf65438687d1cp24,
                      scale * -0x1.6c4f40258581dp27, scale * 0x1.d603a04f061fap29, scale * -0x1.ca11253d0ecf4p31,
                      scale * 0x1.42f0a5f47ba81p33, scale * -0x1.3d3f8e5861c82p34, scale * 0x1.9b4248b05b982p34,
                      scale * -0x1.3bb21cffaa1e3p34, scale * 0x1.b10f484e27d7cp32);
}

/// (1/2 - Phi(-a)) / a for a <= 0.8325, from z = -a^2 / 2.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T normal_centre(T z) {
  if constexpr (std::is_same_v<T, float>)
    return polynomial(z, 0x1.988452p-2f, 0x1.1057b8p-3f, 0x1.46b1c4p-5f, 0x1.342fd2p-7f, 0x1.9d5e68p-10f);
  else
    return polynomial(z, 0x1.9884533d43651p-2, 0x1.1058377e2cf3cp-3, 0x1.46d042976c282p-5, 0x1.37403f6c5e38cp-7,
                      0x1.e42b0d7e6f2d2p-10, 0x1.3ce8fc7518a4cp-12, 0x1.6589ce1fd5a6ap-15, 0x1.620a5d1d0e73bp-18,
                      0x1.35f226d353d0bp-21, 0x1.af2a849014492p-25);
}

/// Phi(-a) for a >= 0, or with `times_a` a Phi(-a), as a number times a power of two, so that it is rounded once where
/// it is subnormal.
template <bool times_a, class T>
KOKKOS_FORCEINLINE_FUNCTION Scaled<T> normal_tail(T a) {
  using C = NormalConstants<T>;
  constexpr T scale = T(0x1p-64);
  const T x = select(a > C::largest, C::largest, a);
  const Sum<T> z = exact_product(T(-0.5) * x, x);
  const ExpArgument<T> argument = reduce_exp(z.high, z.low);
  const T expm1_z = expm1_of_remainder(argument.remainder);

  // 1 / (x + offset) is t (1 + t_error), and t q(t) grows by q(t) times `growth`.
  const T sum = x + C::offset, sum_low = x - (sum - C::offset), t = reciprocal(sum);
  const T t_error = fma(-sum_low, t, fma(-sum, t, T(1)));
  const T u = t - C::centre, rest = normal_tail_rest(u, scale);
  const T q = fma(rest, u, scale * C::middle), q_low = fma(rest, u, scale * C::middle - q + scale * C::middle_low);
  T w = t, growth = t_error * fma(C::slope, t, T(1)) * w, centre = fma(-x, normal_centre(z.high), T(0.5));
  if constexpr (times_a) {
    w = t * x;
    growth = fma(w, t_error * fma(C::slope, t, T(1)), fma(t, x, -w));
    centre = centre * x;
  }
  const T product = q * w, product_low = fma(q_low, w, fma(q, growth, fma(q, w, -product)));
  const T tail = product + fma(product, expm1_z, fma(product_low, expm1_z, product_low));

  const bool central = a < T(0.8325);
  return {select(central, centre, tail), select(central, T(1), power_of_two<T>(argument.shifted + 64))};
}
/// \endcond

/// Phi(x), the probability that a normally distributed number is below x: erfc(-x / sqrt(2)) / 2, with the same
/// relative accuracy in the tail. At most 1.8 ulp off in float, 3 ulp in double.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T normal_cdf(T x) {
  const Scaled<T> tail = normal_tail<false>(Kokkos::abs(x));
  const T below = tail.value * tail.scale;  // exact where its digits matter to the difference
  return select(x > T(0), T(1) - below, below);
}

}  // namespace kachel::math
