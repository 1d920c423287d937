// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tiles on a host: each thread runs through an equal share of them.
#pragma once

#include <kachel/launch/tiling.hpp>

#include <algorithm>
#include <string>

namespace kachel {

/// What a work item of a host does: `share` consecutive tiles, fewer or none at the end.
template <class Tiling, class Program>
struct HostShare {
  Tiling tiling;
  Program program;
  std::int64_t share;
  Caching caching;

  // Conversions move sixteen floats at a time. GCC computes eight at a time for Intel's processors unless told, and
  // would wait for two stores of eight before each load of sixteen. It leaves calls in loops of long functors, and so
  // the loops scalar, unless everything is inlined.
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
  [[gnu::target("prefer-vector-width=512")]]
#endif
#if defined(__GNUC__)
  [[gnu::flatten]]
#endif
  void operator()(std::int64_t index) const {
    const Program own(program);  // whose members no store of another's can change
    const std::int64_t end = std::min(tiling.tiles(), (index + 1) * share);
    tiling.run_range(own, index * share, end, caching);
    if (caching == Caching::streaming) streaming_fence();
  }
};

template <class Space, class Tiling, class Program>
  requires is_host_space<Space>
void launch_tiles(const std::string& label, const Space& space, const Tiling& tiling, const Program& program,
                  bool in_place) {
  const std::int64_t tiles = tiling.tiles();
  const std::int64_t threads = std::min<std::int64_t>(tiles, space.concurrency());
  const std::int64_t share = (tiles - 1) / threads + 1;
  const bool large = tuning<Space>.is_large(tiling.elements(), sizeof(typename Tiling::Element));
  const Caching caching = large && !in_place ? Caching::streaming : Caching::cached;
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, threads),
                       HostShare<Tiling, Program>{tiling, program, share, caching});
}

}  // namespace kachel
