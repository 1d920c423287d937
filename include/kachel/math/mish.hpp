// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// x tanh(log(1 + e^x)) and its derivative.
#pragma once

#include <kachel/math/sigmoid.hpp>

namespace kachel::math {

/// \cond
/// Where mish has its minimum; e^root, e^(3 root), 4 e^(2 root) + 3 e^(3 root), and 6 e^root + 8 e^(2 root) +
/// 3 e^(3 root) + 4 root e^root.
template <class T>
struct MishConstants;

template <>
struct MishConstants<float> {
  static constexpr float root = -0x1.31432cp+0f, root_low = -0x1.a25b08p-29f, at_root = 0x1.36c42p-2f,
                         at_root_low = 0x1.7e1f66p-29f, cube = 0x1.c9f402p-6f, second = 0x1.cf1d54p-2f,
                         first = 0x1.31ac36p+0f;
};

template <>
struct MishConstants<double> {
  static constexpr double root = -0x1.31432c0d12d84p+0, root_low = -0x1.bf319154da21p-55,
                          at_root = 0x1.36c4202fc3eccp-2, at_root_low = 0x1.6d73a02f8d922p-56,
                          cube = 0x1.c9f40193f744cp-6, second = 0x1.cf1d5480ba0e5p-2, first = 0x1.31ac354e2a079p+0;
};
/// \endcond

/// x tanh(log(1 + e^x)): with e = e^-|x| it is x (1 + 2 e) / (1 + 2 e + 2 e^2) for x >= 0, x e (e + 2) / (2 + e (e +
/// 2)) for x < 0, each sum in two numbers. Its error is that of kachel::mish.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T mish(T x) {
  constexpr T furthest = -ExpConstants<T>::lowest;
  const T inner = clamp(x, -furthest, furthest), minus_abs = -Kokkos::abs(inner);
  const bool negative = x < T(0);
  const ExpArgument<T> argument = reduce_exp(minus_abs);
  const PowerOfTwo<T> power = split_power_of_two(minus_abs, argument.shifted);
  const T value = exp_of_remainder(argument.remainder), e = (value * power.first) * power.second;
  const T slope = select(negative, T(1), T(2)), constant = select(negative, T(2), T(1));
  const T sum = fma(e, slope, constant), sum_low = fma(e, slope, constant - sum);
  const T factor = select(negative, sum, T(2) * e), added = select(negative, T(2), sum);
  const T denominator = fma(e, factor, added);
  const T denominator_low = fma(e, factor, added - denominator) + sum_low * select(negative, e, T(1));
  const Sum<T> product = exact_product(inner, select(negative, value, T(1)));
  const T numerator = product.high * sum;
  const T numerator_low = fma(product.low, sum, fma(product.high, sum_low, fma(product.high, sum, -numerator)));
  const T quotient = divide_sums(denominator, denominator_low, numerator, numerator_low);
  const T result = Kokkos::copysign(select(negative, (quotient * power.first) * power.second, quotient), x);
  return select(x > furthest, x, result);
}

/// The derivative of mish, at most 4 ulp off: e^x w / (2 + 2 e^x + e^2x)^2 with w = 4 (x + 1) + 4 e^2x + e^3x + e^x (4
/// x + 6). Near the root of w and below, with the distance d from it and E = expm1(d), w is d (4 + 4 e^x) + E (first +
/// E (second + E cube)): two numbers of one sign.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T mish_slope(T x) {
  using C = MishConstants<T>;
  constexpr T furthest = -ExpConstants<T>::lowest;
  const T inner = clamp(x, -furthest, furthest);
  const bool below = x < T(0);
  const Sum<T> distance = exact_sum(inner, -C::root);
  const T distance_low = distance.low - C::root_low;
  const T argument = select(below, distance.high, -inner);
  const ExpArgument<T> reduced = reduce_exp(argument, select(below, distance_low, T(0)));
  const PowerOfTwo<T> power = split_power_of_two(argument, reduced.shifted);
  const T expm1_r = expm1_of_remainder(reduced.remainder), scale = power.first * power.second;
  const T factor = select(below, C::at_root, T(1)), factor_low = select(below, C::at_root_low, T(0));
  const T value = factor + fma(factor, expm1_r, factor_low), e = value * scale;
  const T expm1_d = fma(scale, expm1_r, scale - T(1));
  const T w_below = fma(distance.high + distance_low, fma(T(4), e, T(4)),
                        expm1_d * fma(expm1_d, fma(expm1_d, C::cube, C::second), C::first));
  const T w_above = fma(e, fma(e, fma(e, fma(T(4), inner, T(4)), fma(T(4), inner, T(6))), T(4)), T(1));
  const T slope_of_sum = select(below, e, T(2) * e) + T(2), constant = select(below, T(2), T(1));
  const T sum = fma(e, slope_of_sum, constant), sum_low = fma(e, slope_of_sum, constant - sum);
  const Sum<T> denominator = square(Sum<T>{sum, sum_low});
  const Sum<T> numerator = exact_product(select(below, value, T(1)), select(below, w_below, w_above));
  const T slope = divide_sums(denominator.high, denominator.low, numerator.high, numerator.low);
  return select(below, (slope * power.first) * power.second, slope);
}

}  // namespace kachel::math
