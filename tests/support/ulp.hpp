// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The error of a result in units of the last place.
#pragma once

#include <kachel/math/select.hpp>

#include <Kokkos_MathematicalFunctions.hpp>
#include <Kokkos_NumericTraits.hpp>

#include <cstdint>
#include <type_traits>

namespace kachel_test {

/// |result - exact| in units of the last place of the number of type T next to `exact`, numbers beyond T's range
/// counting as the power of two that ends it. Infinite where one of the two is NaN and the other is not, and where
/// exact is 0 or infinite and result is not the same.
/// \tparam R  a type with more digits than T
template <class T, class R>
KOKKOS_FUNCTION double ulp_error(T result, R exact) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr double infinite = Kokkos::Experimental::infinity_v<double>;
  constexpr Bits infinity = kachel::detail::bit_cast<Bits>(Kokkos::Experimental::infinity_v<T>), largest = infinity - 1;
  const auto nearest = static_cast<T>(exact);
  if (nearest != nearest) return result != result ? 0 : infinite;
  if (exact == 0 || exact - exact != 0)
    return kachel::detail::bit_cast<Bits>(result) == kachel::detail::bit_cast<Bits>(nearest) ? 0 : infinite;
  const Bits nearest_bits = kachel::detail::bit_cast<Bits>(Kokkos::abs(nearest)),
             bits = nearest_bits == infinity ? largest : nearest_bits;
  const T power = kachel::detail::bit_cast<T>(bits & infinity);  // of two, or 0 for subnormal numbers
  const T unit = kachel::detail::bit_cast<T>(kachel::detail::bit_cast<Bits>(power) + 1) - power;
  const R end = R(2) * kachel::detail::bit_cast<T>(largest & infinity);  // of the range
  const auto given = static_cast<R>(result);
  const R within = given > end    ? end
                   : given < -end ? -end
                                  : given,
          expected = exact > end    ? end
                     : exact < -end ? -end
                                    : exact;
  const auto error = static_cast<double>((within - expected) / unit);
  return error == error ? Kokkos::abs(error) : infinite;
}

}  // namespace kachel_test
