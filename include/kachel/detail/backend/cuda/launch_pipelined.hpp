// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Long functions over large spans on CUDA. A thread asks for several tiles at once and computes one while the others
/// are on their way, asynchronously to shared memory, where what waits takes no registers.
#pragma once

#include <kachel/detail/backend/cuda/launch_kernel.hpp>
#include <kachel/detail/tiling.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

#include <algorithm>
#include <string>
#include <utility>

namespace kachel {

/// For copy_async: whether lines of the L2 cache that are read stay there longer than others, as
/// load_evicted_last says.
__device__ inline std::uint64_t cache_policy(bool evict_last) {
  std::uint64_t longer, ordinary;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(longer));
  asm("createpolicy.fractional.L2::evict_unchanged.b64 %0, 1.0;" : "=l"(ordinary));
  return evict_last ? longer : ordinary;
}

/// Copies 16 bytes to shared memory, in the background, in a group of this copy alone.
__device__ inline void copy_async(void* shared, const void* global, std::uint64_t policy) {
  asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;\n\tcp.async.commit_group;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(shared))),
               "l"(__cvta_generic_to_global(global)), "l"(policy)
               : "memory");
}

/// Waits for all copies of this thread but the last `pending`.
template <int pending>
__device__ void await_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

/// 16 bytes of an input, on their way.
struct alignas(16) StagedAccess {
  std::uint32_t words[4];
};

/// Finds a thread's part of the inputs of one output where it has been copied: that of the first input at `first`, of
/// the others each `stride` further on.
struct StagedInputs {
  const StagedAccess* first;
  int stride;

  template <class T>
  __device__ OneTile<const T> at(int operand, const Dense<const T>&) const {
    return {reinterpret_cast<const T*>(first + (operand - 1) * stride)};
  }
  template <class T>
  __device__ Dense<T> at(int, const Dense<T>& output) const {
    return output;
  }
};

/// How tiles are under way. A type, since nvcc cannot name a kernel by a constant of a class.
/// \tparam tiles_of_a_thread  at once
/// \tparam threads            of a block
/// \tparam blocks_at_once     that a multiprocessor holds: they get registers accordingly
template <int tiles_of_a_thread, int threads, int blocks_at_once>
struct Pipeline {
  static constexpr int tiles = tiles_of_a_thread, block_size = threads, blocks = blocks_at_once;
};

template <class Pipeline, class Tiling, class Program>
__global__ __launch_bounds__(Pipeline::block_size,
                             Pipeline::blocks) void cuda_pipelined_tiles(const __grid_constant__ Tiling tiling,
                                                                         const __grid_constant__ Program program) {
  using Tile = kachel::Tile<typename Tiling::Element, Kokkos::Cuda>;
  constexpr int inputs = Program::inputs, tiles = Pipeline::tiles, block_size = Pipeline::block_size;
  const std::int64_t first = std::int64_t{blockIdx.x} * (tiles * block_size) + threadIdx.x;

  if ((std::int64_t{blockIdx.x} + 1) * (tiles * block_size * Tile::width) > tiling.size) {
    for (int i = 0; i < tiles; ++i) tiling.run(program, first + i * block_size);
    return;
  }
  const auto tile = [first](int i) { return Tile((first + i * block_size) * Tile::width, Tile::width); };
  const std::uint64_t policy = cache_policy(tiling.restoring_items > 0);
  const auto for_each_tile = [](const auto& run) {
    [&]<int... i>(std::integer_sequence<int, i...>) {
      (..., run.template operator()<i>());
    }(std::make_integer_sequence<int, tiles>{});
  };
  __shared__ StagedAccess staged[tiles][inputs][block_size];
  for_each_tile([&]<int i>() {
    program.for_each_input([&](int input, const auto* data) {
      copy_async(&staged[i][input][threadIdx.x], data + tile(i).begin(), policy);
    });
  });
  for_each_tile([&]<int i>() {
    await_copies<(tiles - 1 - i) * inputs>();
    program.run(tile(i).assume_aligned(), StagedInputs{&staged[i][0][threadIdx.x], block_size});
  });
}

/// Sees to it that a multiprocessor holds no more than `blocks` blocks of a kernel: the fewer bytes are under way at
/// once, the faster is the memory, as long as they are enough to hide its latency.
/// \param own_bytes  of shared memory that a block has
/// \return the bytes of dynamic shared memory that take the rest of a block's share
inline std::size_t limit_blocks(const Kokkos::Cuda& space, const void* kernel, int blocks, std::size_t own_bytes) {
  int bytes = 0, reserved_of_a_block = 0;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, space.cuda_device());
  cudaDeviceGetAttribute(&reserved_of_a_block, cudaDevAttrReservedSharedMemoryPerBlock, space.cuda_device());
  cudaSetDevice(space.cuda_device());
  cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
  const std::size_t taken = reserved_of_a_block + own_bytes, share = static_cast<std::size_t>(bytes) / blocks;
  constexpr std::size_t most = 48 << 10, granularity = 128;  // most: that a kernel may have unasked
  return share > taken ? std::min(share - taken, most - own_bytes) / granularity * granularity : 0;
}

/// Runs a Map of one output and one input or more, each of the elements that decide a tile's width.
/// \throws std::runtime_error  the launch failed; the text is CUDA's
template <class Pipeline, class Tiling, class Program>
void launch_pipelined(const std::string& label, const Kokkos::Cuda& space, const Tiling& tiling,
                      const Program& program) {
  constexpr int tiles = Pipeline::block_size * Pipeline::tiles;
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>((tiling.tiles() - 1) / tiles + 1, ~0u));
  constexpr auto kernel = cuda_pipelined_tiles<Pipeline, Tiling, Program>;
  static const std::size_t shared_bytes =
      kachel::limit_blocks(space, reinterpret_cast<const void*>(kernel), Pipeline::blocks,
                           sizeof(StagedAccess) * Pipeline::tiles * Program::inputs * Pipeline::block_size);
  kachel::launch_kernel(label, space, {blocks, Pipeline::block_size, shared_bytes}, kernel, tiling, program);
}

}  // namespace kachel

#endif
