// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Row functions on CUDA: the threads of a warp, of a part of one, of a block or of a cluster of blocks take a row.
#pragma once

#include <kachel/detail/row/cuda_row.hpp>
#include <kachel/detail/row/cuda_short.hpp>
#include <kachel/detail/row/cuda_strided.hpp>
#include <kachel/detail/row/shifted.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

#include <algorithm>
#include <bit>

namespace kachel::detail {

/// Bytes of shared memory that a block of the most threads has.
template <class Row, class Shape>
inline constexpr int most_shared_bytes = Shape::template shared_bytes<typename Row::Element>(Shape::most_threads) +
                                         Row::exchange_size * static_cast<int>(sizeof(float));

/// Stores results, as an input's elements lie.
template <RowFit fit, class T, class V>
__device__ void store_access(T* to, const V& results) {
  if constexpr (fit == RowFit::any)
    *to = static_cast<T>(results[0]);
  else
    __stcs(reinterpret_cast<uint4*>(to), bit_cast<uint4>(detail::converted<T>(results)));
}

/// Rows of which a cluster, a block, or a part of one, has one.
template <class F, class T, RowFit fit, class Shape>
__global__ __launch_bounds__(Shape::most_threads,
                             Shape::blocks) void cuda_rows(const __grid_constant__ F f,
                                                           const __grid_constant__ DeviceRows<T> rows,
                                                           std::int64_t first_row) {
  using Row = RowInRegisters<T, fit, Shape>;
  using Input = RowInput<typename Row::Accesses>;
  __shared__ alignas(16) float exchange[std::size_t{Row::exchange_size}];
  extern __shared__ uint4 shared[];
  constexpr int rows_of_block = Shape::most_groups == 1 ? Shape::most_threads / Shape::group : 1;
  const int thread = static_cast<int>(threadIdx.x),
            threads = rows_of_block > 1 ? Shape::group : static_cast<int>(blockDim.x),
            of_block = rows_of_block > 1 ? thread / Shape::group : 0;
  std::int64_t block = blockIdx.x;
  if constexpr (Shape::most_cluster > 1) {
    arrive_at_cluster();
    block = cluster();
  }
  const std::int64_t index = first_row + block * rows_of_block + of_block;
  const bool there = index < rows.rows;
  const Row row{{thread - of_block * Shape::group, threads, exchange},
                there ? static_cast<int>(rows.length) : 0,
                {reinterpret_cast<typename SharedValues<Row::width>::Part*>(shared) + thread}};
  const T* const from = rows.x + rows.offset(1, index);
  Input x;
  x.shared = row.shared;
  if constexpr (fit == RowFit::shifted)
    load_shifted(row, x, from);
  else if (there) {
    const auto load = [&](int access) {
      const T* const begin = row.place(from, rows.element_strides[1], access);
      if constexpr (fit == RowFit::any) {
        x.place(access) = *begin;
      } else {
        const auto* const words = reinterpret_cast<const typename Input::Words*>(begin);
        if (access < Shape::registers)
          x.place(access) = rows.policy.load(words);
        else
          copy_async(&x.place(access), words, rows.policy);
      }
    };
    constexpr int unawaited = Row::accesses - Shape::awaited;
    if constexpr (Shape::awaited > 0) {
      row.for_each_access(unawaited, Row::accesses, load);
      await_copies<0>();
    }
    row.for_each_access(0, unawaited, load);
  }
  if constexpr (fit == RowFit::whole || fit == RowFit::aligned) {
    if constexpr (Shape::accesses > Shape::registers) await_copies<0>();
    if (there && index >= rows.first_restored)
      row.for_each_access([&](int access) { restore_priority(row.place(from, 1, access)); });
  }
  if constexpr (Shape::most_cluster > 1) await_cluster();  // whose blocks have all begun
  const auto results = f(row, x);
  T* const to = rows.y + rows.offset(0, index);
  if constexpr (fit == RowFit::shifted)
    store_shifted(row, to, results);
  else if (there)
    row.for_each_access(
        [&](int access) { store_access<fit>(row.place(to, rows.element_strides[0], access), results.at(access)); });
}

/// The kernels of rows of elements of type T, by RowFit, the shortest rows first; `whole` has those for rows that fill
/// them. On an H200 each of `aligned` and `shifted` is the fastest for some length of those that were tried, or within
/// 1.15 of it. Shorter rows have others: ShortRowShapes.
///
/// Rows of 256 floats, each of a whole warp, take 503 us; with two in a warp 508, but those of 132 floats 297 instead
/// of 379 (row softmax/float/1048576x256).
///
/// A multiprocessor has two rows of 32768 floats at a time. The loads of one compete with the stores of the one before
/// it, and are faster some hundreds of cycles later: 514 us instead of 522 (row softmax/float/8192x32768). So a thread
/// awaits its last access before it asks for the others. Clusters, and elements of 16 bits, take longer with that.
template <class T>
struct RowShapes {
  using whole = Tuple<RowShape<32, 1, 2>>;
  using aligned = Tuple<RowShape<16, 1, 4>, RowShape<32, 1, 8>, RowShape<32, 8, 4, 4, 5>, RowShape<32, 8, 8, 8, 2>,
                        RowShape<32, 16, 16, 7, 2, 1, 1>, RowShape<32, 8, 16, 7, 4, 8>, RowShape<32, 16, 16, 7, 2, 8>>;
  using shifted = Tuple<RowShape<32, 1, 8>, RowShape<32, 4, 4>, RowShape<32, 8, 8, 8, 3>, RowShape<32, 16, 16, 4, 2>,
                        RowShape<32, 16, 16, 2, 2, 8>>;
  using any = Tuple<RowShape<32, 8, 4>, RowShape<32, 16, 16, 7, 2>>;
};
template <class T>
  requires(sizeof(T) == 2)
struct RowShapes<T> {
  using whole = Tuple<>;
  using aligned =
      Tuple<RowShape<8, 1, 4>, RowShape<16, 1, 6>, RowShape<16, 1, 8>, RowShape<16, 2, 8>, RowShape<16, 8, 4>,
            RowShape<16, 8, 8>, RowShape<16, 32, 8, 4, 2>, RowShape<16, 16, 8, 5, 4, 8>, RowShape<16, 16, 16, 8, 2, 8>>;
  using shifted = Tuple<RowShape<8, 1, 4>, RowShape<16, 1, 4>, RowShape<16, 1, 6>, RowShape<16, 1, 8>,
                        RowShape<16, 8, 4>, RowShape<16, 32, 8, 4, 2>, RowShape<16, 32, 8, 4, 2, 8>>;
  using any = Tuple<RowShape<16, 8, 4>, RowShape<16, 32, 8, 4, 2>>;
};

template <class F, class T, RowFit fit>
__global__ __launch_bounds__(LongRow<T, fit>::block_size) void cuda_long_rows(
    const __grid_constant__ F f, const __grid_constant__ DeviceRows<T> rows, std::int64_t chunks) {
  using Row = LongRow<T, fit>;
  __shared__ alignas(16) float exchange[std::size_t{Row::exchange_size}];
  const std::int64_t index = blockIdx.x;
  const Row row{{static_cast<int>(threadIdx.x), Row::block_size, exchange}, rows.length, chunks};
  const auto results = f(row, InputInMemory<T, fit>{rows.x + rows.offset(1, index), rows.element_strides[1]});
  T* const to = rows.y + rows.offset(0, index);
  row.for_each_access([&](std::int64_t access) {
    const std::int64_t first = row.first(access);
    store_access<fit>(to + first * (fit == RowFit::any ? rows.element_strides[0] : 1), results.at(first));
  });
}

/// Lets a kernel have so many bytes of shared memory on the device of an instance.
template <auto kernel>
void allow_shared_bytes(const std::string& label, const CudaInstance& space, int bytes) {
  static PerDevice<cudaError_t> allowed;
  expect_success(label, allowed.get(space.cuda_device(), [&] {
    const cudaError_t status = cudaSetDevice(space.cuda_device());
    return status != cudaSuccess ? status
                                 : cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  }));
}

/// The blocks that have a row.
struct RowBlocks {
  int block_size, of_row;
};

/// Where a cluster has a row, the blocks of those sizes that leave the fewest threads idle, of which none is idle.
template <class Shape, class T>
RowBlocks row_blocks(std::int64_t length) {
  const auto threads = static_cast<int>(divide_up(length, Shape::template elements<T>(Shape::group)) * Shape::group);
  if (Shape::most_groups == 1) return {Shape::most_threads, 1};
  if (threads <= Shape::most_threads) return {static_cast<int>(divide_up(threads, warp_size)) * warp_size, 1};
  RowBlocks best{Shape::most_threads, static_cast<int>(divide_up(threads, Shape::most_threads))};
  for (int size = best.block_size / 2; size >= warp_size; size /= 2) {
    const auto count = static_cast<int>(divide_up(threads, size));
    if (count <= Shape::most_cluster && count * size < best.of_row * best.block_size) best = {size, count};
  }
  return best;
}

template <class Shape, RowFit fit, class F, class T>
void launch_row_shape(const std::string& label, const CudaInstance& space, const F& f, const DeviceRows<T>& rows) {
  const RowBlocks blocks = row_blocks<Shape, T>(rows.length);
  constexpr int rows_of_block = Shape::most_groups == 1 ? Shape::most_threads / Shape::group : 1;
  const auto launch = [&]<RowFit own>() {
    constexpr auto kernel = cuda_rows<F, T, own, Shape>;
    if constexpr (most_shared_bytes<RowInRegisters<T, own, Shape>, Shape> > unasked_shared_bytes)
      allow_shared_bytes<kernel>(label, space, Shape::template shared_bytes<T>(Shape::most_threads));
    KernelShape shape{0, blocks.block_size,
                      static_cast<std::size_t>(Shape::template shared_bytes<T>(blocks.block_size))};
    shape.of_cluster = static_cast<unsigned>(blocks.of_row);
    const std::int64_t most_launched = ((std::int64_t{1} << 31) - 1) / blocks.of_row;
    for (std::int64_t first = 0; first < rows.rows; first += most_launched * rows_of_block) {
      const std::int64_t launched = std::min(divide_up(rows.rows - first, rows_of_block), most_launched);
      shape.blocks = launched * blocks.of_row;
      detail::launch_kernel(label, space, shape, kernel, f, rows, first);
    }
  };
  if constexpr (fit != RowFit::aligned)
    launch.template operator()<fit>();
  else if constexpr (Shape::most_cluster > 1)
    launch.template operator()<RowFit::aligned>();
  else if (rows.length == Shape::template elements<T>(blocks.block_size / rows_of_block))
    launch.template operator()<RowFit::whole>();
  else
    launch.template operator()<RowFit::aligned>();
}

/// y = f(x), row by row.
/// \throws std::runtime_error  a launch failed; the text is CUDA's
template <class F, class T>
void launch_rows(const std::string& label, const CudaInstance& space, const Schedule& schedule, const RowPlan& plan,
                 const F& f, T* y, const T* x) {
  const DeviceRows<T> rows(schedule, plan, y, x);
  if (launch_strided_rows(label, space, plan, f, rows)) return;
  if (launch_short_rows(label, space, plan, f, rows)) return;
  const auto allowed_shared_bytes = static_cast<int>(space.cuda_device_prop().sharedMemPerBlockOptin);
  const auto try_shapes = [&]<RowFit fit, class... Shape>(Tuple<Shape...>) {
    [[maybe_unused]] const auto try_shape = [&]<class Own>(Own) {
      constexpr std::int64_t of_block = Own::template elements<T>(Own::most_groups * Own::group);
      if (fit == RowFit::whole ? plan.length != of_block : plan.length > of_block * Own::most_cluster) return false;
      if (most_shared_bytes<RowInRegisters<T, fit, Own>, Own> > allowed_shared_bytes) return false;
      if constexpr (Own::most_cluster > 1)
        if (!has_clusters<cuda_rows<F, T, fit, Own>>(label, space)) return false;
      detail::launch_row_shape<Own, fit>(label, space, f, rows);
      return true;
    };
    return (try_shape(Shape()) || ...);
  };
  // There are fewer rows than a launch may have blocks: each has thousands of elements.
  const auto launch_long = [&]<RowFit fit>() {
    using Row = LongRow<T, fit>;
    const auto chunks = std::bit_ceil(
        static_cast<std::uint64_t>(divide_up(plan.length, std::int64_t{Row::block_size / Row::group} * sum_chunk)));
    detail::launch_kernel(label, space, {plan.rows, Row::block_size}, cuda_long_rows<F, T, fit>, f, rows,
                          static_cast<std::int64_t>(chunks));
  };
  using Shapes = RowShapes<T>;
  if (plan.aligned) {
    if (!try_shapes.template operator()<RowFit::whole>(typename Shapes::whole()) &&
        !try_shapes.template operator()<RowFit::aligned>(typename Shapes::aligned()))
      launch_long.template operator()<RowFit::aligned>();
  } else if (!(plan.neighbours ? try_shapes.template operator()<RowFit::shifted>(typename Shapes::shifted())
                               : try_shapes.template operator()<RowFit::any>(typename Shapes::any()))) {
    launch_long.template operator()<RowFit::any>();
  }
}

}  // namespace kachel::detail

#endif
