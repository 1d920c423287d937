// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Row functions on CUDA: the threads of a warp, of a part of one, or of a block take a row into their registers.
/// How elements are shared among threads follows the tree of sums: a group of neighbouring threads takes 128
/// neighbouring elements, one of each lane, in one access of each or a few, and four times as many are a chunk.
#pragma once

#include <kachel/detail/backend/cuda/launch_staged.hpp>
#include <kachel/detail/backend/cuda/pairs.hpp>
#include <kachel/detail/reduce/sums.hpp>
#include <kachel/detail/row/row_plan.hpp>
#include <kachel/detail/row/values.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

#include <algorithm>
#include <array>
#include <bit>

namespace kachel::detail {

/// What is known of the rows of a kernel at compile time.
enum class RowFit {
  whole,     ///< every access of every thread has elements, which are aligned
  accesses,  ///< an access has all its elements, which are aligned, or none
  any,       ///< neither
};

/// Elements of an access.
template <class T>
inline constexpr int row_access = widest_access / static_cast<int>(sizeof(T));

/// Bytes of shared memory that a kernel may have unasked.
inline constexpr int unasked_shared_bytes = 48 << 10;

/// Threads of a block that has several rows.
inline constexpr int short_row_block_size = 128;

/// The kernel of rows of up to most_groups_ groups. Where that is 1, a block has several rows, else one.
/// \tparam group_        threads of a group
/// \tparam most_groups_  of threads a row
/// \tparam accesses_     of a thread
/// \tparam registers_    accesses whose values are in registers; those of the others are in shared memory
/// \tparam blocks_       that a multiprocessor is to hold, of as many threads as the longest row has; 0 for any
template <int group_, int most_groups_, int accesses_, int registers_ = accesses_, int blocks_ = 0>
struct RowShape {
  static constexpr int group = group_, most_groups = most_groups_, accesses = accesses_, registers = registers_,
                       blocks = blocks_;

  /// Threads of a block at most.
  static constexpr int most_threads = most_groups == 1 ? short_row_block_size : most_groups * group;

  /// Bytes of shared memory for the values of so many threads.
  template <class T>
  static constexpr int shared_bytes(int threads) {
    return (accesses - registers) * row_access<T> * static_cast<int>(sizeof(float)) * threads;
  }

  /// Elements of a row at most.
  template <class T>
  static constexpr std::int64_t longest = std::int64_t{most_groups} * group * accesses * row_access<T>;
};

/// Where a thread's values are that no registers hold. Parts of neighbouring threads lie side by side.
struct SharedValues {
  using Part = Pack<std::uint32_t, widest_access / 4>;

  Part* own;

  /// The i-th of `parts` of an access, from 0 on.
  __device__ Part& part(int access, int parts, int i) const {
    return own[(access * parts + i) * static_cast<int>(blockDim.x)];
  }
};

/// The floats that are the elements of an access.
template <class T>
__device__ Pack<float, row_access<T>> widened(const SharedValues::Part& words) {
  if constexpr (sizeof(T) == 4) {
    return bit_cast<Pack<float, 4>>(words);
  } else {
    Pack<float, 8> values;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float2 pair = PairOf<T>::widened(words[i]);
      values[2 * i] = pair.x, values[2 * i + 1] = pair.y;
    }
    return values;
  }
}

/// The values of a row's input. Those of the first accesses are in registers.
/// \tparam parts  of each access in shared memory, of which the input takes the first
template <class T, int registers, int parts>
struct RowInput {
  static constexpr int width = row_access<T>;

  SharedValues::Part words[registers > 0 ? registers : 1];
  SharedValues shared;

  /// Where an access puts its elements, 16 bytes of them.
  __device__ SharedValues::Part& place(int access) {
    return access < registers ? words[access] : shared.part(access - registers, parts, 0);
  }
  /// The elements of an access as they were read.
  __device__ SharedValues::Part read(int access) const {
    return access < registers ? words[access] : shared.part(access - registers, parts, 0);
  }
  __device__ auto at(int access) const { return widened<T>(read(access)); }
};

/// Values that were computed once, in the place of those of the input.
template <int width_, class Shape>
struct KeptValues {
  static constexpr int width = width_, parts = width / 4;

  Pack<float, width> own[std::size_t{Shape::registers}];
  SharedValues shared;

