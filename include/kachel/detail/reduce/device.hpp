// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sums on a device, on CUDA in blocks, elsewhere in Kokkos' teams. A team takes a power of two of lanes and chunks,
/// which is a part of the tree.
#pragma once

#include <kachel/detail/backend/cuda/launch_teams.hpp>
#include <kachel/detail/backend/cuda/stream_memory.hpp>
#include <kachel/detail/divisor.hpp>
#include <kachel/detail/reduce/sums.hpp>

namespace kachel::detail {

/// Memory for what the kernels of a call hand on: given back after them.
template <class Space>
struct CallMemory : Kokkos::View<char*, Space> {
  CallMemory(const std::string& label, const Space& space, std::size_t bytes)
      : Kokkos::View<char*, Space>(Kokkos::view_alloc(space, label, Kokkos::WithoutInitializing), bytes) {}
};
#if defined(KOKKOS_ENABLE_CUDA)
template <class Space>
  requires is_cuda<Space>
struct CallMemory<Space> : StreamMemory {
  CallMemory(const std::string& label, const CudaInstance& space, std::size_t bytes) : StreamMemory(space, bytes) {
    expect_success(label, status());
  }
};
#endif

inline constexpr int sum_team_size = 256;

/// Runs work(team) for `count` teams, through Kokkos.
/// \tparam teams          that a multiprocessor is to hold: they get registers accordingly; 0 for any
/// \param scratch_bytes   of a team's memory
template <int team_size, unsigned teams, class Space, class Work>
  requires(!is_cuda<Space>)
void launch_teams(const std::string& label, const Space& space, std::int64_t count, int scratch_bytes,
                  const Work& work) {
  using Teams = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<static_cast<unsigned>(team_size), teams>>;
  Kokkos::parallel_for(
      label, Teams(space, static_cast<int>(count), team_size).set_scratch_size(0, Kokkos::PerTeam(scratch_bytes)),
      work);
}

/// Runs work(index) for each below `count`, through Kokkos.
template <int block_size, class Space, class Work>
  requires(!is_cuda<Space>)
void launch_each(const std::string& label, const Space& space, std::int64_t count, const Work& work) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, count), work);
}

/// The sum of a number of each thread of a warp, neighbours first, for the first of them. On CUDA.
template <class Sum>
KOKKOS_FORCEINLINE_FUNCTION Sum sum_of_warp(Sum value) {
#if defined(__CUDA_ARCH__)
  for (unsigned distance = 1; distance < warp_size; distance *= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
#endif
  return value;
}

/// Adds the `values` numbers of each thread of a team in scratch memory to those of thread `thread % first`, neighbours
/// first.
template <int first, int values, class Team, class Sum>
KOKKOS_FORCEINLINE_FUNCTION void add_threads(const Team& team, Sum* scratch) {
  const int thread = team.team_rank();
  for (int distance = first; distance < sum_team_size; distance *= 2) {
    team.team_barrier();
    if (thread % (2 * distance) < first)
      for (int i = 0; i < values; ++i) scratch[thread * values + i] += scratch[(thread + distance) * values + i];
  }
}

/// 16 bytes of an array, as a device reads them: 16-bit elements would take a register each.
template <class T, int width>
struct ReadWords {
  Pack<std::uint32_t, width* static_cast<int>(sizeof(T)) / 4> words;
};
template <class To, class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<To, width> converted(const ReadWords<T, width>& read) {
  return detail::converted<To>(bit_cast<Pack<T, width>>(read.words));
}

/// An aligned tile that is read as words, with a policy or without one.
template <class T_, class Space, class Policy>
struct AlignedWords {
  static constexpr int width = Tile<T_, Space>::width;

  std::int64_t offset;
  Policy policy;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int count() { return width; }
  template <class U, int k>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const Cursor<U, k>& x) const {
    constexpr int words = width * static_cast<int>(sizeof(U)) / 4;
    return ReadWords<std::remove_const_t<U>, width>{
        detail::load_aligned<words>(reinterpret_cast<const std::uint32_t*>(x.data + offset), policy)};
  }
  template <class U, int k, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Cursor<U, k>& y, const Pack<V, width>& values) const {
    detail::store_words(y.data + offset, detail::converted<U>(values));
  }
};

