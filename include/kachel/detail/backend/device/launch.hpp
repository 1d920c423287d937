// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tiles on a device, one a thread. On CUDA in kernels of its own: Kokkos' RangePolicy loops over a 64-bit range in
/// every thread and takes blocks of 128, which is slower where the data lies in the L2 cache, as docs/tuning.md shows.
#pragma once

#include <kachel/detail/backend/cuda/launch_kernel.hpp>
#include <kachel/detail/schedule.hpp>
#include <kachel/detail/tiling.hpp>

namespace kachel::detail {

/// One tile of the kernel that a schedule names. The body is first, and of a Span what aligned arrays need: the 64
/// bytes of parameters that a multiprocessor fetches first then hold all of it for one input. Two fetches take 40 ns
/// longer, 2 to 3 % of arrays of 2^10 to 2^18 floats (rows `sizes/` and `backward/training step`, H200).
template <Kernel kernel, class Tiling, class Body>
struct DeviceTile {
  Body body;
  Tiling tiling;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t index) const {
    if constexpr (kernel == Kernel::direct)
      tiling.run_aligned(body, index);
    else
      tiling.run(body, index);
  }
};

#if defined(KOKKOS_ENABLE_CUDA)

template <Kernel kernel, class Tiling, class Body>
__global__ __launch_bounds__(max_block_size) void cuda_tiles(
    const __grid_constant__ DeviceTile<kernel, Tiling, Body> tile) {
  // Neither ever holds. The comparison fetches the kernel's parameters while the indices are still on their way, for
  // both of which small arrays wait.
  if constexpr (kernel == Kernel::direct)
    if (tile.tiling.size <= 0 || tile.tiling.policy.bits == 0) return;
  tile(static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x);
}

/// \throws std::runtime_error  the launch failed; the text is CUDA's
template <Kernel kernel = Kernel::direct, class Tiling, class Body>
void launch(const std::string& label, const CudaInstance& space, const Schedule& schedule, const Tiling& tiling,
            const Body& body) {
  detail::launch_kernel(label, space, {(tiling.tiles() - 1) / schedule.threads + 1, schedule.threads},
                        cuda_tiles<kernel, Tiling, Body>, DeviceTile<kernel, Tiling, Body>{body, tiling});
}

#endif

/// The same through Kokkos alone.
template <Kernel kernel = Kernel::direct, class Space, class Tiling, class Body>
  requires(!is_host_space<Space> && !is_cuda<Space>)
void launch(const std::string& label, const Space& space, const Schedule&, const Tiling& tiling, const Body& body) {
  Kokkos::parallel_for(
      label,
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>, Kokkos::LaunchBounds<max_block_size>>(space, 0,
                                                                                                        tiling.tiles()),
      DeviceTile<kernel, Tiling, Body>{body, tiling});
}

}  // namespace kachel::detail
