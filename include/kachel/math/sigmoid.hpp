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
  const T e = detail::exp_of_negative(-Kokkos::abs(x), select(positive, -low, low)...);
  const Sum<T> denominator = ordered_sum(T(1), e);
  return divide_sums(denominator.high, denominator.low, select(positive, T(1), e));
}

/// The derivative of sigmoid, e^-x / (1 + e^-x)^2: the density of the logistic distribution. At most 1.6 ulp off.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T logistic_density(T x) {
  const T e = detail::exp_of_negative(-Kokkos::abs(x));
  const Sum<T> denominator = square(ordered_sum(T(1), e));
  return divide_sums(denominator.high, denominator.low, e);
}

}  // namespace kachel::math
