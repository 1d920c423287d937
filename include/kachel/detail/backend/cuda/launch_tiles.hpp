// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tiles on CUDA: one a thread in a kernel of its own. Kokkos' RangePolicy loops over a 64-bit range in every thread
/// and takes blocks of 128: slower where the data lies in the L2 cache, as docs/tuning.md shows.
#pragma once

#include <kachel/detail/backend/cuda/launch_kernel.hpp>
#include <kachel/detail/tiling.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

#include <algorithm>
#include <string>

namespace kachel {

template <class Tiling, class Program>
__global__ __launch_bounds__(tuning<Kokkos::Cuda>.max_block_size) void cuda_tiles(
    const __grid_constant__ Tiling tiling, const __grid_constant__ Program program) {
  // It never is. To ask fetches the parameters while the indices are on their way: small spans wait for both. Kernels
  // of large spans feel the instruction.
  if constexpr (requires { tiling.is_empty(); })
    if (tiling.is_empty()) return;
  tiling.run(program, static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x);
}

/// \throws std::runtime_error  the launch failed; the text is CUDA's
template <class Tiling, class Program>
void launch_tiles(const std::string& label, const Kokkos::Cuda& space, const Tiling& tiling, const Program& program,
                  bool) {
  constexpr auto tuned = tuning<Kokkos::Cuda>;
  static_assert(tuned.block_size >= 1 && tuned.block_size <= tuned.max_block_size && tuned.large_block_size >= 1 &&
                    tuned.large_block_size <= tuned.max_block_size,
                "kachel::tuning: block sizes are expected to be 1 to max_block_size");
  const bool large = tuned.is_large(tiling.elements(), sizeof(typename Tiling::Element));
  const int block_size = large ? tuned.large_block_size : tuned.block_size;
  // More than CUDA has are refused by it.
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>((tiling.tiles() - 1) / block_size + 1, ~0u));

  kachel::launch_kernel(label, space, {blocks, block_size}, cuda_tiles<Tiling, Program>, tiling, program);
}

}  // namespace kachel

#endif
