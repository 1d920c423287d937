// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tiles on a device through Kokkos alone: one a work item of a parallel_for.
#pragma once

#include <kachel/launch/run_tile.hpp>

#include <string>

namespace kachel {

template <class T, class Space, class Program>
struct DeviceTile {
  Program program;
  std::int64_t size;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const { kachel::run_tile<T, Space>(program, index, size); }
};

template <class T, class Space, class Program>
  requires(!is_host_space<Space>)
void launch_tiles(const std::string& label, const Space& space, std::int64_t size, const Program& program, bool) {
  using Policy =
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>, Kokkos::LaunchBounds<tuning<Space>.pace.block_size>>;
  const std::int64_t tiles = (size - 1) / Tile<T, Space>::width + 1;
  Kokkos::parallel_for(label, Policy(space, 0, tiles), DeviceTile<T, Space, Program>{program, size});
}

}  // namespace kachel
