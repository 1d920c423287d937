// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A tile's indices as an op receives them: each is computed where the op takes it. A Pack of them is kept in memory by
/// GCC 12: from it `broadcast/ramp` takes 1.2 to 6 times as long in the cache (an EPYC, Zen 4).
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace kachel::detail {

/// `count` indices from `first` on, `stride` apart; beyond them the last, so that an op sees none that is not there.
template <int width>
struct Indices {
  std::int64_t first, stride;
  int count;

  static constexpr int size() { return width; }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t operator[](int i) const {
    return first + Kokkos::min(i, count - 1) * stride;
  }
};

/// An integer comes as it is.
template <class, int width>
KOKKOS_FORCEINLINE_FUNCTION Indices<width> converted(const Indices<width>& indices) {
  return indices;
}

}  // namespace kachel::detail
