// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rows on CUDA, as a thread sees them: those whose values lie in the registers of threads, and those of any length.
/// How elements are shared among threads follows the tree of sums: a group of neighbouring threads takes 128
/// neighbouring elements, one of each lane, in one access of each or a few, and four times as many are a chunk.
#pragma once

#include <kachel/detail/backend/cuda/cluster.hpp>
#include <kachel/detail/backend/cuda/pairs.hpp>
#include <kachel/detail/backend/device/launch.hpp>
#include <kachel/detail/divisor.hpp>
#include <kachel/detail/reduce/sums.hpp>
#include <kachel/detail/row/row_plan.hpp>
#include <kachel/detail/row/values.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

#include <cstdlib>

namespace kachel::detail {

/// What is known of the rows of a kernel at compile time.
enum class RowFit {
  whole,    ///< they are aligned for the widest accesses, and every access of every thread has its elements
  aligned,  ///< they are aligned; an access has all its elements or none
  shifted,  ///< their elements are neighbours, and begin anywhere; the last access has those that are left
  any,      ///< their elements lie anywhere: an access is of one element
};

/// Elements of the widest access.
template <class T>
inline constexpr int row_access = widest_access / static_cast<int>(sizeof(T));

/// Threads of a block that has several rows.
inline constexpr int short_row_block_size = 128;

/// Threads that every multiprocessor can hold of those that are compiled for.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
inline constexpr int multiprocessor_threads = 1024;
#else
inline constexpr int multiprocessor_threads = 1536;
#endif

/// The kernel of rows of up to most_groups_ groups of threads. Where that is 1, a block has several rows, else one.
/// \tparam group_        threads of a group
/// \tparam most_groups_  of threads a row
/// \tparam accesses_     widest ones, of a thread
/// \tparam registers_    accesses whose values are in registers; those of the others are in shared memory
/// \tparam blocks_       that a multiprocessor is to hold, of most_groups_ groups, as far as it can; 0 for any
/// \tparam most_cluster_ blocks that have a row together, each with a power of two of groups
/// \tparam awaited_      accesses, the last ones, that a thread has before it asks for its others
template <int group_, int most_groups_, int accesses_, int registers_ = accesses_, int blocks_ = 0,
          int most_cluster_ = 1, int awaited_ = 0>
struct RowShape {
  static constexpr int group = group_, most_groups = most_groups_, accesses = accesses_, registers = registers_,
                       most_cluster = most_cluster_, awaited = awaited_;

  /// Threads of a block at most.
  static constexpr int most_threads = most_groups == 1 ? short_row_block_size : most_groups * group;

  static constexpr int blocks = Kokkos::min(blocks_, multiprocessor_threads / most_threads);

  /// Bytes of shared memory for so many threads.
  template <class T>
  static constexpr int shared_bytes(int threads) {
    return (accesses - registers) * row_access<T> * static_cast<int>(sizeof(float)) * threads;
  }

  /// Elements of so many threads.
  template <class T>
  static constexpr std::int64_t elements(std::int64_t threads) {
    return threads * accesses * row_access<T>;
  }
};

/// The accesses of a kernel's threads.
template <class T, RowFit fit, class Shape>
struct RowAccesses {
  static constexpr int width = fit == RowFit::any ? 1 : row_access<T>,  ///< elements of one
      scale = row_access<T> / width, count = scale * Shape::accesses, registers = scale * Shape::registers;

  /// The elements of one, as they are read.
  using Words = std::conditional_t<fit == RowFit::any, T, Pack<std::uint32_t, widest_access / 4>>;

  __device__ static Pack<float, width> widened(const Words& words) {
    Pack<float, width> values;
    if constexpr (fit == RowFit::any) {
      values[0] = static_cast<float>(words);
    } else if constexpr (sizeof(T) == 4) {
      values = bit_cast<Pack<float, width>>(words);
    } else {
#pragma unroll
      for (int i = 0; i < width / 2; ++i) {
        const float2 pair = PairOf<T>::widened(words[i]);
        values[2 * i] = pair.x, values[2 * i + 1] = pair.y;
      }
    }
    return values;
  }
};

/// Where a thread's values are that no registers hold, up to 16 bytes together. What lies together for neighbouring
/// threads lies side by side.
template <int width>
struct SharedValues {
  using Part = Pack<std::uint32_t, Kokkos::min(width, widest_access / 4)>;
  static constexpr int parts = width / Part::size();  ///< of an access's floats

