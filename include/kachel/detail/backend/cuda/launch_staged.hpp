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
  // Rows `broadcast/narrow_bias_gelu/bfloat16`, H200: a number takes 1.01 of a copy, 1.17 with three tiles.
  if (element_bytes == 2 && inputs == 1 && high && narrow) return of(8, 8);
  // Rows `broadcast/bias_gelu/bfloat16`, H200: a row takes 1.00 of a number's time, 1.05 with three tiles.
  if (element_bytes == 2 && inputs == 1 && high && cyclic_inputs > 0) return of(6, 8);
  if (element_bytes == 2 && inputs == 1) return of(3, high ? 9 : 8);
  if (element_bytes == 8) return of((high ? 8 : 4) / inputs, 8);
  // Rows `broadcast/bias_gelu/float`, H200: a block finds its place in what repeats once for more tiles. A column takes
  // 0.99 of a copy, 1.02 with five tiles.
  if (high && inputs == 1 && cyclic_inputs > 0) return of(10, 6);
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

/// What stands for a body's input: for a cyclic one load(x), the same for several tiles, for another itself.
template <class Load>
__device__ auto loaded_once(const Load& load) {
  return [load]<class X>(const X& x) {
    if constexpr (is_cyclic<X>) {
      const auto values = load(x);
      return Loaded<element_of<X>, std::remove_const_t<decltype(values)>>{values};
    } else {
      return x;
    }
  };
}

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

/// How the threads of a launch come by what repeats.
struct Turns {
  ShortDivisor period;       ///< that all cyclic inputs share, in tiles
  std::int32_t threads = 0;  ///< the first of the launch, whose tiles lie a period apart and have the same elements
  bool by_tile = true;       ///< whether each tile has elements of its own of all cyclic inputs
};

/// Finds the period that cyclic inputs share, whether they do, and whether tiles have elements of their own.
struct FindPeriod {
  Turns& turns;
  int& inputs;
  bool& is_shared;

  template <class X>
  KOKKOS_FUNCTION void operator()(const X& x) const {
    if (inputs++ == 0) turns.period = x.cycles.period;
    turns.by_tile &= x.cycles.by_tile;
    is_shared &= x.cycles.period.divisor() == turns.period.divisor();
  }
};

/// Those of a launch of `tiles` tiles, `each` a thread: threads take turns if all cyclic inputs share a period, as many
/// as there are whole turns of. Tiles too far apart are slower: those of row `broadcast/bias_gelu/float/row` are over
/// 15 MiB, and take 1.03 of a copy on an H200, 1.00 where they lie together.
template <class Body>
Turns turns_of(const Body& body, std::int64_t tiles, int each) {
  constexpr std::int64_t farthest_bytes = std::int64_t{1} << 23;
  Turns turns;
  int inputs = 0;
  bool is_shared = true;
  body.for_each_cyclic(FindPeriod{turns, inputs, is_shared});
  const std::int32_t period = turns.period.divisor();
  if (inputs > 0 && turns.by_tile && is_shared && std::int64_t{period} * each * widest_access <= farthest_bytes)
    turns.threads = static_cast<std::int32_t>(tiles / period / each) * period;
  return turns;
}

