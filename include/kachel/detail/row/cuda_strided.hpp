// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rows on CUDA that are nearer to each other than their elements, as the rows of a matrix in LayoutLeft, the default
/// there: neighbouring threads have neighbouring rows, of which they read an element each at a time.
#pragma once

#include <kachel/detail/row/cuda_row.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

namespace kachel::detail {

/// The kernel of rows of up to `most` elements. Of the 128 lanes of the tree of sums a thread has neighbouring ones.
/// \tparam columns_  neighbouring threads of a block that have different rows: up to a warp, or all
/// \tparam parts_    threads that have a row
/// \tparam lanes_    of a thread
/// \tparam steps_    elements of a lane in a chunk
/// \tparam chunks_   of a row
template <int columns_, int parts_, int lanes_, int steps_ = 1, int chunks_ = 1>
struct StridedShape {
  static constexpr int columns = columns_, parts = parts_, lanes = lanes_, steps = steps_, chunks = chunks_,
                       values = lanes * steps * chunks, most = parts * values, threads = columns * parts,
                       warps = threads / warp_size;
  static_assert(parts * lanes == sum_lanes || steps * chunks == 1);
};

/// Elements of neighbouring rows, side by side, that are one access of 4 bytes.
template <class T>
inline constexpr int rows_together = 4 / static_cast<int>(sizeof(T));

/// As many rows as threads of a block see them.
template <class T, class Shape>
struct StridedRows {
  using Element = T;
  using Value = Pack<float, rows_together<T>>;
  static constexpr int columns = Shape::columns, values = Shape::values;
  static constexpr int exchange_size = Shape::parts > 1 && Shape::warps > 1 ? Shape::chunks* Shape::warps* columns : 1;

  /// Values of a thread's elements.
  struct Kept {
    static constexpr int width = Value::size();

    Value own[std::size_t{values}];

    __device__ Value at(int i) const { return own[i]; }
  };

  int length;
  Exchange<Value, exchange_size> exchange;

  /// The thread's first element.
  __device__ static int first() { return static_cast<int>(threadIdx.x) / columns * Shape::lanes; }

  /// From the first element to the i-th.
  __device__ static constexpr int distance(int i) {
    constexpr int of_chunk = Shape::lanes * Shape::steps;
    return i / of_chunk * sum_chunk + i % of_chunk / Shape::lanes * sum_lanes + i % Shape::lanes;
  }

  __device__ bool has(int i) const { return distance(i) < length - first(); }

  /// The largest values. Those of elements that are not there are -inf.
  template <class V>
  __device__ Value max(const V& of) const {
    Value most[1] = {Value(-INFINITY)};
#pragma unroll
    for (int i = 0; i < values; ++i) most[0] = larger(most[0], of.at(i));
    reduce(most, [](const Value& a, const Value& b) { return larger(a, b); });
    return most[0];
  }

  /// The sums in the order of kachel/detail/reduce/sums.hpp.
  template <class V>
  __device__ Value sum(const V& of) const {
    Value sums[std::size_t{Shape::chunks}];
#pragma unroll
    for (int chunk = 0; chunk < Shape::chunks; ++chunk) {
      Value lanes[std::size_t{Shape::lanes}];
#pragma unroll
      for (int lane = 0; lane < Shape::lanes; ++lane) {
        lanes[lane] = Value(-0.0f);
#pragma unroll
        for (int step = 0; step < Shape::steps; ++step) {
          const int i = (chunk * Shape::steps + step) * Shape::lanes + lane;
          if (has(i)) lanes[lane] = lanes[lane] + of.at(i);
        }
      }
      sums[chunk] = detail::sum_of_neighbours(lanes);
    }
    reduce(sums, [](const Value& a, const Value& b) { return a + b; });
    return detail::sum_of_neighbours(sums);
  }

  template <class V>
  __device__ Kept keep(const V& of) const {
    Kept kept;
#pragma unroll
    for (int i = 0; i < values; ++i) kept.own[i] = of.at(i);
    return kept;
  }

 private:
  __device__ static Value larger(const Value& a, const Value& b) {
    return apply([](float own, float other) { return at_least(own, other); }, a, b);
  }

