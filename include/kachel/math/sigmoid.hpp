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
/// x sigmoid(a x + a_low x): x p / (p + e^-r), where p is the power of two next to e^(a x), and r the rest of the
/// exponent. Rounded once where it is subnormal. -0 where x is.
template <class T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION T times_sigmoid(T x, T a, Low... a_low) {
  using C = ExpConstants<T>;
  const T z = a * x;
  const T shifted = fma(z, C::log2_e, integer_shift<T>), n = shifted - integer_shift<T>;
  const T high = fma(a, x, -(n * C::ln2));  // the product is exact
  T r;
  if constexpr (sizeof...(Low) == 0)
    r = fma(n, -C::ln2_low, high);
  else
    r = high + fma(a_low..., x, -(n * C::ln2_low));
  const Sum<T> value = exp_sum_of_remainder(-r, C::scale);
  const T power = power_of_two<T>(bit_cast<FloatBits<T>>(shifted) + C::log2_scale);
  const T denominator = power + value.high, denominator_low = (power - (denominator - value.high)) + value.low;
  const T inside = divide_by_sum(denominator, denominator_low, x * power);
  const T limited = select(z < C::lowest, Kokkos::copysign(T(0), x), inside);
  return select(z > -C::saturated, x, limited);
}

/// The derivative of x sigmoid(z(x)), z = z + z_low: e^z (s + e^z) / (1 + e^z)^2 with s = 1 + x z'. It is p (s v + p) /
/// (v + p)^2, where p is the power of two next to e^z, and v is p / e^z.
/// \param z              at least -110 in float, -755 in double, or NaN
/// \param is_near_root  whether s + e^z is nearly 0, and so not to be had as that sum
/// \param near_root     s + e^z then
/// \param s_low         what is added to s; none, or one number
template <class T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION T times_sigmoid_slope(Sum<T> z, bool is_near_root, T near_root, T s, Low... s_low) {
  using C = ExpConstants<T>;
  // Scaled so that p is a normal number and the denominator's square finite wherever the derivative is neither 0 nor 1.
  constexpr int log2_scale = sizeof(T) == 4 ? 32 : 128;
  constexpr T scale = sizeof(T) == 4 ? T(0x1p32) : T(0x1p128);
  const T shifted = fma(z.high, C::log2_e, integer_shift<T>), n = shifted - integer_shift<T>;
  const T r = fma(n, -C::ln2, z.high) + fma(n, -C::ln2_low, z.low);
  const T power = power_of_two<T>(bit_cast<FloatBits<T>>(shifted) + log2_scale);
  const Sum<T> v = exp_sum_of_remainder(-r, scale);
  const T denominator = v.high + power, denominator_low = (v.high - (denominator - power)) + v.low;
  T added = power;
  ((added = fma(s_low, v.high, added)), ...);
  const T sum = fma(s, v.high, fma(s, v.low, added));
  const T numerator = select(is_near_root, fma(near_root, v.high, near_root * v.low), sum) * power;
  const Sum<T> squared = square(Sum<T>{denominator, denominator_low});
  const T slope = divide_sums(squared.high, squared.low, numerator);
  return select(z.high > -C::saturated, T(1), slope);
}

/// Where silu has its minimum, and below what its derivative is 0.
template <class T>
struct SiLUConstants;

template <>
struct SiLUConstants<float> {
  static constexpr float root = -0x1.474974p+0f, root_low = 0x1.bdf6fap-27f, lowest = -109.5f;
};

template <>
struct SiLUConstants<double> {
  static constexpr double root = -0x1.474973c84120bp+0, root_low = -0x1.f8d74bc9ac154p-54, lowest = -755;
};

/// The derivative of z sigmoid(z) at z = (a + a_low) x.
template <class T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION T silu_slope(T x, T a, Low... a_low) {
  using C = SiLUConstants<T>;
  const T z = uncontracted_product(a, x);
  T z_low = fma(a, x, -z);
  ((z_low = fma(a_low, x, z_low)), ...);
  const T d = (z - C::root) + (z_low - C::root_low);
  T rest;  // (1 + z + e^z) / d
  if constexpr (std::is_same_v<T, float>)
    rest = polynomial(d, 0x1.474974p0f, 0x1.1d25dp-3f, 0x1.7c2fep-5f, 0x1.7c250cp-7f, 0x1.3362a8p-9f, 0x1.c3b58ep-12f);
  else
    rest = polynomial(d, 0x1.474973c84120bp0, 0x1.1d25cf2104826p-3, 0x1.7c3269815c774p-5, 0x1.7c32698168641p-7,
                      0x1.302854620f8dep-9, 0x1.958b1a8e0105fp-12, 0x1.cf7a8cd5ee172p-15, 0x1.cf8040958f9a5p-18,
                      0x1.9bc91c44c3edcp-21, 0x1.38afce07539fbp-24, 0x1.a7d65ff932b8dp-30);
  const bool is_near_root = Kokkos::abs(d + T(0.05)) < T(0.25);
  const T slope = times_sigmoid_slope(Sum<T>{z, z_low}, is_near_root, rest * d, fma(a, x, T(1)));
  return select(z < C::lowest, T(-0.0), slope);
}
/// \endcond

}  // namespace kachel::math
