// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ops of medium and high cost over large arrays on CUDA. A thread asks for several tiles at once and computes one
/// while the others are on their way, asynchronously to shared memory, where what waits takes no registers.
#pragma once

#include <kachel/detail/backend/cuda/per_device.hpp>
#include <kachel/detail/backend/device/launch.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

namespace kachel::detail {

/// How many tiles a thread has under way, and how many blocks a multiprocessor holds at best: they get registers
/// accordingly. The fewer bytes are under way at once, the faster is the memory, as long as they are enough.
struct Staging {
  int tiles, blocks;
};

/// Bytes of shared memory that a block copies a tile of each thread to.
inline constexpr int staged_bytes = staged_block_size * widest_access;

/// \param inputs         arrays, each of elements of `element_bytes` bytes
/// \param cyclic_inputs  which have a place in shared memory too
/// \param narrow         whether the op has a form for 16 bits in fewer instructions
constexpr Staging staging_of(Cost cost, int inputs, int cyclic_inputs, std::size_t element_bytes, bool narrow) {
  const bool high = cost == Cost::high;
  const auto of = [=](int tiles, int blocks) {
    return Staging{std::min(tiles, unasked_shared_bytes / staged_bytes / (inputs + cyclic_inputs)), blocks};
  };
  // Rows `broadcast/narrow_bias_gelu/bfloat16`, H200: a number takes 1.02 of a copy, 1.17 with three tiles.
  if (element_bytes == 2 && inputs == 1 && high && narrow) return of(8, 8);
  if (element_bytes == 2 && inputs == 1) return of(3, high ? 9 : 8);
  if (element_bytes == 8) return of((high ? 8 : 4) / inputs, 8);
  // Rows `broadcast/bias_gelu/float`, H200: a block finds its place in what repeats once for more tiles. A column takes
  // 0.99 of a copy, 1.02 with five tiles.
  if (high && inputs == 1 && cyclic_inputs > 0) return of(10, 5);
  if (inputs > 1) return of((high ? 6 : 4) / inputs, 12);
  return of(high ? 5 : 3, 8);
}

/// Copies 16 bytes to shared memory: in the background, in a group of this copy alone, or at once on a GPU older than
/// compute capability 8.0.
__device__ inline void copy_async(void* shared, const void* global, [[maybe_unused]] const CachePolicy& policy) {
#if __CUDA_ARCH__ < 800
  *static_cast<uint4*>(shared) = *static_cast<const uint4*>(global);
#else
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  const auto from = __cvta_generic_to_global(global);
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;\n\tcp.async.commit_group;" ::"r"(to),
               "l"(from), "l"(policy.bits)
               : "memory");
#else
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n\tcp.async.commit_group;" ::"r"(to), "l"(from) : "memory");
#endif
#endif
}

/// Waits for all copies of this thread but the last `pending`.
template <int pending>
__device__ void await_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
#endif
}

/// 16 bytes of an input, on their way.
using StagedAccess = Pack<std::uint32_t, widest_access / 4>;

/// An aligned tile whose inputs have been copied: that of the first at `staged`, of the others each a block's further
/// on.
template <class T>
struct StagedTile : AlignedTile<T, Kokkos::Cuda> {
  using Base = AlignedTile<T, Kokkos::Cuda>;
  using Base::width;

  template <class U, int k>
  __device__ auto load(const Cursor<U, k>&) const {
    using Stored = std::remove_const_t<U>;
    return detail::converted<compute_type<Stored>>(
        detail::load_aligned<width>(reinterpret_cast<const Stored*>(staged_ + (k - 1) * staged_block_size)));
  }

  const StagedAccess* staged_;
};

/// A cyclic input of a block whose tiles have one element of it: that.
struct AsElement {
  std::int32_t first;  ///< tile of the block

  template <class X>
  __device__ auto operator()(const X& x) const {
    if constexpr (is_cyclic<X>) {
      const auto value = x.load_element(x.cycles.element_of(first));
      return Loaded<element_of<X>, std::remove_const_t<decltype(value)>>{value};
    } else {
      return x;
    }
  }
};

/// A cyclic input of a block whose tiles have neighbouring elements of it: the array that has them where other arrays
/// have the block's, of place `place` among them.
template <int width>
struct AsArray {
  std::int32_t first;  ///< tile of the block

  template <int place, class X>
  __device__ auto operator()(const X& x) const {
    if constexpr (is_cyclic<X>)
      return Broadcast<const element_of<X>, place, true>{
          {x.data + (std::int64_t{x.cycles.place_of(first)} - first) * width}};
    else
      return x;
  }
};

