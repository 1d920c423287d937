// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tiles on a device through Kokkos alone: one a work item of a parallel_for.
#pragma once

#include <kachel/detail/tiling.hpp>

#include <string>

namespace kachel {

template <class Tiling, class Program>
struct DeviceTile {
  Tiling tiling;
  Program program;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const { tiling.run(program, index); }
};

template <class Space, class Tiling, class Program>
  requires(!is_host_space<Space>)
void launch_tiles(const std::string& label, const Space& space, const Tiling& tiling, const Program& program, bool) {
  using Policy =
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>, Kokkos::LaunchBounds<tuning<Space>.block_size>>;
  Kokkos::parallel_for(label, Policy(space, 0, tiling.tiles()), DeviceTile<Tiling, Program>{tiling, program});
}

}  // namespace kachel
