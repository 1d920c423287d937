// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sums on a host: each thread takes an equal share of the chunks.
#pragma once

#include <kachel/detail/backend/host/launch_tiles.hpp>
#include <kachel/detail/reduce/sums.hpp>
#include <kachel/detail/reduce/total_sums.hpp>

#include <algorithm>
#include <bit>
#include <memory>
#include <string>

namespace kachel {

/// Sums as launch_tiles of a host runs them: what is a tile there is here a chunk of a channel, or of each of
/// `neighbours` channels. T is the type of the elements.
template <class T, bool across, class Tiling, class Program>
struct HostSums {
  using Element = T;
  using Sum = typename Program::Sum;
  using Sums = typename Tiling::Sums;
  static constexpr int width = Tiling::width;
  /// Of channels at once: the elements of a channel may lie pages apart, so many of its neighbours come with each, and
  /// yet a cache of the first level holds a sum of each for every level of the tree of lanes.
  static constexpr int packs = 2048 / static_cast<int>(sizeof(Sums));

  Tiling tiling;
  Sum* parts;
  std::int64_t neighbours = 1;

  /// \param threads  how many there should be work for
  HostSums(const Tiling& cut, Sum* results, int threads) : tiling(cut), parts(results) {
    if constexpr (across) {
      const std::int64_t chunks = std::max<std::int64_t>(tiling.chunks(), 1), blocks = divide_up(threads, chunks);
      neighbours = std::clamp<std::int64_t>(divide_up(divide_up(tiling.channels, width), blocks), 1, packs) * width;
    }
  }

  std::int64_t tiles() const { return tiling.chunks() * divide_up(tiling.channels, neighbours); }
  std::int64_t elements() const { return tiling.channels * tiling.size; }

  void run_range(const Program& program, std::int64_t first, std::int64_t last, Caching caching) const {
    HostSums own(*this);
    own.tiling.caching = caching;
    const std::int64_t chunks = tiling.chunks(), blocks = divide_up(tiling.channels, neighbours);
    // Short rows of a channel lie apart: the rows between them come next, while the cache has their lines.
    const bool short_rows = across || tiling.extents[0].divisor() < sum_chunk;
    for (std::int64_t tile = first; tile < last; ++tile) {
      const std::int64_t block = short_rows ? tile % blocks : tile / chunks,
                         chunk = short_rows ? tile / blocks : tile % chunks;
      if constexpr (across)
        own.sum_neighbours(program, block * neighbours, chunk);
      else
        parts[block * chunks + chunk] = own.sum_of_channel(program, block, chunk);
    }
  }

 private:
  static std::int64_t divide_up(std::int64_t number, std::int64_t divisor) { return (number + divisor - 1) / divisor; }

  Sum sum_of_channel(const Program& program, std::int64_t channel, std::int64_t chunk) const {
    Sums sums[std::size_t{sum_lanes / width}];
    tiling.sum_elements(program, channel, chunk, 0, sums);
    Sum sum[std::size_t{sum_lanes / width}];
    for (int i = 0; i < sum_lanes / width; ++i) sum[i] = kachel::sum_of_neighbours(sums[i].values);
    return kachel::sum_of_neighbours(sum);
  }

  /// Writes the sums of a chunk of each of `neighbours` channels from `channel` on.
  void sum_neighbours(const Program& program, std::int64_t channel, std::int64_t chunk) const {
    const auto count = static_cast<int>(std::min(neighbours, tiling.channels - channel));
    constexpr int levels = std::bit_width(static_cast<unsigned>(sum_lanes));
    Sums tree[std::size_t{levels}][std::size_t{packs}];  // of 2^level lanes each, where a bit of `lanes` is set
    unsigned lanes = 0;
    const auto next = [&]() -> Sums(&)[std::size_t{packs}] { return tree[std::countr_one(lanes)]; };
    const auto fold = [&] {
      Sums* const sums = next();
      for (int lower = 0; lower < std::countr_one(lanes); ++lower)
        for (int i = 0; i * width < count; ++i)
          kachel::for_each_place<width>([&](int k) { sums[i][k] = tree[lower][i][k] + sums[i][k]; });
      ++lanes;
    };
    tiling.sum_lanes_across(program, channel, count, chunk, next, fold);
    for (int i = 0; i < count; i += width) {
      Sums sum(-Sum(0));
      for (int level = 0; level < levels; ++level)
        if (lanes >> level & 1) sum = tree[level][i / width] + sum;
      for (int k = 0; k < std::min(width, count - i); ++k) parts[(channel + i + k) * tiling.chunks() + chunk] = sum[k];
    }
  }
};

/// sums[c * stride] is the sum of what the program makes of channel c's elements.
template <class Element, bool across, class Space, class Program, class T>
  requires is_host_space<Space>
void launch_sums(const std::string& label, const Space& space, const SumPlan& plan, const Program& program, T* sums,
                 std::int64_t stride, bool in_place) {
  using Sum = typename Program::Sum;
  using Tiling = SumTiling<ThreadSpace<Space>, 64 / static_cast<int>(sizeof(Element)), Program>;
  const Tiling tiling(plan, Caching::cached);
  const auto parts = std::make_unique_for_overwrite<Sum[]>(static_cast<std::size_t>(plan.channels * tiling.chunks()));
  const HostSums<Element, across, Tiling, Program> chunks(tiling, parts.get(), space.concurrency());
  // Before anything is written, since it may throw.
  const bool is_small = kachel::is_small<Program, Space>(chunks.elements(), sizeof(Element));
  const std::int64_t threads = kachel::choose_threads(label, space, is_small, plan.channels);
  if (chunks.tiles() > 0) kachel::launch_tiles(label, space, chunks, program, in_place);
  const TotalSums<T, Sum> total{parts.get(), tiling.chunks(), sums, stride, 1};
  const std::int64_t share = (plan.channels + threads - 1) / threads;
  kachel::run_items(label, space, threads, is_small, [&](std::int64_t item) {
    const std::int64_t end = std::min(plan.channels, (item + 1) * share);
    for (std::int64_t channel = item * share; channel < end; ++channel) total(channel);
  });
}

}  // namespace kachel
