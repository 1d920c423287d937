// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clusters: blocks that run at the same time and reach each other's shared memory. Code for GPUs of compute capability
/// 9.0 and later has them; elsewhere each block is a cluster of its own.
#pragma once

#include <kachel/detail/backend/cuda/launch_kernel.hpp>
#include <kachel/detail/backend/cuda/per_device.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

#include <cstdint>

namespace kachel::detail {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

/// How many blocks the cluster of this one has.
__device__ inline unsigned blocks_of_cluster() {
  unsigned count;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
  return count;
}

/// This one's number in its cluster.
__device__ inline unsigned block_of_cluster() {
  unsigned number;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(number));
  return number;
}

/// The number of this block's cluster.
__device__ inline unsigned cluster() {
  unsigned number;
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(number));
  return number;
}

/// All threads of a cluster arrive; what they wrote before is there for those that await_cluster has let go on.
__device__ inline void arrive_at_cluster() { asm volatile("barrier.cluster.arrive.release;" ::: "memory"); }
__device__ inline void await_cluster() { asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); }

/// Stores a number to where another block of the cluster has `place`.
__device__ inline void store_to_block(float* place, unsigned block, float value) {
  asm volatile(
      "{\n"
      ".reg .u32 remote;\n"
      "mapa.shared::cluster.u32 remote, %0, %1;\n"
      "st.shared::cluster.f32 [remote], %2;\n"
      "}" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(place))),
      "r"(block), "f"(value)
      : "memory");
}

#else

__device__ inline unsigned blocks_of_cluster() { return 1; }
__device__ inline unsigned block_of_cluster() { return 0; }
__device__ inline unsigned cluster() { return blockIdx.x; }
__device__ inline void arrive_at_cluster() {}
__device__ inline void await_cluster() {}
__device__ inline void store_to_block(float* place, unsigned, float value) { *place = value; }

#endif

/// Whether a kernel has clusters on the device of an instance: not where it is compiled for a device without.
template <auto kernel>
bool has_clusters(const std::string& label, const CudaInstance& space) {
  static PerDevice<bool> has;
  return has.get(space.cuda_device(), [&] {
    cudaFuncAttributes attributes{};
    expect_success(label, cudaSetDevice(space.cuda_device()));
    expect_success(label, cudaFuncGetAttributes(&attributes, kernel));
    return attributes.ptxVersion >= 90;
  });
}

}  // namespace kachel::detail

#endif
