// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Teams on CUDA: blocks, in kernels of their own, so that a call needs a stream alone. Called by detail/reduce/; knows
/// nothing of sums.
#pragma once

#include <kachel/detail/backend/cuda/launch_kernel.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

#include <cstddef>
#include <cstdint>

namespace kachel::detail {

/// A block, with the members of a Kokkos team that work calls. They are called on a device alone.
struct BlockTeam {
  void* scratch;

  KOKKOS_FUNCTION int league_rank() const {
    KOKKOS_IF_ON_DEVICE((return static_cast<int>(blockIdx.x);))
    KOKKOS_IF_ON_HOST((return 0;))
  }
  KOKKOS_FUNCTION int team_rank() const {
    KOKKOS_IF_ON_DEVICE((return static_cast<int>(threadIdx.x);))
    KOKKOS_IF_ON_HOST((return 0;))
  }
  KOKKOS_FUNCTION void team_barrier() const { KOKKOS_IF_ON_DEVICE((__syncthreads();)) }
  KOKKOS_FUNCTION const BlockTeam& team_scratch(int) const { return *this; }
  KOKKOS_FUNCTION void* get_shmem(int) const { return scratch; }
};

template <int team_size, unsigned teams, class Work>
__global__ __launch_bounds__(team_size, teams) void cuda_teams(const __grid_constant__ Work work) {
  extern __shared__ uint4 scratch[];
  work(BlockTeam{scratch});
}

/// Runs work(team) for `count` teams.
/// \tparam teams          that a multiprocessor is to hold; 0 for any
/// \param scratch_bytes   of a team's memory
/// \throws std::runtime_error  the launch failed; the text is CUDA's
template <int team_size, unsigned teams, class Work>
void launch_teams(const std::string& label, const CudaInstance& space, std::int64_t count, int scratch_bytes,
                  const Work& work) {
  if (count == 0) return;  // CUDA refuses a launch of no blocks
  detail::launch_kernel(label, space, {count, team_size, static_cast<std::size_t>(scratch_bytes)},
                        cuda_teams<team_size, teams, Work>, work);
}

template <int block_size, class Work>
__global__ __launch_bounds__(block_size) void cuda_each(const __grid_constant__ Work work, std::int64_t count) {
  const auto index = static_cast<std::int64_t>(blockIdx.x) * block_size + threadIdx.x;
  if (index < count) work(index);
}

/// Runs work(index) for each below `count`.
/// \throws std::runtime_error  the launch failed; the text is CUDA's
template <int block_size, class Work>
void launch_each(const std::string& label, const CudaInstance& space, std::int64_t count, const Work& work) {
  detail::launch_kernel(label, space, {(count - 1) / block_size + 1, block_size}, cuda_each<block_size, Work>, work,
                        count);
}

}  // namespace kachel::detail

#endif
