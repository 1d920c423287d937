// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of exp and expm1.
/// Range reduction (W. J. Cody, W. Waite, Software manual for the elementary functions, 1980): x = n ln 2 + r with
/// |r| <= ln(2) / 2, ln 2 as a sum of two numbers; then expm1(r) by a polynomial, and a product with 2^n.
/// Constants and the errors of the polynomials come from tools/sollya/constants.sollya.
#pragma once

#include <kachel/detail/math/polynomial.hpp>
#include <kachel/detail/math/sum.hpp>

#include <type_traits>

namespace kachel::detail {

/// Below `lowest` exp(x) is 0, also times 2^30 |x|, and expm1(x) is -1 below `saturated`. Above `highest` both are
/// infinite.
template <class T>
struct ExpConstants;

template <>
struct ExpConstants<float> {
  static constexpr float lowest = -130, highest = 89, saturated = -20, scale = 0x1p64f;
  static constexpr int log2_scale = 64;
  static constexpr float log2_e = 0x1.715476p+0f, ln2 = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
};

template <>
struct ExpConstants<double> {
  static constexpr double lowest = -790, highest = 710, saturated = -40, scale = 0x1p128;
  static constexpr int log2_scale = 128;
  static constexpr double log2_e = 0x1.71547652b82fep+0, ln2 = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
};

/// A number as n ln 2 + remainder + low; n is the lower bits of `shifted`.
template <class T>
struct ExpArgument {
  T remainder, low;
  FloatBits<T> shifted;
};

/// n times the first number of ln 2, exactly, from `shifted`, whose lower bits n are; times scale, a power of two.
/// Times ln2_ratio it is n times the second.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T times_ln2(T shifted, T scale = 1) {
  using C = ExpConstants<T>;
  return fma(shifted, scale * C::ln2, -integer_shift<T> * (scale * C::ln2));
}

template <class T>
inline constexpr T ln2_ratio = ExpConstants<T>::ln2_low / ExpConstants<T>::ln2;

/// \param low  what is added to x, at most about an ulp of it; none, or one number
template <class T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION ExpArgument<T> reduce_exp(T x, Low... low) {
  using C = ExpConstants<T>;
  const T shifted = fma(x, C::log2_e, integer_shift<T>);
  const T n = shifted - integer_shift<T>;
  const T high = fma(n, -C::ln2, x);  // exact
  const auto bits = bit_cast<FloatBits<T>>(shifted);
  if constexpr (sizeof...(Low) == 0) {
    return {fma(n, -C::ln2_low, high), 0, bits};
  } else {
    const T rest = fma(n, -C::ln2_low, low...), remainder = high + rest;
    return {remainder, rest - (remainder - high), bits};
  }
}

/// (expm1(r) - r) / r^2 for |r| <= ln(2) / 2, r given in units of a power of two, times scale, another.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T expm1_rest(T r, T scale = 1, T unit = 1) {
  if constexpr (std::is_same_v<T, float>)
    return scaled_polynomial(r, unit, scale, 0x1.fffffep-2f, 0x1.5554bp-3f, 0x1.555716p-5f, 0x1.1227aap-7f,
                             0x1.6b73ap-10f);
  else
    return scaled_polynomial(r, unit, scale, 0x1.0000000000005p-1, 0x1.555555555553bp-3, 0x1.55555555520f5p-5,
                             0x1.1111111118838p-7, 0x1.6c16c17f3825dp-10, 0x1.a01a0177f53b5p-13, 0x1.a019a67fb5a64p-16,
                             0x1.71de80ea22c5cp-19, 0x1.28a2b5bf044f4p-22, 0x1.ae77dfbd30c4p-26);
}

/// expm1(r) for |r| <= ln(2) / 2.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T expm1_of_remainder(T r) {
  return fma(r * r, expm1_rest(r), r);
}

/// expm1(r + low), low less than an ulp of r.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T expm1_of_remainder(T r, T low) {
  return r + fma(r * r, expm1_rest(r), low);
}

/// exp(r) for |r| <= ln(2) / 2, times scale, a power of two.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T exp_of_remainder(T r, T scale = 1) {
  return fma(fma(expm1_rest(r, scale), r, scale), r, scale);
}

/// The same in two numbers.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION math::Sum<T> exp_sum_of_remainder(T r, T scale) {
  const T factor = fma(expm1_rest(r, scale), r, scale), high = fma(factor, r, scale);
  return {high, fma(factor, r, scale - high)};
}

/// exp(r) for |r| <= ln(2) / 2, r given in units of a power of two.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T exp_in_units(T r, T unit) {
  return fma(r, fma(r, expm1_rest(r, unit * unit, unit), unit), T(1));
}

/// 2^n as first * second: 2^n alone may lie outside the type's range.
template <class T>
struct PowerOfTwo {
  T first, second;
  FloatBits<T> half;  ///< second is 2^half
};

/// \param x  what was reduced, \param shifted  to this
template <class T>
KOKKOS_FORCEINLINE_FUNCTION PowerOfTwo<T> split_power_of_two(T x, FloatBits<T> shifted) {
  const auto half = bit_cast<FloatBits<T>>(fma(x, ExpConstants<T>::log2_e / 2, integer_shift<T>));
  return {power_of_two<T>(shifted - half), power_of_two<T>(half), half};
}

}  // namespace kachel::detail
