// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sums on a host: each thread takes an equal share of the chunks.
#pragma once

#include <kachel/detail/backend/host/launch.hpp>
#include <kachel/detail/divisor.hpp>
#include <kachel/detail/reduce/sums.hpp>

#include <bit>
#include <memory>

namespace kachel::detail {

/// Sums as a host launches tiles: what is a tile there is here a chunk of a channel, or of each of `neighbours`
/// channels.
template <class Tiling, class Body>
struct HostSums {
  using Sum = typename Tiling::Sum;
  using Sums = typename Tiling::Sums;
  static constexpr int width = Tiling::width;
  /// Of channels at once: the elements of a channel may lie pages apart, so many of its neighbours come with each, and
  /// yet a cache of the first level holds a sum of each for every level of the tree of lanes. With one pack at a time
  /// prelu_backward of 32 to 4096 columns of floats takes 1.6 to 4.3 times as long on a Zen 4.
  static constexpr int packs = 2048 / static_cast<int>(sizeof(Sums));

  Tiling tiling;
  Sum* parts;
  std::int64_t neighbours = 1;

  /// \param threads  how many there should be work for
  HostSums(const Tiling& cut, Sum* results, int threads) : tiling(cut), parts(results) {
    if constexpr (Tiling::across) {
      const std::int64_t chunks = std::max<std::int64_t>(tiling.chunks(), 1), blocks = divide_up(threads, chunks);
      neighbours = std::clamp<std::int64_t>(divide_up(divide_up(tiling.channels, width), blocks), 1, packs) * width;
    }
  }

  std::int64_t blocks() const { return divide_up(tiling.channels, neighbours); }
  std::int64_t tiles() const { return tiling.chunks() * blocks(); }

  void run_range(const Body& body, std::int64_t first, std::int64_t last, Caching caching) const {
    const std::int64_t chunks = tiling.chunks();
    // Short rows of a channel lie apart: the rows between them come next, while the cache has their lines. Otherwise
    // prelu_backward of planes of 16 or 196 floats takes 1.1 to 1.4 times as long on a Zen 4, of 49 0.9 times.
    const bool short_rows = Tiling::across || tiling.extents[0].divisor() < sum_chunk;
    for (std::int64_t tile = first; tile < last; ++tile) {
      const std::int64_t block = short_rows ? tile % blocks() : tile / chunks,
                         chunk = short_rows ? tile / blocks() : tile % chunks;
      if constexpr (Tiling::across)
        sum_neighbours(body, block * neighbours, chunk, caching);
      else
        parts[block * chunks + chunk] = sum_of_channel(body, block, chunk, caching);
    }
  }

 private:
  Sum sum_of_channel(const Body& body, std::int64_t channel, std::int64_t chunk, Caching caching) const {
    Sums sums[std::size_t{sum_lanes / width}];
    for (Sums& sum : sums) sum = Sums(-Sum(0));
    const auto constants = body.template constants<1>(channel);
    const std::int64_t first = chunk * sum_chunk;
    const auto count = static_cast<int>(std::min<std::int64_t>(tiling.size - first, sum_chunk));
    tiling.run_tiles(channel, first, count, caching, [&](const auto& tile, int begin) {
      body.add(tile, body.read(tile), constants, sums[begin % sum_lanes / width]);
    });
    Sum sum[std::size_t{sum_lanes / width}];
    for (int i = 0; i < sum_lanes / width; ++i) sum[i] = detail::sum_of_neighbours(sums[i].values);
    return detail::sum_of_neighbours(sum);
  }

