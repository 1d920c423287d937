// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Exact real numbers to hold results to.
#pragma once

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <initializer_list>

namespace kachel_test {

/// The sign of the exact sum of finite doubles.
/// Source: J. Shewchuk, Adaptive Precision Floating-Point Arithmetic (1997), Grow-Expansion: the sum is held as
/// doubles that do not overlap, in rising order, so that its sign is that of the last one that is not 0.
inline int sign_of_sum(std::initializer_list<double> terms) {
  std::array<double, 8> parts{};
  std::size_t count = 0;
  for (double sum : terms) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double a = sum, b = parts[i];
      sum = a + b;
      const double b_part = sum - a;
      const double error = (a - (sum - b_part)) + (b - b_part);
      if (error != 0) parts[kept++] = error;
    }
    count = kept;
    if (sum != 0) parts[count++] = sum;
  }
  if (count == 0) return 0;
  return parts[count - 1] > 0 ? 1 : -1;
}

/// The real number min(max((a + b + c) / denominator, lower), upper); the denominator is 1 or 6.
struct Exact {
  double a, b = 0, c = 0;
  int denominator = 1;
  double lower = -Kokkos::Experimental::infinity_v<double>;
  double upper = Kokkos::Experimental::infinity_v<double>;

  /// The sign of this - (other + more).
  int compare(double other, double more = 0) const {
    if (std::isinf(a)) return difference(a > 0 ? upper : lower, other, more);
    if (!std::isinf(lower) && sum_without(lower) < 0) return difference(lower, other, more);
    if (!std::isinf(upper) && sum_without(upper) > 0) return difference(upper, other, more);
    return sum_without(other, more);
  }

  /// A double next to it; a zero may have the other sign.
  KOKKOS_FUNCTION double approximately() const {
    const double value = (a + b + c) / denominator;
    return value < lower ? lower : value > upper ? upper : value;
  }

 private:
  static int difference(double bound, double other, double more) {
    if (std::isinf(bound)) return other == bound ? 0 : bound > 0 ? 1 : -1;
    return sign_of_sum({bound, -other, -more});
  }

  int sum_without(double other, double more = 0) const {  // 6 other = 4 other + 2 other, both exact
    if (denominator == 1) return sign_of_sum({a, b, c, -other, -more});
    return sign_of_sum({a, b, c, -4 * other, -2 * other, -4 * more, -2 * more});
  }
};

}  // namespace kachel_test
