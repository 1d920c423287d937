// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Bounds that may be infinite.
#pragma once

#include <kachel/activations/pointwise.hpp>

namespace kachel::detail {

/// Whether x lies strictly between min and max, where these are rounded to Stored, or is infinite as its bound.
template <class Stored, Real T>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto lies_between(T x, double min, double max) {
  constexpr double infinity = Kokkos::Experimental::infinity_v<double>;
  const T lower = stored_bound<T, Stored>(min), upper = stored_bound<T, Stored>(max);
  const auto above = (x > lower) | ((x == lower) & (min == -infinity));
  const auto below = (x < upper) | ((x == upper) & (max == infinity));
  return above & below;
}

}  // namespace kachel::detail
