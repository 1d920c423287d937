// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// x tanh(log(1 + e^x)) and its derivative.
#pragma once

#include <kachel/detail/math/exp.hpp>
#include <kachel/math/reciprocal.hpp>
#include <kachel/math/select.hpp>

namespace kachel::detail {

/// Where mish has its minimum. 2^log2_scale is what scales its parts, so that results are rounded once where they are
/// subnormal; below `lowest` mish and its derivative are 0.
template <class T>
struct MishConstants;

template <>
struct MishConstants<float> {
  static constexpr float root = -0x1.31432cp+0f, root_low = -0x1.a25b08p-29f, lowest = -112, scale = 0x1p48f;
  static constexpr int log2_scale = 48;
};

template <>
struct MishConstants<double> {
  static constexpr double root = -0x1.31432c0d12d84p+0, root_low = -0x1.bf319154da21p-55, lowest = -760,
                          scale = 0x1p128;
  static constexpr int log2_scale = 128;
};

}  // namespace kachel::detail

namespace kachel::math {

/// x tanh(log(1 + e^x)): x p s / (v^2 + p s) with s = v + p / 2, where p is the power of two next to e^x, and v is
/// p / e^x. Its error is that of kachel::mish.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T mish(T x) {
  using C = detail::MishConstants<T>;
  constexpr T largest = sizeof(T) == 4 ? T(10) : T(20);
  const T inner = at_least(x, C::lowest);
  const detail::ExpArgument<T> argument = detail::reduce_exp(inner);
  const Sum<T> v = detail::exp_sum_of_remainder(-argument.remainder, C::scale);
  const T power = detail::power_of_two<T>(argument.shifted + C::log2_scale);
  const T s = fma(T(0.5), power, v.high), s_low = fma(T(0.5), power, v.high - s) + v.low;
  const T square = detail::uncontracted_product(v.high, v.high),
          square_low = fma(T(2) * v.high, v.low, fma(v.high, v.high, -square));
  const T denominator = fma(power, s, square);
  const T denominator_low = fma(power, s_low, fma(power, s, square - denominator) + square_low);
  const T result = (inner * power) * divide_sums(denominator, denominator_low, s, s_low);
  return select(x > largest, x, result);
}

/// The derivative of mish, at most 4 ulp off: e w / q^2 with e = e^x, q = 2 + 2 e + e^2, and
/// w = 4 (x + 1) + e (4 x + 6) + 4 e^2 + e^3, which near its root is a polynomial.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T mish_slope(T x) {
  using C = detail::MishConstants<T>;
  constexpr T largest = sizeof(T) == 4 ? T(11) : T(21);
  const T inner = at_least(x, C::lowest);
  const detail::ExpArgument<T> argument = detail::reduce_exp(inner);
  const T value = detail::exp_of_remainder(argument.remainder, T(1) / C::scale);
  const T power = detail::power_of_two<T>(argument.shifted + C::log2_scale),
          e = detail::uncontracted_product(value, power);
  const T d = (inner - C::root) - C::root_low;
  T rest;  // w / d
  if constexpr (std::is_same_v<T, float>)
    rest = detail::polynomial(d, 0x1.9a1c16p2f, 0x1.21b0c8p1f, 0x1.494228p0f, 0x1.1d98f4p-1f, 0x1.ac0b74p-3f,
                              0x1.2828cp-4f, 0x1.3fea4cp-6f);
  else
    rest = detail::polynomial(d, 0x1.9a1c155f7b7d1p2, 0x1.21b0c7fb83bap1, 0x1.49433e20bcd1cp0, 0x1.1d9a628eeb45ap-1,
                              0x1.ab14503eb73e4p-3, 0x1.259c9610fbd6ep-4, 0x1.7cd9d6c98c8fbp-6, 0x1.d3c3d7ce61e8bp-8,
                              0x1.0eeda90ef6158p-9, 0x1.26bb556e10e5cp-11, 0x1.2cd35b6691d9dp-13, 0x1.26694b46c8f01p-15,
                              0x1.0a10e59c5a3c1p-17);
  const T sum = fma(e, fma(e, e + T(4), fma(T(4), inner, T(6))), fma(T(4), inner, T(4)));
  const T w = select(Kokkos::abs(inner + T(1.242)) < T(0.25), rest * d, sum);
  const T factor = e + T(2), q = fma(e, factor, T(2));
  const Sum<T> squared = square(Sum<T>{q, fma(e, factor, T(2) - q)}), numerator = detail::exact_product(w, value);
  const T slope = divide_sums(squared.high, squared.low, numerator.high, numerator.low) * power;
  return select(x > largest, T(1), slope);
}

}  // namespace kachel::math
