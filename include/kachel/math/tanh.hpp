// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tanh.
#pragma once

#include <kachel/math/exp.hpp>
#include <kachel/math/reciprocal.hpp>

namespace kachel::math {

/// The hyperbolic tangent. Its error: docs/numerics.md.
/// With m = expm1(-2 |x|) in two numbers: -m / (2 + m), with the sign of x.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T tanh(T x) {
  const Sum<T> m = expm1_of_negative(T(-2) * Kokkos::abs(x));
  const T denominator = T(2) + m.high;
  const T denominator_low = (m.high - (denominator - T(2))) + m.low;
  return Kokkos::copysign(divide_sums(denominator, denominator_low, -m.high, -m.low), x);
}

}  // namespace kachel::math
