// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// sigmoid.
#pragma once

#include <kachel/math/exp.hpp>
#include <kachel/math/reciprocal.hpp>

namespace kachel::math {

/// 1 / (1 + e^-x). Its error: docs/numerics.md.
/// With e = exp(-|x|): 1 / (1 + e) for x >= 0, e / (1 + e) for x < 0, the denominator in two numbers.
template <RealNumber T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION T sigmoid(T x, Low... low) {
  const bool positive = x >= T(0);
  const T e = exp_of_negative(-Kokkos::abs(x), select(positive, -low, low)...);
  const Sum<T> denominator = ordered_sum(T(1), e);
  return divide_sums(denominator.high, denominator.low, select(positive, T(1), e));
}

/// The derivative of sigmoid, e^-x / (1 + e^-x)^2: the density of the logistic distribution. At most 1.6 ulp off.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T logistic_density(T x) {
  const T e = exp_of_negative(-Kokkos::abs(x));
  const Sum<T> denominator = square(ordered_sum(T(1), e));
  return divide_sums(denominator.high, denominator.low, e);
}

/// \cond
/// x sigmoid(z + z_low), where |z| is at most -ExpConstants<T>::lowest: rounded once where it is subnormal. -0 where x
/// is.
template <class T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION T times_sigmoid(T x, T z, Low... z_low) {
  const bool negative = z < T(0);
  const T minus_z = -Kokkos::abs(z);
  const ExpArgument<T> argument = reduce_exp(minus_z, select(negative, z_low, -z_low)...);
  const PowerOfTwo<T> power = split_power_of_two(minus_z, argument.shifted);
  const T value = exp_of_remainder(argument.remainder);
  const Sum<T> denominator = ordered_sum(T(1), (value * power.first) * power.second);
  const Sum<T> numerator = exact_product(x, select(negative, value, T(1)));
  const T quotient = divide_sums(denominator.high, denominator.low, numerator.high, numerator.low);
  return Kokkos::copysign(select(negative, (quotient * power.first) * power.second, quotient), x);
}

/// (a + a_low) x, limited to where its sigmoid is neither 0 nor 1, and then not a product: it may be added to.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Sum<T> gate_argument(T x, T a, T a_low = 0) {
  constexpr T lowest = ExpConstants<T>::lowest;
  const T product = a * x, limited = clamp(product, lowest, -lowest);
  return {limited, select(limited == product, fma(a_low, x, fma(a, x, -product)), T(0))};
}

/// x sigmoid(z), where z is a gate_argument: x or 0 at its limits.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T times_gate(T x, Sum<T> z) {
  constexpr T lowest = ExpConstants<T>::lowest;
  const T inside = select(z.high == lowest, Kokkos::copysign(T(0), x), times_sigmoid(x, z.high, z.low));
  return select(z.high == -lowest, x, inside);
}

/// (x sigmoid(z(x)))', which is e k / (1 + e)^2 with e = e^z, k = 1 + e + x z', and 0 at a root below 0. Below it and
/// near it, with d = z - z(root), k is (x z' - root z'(root)) + e^z(root) expm1(d): two numbers of one sign. Else it is
/// (1 + e + x z' e) / (1 + e)^2 with e = e^-z.
/// \param below  which of the two
/// \param k_rest  x z' - root z'(root), or x z'
/// \param d  z - z(root), or z
/// \param at_root, at_root_low  e^z(root)
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T times_sigmoid_slope(bool below, T k_rest, Sum<T> d, T at_root, T at_root_low) {
  const T sign = select(below, T(1), T(-1)), argument = sign * d.high;
  const ExpArgument<T> reduced = reduce_exp(argument, sign * d.low);
  const PowerOfTwo<T> power = split_power_of_two(argument, reduced.shifted);
  const T expm1_r = expm1_of_remainder(reduced.remainder), scale = power.first * power.second;
  const T factor = select(below, at_root, T(1)), factor_low = select(below, at_root_low, T(0));
  const T value = factor + fma(factor, expm1_r, factor_low), e = value * scale;
  const T k = select(below, fma(at_root, fma(scale, expm1_r, scale - T(1)), k_rest), fma(k_rest, e, T(1) + e));
  const Sum<T> denominator = square(ordered_sum(T(1), e));
  const Sum<T> numerator = exact_product(select(below, value, T(1)), k);
  const T slope = divide_sums(denominator.high, denominator.low, numerator.high, numerator.low);
  return select(below, (slope * power.first) * power.second, slope);
}

/// Where silu has its minimum, and e^root.
template <class T>
struct SiLUConstants;

template <>
struct SiLUConstants<float> {
  static constexpr float root = -0x1.474974p+0f, root_low = 0x1.bdf6fap-27f, at_root = 0x1.1d25dp-2f,
                         at_root_low = -0x1.bdf6fap-27f;
};

template <>
struct SiLUConstants<double> {
  static constexpr double root = -0x1.474973c84120bp+0, root_low = -0x1.f8d74bc9ac154p-54,
                          at_root = 0x1.1d25cf210482ep-2, at_root_low = -0x1.ca2d0d94faaecp-60;
};

/// The derivative of z sigmoid(z) at z + z_low, where |z| is at most -ExpConstants<T>::lowest and no product.
template <class T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION T silu_slope(T z, Low... z_low) {
  using C = SiLUConstants<T>;
  const bool below = z < T(-0.5);
  const Sum<T> distance = exact_sum(z, -C::root);
  const T distance_low = ((distance.low - C::root_low) + ... + z_low), low = (T(0) + ... + z_low);
  return times_sigmoid_slope(below, select(below, distance.high + distance_low, z),
                             Sum<T>{select(below, distance.high, z), select(below, distance_low, low)}, C::at_root,
                             C::at_root_low);
}
/// \endcond

}  // namespace kachel::math
