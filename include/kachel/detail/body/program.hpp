// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The body of for_tiles: a program of the caller's.
#pragma once

#include <kachel/tile.hpp>

namespace kachel::detail {

template <class T, class Space, class Program>
struct TileProgram {
  Program program;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile<T, Space>& tile) const { program(tile); }
};

}  // namespace kachel::detail
