// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sums on a device through Kokkos: a team takes a power of two of lanes and chunks, which is a part of the tree.
#pragma once

#include <kachel/launch/cuda/stream_memory.hpp>
#include <kachel/launch/sums.hpp>

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

template <class Space>
using SumTeams = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<sum_team_size>>;

/// What a team does: `chunks_per_team` chunks of a channel, or one of `channels_per_team` channels.
template <bool across, class Space, class Tiling, class Program>
struct DeviceSums {
  using Sum = typename Program::Sum;
  static constexpr int width = Tiling::width;
  static constexpr int threads_per_chunk = sum_lanes / width, chunks_per_team = sum_team_size / threads_per_chunk;
  /// Neighbouring threads take neighbouring channels, whole cache lines of them.
  static constexpr int threads_across = 8, channels_per_team = threads_across * width,
                       lanes_per_thread = sum_lanes * threads_across / sum_team_size;
  static constexpr int scratch_bytes = sum_team_size * (across ? width : 1) * static_cast<int>(sizeof(Sum));

  Tiling tiling;
  Program program;
  Sum* parts;

  /// Of a channel.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t part_count() const {
    return across ? tiling.chunks() : (tiling.chunks() + chunks_per_team - 1) / chunks_per_team;
  }
  std::int64_t teams() const {
    return part_count() * (across ? (tiling.channels + channels_per_team - 1) / channels_per_team : tiling.channels);
  }

  KOKKOS_FUNCTION void operator()(const typename SumTeams<Space>::member_type& team) const {
    auto* const scratch = static_cast<Sum*>(team.team_scratch(0).get_shmem(int{scratch_bytes}));
    const int thread = team.team_rank();
    const std::int64_t count = part_count(), block = team.league_rank() / count,
                       part = team.league_rank() - block * count;
    if constexpr (across) {
      const std::int64_t channel = block * channels_per_team + thread % threads_across * width;
      Pack<Sum, width> sums[std::size_t{lanes_per_thread}];
      tiling.sum_channels(program, channel, part, thread / threads_across * lanes_per_thread, sums);
      const Pack<Sum, width> sum = kachel::sum_of_neighbours(sums);
      for (int i = 0; i < width; ++i) scratch[thread * width + i] = sum[i];
      add_threads<threads_across, width>(team, scratch);
      if (thread < threads_across)
        for (int i = 0; i < width; ++i)
          if (channel + i < tiling.channels) parts[(channel + i) * count + part] = scratch[thread * width + i];
    } else {
      const std::int64_t chunk = part * chunks_per_team + thread / threads_per_chunk;
      Pack<Sum, width> sums[1];
      tiling.sum_elements(program, block, chunk, thread % threads_per_chunk * width, sums);
      scratch[thread] = kachel::sum_of_neighbours(sums[0].values);
      add_threads<1, 1>(team, scratch);
      if (thread == 0) parts[team.league_rank()] = scratch[0];
    }
  }

 private:
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

/// sums[c * stride] is the sum of what the program makes of channel c's elements.
template <class Element, bool across, class Space, class Program, class T>
  requires(!is_host_space<Space>)
void launch_sums(const std::string& label, const Space& space, const SumPlan& plan, const Program& program, T* sums,
                 std::int64_t stride, bool) {
  using Sum = typename Program::Sum;
  using Tiling = SumTiling<Space, tuning<Space>.tile_bytes / static_cast<int>(sizeof(Element)), Program>;
  DeviceSums<across, Space, Tiling, Program> work{Tiling(plan, Caching::cached), program, nullptr};
  const CallMemory<Space> memory(label, space,
                                 static_cast<std::size_t>(plan.channels * work.part_count()) * sizeof(Sum));
  work.parts = static_cast<Sum*>(memory.data());
  if (work.teams() > 0)
    Kokkos::parallel_for(label,
                         SumTeams<Space>(space, static_cast<int>(work.teams()), sum_team_size)
                             .set_scratch_size(0, Kokkos::PerTeam(work.scratch_bytes)),
                         work);
  const TotalSums<T, Sum> totals{work.parts, work.part_count(), sums, stride};
  if (totals.count > 64)
    Kokkos::parallel_for(label, SumTeams<Space>(space, static_cast<int>(plan.channels), sum_team_size),
                         TeamTotals<Space, T, Sum>{totals});
  else
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, plan.channels),
                         totals);
}

}  // namespace kachel
