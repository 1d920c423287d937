// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Fused multiply-add.
#pragma once

#include <Kokkos_MathematicalFunctions.hpp>

#include <type_traits>

namespace kachel {

/// a * b + c, rounded once.
template <class T>
  requires std::is_floating_point_v<T>
KOKKOS_FORCEINLINE_FUNCTION T fma(T a, T b, T c) {
  return Kokkos::fma(a, b, c);
}

}  // namespace kachel
