// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Long rows on CUDA whose elements lie farther apart than neighbouring rows, as the rows of a matrix in LayoutLeft: a
/// warp has 32 neighbouring rows, of which it reads an element each at a time. The warps of a block share the rows.
#pragma once

#include <kachel/detail/row/cuda_row.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

namespace kachel::detail {

/// A row as a thread of each warp of a block sees it: values are computed anew wherever they are used. A warp takes
/// neighbouring lanes of each chunk.
template <class T>
struct StridedRow {
  using Element = T;
  static constexpr int warps = 32, lanes = sum_lanes / warps, exchange_size = 2 * warps * warp_size;

  std::int64_t length;
  float* exchange;  ///< memory of the block, exchange_size numbers
  mutable int turns = 0;

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
    // Memory has two halves, used in turn: who writes to one has waited for those who read from it.
    float* const half = exchange + turns++ % 2 * (warps * warp_size);
    half[threadIdx.x] = value;
    __syncthreads();
    return detail::reduced_in_memory<warps, warp_size>(half + threadIdx.x % warp_size, op);
  }
};

template <class F, class T>
__global__ __launch_bounds__(StridedRow<T>::warps* warp_size) void cuda_strided_rows(
    const __grid_constant__ F f, const __grid_constant__ DeviceRows<T> rows) {
  using Row = StridedRow<T>;
  __shared__ float exchange[std::size_t{Row::exchange_size}];
  const std::int64_t own = std::int64_t{blockIdx.x} * warp_size + threadIdx.x % warp_size,
                     index = Kokkos::min(own, rows.rows - 1);
  const Row row{rows.length, exchange};
  const auto results = f(row, InputInMemory<T, RowFit::any>{rows.x + rows.offset(1, index), rows.element_strides[1]});
  T* const to = rows.y + rows.offset(0, index);
  if (own == index)
    row.for_each_element([&](std::int64_t i) { to[i * rows.element_strides[0]] = static_cast<T>(results.at(i)[0]); });
}

/// y = f(x), row by row.
/// \throws std::runtime_error  a launch failed; the text is CUDA's
template <class F, class T>
void launch_strided_rows(const std::string& label, const CudaInstance& space, const F& f, const DeviceRows<T>& rows) {
  detail::launch_kernel(label, space, {divide_up(rows.rows, warp_size), StridedRow<T>::warps * warp_size},
                        cuda_strided_rows<F, T>, f, rows);
}

}  // namespace kachel::detail

#endif