  __device__ void set(int access, const Pack<float, width>& values) {
    if (access < Shape::registers)
      own[access] = values;
    else
      for (int i = 0; i < parts; ++i)
        for (int k = 0; k < 4; ++k)
          shared.part(access - Shape::registers, parts, i)[k] = bit_cast<std::uint32_t>(values[4 * i + k]);
  }
  __device__ Pack<float, width> at(int access) const {
    if (access < Shape::registers) return own[access];
    Pack<float, width> values;
    for (int i = 0; i < parts; ++i) {
      const SharedValues::Part read = shared.part(access - Shape::registers, parts, i);
      for (int k = 0; k < 4; ++k) values[4 * i + k] = bit_cast<float>(read[k]);
    }
    return values;
  }
};

/// The threads that have a row: those of a block, or up to 32 of a warp.
/// \tparam most  how many there may be
template <int most>
struct RowThreads {
  int thread, threads;    ///< this one's number, and how many there are: a power of two, or of whole warps
  float* exchange;        ///< memory of the block that they share, exchange_size numbers
  mutable int turns = 0;  ///< that have been taken to write to it

  static constexpr int most_warps = most / warp_size, exchange_size = most_warps > 1 ? 2 * most_warps : 1;

  /// Reduces a value of each thread, neighbours first; of `equal` neighbouring threads one counts.
  /// \param neutral  what changes no value
  template <int equal, class Op>
  __device__ float reduced(float value, float neutral, const Op& op) const {
#pragma unroll
    for (int distance = equal; distance < warp_size && distance < most; distance *= 2)
      if (most <= warp_size || distance < threads) value = op(value, __shfl_xor_sync(~0u, value, distance));
    if constexpr (most_warps > 1)
      if (threads > warp_size) {
        // The two halves in turn: who writes to one has waited for those who read from it.
        float* const of_warps = exchange + turns++ % 2 * most_warps;
        if (thread % warp_size == 0) of_warps[thread / warp_size] = value;
        if (thread < most_warps && thread >= threads / warp_size) of_warps[thread] = neutral;
        __syncthreads();
        float values[std::size_t{most_warps}];
        for (int i = 0; i < most_warps; ++i) values[i] = of_warps[i];
        for (int left = most_warps / 2; left > 0; left /= 2)
          for (int i = 0; i < left; ++i) values[i] = op(values[2 * i], values[2 * i + 1]);
        value = values[0];
      }
    return value;
  }
  template <int equal>
  __device__ float largest(float value) const {
    return reduced<equal>(value, -INFINITY, [](float a, float b) { return at_least(a, b); });
  }
  template <int equal>
  __device__ float added(float value) const {
    return reduced<equal>(value, -0.0f, [](float a, float b) { return a + b; });
  }
};

/// The sum of the lanes of which each thread of a group has `width` in each of several accesses.
template <int group, int width, std::size_t accesses>
__device__ float sum_of_lanes(const Pack<float, width> (&lanes)[accesses]) {
  float sums[accesses];
#pragma unroll
  for (std::size_t i = 0; i < accesses; ++i) {
    sums[i] = detail::sum_of_neighbours(lanes[i].values);
#pragma unroll
    for (int distance = 1; distance < group; distance *= 2) sums[i] += __shfl_xor_sync(~0u, sums[i], distance);
  }
  return detail::sum_of_neighbours(sums);
}

/// A row in registers, as a thread sees it.
template <class T, RowFit fit, class Shape>
struct RowInRegisters : RowThreads<Shape::most_groups * Shape::group> {
  using Element = T;
  static constexpr int width = row_access<T>, group = Shape::group, accesses = Shape::accesses,
                       accesses_of_lanes = sum_lanes / (group * width);
  using Kept = KeptValues<width, Shape>;

  int length;
  SharedValues shared;

  /// The first element of an access.
  __device__ int first(int access) const {
    return (this->thread / group * accesses + access) * group * width + this->thread % group * width;
  }

  /// Whether there is the i-th element of an access.
  __device__ bool has(int access, int i) const {
    if constexpr (fit == RowFit::whole) return true;
    return first(access) + (fit == RowFit::any ? i : 0) < length;
  }

