// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Conversion of floating-point numbers to integers that is the same everywhere, also where C++ leaves it undefined.
#pragma once

#include <kachel/math/select.hpp>

#include <Kokkos_NumericTraits.hpp>

namespace kachel::detail {

/// A float or double rounded towards 0 to an integer type; beyond its range the nearest number of it, 0 for NaN.
template <class T, class V>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool> && std::is_floating_point_v<V>)
KOKKOS_FORCEINLINE_FUNCTION constexpr T truncate_to(V value) {
  constexpr T lowest = Kokkos::Experimental::finite_min_v<T>, highest = Kokkos::Experimental::finite_max_v<T>;
  constexpr V beyond = V(2) * static_cast<V>(highest / 2 + 1);  // a power of two, as which no float is `highest` itself
  const bool above = value >= beyond, inside = (value >= static_cast<V>(lowest)) & !above;
  const T truncated = static_cast<T>(select(inside, value, V(0)));
  return select(above, highest, select(value < static_cast<V>(lowest), lowest, truncated));
}

}  // namespace kachel::detail
