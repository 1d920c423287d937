// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// x sigmoid(a x), of which silu and other gates are made, and its derivative. Constants come from
/// tools/sollya/constants.sollya.
#pragma once

#include <kachel/detail/math/exp.hpp>
#include <kachel/math/reciprocal.hpp>
#include <kachel/math/select.hpp>

namespace kachel::detail {

/// x sigmoid(a x + a_low x): x p / (p + e^-r), where p is the power of two next to e^(a x), and r the rest of the
/// exponent. Rounded once where it is subnormal. -0 where x is.
/// \param x  such that a x is ExpConstants' `lowest` or more, or NaN
template <class T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION T times_sigmoid(T x, T a, Low... a_low) {
  using C = ExpConstants<T>;
  const T z = a * x;
  const T shifted = fma(z, C::log2_e, integer_shift<T>), n_ln2 = times_ln2(shifted);
  T high = fma(a, x, -n_ln2);  // the product is exact
  ((high = fma(a_low, x, high)), ...);
  const math::Sum<T> value = exp_sum_of_remainder(-fma(n_ln2, -ln2_ratio<T>, high), C::scale);
  const T power = power_of_two<T>(bit_cast<FloatBits<T>>(shifted) + C::log2_scale);
  const T denominator = power + value.high, denominator_low = (power - (denominator - value.high)) + value.low;
  return select(z > -C::saturated, x, divide_by_sum(denominator, denominator_low, x * power));
}

/// Where silu has its minimum, negated: as a number and its rest, and as one of few digits and its rest. `weight` is
/// e^root and `power` 1 / weight. Further than `largest` from the root the derivative is 0 or 1.
template <class T>
struct SiLUConstants;

template <>
struct SiLUConstants<float> {
  static constexpr float root = 0x1.474974p+0f, root_low = -0x1.bdf6fap-27f, short_root = 0x1.47498p+0f,
                         short_root_low = -0x1.86f7dcp-21f, power = 0x1.1d25dp-2f, weight = 0x1.cba9dep+1f,
                         scale = 0x1p32f, largest = 108.2f;
};

template <>
struct SiLUConstants<double> {
  static constexpr double root = 0x1.474973c84120bp+0, root_low = 0x1.f8d74bc9ac154p-54,
                          short_root = 0x1.474973c8412p+0, short_root_low = 0x1.6fc6ba5e4d60bp-49,
                          power = 0x1.1d25cf210482ep-2, weight = 0x1.cba9de5920a28p+1, scale = 0x1p128, largest = 753.5;
};

/// The derivative of z sigmoid(z) at z = (a + a_low) x. With m = |z| it is e^-m (s + e^-m) / (1 + e^-m)^2, s = 1 - m,
/// where z is negative, else 1 less that. By the distance d = m - root from the minimum, s + e^-m is a sum of terms of
/// one sign, e^-root expm1(-d) - d.
/// \param a_low  none, or one number, where a is positive
template <class T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION T silu_slope(T x, T a, Low... a_low) {
  using C = SiLUConstants<T>;
  using E = ExpConstants<T>;
  const T b = Kokkos::abs(x), factor = Kokkos::abs(a);
  const T d = fma(factor, b, -C::root);
  T d_low = -C::root_low;
  ((d_low = fma(a_low, b, d_low)), ...);
  const T s = -((d + C::power) + d_low);

  // d = n ln 2 + r and e^-m = p / v with p = 2^-n, v = weight e^r, both times a scale that makes p a normal number.
  const T shifted = fma(d, E::log2_e, integer_shift<T>), n = shifted - integer_shift<T>;
  T r = fma(factor, b, -fma(n, E::ln2, C::short_root));  // the sum is exact
  ((r = fma(a_low, b, r)), ...);
  r -= fma(n, E::ln2_low, C::short_root_low);
  const T p = bit_cast<T>(bit_cast<FloatBits<T>>(C::scale) -
                          (bit_cast<FloatBits<T>>(shifted) << FloatFormat<T>::fraction_bits));
  constexpr T least = C::scale * C::weight;
  const T expm1_over_r = fma(expm1_rest(r, least), r, least);
  const T v = fma(expm1_over_r, r, least), rise = v - least, v_low = fma(expm1_over_r, r, -rise);

  // p (s v + p) / (v + p)^2
  const T numerator = fma(s, rise, fma(-least, d, fma(-least, d_low, fma(s, v_low, p - C::scale))));
  const T inverse = math::reciprocal(v + p), squared = inverse * inverse, squared_low = fma(inverse, inverse, -squared);
  const T error = fma(-v_low, inverse, fma(-p, inverse, fma(-v, inverse, T(1))));
  const T quotient = uncontracted_product(numerator, squared);
  const T rest = fma(quotient, error + error, fma(numerator, squared_low, fma(numerator, squared, -quotient)));
  const T below = select(d > C::largest, T(-0.0), uncontracted_product(quotient + rest, p));
  return select((x > T(0)) == (a > T(0)), T(1) - below, below);
}

}  // namespace kachel::detail
