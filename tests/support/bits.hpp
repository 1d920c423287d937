// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Comparison of numbers by their bits, where any NaN equals any NaN.
#pragma once

#include <kachel/types/bfloat16.hpp>
#include <kachel/types/half.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace kachel_test {

/// The unsigned integer as large as T.
template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == 2, std::uint16_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

template <class T>
BitsOf<T> to_bits(T value) {
  return kachel::detail::bit_cast<BitsOf<T>>(value);
}

template <class T>
T from_bits(BitsOf<T> bits) {
  return kachel::detail::bit_cast<T>(bits);
}

/// The bits without the sign.
template <class T>
BitsOf<T> magnitude_bits(T value) {
  return to_bits(value) & (std::numeric_limits<BitsOf<T>>::max() >> 1);
}

template <class T>
bool is_nan(T value) {
  return magnitude_bits(value) > to_bits(std::numeric_limits<T>::infinity());
}

template <class T>
bool is_inf(T value) {
  return magnitude_bits(value) == to_bits(std::numeric_limits<T>::infinity());
}

/// Whether a and b have the same bits or are both NaN.
template <class T>
bool same(T a, T b) {
  return to_bits(a) == to_bits(b) || (is_nan(a) && is_nan(b));
}

/// A number as its bits and its value, for messages.
template <class T>
std::string show(T value) {
  std::ostringstream text;
  text.precision(17);
  text << "0x" << std::hex << to_bits(value) << std::dec << " (" << static_cast<double>(value) << ")";
  return text.str();
}

/// EXPECT_TRUE(all_same(expected, actual)) names the count of differing elements and the first of them.
template <class T>
testing::AssertionResult all_same(const std::vector<T>& expected, const std::vector<T>& actual) {
  if (expected.size() != actual.size())
    return testing::AssertionFailure() << actual.size() << " elements, expected " << expected.size();
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!same(expected[i], actual[i]) && wrong++ == 0) first = i;
  if (wrong == 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << wrong << " of " << expected.size() << " elements differ, first [" << first
                                     << "]: " << show(actual[first]) << ", expected " << show(expected[first]);
}

/// The same, naming the input of the first differing element.
template <class T>
testing::AssertionResult all_same(const std::vector<T>& expected, const std::vector<T>& actual,
                                  const std::vector<T>& inputs) {
  const testing::AssertionResult result = all_same(expected, actual);
  for (std::size_t i = 0; !result && i < inputs.size(); ++i)
    if (!same(expected[i], actual[i]))
      return testing::AssertionFailure() << result.message() << " at " << show(inputs[i]);
  return result;
}

}  // namespace kachel_test
