// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// for_tiles: the one place that launches.
#pragma once

#include <kachel/tile/tile.hpp>

#include <algorithm>
#include <string>

namespace kachel {

/// What a work item of a device does: one tile of the program.
template <class T, class Space, class Program>
struct DeviceTiles {
  Program program;
  std::int64_t size;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    constexpr int width = Tile<T, Space>::width;
    const std::int64_t begin = index * width;
    // Two calls, so that the first is compiled knowing that its tile is full.
    if (size - begin >= width)
      program(Tile<T, Space>(begin, width));
    else
      program(Tile<T, Space>(begin, static_cast<int>(size - begin)));
  }
};

/// What a work item of a host does: one of `shares` equal runs of tiles.
template <class T, class Space, class Program>
struct HostTiles {
  Program program;
  std::int64_t size;
  std::int64_t shares;

  void operator()(std::int64_t share) const {
    constexpr int width = Tile<T, Space>::width;
    const std::int64_t full = size / width;
    const std::int64_t last = full * (share + 1) / shares;
    for (std::int64_t index = full * share / shares; index < last; ++index)
      program(Tile<T, Space>(index * width, width));
    if (share == shares - 1 && full * width < size)
      program(Tile<T, Space>(full * width, static_cast<int>(size - full * width)));
    streaming_fence();
  }
};

/// Runs program(tile) for every tile of a span of `size` elements whose widest type is T.
/// Asynchronous on a device, blocking on a host.
/// \param label    the kernel's name, as Kokkos Tools show it
/// \param space    the execution space instance
/// \param size     elements, 0 or more
/// \param program  callable with a const Tile<T, Space>&, on Space; called once a tile, in any order
template <class T, class Space, class Program>
  requires Kokkos::is_execution_space_v<Space>
void for_tiles(const std::string& label, const Space& space, std::int64_t size, const Program& program) {
  if (size <= 0) return;
  constexpr int width = Tile<T, Space>::width;
  const std::int64_t tiles = (size - 1) / width + 1;
  if constexpr (is_host_space<Space>) {
    const std::int64_t shares = std::min<std::int64_t>(tiles, space.concurrency());
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, shares),
                         HostTiles<T, Space, Program>{program, size, shares});
  } else {
    using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>,
                                       Kokkos::LaunchBounds<tuning<Space>.block_size>>;
    Kokkos::parallel_for(label, Policy(space, 0, tiles), DeviceTiles<T, Space, Program>{program, size});
  }
}

/// The same under the label "kachel::for_tiles".
template <class T, class Space, class Program>
  requires Kokkos::is_execution_space_v<Space>
void for_tiles(const Space& space, std::int64_t size, const Program& program) {
  static const std::string label = "kachel::for_tiles";
  for_tiles<T>(label, space, size, program);
}

}  // namespace kachel
