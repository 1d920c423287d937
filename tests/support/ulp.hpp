// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The error of a result in units of the last place.
#pragma once

#include <kachel/math/select.hpp>

#include <Kokkos_MathematicalFunctions.hpp>
#include <Kokkos_NumericTraits.hpp>

#include <cstdint>
#include <type_traits>

namespace kachel_test {

/// |result - exact| in units of the last place of the number of type T next to `exact`. Infinite where one of the two
/// is NaN and the other is not, where exact is 0 and result is not the same zero, and where exact rounds to infinity
/// and result is another number. \tparam R  a type with more digits than T
template <class T, class R>
KOKKOS_FUNCTION double ulp_error(T result, R exact) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits infinity = kachel::bit_cast<Bits>(Kokkos::Experimental::infinity_v<T>);
  const auto nearest = static_cast<T>(exact);
  const Bits bits = kachel::bit_cast<Bits>(Kokkos::abs(nearest));
  if (nearest != nearest) return result != result ? 0 : Kokkos::Experimental::infinity_v<double>;
  if (exact == 0 || bits == infinity) {
    const bool same = kachel::bit_cast<Bits>(result) == kachel::bit_cast<Bits>(nearest);
    return same ? 0 : Kokkos::Experimental::infinity_v<double>;
  }
  const T power = kachel::bit_cast<T>(bits & infinity);  // of two, or 0 for subnormal numbers
  const T unit = kachel::bit_cast<T>(kachel::bit_cast<Bits>(power) + 1) - power;
  const auto error = static_cast<double>((static_cast<R>(result) - exact) / unit);
  return error == error ? Kokkos::abs(error) : Kokkos::Experimental::infinity_v<double>;
}

}  // namespace kachel_test