  Part* own;

  __device__ Part& part(int index) const { return own[index * static_cast<int>(blockDim.x)]; }
};

/// The values of a row's input. Those of the first accesses are in registers.
template <class Accesses>
struct RowInput {
  static constexpr int width = Accesses::width, registers = Accesses::registers, parts = SharedValues<width>::parts;
  using Words = typename Accesses::Words;

  Words words[registers > 0 ? registers : 1];
  SharedValues<width> shared;

  /// Where an access puts its elements.
  __device__ Words& place(int access) {
    return access < registers ? words[access] : reinterpret_cast<Words&>(shared.part((access - registers) * parts));
  }
  /// The elements of an access as they were read.
  __device__ Words read(int access) const {
    return access < registers ? words[access]
                              : reinterpret_cast<const Words&>(shared.part((access - registers) * parts));
  }
  __device__ auto at(int access) const { return Accesses::widened(read(access)); }
};

/// Values that were computed once, in the place of those of the input.
template <int width_, int registers>
struct KeptValues {
  static constexpr int width = width_;
  using Shared = SharedValues<width>;

  Pack<float, width> own[registers > 0 ? registers : 1];
  Shared shared;

  __device__ void set(int access, const Pack<float, width>& values) {
    if (access < registers)
      own[access] = values;
    else
      for (int i = 0; i < width; ++i) place(access, i) = bit_cast<std::uint32_t>(values[i]);
  }
  __device__ Pack<float, width> at(int access) const {
    if (access < registers) return own[access];
    Pack<float, width> values;
    for (int i = 0; i < width; ++i) values[i] = bit_cast<float>(place(access, i));
    return values;
  }

 private:
  __device__ std::uint32_t& place(int access, int i) const {
    constexpr int of_part = width / Shared::parts;
    return shared.part((access - registers) * Shared::parts + i / of_part)[i % of_part];
  }
};

/// Reduces `count` values in memory, so far apart, neighbours first: a power of two.
template <int count, int apart = 1, class T, class Op>
__device__ T reduced_in_memory(const T* memory, const Op& op) {
  T values[std::size_t{count}];
#pragma unroll
  for (int i = 0; i < count; ++i) values[i] = memory[i * apart];
  return detail::reduced_neighbours(values, op);
}

/// Two memories of `size` values each, by which threads exchange them. They are used in turn: who writes to one has
/// waited for those who read from it.
template <class T, int size>
struct Exchange {
  T* memories;
  mutable int turns = 0;

  __device__ T* next() const { return memories + turns++ % 2 * size; }
};

/// The threads that have a row: up to 32 of a warp, those of a block, or those of the blocks of a cluster.
/// \tparam most          how many there may be of a block
/// \tparam most_cluster  how many blocks there may be
template <int most, int most_cluster = 1>
struct RowThreads {
  static constexpr int most_warps = most / warp_size, of_cluster = most_cluster > 1 ? 2 * most_cluster : 0,
                       exchange_size = (most_warps > 1 ? 2 * most_warps : 1) + of_cluster;

  int thread, threads;  ///< this one's number in the block, and how many it has: a power of two, or of whole warps
  Exchange<float, most_cluster> blocks;
  Exchange<float, most_warps> warps;

  /// \param exchange  memory of the block that they share, exchange_size numbers
  __device__ RowThreads(int thread, int threads, float* exchange)
      : thread(thread), threads(threads), blocks{exchange}, warps{exchange + of_cluster} {}

  /// This one's number among all that have the row.
  __device__ int thread_of_row() const {
    if constexpr (most_cluster > 1)
      return static_cast<int>(block_of_cluster()) * threads + thread;
    else
      return thread;
  }