/// What a team does: `turns` times `chunks_per_team` chunks of a channel, or one chunk of `channels_per_team` channels.
/// \tparam aligned  whether chunks are whole, in one row, and of aligned tiles at the same distances in all arrays.
///                  Their steps are read before the first is added, so that all are on their way.
template <bool aligned, class Space, class Tiling, class Body>
struct DeviceSums {
  using Sum = typename Tiling::Sum;
  using Sums = typename Tiling::Sums;
  static constexpr bool across = Tiling::across;
  static constexpr unsigned teams_of_multiprocessor = !aligned ? 0 : across ? 2 : 4;
  static constexpr int width = Tiling::width;
  static constexpr int threads_per_chunk = sum_lanes / width, chunks_per_team = sum_team_size / threads_per_chunk;
  /// Neighbouring threads take neighbouring channels, whole cache lines of them.
  static constexpr int threads_across = 16, channels_per_team = threads_across * width,
                       lanes_per_thread = sum_lanes * threads_across / sum_team_size;
  /// Where a channel has many chunks a team takes so many times as many, one after the other.
  static constexpr int most_turns = 4;
  /// Threads whose numbers make one value in the scratch memory.
  static constexpr int threads_per_value = is_cuda<Space> && !across ? warp_size : 1;
  static constexpr int scratch_bytes =
      sum_team_size / threads_per_value * (across ? width : most_turns) * static_cast<int>(sizeof(Sum));
  /// Of an input, by aligned accesses, not across.
  static constexpr int read_bytes = sum_team_size * sum_steps * widest_access;

  Tiling tiling;
  Body body;
  std::int64_t count;  ///< of a channel's parts
  Divisor run;         ///< of a channel's parts that lie one after another, at least 1
  Divisor blocks;      ///< of channels, or channels, at least 1
  Sum* parts;
  int turns;
  CachePolicy policy;           ///< of what is read
  std::int64_t first_restored;  ///< team that gives what it reads its normal priority back
  std::int64_t first_team = 0;  ///< of the launch

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto* const scratch = static_cast<Sum*>(team.team_scratch(0).get_shmem(int{scratch_bytes}));
    const int thread = team.team_rank();
    // Where the rows of neighbouring channels lie side by side, teams go through memory in its order.
    const std::int64_t index = first_team + team.league_rank(), run_index = run.quotient(index),
                       outer = blocks.quotient(run_index), block = run_index - outer * blocks.divisor(),
                       part = index + (outer - run_index) * run.divisor();
    if constexpr (across) {
      const std::int64_t channel = block * channels_per_team + thread % threads_across * width;
      Sums sums(-Sum(0));
      if (channel < tiling.channels)
        sums = sum_across<lanes_per_thread>(channel, part, thread / threads_across * lanes_per_thread,
                                            body.template constants<width>(channel));
      for (int i = 0; i < width; ++i) scratch[thread * width + i] = sums[i];
      detail::add_threads<threads_across, width>(team, scratch);
      if (thread < threads_across)
        for (int i = 0; i < width; ++i)
          if (channel + i < tiling.channels) parts[(channel + i) * count + part] = scratch[thread * width + i];
    } else {
      for (int turn = 0; turn < turns; ++turn) {
        const std::int64_t chunk = (part * turns + turn) * chunks_per_team + thread / threads_per_chunk;
        const Sums sums = sum_of_chunk(block, chunk, thread % threads_per_chunk * width, index >= first_restored);
        Sum sum = detail::sum_of_neighbours(sums.values);
        if constexpr (is_cuda<Space>) sum = detail::sum_of_warp(sum);
        if (thread % threads_per_value == 0) scratch[(turn * sum_team_size + thread) / threads_per_value] = sum;
      }
      // Of a power of two of values, neighbours first.
      const int values = turns * sum_team_size / threads_per_value;
      for (int distance = 1; distance < values; distance *= 2) {
        team.team_barrier();
        for (int i = thread * 2 * distance; i < values; i += sum_team_size * 2 * distance)
          scratch[i] += scratch[i + distance];
      }
      if (thread == 0) parts[block * count + part] = scratch[0];
    }
  }

 private:
  template <class Policy>
  using Words = AlignedWords<typename Tiling::T, Space, Policy>;

  /// The sums of a channel's lanes from `lane` on of a chunk.
  KOKKOS_FORCEINLINE_FUNCTION Sums sum_of_chunk(std::int64_t channel, std::int64_t chunk, int lane,
                                                bool restores) const {
    Sums sums(-Sum(0));
    const std::int64_t first = chunk * sum_chunk + lane;
    if (first >= tiling.size) return sums;
    const auto constants = body.template constants<1>(channel);
    if constexpr (aligned) {
      const std::int64_t offset = tiling.offset(0, channel, first);
      const auto tile = [&](int step) { return Words<CachePolicy>{offset + step * sum_lanes, policy}; };
      decltype(body.read(tile(0))) read[std::size_t{sum_steps}];
      for (int step = 0; step < sum_steps; ++step) read[step] = body.read(tile(step));
      for (int step = 0; step < sum_steps; ++step) body.add(tile(step), read[step], constants, sums);
      if (restores)
        body.for_each_input([&](const auto& x) {
          for (int step = 0; step < sum_steps; ++step) restore_priority(x.data + offset + step * sum_lanes);
        });
    } else {
      for (int step = 0; step < sum_steps; ++step)
        if (const std::int64_t element = first + step * sum_lanes; element < tiling.size)
          add_tile(channel, element, static_cast<int>(Kokkos::min<std::int64_t>(tiling.size - element, width)),
                   constants, sums);
    }
    return sums;
  }

  /// The sums of `width` channels, of `lanes` lanes of a chunk from `lane` on, added as a tree.
  template <int lanes>
  KOKKOS_FORCEINLINE_FUNCTION Sums sum_across(std::int64_t channel, std::int64_t chunk, int lane,
                                              const Pack<Sum, width>& constants) const {
    constexpr int most_lanes = 64 / static_cast<int>(sizeof(Sums));  // that there are registers for
    if constexpr (lanes > most_lanes) {
      const Sums former = sum_across<lanes / 2>(channel, chunk, lane, constants);
      return former + sum_across<lanes / 2>(channel, chunk, lane + lanes / 2, constants);
    } else {
      const std::int64_t first = chunk * sum_chunk + lane;
      const auto left = static_cast<int>(Kokkos::min<std::int64_t>(tiling.size - first, int{sum_chunk}));
      Sums sums[std::size_t{lanes}];
      for (Sums& sum : sums) sum = Sums(-Sum(0));
      if constexpr (aligned) {
        const std::int64_t row = tiling.strides[0][0], offset = channel + first * row;
        const auto tile = [&](int element) { return Words<PlainLoad>{offset + element * row, {}}; };
        // What a step reads is on its way while those before it are added and written.
        decltype(body.read(tile(0))) next[std::size_t{lanes}];
        for (int i = 0; i < lanes; ++i)
          if (i < left) next[i] = body.read(tile(i));
        for (int element = 0; element < sum_chunk; element += sum_lanes)
          for (int i = 0; i < lanes; ++i) {
            const auto read = next[i];
            const int later = element + sum_lanes + i;
            if (later < sum_chunk && later < left) next[i] = body.read(tile(later));
            if (element + i < left) body.add(tile(element + i), read, constants, sums[i]);
          }
      } else {
        const auto neighbours = static_cast<int>(Kokkos::min<std::int64_t>(tiling.channels - channel, int{width}));
        for (int i = 0; i < lanes; ++i)
          for (int element = i; element < sum_chunk && element < left; element += sum_lanes)
            add_tile(channel, first + element, neighbours, constants, sums[i]);
      }
      return detail::sum_of_neighbours(sums);
    }
  }

  /// Adds up to `width` neighbours.
  template <class Constants>
  KOKKOS_FORCEINLINE_FUNCTION void add_tile(std::int64_t channel, std::int64_t element, int neighbours,
                                            const Constants& constants, Sums& sums) const {
    tiling.run_tiles(channel, element, neighbours, Caching::cached,
                     [&](const auto& tile, int) { body.add(tile, body.read(tile), constants, sums); });
  }
};