  /// Runs run(access) for the accesses of which the thread has elements.
  template <class Run>
  __device__ void for_each_access(int begin, int end, const Run& run) const {
#pragma unroll
    for (int access = begin; access < end; ++access)
      if (has(access, 0)) run(access);
  }
  template <class Run>
  __device__ void for_each_access(const Run& run) const {
    for_each_access(0, accesses, run);
  }

  /// The largest value, of either sign if it is 0; NaN where one is.
  template <class V>
  __device__ float max(const V& values) const {
    float most = -INFINITY;
    if constexpr (fit != RowFit::any && sizeof(T) == 2 && requires { values.read(0); }) {
      SharedValues::Part pairs(PairOf<T>::lowest);
      for_each_access([&](int access) {
        const SharedValues::Part read = values.read(access);
#pragma unroll
        for (int i = 0; i < width / 2; ++i) pairs[i] = PairOf<T>::larger(pairs[i], read[i]);
      });
      const auto own = widened<T>(pairs);
      for (int i = 0; i < width; ++i) most = at_least(most, own[i]);
    } else {
      for_each_access([&](int access) {
        const auto own = values.at(access);
#pragma unroll
        for (int i = 0; i < width; ++i)
          if (fit != RowFit::any || has(access, i)) most = at_least(most, own[i]);
      });
    }
    return this->template largest<1>(most);
  }

  /// The sum in the order of kachel/detail/reduce/sums.hpp.
  template <class V>
  __device__ float sum(const V& values) const {
    constexpr int of_chunk = Kokkos::min(sum_steps * accesses_of_lanes, int{accesses});
    float chunks[std::size_t{accesses / of_chunk}];
#pragma unroll
    for (int chunk = 0; chunk < accesses / of_chunk; ++chunk) {
      Pack<float, width> lanes[std::size_t{accesses_of_lanes}];
#pragma unroll
      for (int i = 0; i < accesses_of_lanes; ++i) lanes[i] = Pack<float, width>(-0.0f);
      for_each_access(chunk * of_chunk, (chunk + 1) * of_chunk, [&](int access) {
        const auto own = values.at(access);
#pragma unroll
        for (int i = 0; i < width; ++i)
          if (fit != RowFit::any || has(access, i)) lanes[access % accesses_of_lanes][i] += own[i];
      });
      chunks[chunk] = detail::sum_of_lanes<group>(lanes);
    }
    return this->template added<group>(detail::sum_of_neighbours(chunks));
  }

  /// The values, computed now and once, in the place of those of the row's input.
  template <class V>
  __device__ Kept keep(const V& values) const {
    Kept own;
    own.shared = shared;
    for_each_access([&](int access) { own.set(access, values.at(access)); });
    return own;
  }
};

/// A row of any length, as a thread of a block sees it: values are computed anew wherever they are used. Each group of
/// threads has as many neighbouring chunks, a power of two.
template <class T>
struct LongRow : RowThreads<512> {
  using Element = T;
  static constexpr int width = row_access<T>, group = sum_lanes / width, block_size = 512;

  std::int64_t length, chunks;  ///< chunks: of a group

  /// The first element of an access of the thread.
  __device__ std::int64_t first(std::int64_t access) const {
    return (thread / group * chunks * sum_steps + access) * sum_lanes + thread % group * width;
  }
  __device__ std::int64_t accesses() const { return chunks * sum_steps; }
  __device__ bool has(std::int64_t access, int i) const { return first(access) + i < length; }

  template <class V>
  __device__ float max(const V& values) const {
    float most = -INFINITY;
    for (std::int64_t access = 0; access < accesses() && has(access, 0); ++access) {
      const auto own = values.at(first(access));
      for (int i = 0; i < width; ++i) most = at_least(most, has(access, i) ? own[i] : -INFINITY);
    }
    return largest<1>(most);
  }

  template <class V>
  __device__ float sum(const V& values) const {
    SumTree tree;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      Pack<float, width> lanes[1] = {Pack<float, width>(-0.0f)};
      for (int step = 0; step < sum_steps; ++step) {
        const std::int64_t access = chunk * sum_steps + step;
        const auto own = values.at(first(access));
        for (int i = 0; i < width; ++i) lanes[0][i] += has(access, i) ? own[i] : -0.0f;
      }
      tree.add(detail::sum_of_lanes<group>(lanes));
    }
    return added<group>(tree.sum());
  }

  template <class V>
  __device__ V keep(const V& values) const {
    return values;
  }
};

