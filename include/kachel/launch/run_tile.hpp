// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// run_tile: what one work item of a device does.
#pragma once

#include <kachel/tile/tile.hpp>

namespace kachel {

/// Runs the program on tile `index` of a span of `size` elements, if there is one.
template <class T, class Space, class Program>
KOKKOS_FORCEINLINE_FUNCTION void run_tile(const Program& program, std::int64_t index, std::int64_t size) {
  constexpr int width = Tile<T, Space>::width;
  const std::int64_t begin = index * width;
  const std::int64_t left = size - begin;
  // Two calls, so that the first is compiled knowing that its tile is full.
  if (left >= width)
    program(Tile<T, Space>(begin, width));
  else if (left > 0)
    program(Tile<T, Space>(begin, static_cast<int>(left)));
}

}  // namespace kachel