/// Adds the parts of each channel, `count` of them one after the other, neighbours first: a team up to 4096, so that
/// one is left of each.
template <class T, class Sum>
struct AddParts {
  static constexpr int values_per_thread = 16, values_per_team = values_per_thread * sum_team_size,
                       scratch_bytes = sum_team_size * static_cast<int>(sizeof(Sum));

  const Sum* parts;
  std::int64_t count;
  Sum* left;           ///< where those go that are left, `teams` of each channel
  std::int64_t teams;  ///< of a channel
  T* sums;             ///< where they go, rounded once, if one is left
  std::int64_t stride;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto* const scratch = static_cast<Sum*>(team.team_scratch(0).get_shmem(int{scratch_bytes}));
    const std::int64_t channel = team.league_rank() / teams, part = team.league_rank() % teams;
    scratch[team.team_rank()] = sum_from(channel, (part * sum_team_size + team.team_rank()) * values_per_thread);
    detail::add_threads<1, 1>(team, scratch);
    if (team.team_rank() == 0) finish(channel, part, scratch[0]);
  }

  /// The same of a channel that has no more parts than a thread adds.
  KOKKOS_FUNCTION void operator()(std::int64_t channel) const { finish(channel, 0, sum_from(channel, 0)); }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Sum sum_from(std::int64_t channel, std::int64_t first) const {
    Sum values[std::size_t{values_per_thread}];
    for (int i = 0; i < values_per_thread; ++i)
      values[i] = first + i < count ? parts[channel * count + first + i] : -Sum(0);
    return detail::sum_of_neighbours(values);
  }

  KOKKOS_FORCEINLINE_FUNCTION void finish(std::int64_t channel, std::int64_t part, Sum sum) const {
    if (teams == 1)
      sums[channel * stride] = convert_to<T>(sum + Sum(0));  // of nothing it is +0
    else
      left[channel * teams + part] = sum;
  }
};