/// The rows of a call of one output and one input, for a kernel.
template <class T>
struct DeviceRows {
  T* y;
  const T* x;
  std::int64_t rows, length;
  int rank;
  std::int64_t strides[2][std::size_t{max_rank}];
  Divisor extents[std::size_t{max_rank}];
  std::int64_t element_strides[2];
  CachePolicy policy;
  std::int64_t first_restored;  ///< row whose elements get their normal priority back

  DeviceRows(const Schedule& schedule, const RowPlan& plan, T* to, const T* from)
      : y(to), x(from), rows(plan.rows), length(plan.length), rank(plan.rank), policy(schedule.restored_bytes > 0) {
    for (int i = 0; i < rank; ++i) extents[i] = Divisor(plan.extents[i]);
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < rank; ++i) strides[k][i] = plan.strides[k][i];
      element_strides[k] = plan.element_strides[k];
    }
    first_restored = rows - schedule.restored_bytes / (length * static_cast<std::int64_t>(sizeof(T)));
  }

  __device__ std::int64_t offset(int k, std::int64_t row) const {
    std::int64_t offset = 0;
    for (int i = 0; i < rank; ++i) {
      const std::int64_t next = i + 1 < rank ? extents[i].quotient(row) : 0;
      offset += (row - next * extents[i].divisor()) * strides[k][i];
      row = next;
    }
    return offset;
  }
};

template <class F, class T, RowFit fit, class Shape>
__global__ __launch_bounds__(Shape::most_threads, Shape::blocks) void cuda_rows(
    const __grid_constant__ F f, const __grid_constant__ DeviceRows<T> rows, std::int64_t first_row) {
  using Row = RowInRegisters<T, fit, Shape>;
  using Words = SharedValues::Part;
  constexpr int width = Row::width;
  __shared__ alignas(16) float exchange[std::size_t{Row::exchange_size}];
  extern __shared__ SharedValues::Part shared[];
  constexpr int rows_of_block = Shape::most_groups == 1 ? Shape::most_threads / Shape::group : 1;
  const int thread = static_cast<int>(threadIdx.x),
            threads = rows_of_block > 1 ? Shape::group : static_cast<int>(blockDim.x),
            of_block = rows_of_block > 1 ? thread / Shape::group : 0;
  const std::int64_t index = first_row + std::int64_t{blockIdx.x} * rows_of_block + of_block;
  const bool there = index < rows.rows;
  const Row row{{thread - of_block * Shape::group, threads, exchange},
                there ? static_cast<int>(rows.length) : 0,
                SharedValues{shared + thread}};
  const T* const from = rows.x + rows.offset(1, index);
  RowInput<T, Shape::registers, width / 4> x;
  x.shared = row.shared;
  row.for_each_access([&](int access) {
    if constexpr (fit == RowFit::any) {
      Pack<T, width> read{};
      for (int i = 0; i < width; ++i)
        if (row.has(access, i)) read[i] = from[(row.first(access) + i) * rows.element_strides[1]];
      x.place(access) = bit_cast<Words>(read);
    } else if (there) {
      const auto* const words = reinterpret_cast<const Words*>(from + row.first(access));
      if (access < Shape::registers)
        x.place(access) = rows.policy.load(words);
      else
        copy_async(&x.place(access), words, rows.policy);
    }
  });
  if constexpr (fit != RowFit::any && Shape::accesses > Shape::registers) await_copies<0>();
  if (there && index >= rows.first_restored)
    row.for_each_access(
        [&](int access) { restore_priority(from + row.first(access) * rows.element_strides[1]); });
  const auto results = f(row, x);
  T* const to = rows.y + rows.offset(0, index);
  row.for_each_access([&](int access) {
    const auto rounded = detail::converted<T>(results.at(access));
    if constexpr (fit == RowFit::any) {
      for (int i = 0; i < width; ++i)
        if (row.has(access, i)) to[(row.first(access) + i) * rows.element_strides[0]] = rounded[i];
    } else if (there) {
      __stcs(reinterpret_cast<uint4*>(to + row.first(access)), bit_cast<uint4>(rounded));
    }
  });
}

