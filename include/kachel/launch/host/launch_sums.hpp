// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sums on a host: each thread takes an equal share of the chunks.
#pragma once

#include <kachel/launch/sums.hpp>

#include <algorithm>
#include <memory>
#include <string>

namespace kachel {

/// What a work item of a host does: `share` consecutive chunks, fewer or none at the end.
template <bool across, class Tiling, class Program>
struct HostSums {
  using Sum = typename Program::Sum;
  static constexpr int width = Tiling::width;

  Tiling tiling;
  Program program;
  Sum* parts;
  std::int64_t share;

  /// Of a channel, or across `width` of them.
  std::int64_t items() const {
    return tiling.chunks() * (across ? (tiling.channels + width - 1) / width : tiling.channels);
  }

  void operator()(std::int64_t index) const {
    const Program own(program);  // whose members no store of another's can change
    const std::int64_t chunks = tiling.chunks(), end = std::min(items(), (index + 1) * share);
    for (std::int64_t item = index * share; item < end; ++item) {
      if constexpr (across) {
        const std::int64_t blocks = items() / chunks, channel = item % blocks * width, chunk = item / blocks;
        constexpr int lanes = sum_lanes / 2;  // at once, whose sums a cache of the first level holds
        Pack<Sum, width> sums[std::size_t{lanes}];
        tiling.sum_channels(own, channel, chunk, 0, sums);
        Pack<Sum, width> sum = kachel::sum_of_neighbours(sums);
        tiling.sum_channels(own, channel, chunk, lanes, sums);
        sum = sum + kachel::sum_of_neighbours(sums);
        for (int i = 0; i < width && channel + i < tiling.channels; ++i) parts[(channel + i) * chunks + chunk] = sum[i];
      } else {
        Pack<Sum, width> sums[std::size_t{sum_lanes / width}];
        // Short rows of a channel lie apart: the rows between them come next, while the cache has their lines.
        const bool short_rows = tiling.extents[0].divisor() < sum_chunk;
        const std::int64_t channel = short_rows ? item % tiling.channels : item / chunks,
                           chunk = short_rows ? item / tiling.channels : item % chunks;
        tiling.sum_elements(own, channel, chunk, 0, sums);
        Sum sum[std::size_t{sum_lanes / width}];
        for (int i = 0; i < sum_lanes / width; ++i) sum[i] = kachel::sum_of_neighbours(sums[i].values);
        parts[channel * chunks + chunk] = kachel::sum_of_neighbours(sum);
      }
    }
    if (tiling.caching == Caching::streaming) streaming_fence();
  }
};

template <class Element, bool across, int width, class Space, class Program, class T>
void run_host_sums(const std::string& label, const Space& space, const SumPlan& plan, const Program& program, T* sums,
                   std::int64_t stride, bool in_place) {
  using Sum = typename Program::Sum;
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  using Tiling = SumTiling<Space, width, Program>;
  const bool large = tuning<Space>.is_large(plan.channels * plan.size, sizeof(Element));
  const Tiling tiling(plan, large && !in_place ? Caching::streaming : Caching::cached);
  const auto parts = std::make_unique_for_overwrite<Sum[]>(static_cast<std::size_t>(plan.channels * tiling.chunks()));
  HostSums<across, Tiling, Program> work{tiling, program, parts.get(), 0};
  if (const std::int64_t items = work.items(); items > 0) {
    const std::int64_t threads = std::min<std::int64_t>(items, space.concurrency());
    work.share = (items - 1) / threads + 1;
    Kokkos::parallel_for(label, Policy(space, 0, threads), work);
  }
  Kokkos::parallel_for(label, Policy(space, 0, plan.channels),
                       TotalSums<T, Sum>{parts.get(), tiling.chunks(), sums, stride, 1});
}

/// sums[c * stride] is the sum of what the program makes of channel c's elements.
template <class Element, bool across, class Space, class Program, class T>
  requires is_host_space<Space>
void launch_sums(const std::string& label, const Space& space, const SumPlan& plan, const Program& program, T* sums,
                 std::int64_t stride, bool in_place) {
  constexpr int line = 64 / static_cast<int>(sizeof(Element)), lines = std::min(64, 4 * line);
  // The elements of a channel may lie pages apart: the more of its neighbours come with each, the better.
  if constexpr (across)
    if (plan.channels >= lines)
      return kachel::run_host_sums<Element, across, lines>(label, space, plan, program, sums, stride, in_place);
  kachel::run_host_sums<Element, across, line>(label, space, plan, program, sums, stride, in_place);
}

}  // namespace kachel