  /// Reduces some values each over the threads that have a row, neighbours first.
  template <std::size_t count, class Op>
  __device__ void reduce(Value (&of)[count], const Op& op) const {
#pragma unroll
    for (std::size_t k = 0; k < count; ++k)
#pragma unroll
      for (int apart = columns; apart < warp_size; apart *= 2) {
        Value other;
#pragma unroll
        for (int i = 0; i < rows_together<T>; ++i) other[i] = __shfl_xor_sync(~0u, of[k][i], apart);
        of[k] = op(of[k], other);
      }
    if constexpr (exchange_size > 1) {
      const int lane = static_cast<int>(threadIdx.x) % warp_size, warp = static_cast<int>(threadIdx.x) / warp_size;
      Value* const own = exchange.next() + lane % columns;
      if (lane < columns)
#pragma unroll
        for (int k = 0; k < int{count}; ++k) own[(k * Shape::warps + warp) * columns] = of[k];
      __syncthreads();
#pragma unroll
      for (int k = 0; k < int{count}; ++k)
        of[k] = detail::reduced_in_memory<Shape::warps, columns>(own + k * Shape::warps * columns, op);
    }
  }
};

/// The input of such rows, as it is read.
template <class T, int count>
struct StridedInput {
  static constexpr int width = rows_together<T>;

  std::uint32_t words[std::size_t{count}];

  __device__ auto at(int i) const { return detail::converted<float>(bit_cast<Pack<T, width>>(words[i])); }
};

template <class F, class T, class Shape>
__global__ __launch_bounds__(Shape::threads) void cuda_strided_rows(const __grid_constant__ F f,
                                                                    const __grid_constant__ DeviceRows<T> rows) {
  using Row = StridedRows<T, Shape>;
  constexpr int together = rows_together<T>;
  __shared__ typename Row::Value exchange[std::size_t{2 * Row::exchange_size}];
  const std::int64_t own =
                         (std::int64_t{blockIdx.x} * Shape::columns + static_cast<int>(threadIdx.x) % Shape::columns) *
                         together,
                     index = Kokkos::min(own, rows.rows - together);
  const Row row{static_cast<int>(rows.length), {exchange}};
  const T* const from = rows.x + (rows.offset(1, index) + Row::first() * rows.element_strides[1]);
  StridedInput<T, Shape::values> x;
#pragma unroll
  for (int i = 0; i < Shape::values; ++i)
    x.words[i] = row.has(i) ? *reinterpret_cast<const std::uint32_t*>(from + Row::distance(i) * rows.element_strides[1])
                            : bit_cast<std::uint32_t>(Pack<T, together>(static_cast<T>(-INFINITY)));
  const auto results = f(row, x);
  T* const to = rows.y + (rows.offset(0, index) + Row::first() * rows.element_strides[0]);
  if (own == index)
#pragma unroll
    for (int i = 0; i < Shape::values; ++i)
      if (row.has(i))
        *reinterpret_cast<std::uint32_t*>(to + Row::distance(i) * rows.element_strides[0]) =
            bit_cast<std::uint32_t>(detail::converted<T>(results.at(i)));
}

/// The kernels of such rows of elements of type T, the shortest rows first: on an H200 the fastest of those that were
/// tried, or within 1.1 of it.
template <class T>
struct StridedShapes {
  using type =
      Tuple<StridedShape<128, 1, 4>, StridedShape<128, 1, 8>, StridedShape<128, 1, 16>, StridedShape<32, 2, 16>,
            StridedShape<32, 4, 16>, StridedShape<32, 4, 32>, StridedShape<32, 8, 16, 2>, StridedShape<16, 16, 8, 4>,
            StridedShape<32, 16, 8, 4, 2>, StridedShape<8, 64, 2, 4, 4>, StridedShape<8, 32, 4, 4, 8>>;
};
template <class T>
  requires(sizeof(T) == 2)
struct StridedShapes<T> {
  using type =
      Tuple<StridedShape<128, 1, 4>, StridedShape<128, 1, 8>, StridedShape<128, 1, 16>, StridedShape<32, 2, 16>,
            StridedShape<32, 4, 16>, StridedShape<16, 8, 16>, StridedShape<16, 8, 16, 2>, StridedShape<16, 16, 8, 4>,
            StridedShape<16, 32, 4, 4, 2>, StridedShape<8, 32, 4, 4, 4>, StridedShape<8, 64, 2, 4, 8>>;
};

/// A row of any length as a thread of each warp of a block sees it: values are computed anew wherever they are used. A
/// warp takes neighbouring lanes of each chunk.
template <class T>
struct LongStridedRow {
  using Element = T;
  static constexpr int warps = 32, lanes = sum_lanes / warps, exchange_size = warps * warp_size;

  std::int64_t length;
  Exchange<float, exchange_size> exchange;

  /// Runs run(element) for the elements of the thread.
  template <class Run>
  __device__ void for_each_element(const Run& run) const {
#pragma unroll 8
    for (std::int64_t i = threadIdx.x / warp_size; i < length; i += warps) run(i);
  }

