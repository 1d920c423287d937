// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tiles on a host: each thread runs through an equal share of them.
#pragma once

#include <kachel/tile/tile.hpp>

#include <algorithm>
#include <string>

namespace kachel {

/// What a work item of a host does: `share` consecutive tiles, fewer or none at the end of the span.
template <class T, class Space, class Program>
struct HostShare {
  Program program;
  std::int64_t size;
  std::int64_t share;
  Caching caching;

  void operator()(std::int64_t index) const {
    constexpr int width = Tile<T, Space>::width;
    const Program own(program);  // whose members no store of another's can change
    const std::int64_t end = std::min(size, (index + 1) * share * width);
    std::int64_t begin = index * share * width;
    for (; end - begin >= width; begin += width) own(Tile<T, Space>(begin, width, caching));
    if (begin < end) own(Tile<T, Space>(begin, static_cast<int>(end - begin), caching));
    if (caching == Caching::streaming) streaming_fence();
  }
};

template <class T, class Space, class Program>
  requires is_host_space<Space>
void launch_tiles(const std::string& label, const Space& space, std::int64_t size, const Program& program,
                  bool in_place) {
  const std::int64_t tiles = (size - 1) / Tile<T, Space>::width + 1;
  const std::int64_t threads = std::min<std::int64_t>(tiles, space.concurrency());
  const std::int64_t share = (tiles - 1) / threads + 1;
  const bool large = size >= tuning<Space>.streaming_bytes / static_cast<int>(sizeof(T));
  const Caching caching = large && !in_place ? Caching::streaming : Caching::cached;
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, threads),
                       HostShare<T, Space, Program>{program, size, share, caching});
}

}  // namespace kachel