  /// Writes the sums of a chunk of each of `neighbours` channels from `channel` on.
  void sum_neighbours(const Body& body, std::int64_t channel, std::int64_t chunk, Caching caching) const {
    const auto count = static_cast<int>(std::min(neighbours, tiling.channels - channel));
    constexpr int levels = std::bit_width(static_cast<unsigned>(sum_lanes));
    Sums tree[std::size_t{levels}][std::size_t{packs}];  // of 2^level lanes each, where a bit of `lanes` is set
    decltype(body.template constants<width>(channel)) constants[std::size_t{packs}];
    for (int i = 0; i < count; i += width) constants[i / width] = body.template constants<width>(channel + i);
    const std::int64_t first = chunk * sum_chunk, left = tiling.size - first;
    unsigned lanes = 0;
    for (; lanes < sum_lanes && lanes < left; ++lanes) {
      Sums* const sums = tree[std::countr_one(lanes)];
      for (int i = 0; i * width < count; ++i) sums[i] = Sums(-Sum(0));
      for (std::int64_t element = lanes; element < sum_chunk && element < left; element += sum_lanes)
        add_row(body, channel, first + element, count, caching, constants, sums);
      for (int lower = 0; lower < std::countr_one(lanes); ++lower)
        for (int i = 0; i * width < count; ++i) sums[i] = tree[lower][i] + sums[i];
    }
    for (int i = 0; i < count; i += width) {
      Sums sum(-Sum(0));
      for (int level = 0; level < levels; ++level)
        if (lanes >> level & 1) sum = tree[level][i / width] + sum;
      for (int k = 0; k < std::min(width, count - i); ++k) parts[(channel + i + k) * tiling.chunks() + chunk] = sum[k];
    }
  }

  /// Adds an element of each of `count` channels, and asks for the next one's, which the processor finds too late where
  /// it is in another page.
  template <class Constants>
  void add_row(const Body& body, std::int64_t channel, std::int64_t element, int count, Caching caching,
               const Constants* constants, Sums* sums) const {
    std::int64_t next[std::size_t{Tiling::arrays}];
    for (int k = 0; k < Tiling::arrays; ++k) next[k] = tiling.offset(k, channel, element + 1);
    tiling.run_tiles(channel, element, count, caching, [&](const auto& tile, int begin) {
      body.for_each_input(
          [&](const auto& x) { prefetch(x.data, next[std::remove_cvref_t<decltype(x)>::index] + begin); });
      body.add(tile, body.read(tile), constants[begin / width], sums[begin / width]);
    });
  }
};

/// sums[c * stride] is the sum of what the body makes of channel c's elements.
/// \tparam E  the type of the elements
template <class E, bool across, class Space, class Body, class T>
  requires is_host_space<Space>
void launch_sums(const std::string& label, const Space& space, const SumPlan& plan, const Body& body, T* sums,
                 std::int64_t stride, bool in_place) {
  using Sum = typename Body::Sum;
  const SumTiling<E, AnyHost, across, Body> tiling(plan);
  const std::int64_t count = tiling.chunks();
  const auto parts = std::make_unique_for_overwrite<Sum[]>(static_cast<std::size_t>(plan.channels * count));
  const HostSums<SumTiling<E, AnyHost, across, Body>, Body> chunks(tiling, parts.get(), space.concurrency());
  const Schedule schedule = detail::schedule_sums<E>(label, plan, in_place, host_tuning());
  if (plan.channels == 0) return;
  // Before anything is written, since it may throw.
  const std::int64_t threads = detail::choose_threads(label, space, schedule, plan.channels);
  if (chunks.tiles() > 0) detail::launch(label, space, schedule, chunks, body);
  const std::int64_t share = (plan.channels + threads - 1) / threads;
  detail::run_items(label, space, threads, schedule.threads == 1, [&](std::int64_t item) {
    const std::int64_t end = std::min(plan.channels, (item + 1) * share);
    for (std::int64_t channel = item * share; channel < end; ++channel) {
      Sum* const own = parts.get() + channel * count;
      for (std::int64_t step = 1; step < count; step *= 2)
        for (std::int64_t i = 0; i + step < count; i += 2 * step) own[i] += own[i + step];
      sums[channel * stride] = convert_to<T>(count > 0 ? own[0] + Sum(0) : Sum(0));  // of nothing it is +0
    }
  });
}

}  // namespace kachel::detail
