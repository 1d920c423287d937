// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sums on a device through Kokkos: a team takes a power of two of lanes and chunks, which is a part of the tree.
#pragma once

#include <kachel/detail/backend/cuda/stream_memory.hpp>
#include <kachel/detail/reduce/sums.hpp>
#include <kachel/detail/reduce/total_sums.hpp>

#include <algorithm>
#include <string>

namespace kachel {

/// Memory for what the kernels of a call hand on: given back after them.
template <class Space>
class CallMemory {
 public:
  CallMemory(const std::string& label, const Space& space, std::size_t bytes)
      : memory_(Kokkos::view_alloc(space, label, Kokkos::WithoutInitializing), bytes) {}

  void* data() const { return memory_.data(); }

 private:
  Kokkos::View<char*, Space> memory_;
};
#if defined(KOKKOS_ENABLE_CUDA)
template <>
class CallMemory<Kokkos::Cuda> {
 public:
  CallMemory(const std::string& label, const Kokkos::Cuda& space, std::size_t bytes) : memory_(space, bytes) {
    expect_success(label, memory_.status());
  }

  void* data() const { return memory_.data(); }

 private:
  StreamMemory memory_;
};
#endif

inline constexpr int sum_team_size = 256;

/// Of a launch: no device counts their threads in fewer than 32 bits.
inline constexpr int most_sum_teams = 1 << 23;

/// \tparam teams  that a multiprocessor is to hold: they get registers accordingly; 0 for as many as those leave
template <class Space, unsigned teams = 0>
using SumTeams = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<sum_team_size, teams>>;

inline constexpr int warp_size = 32;

/// The sum of a number of each thread of a warp, neighbours first, for the first of them. On CUDA.
template <class Sum>
KOKKOS_FORCEINLINE_FUNCTION Sum sum_of_warp(Sum value) {
#if defined(__CUDA_ARCH__)
  for (unsigned distance = 1; distance < warp_size; distance *= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
#endif
  return value;
}

template <class Space>
inline constexpr bool has_warps = false;
#if defined(KOKKOS_ENABLE_CUDA)
template <>
inline constexpr bool has_warps<Kokkos::Cuda> = true;
#endif

/// What a team does: `turns` times `chunks_per_team` chunks of a channel, or one chunk of `channels_per_team` channels.
/// \tparam aligned     whether chunks are as sum_aligned_elements or sum_aligned_channels expect them
/// \tparam evict_last  whether these are read as load_evicted_last says: not across, where no registers are left for it
template <bool across, bool aligned, bool evict_last, class Space, class Tiling, class Program>
struct DeviceSums {
  using Sum = typename Program::Sum;
  using Teams = SumTeams<Space, !aligned ? 0u : across ? 2u : 4u>;
  static constexpr int width = Tiling::width;
  static constexpr int threads_per_chunk = sum_lanes / width, chunks_per_team = sum_team_size / threads_per_chunk;
  /// Neighbouring threads take neighbouring channels, whole cache lines of them.
  static constexpr int threads_across = 16, channels_per_team = threads_across * width,
                       lanes_per_thread = sum_lanes * threads_across / sum_team_size;
  /// Of an input, by aligned accesses, not across.
  static constexpr int read_bytes = sum_team_size * sum_steps * tuning<Space>.tile_bytes;
  /// Where a channel has many chunks: where each begins is then found out less often.
  static constexpr int most_turns = across ? 1 : 4;
  /// Threads whose numbers make one value in the scratch memory.
  static constexpr int threads_per_value = has_warps<Space> && !across ? warp_size : 1;
  static constexpr int scratch_bytes =
      sum_team_size / threads_per_value * (across ? width : most_turns) * static_cast<int>(sizeof(Sum));

  Tiling tiling;
  Program program;
  std::int64_t count;  ///< of a channel's parts
  Divisor run;         ///< of a channel's parts that lie one after another, at least 1
  Divisor blocks;      ///< of channels, or channels, at least 1
  Sum* parts;
  int turns;
  std::int64_t first_team = 0;      ///< of the launch
  std::int64_t first_restored = 0;  ///< team that gives what it reads its normal priority back

  /// Parts of a channel.
  static std::int64_t part_count(const Tiling& tiling, int turns) {
    const int chunks = chunks_per_team * turns;
    return across ? tiling.chunks() : (tiling.chunks() + chunks - 1) / chunks;
  }
  static std::int64_t block_count(const Tiling& tiling) {
    return across ? (tiling.channels + channels_per_team - 1) / channels_per_team : tiling.channels;
  }
  /// Parts that fill a row of a channel if there are such, or else all of it.
  static std::int64_t run_length(const Tiling& tiling, int turns) {
    const std::int64_t part = std::int64_t{chunks_per_team} * turns * sum_chunk;
    const bool in_rows = !across && tiling.rank > 1 && tiling.extents[0].divisor() % part == 0;
    return in_rows ? tiling.extents[0].divisor() / part : part_count(tiling, turns);
  }

  KOKKOS_FUNCTION void operator()(const typename Teams::member_type& team) const {
    auto* const scratch = static_cast<Sum*>(team.team_scratch(0).get_shmem(int{scratch_bytes}));
    const int thread = team.team_rank();
    // In the order of memory where a row of one channel lies beside that of the next: far ones cost a device time.
    const std::int64_t index = first_team + team.league_rank(), run_index = run.quotient(index),
                       outer = blocks.quotient(run_index), block = run_index - outer * blocks.divisor(),
                       part = index + (outer - run_index) * run.divisor();
    [[maybe_unused]] const bool restores = evict_last && index >= first_restored;
    if constexpr (across) {
      const std::int64_t channel = block * channels_per_team + thread % threads_across * width;
      const int lane = thread / threads_across * lanes_per_thread;
      Pack<Sum, width> sum;
      if constexpr (aligned) {
        sum = tiling.template sum_aligned_channels<lanes_per_thread>(program, channel, part, lane);
      } else {
        Pack<Sum, width> sums[std::size_t{lanes_per_thread}];
        tiling.sum_channels(program, channel, part, lane, sums);
        sum = kachel::sum_of_neighbours(sums);
      }
      for (int i = 0; i < width; ++i) scratch[thread * width + i] = sum[i];
      add_threads<threads_across, width>(team, scratch);
      if (thread < threads_across)
        for (int i = 0; i < width; ++i)
          if (channel + i < tiling.channels) parts[(channel + i) * count + part] = scratch[thread * width + i];
    } else {
      const std::int64_t chunk = part * turns * chunks_per_team + thread / threads_per_chunk;
      const int lane = thread % threads_per_chunk * width;
      const auto add = [&](int turn, const Pack<Sum, width>& sums) {
        Sum sum = kachel::sum_of_neighbours(sums.values);
        if constexpr (has_warps<Space>) sum = sum_of_warp(sum);
        if (thread % threads_per_value == 0) scratch[(turn * sum_team_size + thread) / threads_per_value] = sum;
      };
      if constexpr (aligned) {
        tiling.template sum_aligned_elements<evict_last>(program, block, chunk, chunks_per_team, turns, lane, restores,
                                                         add);
      } else {
        for (int turn = 0; turn < turns; ++turn) {
          Pack<Sum, width> sums[1];
          tiling.sum_elements(program, block, chunk + turn * chunks_per_team, lane, sums);
          add(turn, sums[0]);
        }
      }
      const Sum total = sum_of_values(team, scratch, turns * sum_team_size / threads_per_value);
      if (thread == 0) parts[block * count + part] = total;
    }
  }

 private:
  /// The sum of a power of two of values, neighbours first, for thread 0.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION static Sum sum_of_values(const Team& team, Sum* values, int count) {
    const int thread = team.team_rank();
    team.team_barrier();
    if constexpr (has_warps<Space>) {
      static_assert(most_turns * sum_team_size / threads_per_value <= warp_size);
      return thread < warp_size ? sum_of_warp(thread < count ? values[thread] : -Sum(0)) : Sum(0);
    } else {
      for (int distance = 1; distance < count; distance *= 2) {
        for (int i = thread * 2 * distance; i < count; i += sum_team_size * 2 * distance)
          values[i] += values[i + distance];
        team.team_barrier();
      }
      return values[0];
    }
  }

  /// Adds the `values` numbers of each thread to those of thread `thread % step`, neighbours first.
  template <int step, int values, class Team>
  KOKKOS_FORCEINLINE_FUNCTION static void add_threads(const Team& team, Sum* scratch) {
    const int thread = team.team_rank();
    for (int distance = step; distance < sum_team_size; distance *= 2) {
      team.team_barrier();
      if (thread % (2 * distance) < step)
        for (int i = 0; i < values; ++i) scratch[thread * values + i] += scratch[(thread + distance) * values + i];
    }
  }
};

template <class Space, class T, class Sum>
struct TeamTotals {
  TotalSums<T, Sum> totals;