/// Ends a group of copies that has none.
__device__ inline void no_copy_async() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Rows of which a block has one after the other: of the next ones the inputs are on their way to shared memory.
/// \tparam stages  rows whose inputs shared memory holds
template <class F, class T, RowFit fit, class Shape, int stages>
__global__ __launch_bounds__(Shape::most_threads, Shape::blocks) void cuda_streamed_rows(
    const __grid_constant__ F f, const __grid_constant__ DeviceRows<T> rows) {
  using Row = RowInRegisters<T, fit, Shape>;
  using Input = RowInput<T, 0, 1>;
  using Words = SharedValues::Part;
  __shared__ alignas(16) float exchange[std::size_t{Row::exchange_size}];
  extern __shared__ SharedValues::Part shared[];
  const int thread = static_cast<int>(threadIdx.x);
  const Row row{{thread, static_cast<int>(blockDim.x), exchange}, static_cast<int>(rows.length), {}};
  const auto stage_of = [&](int stage) {
    Input x;
    x.shared = SharedValues{shared + stage * Shape::accesses * static_cast<int>(blockDim.x) + thread};
    return x;
  };
  const auto fetch = [&](std::int64_t index, int stage) {
    Input x = stage_of(stage);
    const T* const from = rows.x + rows.offset(1, index);
#pragma unroll
    for (int access = 0; access < Shape::accesses; ++access) {
      if (index < rows.rows && row.has(access, 0)) {
        copy_async(&x.place(access), reinterpret_cast<const Words*>(from + row.first(access)), rows.policy);
      } else {
        x.place(access) = Words(0u);
        no_copy_async();
      }
    }
  };
  for (int stage = 0; stage < stages - 1; ++stage) fetch(std::int64_t{blockIdx.x} + stage * std::int64_t{gridDim.x}, stage);
  int stage = 0;
  for (std::int64_t index = blockIdx.x; index < rows.rows; index += gridDim.x) {
    fetch(index + (stages - 1) * std::int64_t{gridDim.x}, stage == 0 ? stages - 1 : stage - 1);
    await_copies<(stages - 1) * Shape::accesses>();
    const auto results = f(row, stage_of(stage));
    T* const to = rows.y + rows.offset(0, index);
#pragma unroll
    for (int access = 0; access < Shape::accesses; ++access)
      if (row.has(access, 0))
        __stcs(reinterpret_cast<uint4*>(to + row.first(access)), bit_cast<uint4>(detail::converted<T>(results.at(access))));
    if (index >= rows.first_restored)
      for (int access = 0; access < Shape::accesses; ++access)
        if (row.has(access, 0)) restore_priority(rows.x + rows.offset(1, index) + row.first(access));
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
}

/// The kernels of rows of elements of type T, for ever longer ones.
template <class T>
struct RowShapes {
  using type = Tuple<RowShape<8, 1, 4>, RowShape<32, 1, 2>, RowShape<32, 8, 4>, RowShape<32, 8, 8, 8, 2>,
                     RowShape<32, 16, 16, 6, 2>>;
};
template <class T>
  requires(sizeof(T) == 2)
struct RowShapes<T> {
  using type = Tuple<RowShape<8, 1, 4>, RowShape<16, 1, 8>, RowShape<16, 8, 8>, RowShape<16, 32, 8, 4, 2>>;
};

/// An input of a row that no registers hold.
template <class T>
struct StridedValues {
  static constexpr int width = row_access<T>;

  const T* data;
  std::int64_t stride, length;

  /// From an element on; beyond the last, zeros.
  __device__ auto at(std::int64_t first) const {
    Pack<T, width> read{};
    for (int i = 0; i < width; ++i)
      if (first + i < length) read[i] = data[(first + i) * stride];
    return detail::converted<compute_type<T>>(read);
  }
};

template <class F, class T>
__global__ __launch_bounds__(LongRow<T>::block_size) void cuda_long_rows(const __grid_constant__ F f,
                                                                         const __grid_constant__ DeviceRows<T> rows,
                                                                         std::int64_t first_row, std::int64_t chunks) {
  using Row = LongRow<T>;
  __shared__ alignas(16) float exchange[std::size_t{Row::exchange_size}];
  const std::int64_t index = first_row + blockIdx.x;
  const Row row{{static_cast<int>(threadIdx.x), Row::block_size, exchange}, rows.length, chunks};
  const auto results = f(row, StridedValues<T>{rows.x + rows.offset(1, index), rows.element_strides[1], rows.length});
  T* const to = rows.y + rows.offset(0, index);
  for (std::int64_t access = 0; access < row.accesses() && row.has(access, 0); ++access) {
    const std::int64_t first = row.first(access);
    const auto rounded = detail::converted<T>(results.at(first));
    for (int i = 0; i < Row::width; ++i)
      if (row.has(access, i)) to[(first + i) * rows.element_strides[0]] = rounded[i];
  }
}

inline std::int64_t divide_up(std::int64_t number, std::int64_t divisor) { return (number + divisor - 1) / divisor; }

/// Runs launch(blocks, first_row) so that there are blocks for all rows, in as many launches as it takes.
template <class Launch>
void launch_blocks(std::int64_t rows, int rows_of_block, const Launch& launch) {
  constexpr std::int64_t most = (std::int64_t{1} << 31) - 1;
  for (std::int64_t first = 0; first < rows; first += most * rows_of_block)
    launch(static_cast<unsigned>(std::min(divide_up(rows - first, rows_of_block), most)), first);
}

template <class Shape, class F, class T>
void launch_row_shape(const std::string& label, const Kokkos::Cuda& space, const F& f, const DeviceRows<T>& rows,
                      bool aligned) {
  constexpr int of_group = Shape::group * Shape::accesses * row_access<T>;
  int block_size = Shape::most_threads, rows_of_block = block_size / Shape::group;
  if constexpr (Shape::most_groups > 1) {
    block_size = static_cast<int>(divide_up(divide_up(rows.length, of_group) * Shape::group, warp_size)) * warp_size;
    rows_of_block = 1;
  }
  const auto shared_bytes = static_cast<std::size_t>(Shape::template shared_bytes<T>(block_size));
  const auto launch = [&]<RowFit fit>() {
    constexpr auto kernel = cuda_rows<F, T, fit, Shape>;
    constexpr int most_shared = Shape::template shared_bytes<T>(Shape::most_threads);
    if constexpr (most_shared > unasked_shared_bytes) {
      static PerDevice<cudaError_t> allowed;
      expect_success(label, allowed.get(space.cuda_device(), [&] {
        const cudaError_t status = cudaSetDevice(space.cuda_device());
        return status != cudaSuccess ? status
                                     : cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                            most_shared);
      }));
    }
    detail::launch_blocks(rows.rows, rows_of_block, [&](unsigned blocks, std::int64_t first) {
      detail::launch_kernel(label, space, {blocks, block_size, shared_bytes}, kernel, f, rows, first);
    });
  };
  if (!aligned)
    launch.template operator()<RowFit::any>();
  else if (rows.length == std::int64_t{block_size / rows_of_block} * Shape::accesses * row_access<T>)
    launch.template operator()<RowFit::whole>();
  else
    launch.template operator()<RowFit::accesses>();
}

