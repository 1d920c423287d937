// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the functions of this folder share: the layout of a type's bits, polynomials, powers of two.
#pragma once

#include <kachel/detail/math/bit_cast.hpp>
#include <kachel/math/fma.hpp>

#include <cstdint>
#include <type_traits>

namespace kachel::math {

/// What the functions of this folder are of.
template <class T>
concept RealNumber = std::is_same_v<T, float> || std::is_same_v<T, double>;

}  // namespace kachel::math

namespace kachel::detail {

/// The bits of a floating-point type.
template <class T>
struct FloatFormat;

template <>
struct FloatFormat<float> {
  using Bits = std::uint32_t;
  static constexpr int fraction_bits = 23, bias = 127;
};

template <>
struct FloatFormat<double> {
  using Bits = std::uint64_t;
  static constexpr int fraction_bits = 52, bias = 1023;
};

template <class T>
using FloatBits = typename FloatFormat<T>::Bits;

/// A number that rounds what is added to it to an integer, whose lower bits are then those of the sum. Its own lower
/// bits are 0.
template <class T>
inline constexpr T integer_shift = T(3) * (FloatBits<T>{1} << (FloatFormat<T>::fraction_bits - 1));

/// 2^n from the lower bits of n, for -bias < n <= bias.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T power_of_two(FloatBits<T> n) {
  using Format = FloatFormat<T>;
  return bit_cast<T>((n << Format::fraction_bits) + (FloatBits<T>{Format::bias} << Format::fraction_bits));
}

/// x 2^n from the lower bits of n, where x and the product are normal numbers; and of any x where n is 0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T times_power_of_two(T x, FloatBits<T> n) {
  return bit_cast<T>(bit_cast<FloatBits<T>>(x) + (n << FloatFormat<T>::fraction_bits));
}

/// c0 + c1 x + c2 x^2 + ..., by Horner's rule.
template <class T, class... Coefficients>
KOKKOS_FORCEINLINE_FUNCTION T polynomial(T x, T c0, Coefficients... rest) {
  if constexpr (sizeof...(rest) == 0)
    return c0;
  else
    return fma(detail::polynomial(x, rest...), x, c0);
}

/// scale (c0 + c1 (unit x) + c2 (unit x)^2 + ...), where scale and unit are constants, powers of two.
template <class T, class... Coefficients>
KOKKOS_FORCEINLINE_FUNCTION T scaled_polynomial(T x, T unit, T scale, T c0, Coefficients... rest) {
  if constexpr (sizeof...(rest) == 0)
    return scale * c0;
  else
    return fma(detail::scaled_polynomial(x, unit, scale * unit, rest...), x, scale * c0);
}

}  // namespace kachel::detail
