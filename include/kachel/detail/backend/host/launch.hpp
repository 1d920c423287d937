// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tiles on a host: each thread runs through an equal share of them.
#pragma once

#include <kachel/detail/backend/host/run_items.hpp>
#include <kachel/detail/schedule.hpp>
#include <kachel/detail/tiling.hpp>

namespace kachel::detail {

/// Runs a body over the tiles [first, last). A function of its own, since HostRows calls it for each block.
template <class Tiling, class Body>
// Conversions move sixteen floats at a time. GCC computes eight at a time for Intel's processors unless told, and would
// wait for two stores of eight before each load of sixteen. It leaves calls in loops of long functors, and so the loops
// scalar, unless everything is inlined.
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
[[gnu::target("prefer-vector-width=512")]]
#endif
#if defined(__GNUC__)
[[gnu::flatten, gnu::noinline]]
#endif
void run_tiles(const Tiling& tiling, const Body& body, std::int64_t first, std::int64_t last, Caching caching) {
  const Body own(body);  // whose members no store of another's can change
  tiling.run_range(own, first, last, caching);
}

/// What a work item of a host does: `share` consecutive tiles, fewer or none at the end.
template <class Tiling, class Body>
struct HostShare {
  Tiling tiling;
  Body body;
  std::int64_t share;
  Caching caching;

  void operator()(std::int64_t index) const {
    const std::int64_t end = std::min(tiling.tiles(), (index + 1) * share);
    detail::run_tiles(tiling, body, index * share, end, caching);
    if (caching == Caching::streaming) streaming_fence();
  }
};

/// How many threads there are for so many items.
/// \throws std::logic_error  as available_threads does, unless the calling thread runs them alone
template <class Space>
std::int64_t choose_threads(std::string_view label, const Space& space, const Schedule& schedule, std::int64_t items) {
  return schedule.threads == 1 ? 1 : std::min<std::int64_t>(items, detail::available_threads(label, space));
}

template <class Space, class Tiling, class Body>
  requires is_host_space<Space>
void launch(const std::string& label, const Space& space, const Schedule& schedule, const Tiling& tiling,
            const Body& body) {
  const std::int64_t tiles = tiling.tiles(), threads = detail::choose_threads(label, space, schedule, tiles);
  const Caching caching = schedule.streams         ? Caching::streaming
                          : schedule.fetches_ahead ? Caching::fetching
                                                   : Caching::cached;
  detail::run_items(label, space, threads, schedule.threads == 1,
                    HostShare<Tiling, Body>{tiling, body, (tiles - 1) / threads + 1, caching});
}

}  // namespace kachel::detail