  /// Reduces a value of each thread, neighbours first; of `equal` neighbouring threads one counts.
  /// \param neutral  what changes no value
  template <int equal, class Op>
  __device__ float reduced(float value, float neutral, const Op& op) const {
#pragma unroll
    for (int distance = equal; distance < warp_size && distance < most; distance *= 2)
      if (most <= warp_size || distance < threads) value = op(value, __shfl_xor_sync(~0u, value, distance));
    if constexpr (most_warps > 1)
      if (threads > warp_size) {
        float* const of_warps = warps.next();
        if (thread % warp_size == 0) of_warps[thread / warp_size] = value;
        if (thread < most_warps && thread >= threads / warp_size) of_warps[thread] = neutral;
        __syncthreads();
        value = detail::reduced_in_memory<most_warps>(of_warps, op);
      }
    if constexpr (most_cluster > 1)
      if (const unsigned count = blocks_of_cluster(); count > 1) {
        float* const of_blocks = blocks.next();
        if (const auto block = static_cast<unsigned>(thread); block < count)
          store_to_block(of_blocks + block_of_cluster(), block, value);
        else if (thread < most_cluster)
          of_blocks[thread] = neutral;
        arrive_at_cluster();
        await_cluster();
        value = detail::reduced_in_memory<most_cluster>(of_blocks, op);
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

/// The sum of what each thread of a group has of 128 lanes, `width` neighbouring ones.
template <int group, int width>
__device__ float sum_of_lanes(const Pack<float, width>& lanes) {
  float sum = detail::sum_of_neighbours(lanes.values);
#pragma unroll
  for (int distance = 1; distance < group; distance *= 2) sum += __shfl_xor_sync(~0u, sum, distance);
  return sum;
}

/// A row in registers, as a thread sees it.
template <class T, RowFit fit, class Shape>
struct RowInRegisters : RowThreads<Shape::most_groups * Shape::group, Shape::most_cluster> {
  using Element = T;
  using Accesses = RowAccesses<T, fit, Shape>;
  static constexpr int width = Accesses::width, group = Shape::group, accesses = Accesses::count,
                       accesses_of_lanes = sum_lanes / (group * width);
  using Kept = KeptValues<width, Accesses::registers>;

  int length;  ///< 0 where the thread has no row
  SharedValues<width> shared;

  /// The thread's first element.
  __device__ int first() const {
    const int number = this->thread_of_row();
    return number / group * accesses * group * width + number % group * width;
  }

  /// Where an access begins in an array of elements that lie so far apart.
  template <class U>
  __device__ U* place(U* row, std::int64_t stride, int access) const {
    if constexpr (fit == RowFit::any)
      return row + first() * stride + access * (group * stride);
    else
      return row + first() + access * group * width;
  }

  /// Elements of the row from the access's first one on; 0 or less if there are none.
  __device__ int left(int access) const { return length - first() - access * group * width; }
  __device__ bool has(int access) const { return access * group * width < length - first(); }

  /// Runs run(access) for the accesses of which the thread has elements.
  template <class Run>
  __device__ void for_each_access(int begin, int end, const Run& run) const {
#pragma unroll
    for (int access = begin; access < end; ++access)
      if (fit == RowFit::whole || has(access)) run(access);
  }
  template <class Run>
  __device__ void for_each_access(const Run& run) const {
    for_each_access(0, accesses, run);
  }

  /// The largest value, of either sign if it is 0; NaN where one is.
  template <class V>
  __device__ float max(const V& values) const {
    float most = -INFINITY;
    const auto compare = [&](const Pack<float, width>& own) {
#pragma unroll
      for (int i = 0; i < width; ++i) most = at_least(most, own[i]);
    };
    if constexpr (fit != RowFit::any && sizeof(T) == 2 && requires { values.read(0); }) {
      Pack<std::uint32_t, width / 2> pairs(PairOf<T>::lowest);
      for_each_access([&](int access) {
        const auto read = values.read(access);
#pragma unroll
        for (int i = 0; i < width / 2; ++i) pairs[i] = PairOf<T>::larger(pairs[i], read[i]);
      });
      compare(Accesses::widened(pairs));
    } else {
      for_each_access([&](int access) { compare(values.at(access)); });
    }
    return this->template largest<1>(most);
  }

  /// The sum in the order of kachel/detail/reduce/sums.hpp.
  template <class V>
  __device__ float sum(const V& values) const {
    constexpr int of_chunk = Kokkos::min(sum_steps * accesses_of_lanes, int{accesses}),
                  of_lanes = Kokkos::min(int{accesses_of_lanes}, of_chunk),
                  count = (accesses + of_chunk - 1) / of_chunk;
    float chunks[std::size_t{count}];
#pragma unroll
    for (int chunk = 0; chunk < count; ++chunk) {
      float sums[std::size_t{of_lanes}];
#pragma unroll
      for (int i = 0; i < of_lanes; ++i) {
        Pack<float, width> lanes(-0.0f);
#pragma unroll
        for (int access = chunk * of_chunk + i; access < Kokkos::min((chunk + 1) * of_chunk, int{accesses});
             access += of_lanes)
          if (fit == RowFit::whole || has(access)) {
            auto own = values.at(access);
            if constexpr (fit == RowFit::shifted)  // what stands beyond the row counts as -0, which changes no sum
              if (const int there = left(access); there < width)
                for (int k = 0; k < width; ++k) own[k] = k < there ? own[k] : -0.0f;
#pragma unroll
            for (int k = 0; k < width; ++k) lanes[k] += own[k];
          }
        sums[i] = detail::sum_of_lanes<group>(lanes);
      }
      chunks[chunk] = detail::sum_of_neighbours(sums);
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
template <class T, RowFit fit>
struct LongRow : RowThreads<512> {
  using Element = T;
  using Accesses = RowAccesses<T, fit, RowShape<32, 16, 1>>;
  static constexpr int width = Accesses::width, block_size = 512, group = Kokkos::min(sum_lanes / width, warp_size),
                       accesses_of_lanes = sum_lanes / (group * width), of_chunk = sum_steps * accesses_of_lanes;

  std::int64_t length, chunks;  ///< chunks: of a group

  /// The first element of an access of the thread.
  __device__ std::int64_t first(std::int64_t access) const {
    return (thread / group * chunks * of_chunk + access) * group * width + thread % group * width;
  }

  /// Runs run(access) for the accesses of which the thread has elements.
  template <class Run>
  __device__ void for_each_access(const Run& run) const {
    for (std::int64_t access = 0; access < chunks * of_chunk && first(access) < length; ++access) run(access);
  }

  template <class V>
  __device__ float max(const V& values) const {
    float most = -INFINITY;
    for_each_access([&](std::int64_t access) {
      const auto own = values.at(first(access));
      for (int i = 0; i < width; ++i) most = at_least(most, own[i]);
    });
    return largest<1>(most);
  }

  template <class V>
  __device__ float sum(const V& values) const {
    SumTree<> tree;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      Pack<float, width> lanes[std::size_t{accesses_of_lanes}];
      for (int i = 0; i < accesses_of_lanes; ++i) lanes[i] = Pack<float, width>(-0.0f);
#pragma unroll
      for (int step = 0; step < of_chunk; ++step)
        if (const std::int64_t begin = first(chunk * of_chunk + step); begin < length) {
          const auto own = values.at(begin);
          for (int i = 0; i < width; ++i) lanes[step % accesses_of_lanes][i] += own[i];
        }
      float sums[std::size_t{accesses_of_lanes}];
      for (int i = 0; i < accesses_of_lanes; ++i) sums[i] = detail::sum_of_lanes<group>(lanes[i]);
      tree.add(detail::sum_of_neighbours(sums));
    }
    return added<group>(tree.sum());
  }

  template <class V>
  __device__ V keep(const V& values) const {
    return values;
  }
};

/// An input of a row that no registers hold.
template <class T, RowFit fit>
struct InputInMemory {
  using Accesses = typename LongRow<T, fit>::Accesses;
  static constexpr int width = Accesses::width;

  const T* data;
  std::int64_t stride;

  /// From an element on.
  __device__ auto at(std::int64_t first) const {
    return Accesses::widened(
        *reinterpret_cast<const typename Accesses::Words*>(data + first * (fit == RowFit::any ? stride : 1)));
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
    if (rank == 1) return row * strides[k][0];
    std::int64_t offset = 0;
#pragma unroll 1
    for (int i = 0; i < rank; ++i) {
      const std::int64_t next = i + 1 < rank ? extents[i].quotient(row) : 0;
      offset += (row - next * extents[i].divisor()) * strides[k][i];
      row = next;
    }
    return offset;
  }
};

/// Whether neighbouring rows of the k-th array are nearer to each other than the elements of one. Rows that repeat are
/// not.
inline bool has_near_rows(const RowPlan& plan, int k) {
  return plan.rank > 0 && plan.strides[k][0] != 0 && std::abs(plan.strides[k][0]) < std::abs(plan.element_strides[k]);
}

}  // namespace kachel::detail

#endif