  template <class V>
  __device__ float max(const V& values) const {
    float most = -INFINITY;
    for_each_element([&](std::int64_t i) { most = at_least(most, values.at(i)[0]); });
    return combined(most, [](float a, float b) { return at_least(a, b); });
  }

  template <class V>
  __device__ float sum(const V& values) const {
    SumTree<> tree;
    const int first = static_cast<int>(threadIdx.x) / warp_size * lanes;
    for (std::int64_t chunk = 0; chunk < length; chunk += sum_chunk) {
      float of_lanes[std::size_t{lanes}];
#pragma unroll
      for (int lane = 0; lane < lanes; ++lane) {
        of_lanes[lane] = -0.0f;
#pragma unroll
        for (int step = 0; step < sum_steps; ++step)
          if (const std::int64_t i = chunk + (step * sum_lanes + first + lane); i < length)
            of_lanes[lane] += values.at(i)[0];
      }
      tree.add(combined(detail::sum_of_neighbours(of_lanes), [](float a, float b) { return a + b; }));
    }
    return tree.sum();
  }

  template <class V>
  __device__ V keep(const V& values) const {
    return values;
  }

 private:
  /// Combines a value of each warp, neighbours first.
  template <class Op>
  __device__ float combined(float value, const Op& op) const {
    float* const memory = exchange.next();
    memory[threadIdx.x] = value;
    __syncthreads();
    return detail::reduced_in_memory<warps, warp_size>(memory + threadIdx.x % warp_size, op);
  }
};

template <class F, class T>
__global__ __launch_bounds__(LongStridedRow<T>::warps* warp_size) void cuda_long_strided_rows(
    const __grid_constant__ F f, const __grid_constant__ DeviceRows<T> rows) {
  using Row = LongStridedRow<T>;
  __shared__ float exchange[std::size_t{2 * Row::exchange_size}];
  const std::int64_t own = std::int64_t{blockIdx.x} * warp_size + threadIdx.x % warp_size,
                     index = Kokkos::min(own, rows.rows - 1);
  const Row row{rows.length, {exchange}};
  const auto results = f(row, InputInMemory<T, RowFit::any>{rows.x + rows.offset(1, index), rows.element_strides[1]});
  T* const to = rows.y + rows.offset(0, index);
  if (own == index)
    row.for_each_element([&](std::int64_t i) { to[i * rows.element_strides[0]] = static_cast<T>(results.at(i)[0]); });
}

/// Whether neighbouring rows of the k-th array, at an address, make accesses of 4 bytes.
template <class T>
bool has_rows_together(const RowPlan& plan, int k, const T* data) {
  constexpr int together = rows_together<T>;
  if (together == 1) return true;
  const auto is_even = [](std::int64_t number) { return number % together == 0; };
  bool all = plan.strides[k][0] == 1 && is_even(plan.extents[0]) && is_even(plan.element_strides[k]) &&
             reinterpret_cast<std::uintptr_t>(data) % 4 == 0;
  for (int i = 1; i < plan.rank; ++i) all &= is_even(plan.strides[k][i]);
  return all;
}

/// Elements of the longest row that is copied to shared memory if no kernel of StridedShapes has it.
inline constexpr std::int64_t longest_near_rows = 256;

/// y = f(x), row by row, if rows lie as these kernels have them.
/// \returns whether they do
/// \throws std::runtime_error  a launch failed; the text is CUDA's
template <class F, class T>
bool launch_strided_rows(const std::string& label, const CudaInstance& space, const RowPlan& plan, const F& f,
                         const DeviceRows<T>& rows) {
  if (!has_near_rows(plan, 0) || !has_near_rows(plan, 1)) return false;
  const auto try_shape = [&]<class Own>(Own) {
    if (plan.length > Own::most) return false;
    detail::launch_kernel(label, space, {divide_up(plan.rows, Own::columns * rows_together<T>), Own::threads},
                          cuda_strided_rows<F, T, Own>, f, rows);
    return true;
  };
  const auto try_shapes = [&]<class... Shape>(Tuple<Shape...>) { return (try_shape(Shape()) || ...); };
  if (has_rows_together(plan, 0, rows.y) && has_rows_together(plan, 1, rows.x) &&
      try_shapes(typename StridedShapes<T>::type()))
    return true;
  if (plan.length <= longest_near_rows) return false;
  detail::launch_kernel(label, space, {divide_up(plan.rows, warp_size), LongStridedRow<T>::warps * warp_size},
                        cuda_long_strided_rows<F, T>, f, rows);
  return true;
}

}  // namespace kachel::detail

#endif