/// Whether the chunks of arrays that begin at aligned addresses are as DeviceSums expects them.
template <bool across, int width, int arrays>
bool has_aligned_chunks(const SumPlan& plan) {
  if (across ? plan.rank > 1 || plan.channels % width != 0 : plan.extents[0] % sum_chunk != 0) return false;
  const auto is_tile = [](std::int64_t stride) { return stride % width == 0; };
  const auto& strides = plan.strides[0];
  if ((across ? plan.channel_strides[0] : strides[0]) != 1 || !(across || is_tile(plan.channel_strides[0])))
    return false;
  if (!std::all_of(strides + !across, strides + plan.rank, is_tile)) return false;
  for (std::size_t k = 1; k < arrays; ++k)
    if (plan.channel_strides[k] != plan.channel_strides[0] ||
        !std::equal(strides, strides + plan.rank, plan.strides[k]))
      return false;
  return true;
}

/// sums[c * stride] is the sum of what the body makes of channel c's elements.
/// \tparam E  the type that decides a tile's width
template <class E, bool across, class Space, class Body, class T>
  requires(!is_host_space<Space>)
void launch_sums(const std::string& label, const Space& space, const SumPlan& plan, const Body& body, T* sums,
                 std::int64_t stride, bool in_place) {
  using Sum = typename Body::Sum;
  using OnDevice = ThreadSpace<Space>;
  using Tiling = SumTiling<E, OnDevice, across, Body>;
  using Plain = DeviceSums<false, OnDevice, Tiling, Body>;
  const Tiling tiling(plan);
  const DeviceTuning& tuned = tuning(space);
  const Schedule schedule = detail::schedule_sums<E>(label, plan, in_place, tuned);
  const bool many = takes_at_least(tuned.large_bytes, plan.channels * plan.size, sizeof(E));
  const int turns = !across && many ? int{Plain::most_turns} : 1;
  const std::int64_t part = std::int64_t{Plain::chunks_per_team} * turns * sum_chunk,
                     count = across ? tiling.chunks() : divide_up(plan.size, part),
                     blocks = across ? divide_up(plan.channels, Plain::channels_per_team) : plan.channels,
                     run = !across && plan.rank > 1 && plan.extents[0] % part == 0 ? plan.extents[0] / part : count,
                     teams = count * blocks;
  const auto teams_of = [](std::int64_t parts) {
    return std::max<std::int64_t>((parts - 1) / AddParts<T, Sum>::values_per_team + 1, 1);
  };
  const CallMemory<Space> memory(label, space,
                                 static_cast<std::size_t>(plan.channels * (count + 2 * teams_of(count))) * sizeof(Sum));
  auto* const parts = reinterpret_cast<Sum*>(memory.data());

  const auto launch = [&]<bool aligned>(std::bool_constant<aligned>) {
    using Work = DeviceSums<aligned, OnDevice, Tiling, Body>;
    constexpr std::int64_t most_teams = 1 << 23;  // of a launch: no device counts their threads in fewer than 32 bits
    const auto divisor = [](std::int64_t value) { return Divisor(std::max<std::int64_t>(value, 1)); };
    Work work{tiling,
              body,
              count,
              divisor(run),
              divisor(blocks),
              parts,
              turns,
              CachePolicy(schedule.restored_bytes > 0),
              teams - schedule.restored_bytes / (turns * Work::read_bytes)};
    for (; work.first_team < teams; work.first_team += most_teams)
      detail::launch_teams<sum_team_size, Work::teams_of_multiprocessor>(
          label, space, std::min<std::int64_t>(teams - work.first_team, most_teams), Work::scratch_bytes, work);
  };
  if (has_aligned_chunks<across, Tiling::width, Body::arrays>(plan) && body.template is_aligned<Tiling::width>())
    launch(std::true_type{});
  else
    launch(std::false_type{});

  AddParts<T, Sum> adding{parts, count, parts + plan.channels * count, 1, sums, stride};
  if (count <= adding.values_per_thread) return detail::launch_each<sum_team_size>(label, space, plan.channels, adding);
  for (bool done = false; !done; adding.parts = adding.left, adding.left += plan.channels * adding.teams) {
    adding.teams = teams_of(adding.count);
    detail::launch_teams<sum_team_size, 0>(label, space, plan.channels * adding.teams, adding.scratch_bytes, adding);
    done = adding.teams == 1;
    adding.count = adding.teams;
  }
}

}  // namespace kachel::detail
