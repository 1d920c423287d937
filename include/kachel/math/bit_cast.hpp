// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// std::bit_cast that a device may call, also in a constant expression.
#pragma once

#include <Kokkos_Macros.hpp>

#include <type_traits>

namespace kachel {

/// The value of type To that has the bits of `from`.
template <class To, class From>
  requires(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>)
KOKKOS_FORCEINLINE_FUNCTION constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}

}  // namespace kachel
