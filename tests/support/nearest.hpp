// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The nearest number of a format, found without the library's conversions.
#pragma once

#include <support/bits.hpp>
#include <support/exact.hpp>

#include <cmath>
#include <cstdint>

namespace kachel_test {

/// A binary format of 16 or 32 bits by its parameters.
template <class T>
struct Format;
template <>
struct Format<kachel::half> {
  static constexpr int fraction_bits = 10, bias = 15;
};
template <>
struct Format<kachel::bfloat16> {
  static constexpr int fraction_bits = 7, bias = 127;
};
template <>
struct Format<float> {
  static constexpr int fraction_bits = 23, bias = 127;
};

/// The value of a positive pattern by the definition of the format; that of infinity is the power of two that would
/// follow the largest finite number.
template <class T>
double value_of(std::uint32_t pattern) {
  constexpr int fraction_bits = Format<T>::fraction_bits;
  const std::uint32_t fraction = pattern & ((1u << fraction_bits) - 1);
  const int exponent = static_cast<int>(pattern >> fraction_bits);
  const std::uint32_t significand = exponent == 0 ? fraction : fraction | 1u << fraction_bits;
  return std::ldexp(significand, (exponent == 0 ? 1 : exponent) - Format<T>::bias - fraction_bits);
}

/// The number of T nearest to an exact number, ties to even, overflow to infinity; 0 gives +0.
/// \param compare  the sign of the exact number minus a double
template <class T, class Compare>
T nearest(const Compare& compare) {
  const int sign = compare(0.0) < 0 ? -1 : 1;
  const std::uint32_t infinity = static_cast<std::uint32_t>(2 * Format<T>::bias + 1) << Format<T>::fraction_bits;
  std::uint32_t below = 0, above = infinity;  // value_of(below) <= |exact| < value_of(above), or it overflows
  while (above - below > 1) {
    const std::uint32_t middle = below + (above - below) / 2;
    (sign * compare(sign * value_of<T>(middle)) >= 0 ? below : above) = middle;
  }
  const double half_way = (value_of<T>(below) + value_of<T>(above)) / 2;
  const int side = sign * compare(sign * half_way);
  const bool up = side > 0 || (side == 0 && below % 2 == 1);
  const std::uint32_t sign_bit = sign < 0 ? 1u << (8 * sizeof(T) - 1) : 0u;
  return from_bits<T>(static_cast<BitsOf<T>>((up ? above : below) | sign_bit));
}

template <class T>
T nearest(const Exact& exact) {
  return nearest<T>([&exact](double other) { return exact.compare(other); });
}

/// The number of T nearest to a double that is not a NaN.
template <class T>
T nearest(double value) {
  const T magnitude = nearest<T>([value](double other) { return (value > other) - (value < other); });
  return value == 0 && std::signbit(value) ? from_bits<T>(static_cast<BitsOf<T>>(BitsOf<T>{1} << (8 * sizeof(T) - 1)))
                                           : magnitude;
}

}  // namespace kachel_test