  KOKKOS_FUNCTION void operator()(const typename SumTeams<Space>::member_type& team) const {
    totals.run(team.league_rank(), team.team_rank(), team.team_size(), [&] { team.team_barrier(); });
  }
};

template <class Space, class T, class Sum>
struct TeamBlocks {
  TotalSums<T, Sum> totals;
  int blocks;  ///< of a channel

  KOKKOS_FUNCTION void operator()(const typename SumTeams<Space>::member_type& team) const {
    totals.add_block(team.league_rank() / blocks, team.league_rank() % blocks, team.team_rank(), team.team_size(),
                     [&] { team.team_barrier(); });
  }
};

/// Adds what the parts of each channel gave. Many of few channels take one multiprocessor each too long: they are added
/// in blocks before.
template <class Space, class T, class Sum>
void add_parts(const std::string& label, const Space& space, std::int64_t channels, TotalSums<T, Sum> totals) {
  constexpr int values_per_team = 4096, values_per_thread = 64;
  if (totals.count <= values_per_thread)
    return Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, channels),
                                totals);
  // There is no memory for more teams than an int counts.
  const auto launch = [&](std::int64_t teams, const auto& work) {
    Kokkos::parallel_for(label, SumTeams<Space>(space, static_cast<int>(teams), sum_team_size), work);
  };
  if (totals.count > values_per_team) {
    totals.block = values_per_team;
    const std::int64_t blocks = (totals.count - 1) / values_per_team + 1;
    launch(channels * blocks, TeamBlocks<Space, T, Sum>{totals, static_cast<int>(blocks)});
  }
  launch(channels, TeamTotals<Space, T, Sum>{totals});
}