template <int tiles, int blocks, class T, class Body>
__global__ __launch_bounds__(staged_block_size,
                             blocks) void cuda_staged_tiles(const __grid_constant__ Span<T, Kokkos::Cuda> span,
                                                            const __grid_constant__ Body body) {
  constexpr int width = Span<T, Kokkos::Cuda>::width, of_block = tiles * staged_block_size;
  const std::int64_t first = std::int64_t{blockIdx.x} * of_block + threadIdx.x;

  if ((std::int64_t{blockIdx.x} + 1) * (of_block * width) > span.size) {
    for (int i = 0; i < tiles; ++i) span.run_aligned(body, first + i * staged_block_size);
    return;
  }
  const auto begin_of = [first](int i) { return (first + i * staged_block_size) * width; };
  __shared__ StagedAccess staged[tiles][Body::inputs + Body::cyclic_inputs][staged_block_size];
  const auto copy = [&]<class X>(int i, const X& x) {
    copy_async(&staged[i][X::index - 1][threadIdx.x], x.data + begin_of(i),
               is_repeated<X> ? CachePolicy(false) : span.policy);
  };
  // Runs all tiles, of which the first is copied, but for what repeats.
  const auto run_tiles = [&]<class Own>(const Own& own) {
    own.for_each_input([&]<class X>(const X& x) {
      if constexpr (is_repeated<X>) copy(0, x);
    });
    for (int i = 1; i < tiles; ++i) own.for_each_input([&](const auto& x) { copy(i, x); });
    [&]<int... i>(std::integer_sequence<int, i...>) {
      const auto run_tile = [&]<int k>(std::integral_constant<int, k>) {
        await_copies<(tiles - 1 - k) * Own::inputs>();
        own(StagedTile<T>{{begin_of(k), true, span.policy}, &staged[k][0][threadIdx.x]});
      };
      (..., run_tile(std::integral_constant<int, i>()));
    }(std::make_integer_sequence<int, tiles>{});
  };
  body.for_each_input([&](const auto& x) { copy(0, x); });
  if constexpr (Body::cyclic_inputs > 0) {
    // While the first copy is on its way. Most blocks lie in one period of what repeats, and spare the places of each
    // tile.
    constexpr bool has_arrays = Body::template has_cyclic_arrays<sizeof(T)>;
    const auto first_of_block = static_cast<std::int32_t>(blockIdx.x * of_block);
    bool of_one = true, by_element = true, by_tile = has_arrays;
    body.for_each_cyclic([&](const auto& x) {
      of_one &= x.cycles.place_of(first_of_block) + of_block <= x.cycles.period.divisor();
      by_element &= !x.cycles.by_tile;
      by_tile &= x.cycles.by_tile;
    });
    if (of_one && by_element) return run_tiles(body.with_inputs(AsElement{first_of_block}));
    if constexpr (has_arrays)
      if (of_one && by_tile) return run_tiles(body.with_arrays(AsArray<width>{first_of_block}));
  }
  run_tiles(body);
}

/// The bytes of dynamic shared memory with which a multiprocessor holds no more than `blocks` blocks of a kernel.
/// \param own_bytes  of static shared memory that a block has
inline std::size_t limiting_bytes(const cudaDeviceProp& device, int blocks, std::size_t own_bytes) {
  const std::size_t taken = device.reservedSharedMemPerBlock + own_bytes,
                    share = device.sharedMemPerMultiprocessor / static_cast<std::size_t>(blocks);
  constexpr std::size_t most = unasked_shared_bytes, granularity = 128;
  return share > taken ? std::min(share - taken, most - own_bytes) / granularity * granularity : 0;
}

/// Runs a body of one output and one input or more, each of the elements that decide a tile's width.
/// \throws std::runtime_error  the launch failed; the text is CUDA's
template <int tiles, int blocks, class T, class Body>
void launch_staged(const std::string& label, const CudaInstance& space, const Schedule& schedule,
                   const Span<T, Kokkos::Cuda>& span, const Body& body) {
  constexpr int tiles_of_block = staged_block_size * tiles;
  constexpr auto kernel = cuda_staged_tiles<tiles, blocks, T, Body>;
  // A preference: where it is refused the kernel runs all the same.
  static PerDevice<bool> prefers_shared_memory;
  prefers_shared_memory.get(space.cuda_device(), [&] {
    return succeeds(cudaSetDevice(space.cuda_device())) &&
           succeeds(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                         cudaSharedmemCarveoutMaxShared));
  });
  const std::size_t shared_bytes =
      detail::limiting_bytes(space.cuda_device_prop(), schedule.blocks,
                             std::size_t{staged_bytes} * tiles * (Body::inputs + Body::cyclic_inputs));
  detail::launch_kernel(label, space, {(span.tiles() - 1) / tiles_of_block + 1, staged_block_size, shared_bytes},
                        kernel, span, body);
}

}  // namespace kachel::detail

#endif
