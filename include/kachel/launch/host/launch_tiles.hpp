// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tiles on a host: each thread runs through an equal share of them.
#pragma once

#include <kachel/tile/tile.hpp>

#include <algorithm>
#include <string>

namespace kachel {

/// What a work item of a host does: one of `shares` equal runs of tiles.
template <class T, class Space, class Program>
struct HostShare {
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

template <class T, class Space, class Program>
  requires is_host_space<Space>
void launch_tiles(const std::string& label, const Space& space, std::int64_t size, const Program& program) {
  constexpr int width = Tile<T, Space>::width;
  const std::int64_t shares = std::min<std::int64_t>((size - 1) / width + 1, space.concurrency());
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, shares),
                       HostShare<T, Space, Program>{program, size, shares});
}

}  // namespace kachel
