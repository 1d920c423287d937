// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tanh.
#pragma once

#include <kachel/math/exp.hpp>
#include <kachel/math/reciprocal.hpp>

namespace kachel::detail {

/// m = expm1(-2 |x|), and 2 + m: |tanh(x)| is -m / (2 + m).
template <class T>
struct TanhQuotient {
  math::Sum<T> m, denominator;

  KOKKOS_FORCEINLINE_FUNCTION explicit TanhQuotient(T x) {
    m = expm1_of_negative(T(-2) * Kokkos::abs(x));
    denominator.high = T(2) + m.high;
    denominator.low = (m.high - (denominator.high - T(2))) + m.low;
  }
};

/// The square of tanh(x), the derivative of x - tanh(x): m^2 / (2 + m)^2.
template <math::RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T tanh_squared(T x) {
  const TanhQuotient<T> q(x);
  const math::Sum<T> numerator = math::square(q.m), denominator = math::square(q.denominator);
  return math::divide_sums(denominator.high, denominator.low, numerator.high, numerator.low);
}

}  // namespace kachel::detail

namespace kachel::math {

/// The hyperbolic tangent. Its error: docs/numerics.md.
/// With m = expm1(-2 |x|) in two numbers: m / (2 + m), which is never positive, with the sign of x instead.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T tanh(T x) {
  const detail::TanhQuotient<T> q(x);
  return Kokkos::copysign(divide_sums(q.denominator.high, q.denominator.low, q.m.high, q.m.low), x);
}

/// x - tanh(x), accurate also near 0; +0 at both zeros. Its error is that of kachel::tanhshrink.
/// With a = |x|, a polynomial for a < 1, (a - 1) + 2 e / (1 + e) with e = exp(-2 a) above. Constants come from
/// tools/sollya/constants.sollya.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T x_minus_tanh(T x) {
  const T a = Kokkos::abs(x);
  const T inner = magnitude_at_most(a, -detail::ExpConstants<T>::saturated);
  // -2 a = n ln 2 - 2 r
  using C = detail::ExpConstants<T>;
  const T shifted = fma(inner, T(-2) * C::log2_e, detail::integer_shift<T>), n = shifted - detail::integer_shift<T>;
  const T r = fma(n, T(0.5) * C::ln2_low, fma(n, T(0.5) * C::ln2, inner));
  const T power = detail::power_of_two<T>(detail::bit_cast<detail::FloatBits<T>>(shifted)),
          value = detail::exp_in_units(r, T(2));
  const T inverse = reciprocal(power + value), error = fma(-power, inverse, fma(-value, inverse, T(1)));
  const T quotient = T(2) * power * inverse;  // its products by 2 and by power are exact
  const T far = fma(quotient, error, quotient) + (a - T(1));

  const T w = a * a, w_low = fma(a, a, -w);
  T rest;  // ((a - tanh(a)) / a^3 - 1 / 3) / a^2
  if constexpr (std::is_same_v<T, float>)
    rest = detail::polynomial(w, -0x1.111122p-3f, 0x1.ba18e2p-5f, -0x1.65ebc6p-6f, 0x1.1e49p-7f, -0x1.aaeab6p-9f,
                              0x1.f5a22p-11f, -0x1.3dfa2ap-13f);
  else
    rest =
        detail::polynomial(w, -0x1.111111111107bp-3, 0x1.ba1ba1ba11cc4p-5, -0x1.664f48805374cp-6, 0x1.226e350664ba8p-7,
                           -0x1.d6d3c0f06fdabp-9, 0x1.7da2679bccf69p-10, -0x1.354cf40fc1711p-11, 0x1.f4c297bad6d9cp-13,
                           -0x1.91e94dff7e976p-14, 0x1.339df4bffff24p-15, -0x1.76580430b0b83p-17,
                           -0x1.ab7662d0b5d36p-23, 0x1.2973546f097afp-18, -0x1.2f0aee0ca24b8p-18, 0x1.7453b1ab71f81p-19,
                           -0x1.28a2bc8eb1469p-20, 0x1.1adf38f82a231p-22, -0x1.ec14079c24fa1p-26);
  const T factor = fma(w, rest, T(1) / T(3)), rounded = detail::uncontracted_product(w_low, factor),
          square = fma(w, factor, rounded);
  const T near = fma(a, square, a * (fma(w, factor, -square) + rounded));
  return Kokkos::copysign(select(a < T(1), near, far), x + T(0));  // +0 where x is -0
}

}  // namespace kachel::math