template <int tiles, int blocks, class T, class Body>
__global__ __launch_bounds__(staged_block_size,
                             blocks) void cuda_staged_tiles(const __grid_constant__ Span<T, Kokkos::Cuda> span,
                                                            const __grid_constant__ Body body,
                                                            [[maybe_unused]] const __grid_constant__ Turns turns) {
  constexpr int width = Span<T, Kokkos::Cuda>::width, of_block = tiles * staged_block_size;
  extern __shared__ StagedAccess staged[];
  const auto copy = [&]<class X>(const X& x, std::int64_t begin, StagedAccess* place) {
    copy_async(place + (X::index - 1) * staged_block_size, x.data + begin,
               is_repeated<X> ? CachePolicy(false) : span.policy);
  };
  // Runs all tiles, of which the first `copied` are on their way but for what repeats.
  const auto run_tiles = [&]<class Own>(const auto& begin_of, const Own& own, int copied) {
    const auto place_of = [](int i) {
      return &staged[static_cast<unsigned>(i * Own::inputs * staged_block_size) + threadIdx.x];
    };
    for (int i = 0; i < tiles; ++i)
      own.for_each_input([&]<class X>(const X& x) {
        if (i >= copied || is_repeated<X>) copy(x, begin_of(i), place_of(i));
      });
    [&]<int... i>(std::integer_sequence<int, i...>) {
      const auto run_tile = [&]<int k>(std::integral_constant<int, k>) {
        await_copies<(tiles - 1 - k) * Own::inputs>();
        own(StagedTile<T>{{begin_of(k), true, span.policy}, place_of(k)});
      };
      (..., run_tile(std::integral_constant<int, i>()));
    }(std::make_integer_sequence<int, tiles>{});
  };

  std::int64_t first = std::int64_t{blockIdx.x} * of_block + threadIdx.x;
  int step = staged_block_size;
  bool is_partial = (std::int64_t{blockIdx.x} + 1) * (of_block * width) > span.size;
  if constexpr (Body::cyclic_inputs > 0) {
    const auto first_thread = static_cast<std::int32_t>(blockIdx.x * staged_block_size),
               thread = first_thread + static_cast<std::int32_t>(threadIdx.x);
    if (thread < turns.threads) {
      const std::int32_t period = turns.period.divisor(), turn = turns.period.quotient(thread),
                         place = thread - turn * period;
      const std::int64_t begin = (std::int64_t{turn} * tiles * period + place) * width;
      const auto own = detail::loaded_once([place](const auto& x) { return x.template load<width>(place); });
      return run_tiles([=](int i) { return begin + std::int64_t{i} * period * width; }, body.with_inputs(own), 0);
    }
    // Other threads of such a block have neighbouring tiles each. They begin where those of all threads before end.
    if (first_thread < turns.threads) first = std::int64_t{thread} * tiles, step = 1, is_partial = true;
  }
  if (is_partial) {
    for (int i = 0; i < tiles; ++i) span.run_aligned(body, first + i * step);
    return;
  }
  const auto begin_of = [first](int i) { return (first + i * staged_block_size) * width; };
  body.for_each_input([&](const auto& x) { copy(x, begin_of(0), &staged[threadIdx.x]); });
  if constexpr (Body::cyclic_inputs > 0) {
    // Most blocks lie in one period of what repeats, and spare the places of each tile.
    const auto first_of_block = static_cast<std::int32_t>(blockIdx.x * of_block);
    bool of_one = true, by_element = true;
    body.for_each_cyclic([&](const auto& x) {
      of_one &= x.cycles.place_of(first_of_block) + of_block <= x.cycles.period.divisor();
      by_element &= !x.cycles.by_tile;
    });
    if (of_one && by_element) {
      const auto own =
          detail::loaded_once([=](const auto& x) { return x.load_element(x.cycles.element_of(first_of_block)); });
      return run_tiles(begin_of, body.with_inputs(own), 1);
    }
    if constexpr (Body::template has_cyclic_arrays<sizeof(T)>)
      if (of_one && turns.by_tile && turns.threads == 0)
        return run_tiles(begin_of, body.with_arrays(AsArray<width>{first_of_block}), 1);
  }
  run_tiles(begin_of, body, 1);
}

/// The bytes of shared memory of a block of which `own_bytes` are needed, so that a multiprocessor holds no more than
/// `blocks` of them.
inline std::size_t staging_bytes(const cudaDeviceProp& device, int blocks, std::size_t own_bytes) {
  const std::size_t share = device.sharedMemPerMultiprocessor / static_cast<std::size_t>(blocks),
                    reserved = device.reservedSharedMemPerBlock;
  constexpr std::size_t most = unasked_shared_bytes, granularity = 128;
  return std::max(own_bytes, std::min(share - std::min(share, reserved), most) / granularity * granularity);
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
  const Turns turns = detail::turns_of(body, span.size / span.width, tiles);
  const int arrays = Body::inputs + (turns.by_tile && turns.threads == 0 ? Body::cyclic_inputs : 0);
  const std::size_t shared_bytes =
      detail::staging_bytes(space.cuda_device_prop(), schedule.blocks, std::size_t{staged_bytes} * tiles * arrays);
  detail::launch_kernel(label, space, {(span.tiles() - 1) / tiles_of_block + 1, staged_block_size, shared_bytes},
                        kernel, span, body, turns);
}

}  // namespace kachel::detail

#endif
