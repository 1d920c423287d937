// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// sigmoid.
#pragma once

#include <kachel/math/exp.hpp>
#include <kachel/math/reciprocal.hpp>

namespace kachel::math {

/// 1 / (1 + e^-x). Its error: docs/numerics.md.
/// With e = exp(-|x|): 1 / (1 + e) for x >= 0, e / (1 + e) for x < 0, the denominator in two numbers.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T sigmoid(T x) {
  const T e = exp_of_negative(-Kokkos::abs(x));
  const T denominator = T(1) + e;
  return divide_sums(denominator, e - (denominator - T(1)), select(x >= T(0), T(1), e));
}

}  // namespace kachel::math
