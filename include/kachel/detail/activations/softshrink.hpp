// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SoftShrink for 16 bits.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/math/round_to_odd.hpp>

namespace kachel::detail {

/// The distance to the band from -bound to bound, with the sign of x: the difference rounded to nearest could lie half
/// way between two numbers of 16 bits, where the exact one does not.
KOKKOS_FORCEINLINE_FUNCTION float narrow_softshrink(float x, float bound) {
  const float magnitude = Kokkos::abs(x);
  return pass_where(magnitude > bound, Kokkos::copysign(sum_to_odd(magnitude, -bound), x), x);
}

}  // namespace kachel::detail