/// Whether the chunks of `arrays` operands that begin at aligned addresses are of aligned tiles, those of a channel in
/// one row, or such a row across channels, at the same distances in all.
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

/// sums[c * stride] is the sum of what the program makes of channel c's elements.
template <class Element, bool across, class Space, class Program, class T>
  requires(!is_host_space<Space>)
void launch_sums(const std::string& label, const Space& space, const SumPlan& plan, const Program& program, T* sums,
                 std::int64_t stride, bool in_place) {
  using Sum = typename Program::Sum;
  using Tiling = SumTiling<Space, tuning<Space>.tile_bytes / static_cast<int>(sizeof(Element)), Program>;
  using Plain = DeviceSums<across, false, false, Space, Tiling, Program>;
  const Tiling tiling(plan, Caching::cached);
  const bool large = tuning<Space>.is_large(plan.channels * plan.size, sizeof(Element));
  const int turns = large ? Plain::most_turns : 1;
  const std::int64_t count = Plain::part_count(tiling, turns), blocks = Plain::block_count(tiling),
                     teams = count * blocks;
  const CallMemory<Space> memory(label, space, static_cast<std::size_t>(plan.channels * count) * sizeof(Sum));
  auto* const parts = static_cast<Sum*>(memory.data());
  const auto launch = [&]<bool aligned, bool evict_last>(std::bool_constant<aligned>, std::bool_constant<evict_last>) {
    using Work = DeviceSums<across, aligned, evict_last, Space, Tiling, Program>;
    const auto divisor = [](std::int64_t value) { return Divisor(std::max<std::int64_t>(value, 1)); };
    Work work{tiling, program, count, divisor(Plain::run_length(tiling, turns)), divisor(blocks), parts, turns};
    if constexpr (evict_last) work.first_restored = teams - tuning<Space>.restored_bytes / (turns * Work::read_bytes);
    for (; work.first_team < teams; work.first_team += most_sum_teams)
      Kokkos::parallel_for(
          label,
          typename Work::Teams(space, static_cast<int>(std::min<std::int64_t>(teams - work.first_team, most_sum_teams)),
                               sum_team_size)
              .set_scratch_size(0, Kokkos::PerTeam(int{Work::scratch_bytes})),
          work);
  };
  const auto launch_aligned = [&] {
    if constexpr (tuning<Space>.restored_bytes > 0 && !across)
      if (tuning<Space>.evicts_last(plan.channels * plan.size, sizeof(Element), in_place))
        return launch(std::true_type{}, std::true_type{});
    launch(std::true_type{}, std::false_type{});
  };
  if (has_aligned_chunks<across, Tiling::width, Program::arrays>(plan) && program.template is_aligned<Tiling::width>())
    launch_aligned();
  else
    launch(std::false_type{}, std::false_type{});
  kachel::add_parts(label, space, plan.channels, TotalSums<T, Sum>{parts, count, sums, stride, 1});
}

}  // namespace kachel
