// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// std::bit_cast that a device may call, also in a constant expression.
#pragma once

#include <Kokkos_Macros.hpp>

#include <type_traits>

// Here, since every other header includes this one.
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "Kachel's results are exact, NaN among them, only without -ffast-math and the options it consists of."
#endif

namespace kachel::detail {

/// The value of type To that has the bits of `from`.
template <class To, class From>
  requires(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>)
KOKKOS_FORCEINLINE_FUNCTION constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}

}  // namespace kachel::detail