/// y = f(x), row by row.
/// \throws std::runtime_error  a launch failed; the text is CUDA's
template <class F, class T>
void launch_rows(const std::string& label, const Kokkos::Cuda& space, const Schedule& schedule, const RowPlan& plan,
                 const F& f, T* y, const T* x) {
  const DeviceRows<T> rows(schedule, plan, y, x);
  bool launched = false;
  const auto try_shape = [&]<class Shape>(Shape) {
    if (launched || plan.length > Shape::template longest<T>) return;
    launched = true;
    detail::launch_row_shape<Shape>(label, space, f, rows, plan.aligned);
  };
  [&]<class... Shape>(Tuple<Shape...>) { (try_shape(Shape()), ...); }(typename RowShapes<T>::type());
  if (launched) return;
  using Row = LongRow<T>;
  const auto chunks = std::bit_ceil(
      static_cast<std::uint64_t>(divide_up(plan.length, std::int64_t{Row::block_size / Row::group} * sum_chunk)));
  detail::launch_blocks(plan.rows, 1, [&](unsigned blocks, std::int64_t first) {
    detail::launch_kernel(label, space, {blocks, Row::block_size}, cuda_long_rows<F, T>, f, rows, first,
                          static_cast<std::int64_t>(chunks));
  });
}

}  // namespace kachel::detail

#endif
