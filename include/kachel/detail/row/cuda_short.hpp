// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Short rows on CUDA, of any layout: a warp copies neighbouring rows to shared memory, in the order in which memory is
/// fast. From there a few threads take a row each time.
#pragma once

#include <kachel/detail/backend/cuda/launch_staged.hpp>
#include <kachel/detail/row/cuda_row.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

#include <algorithm>

namespace kachel::detail {

/// How a warp copies its rows from an array or to it.
enum class RowCopy {
  block,     ///< by aligned accesses all rows, which lie one after another
  accesses,  ///< by aligned accesses row by row
  elements,  ///< by elements, neighbours of a row at a time
  rows,      ///< by elements, those of neighbouring rows at a time
};

/// Elements of an array that lie between an address and the last aligned one before that.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION int elements_after_aligned(const T* address) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(address) % widest_access / sizeof(T));
}

/// How a warp has rows in shared memory. As many elements as lie between an aligned address and the beginning of a
/// block or of a row are left free before it: then accesses are aligned here too.
struct WarpRows {
  int count;              ///< rows of a warp
  int stride;             ///< elements between the beginnings of two
  int begins[2];          ///< elements before those of y and of x, whose block may begin an access later
  RowCopy copies[2];      ///< of y and of x
  ShortDivisor length;    ///< of a row
  ShortDivisor accesses;  ///< whole ones of a row, or 1

  /// Where row `first` + `index` of the k-th array begins in shared memory.
  template <class T>
  __device__ int begin_of_row(const DeviceRows<T>& rows, int k, const T* data, std::int64_t first, int index) const {
    int begin = index * stride + begins[k];
    if (copies[k] == RowCopy::accesses)
      begin += elements_after_aligned(data + rows.offset(k, Kokkos::min(first + index, rows.rows - 1)));
    return begin;
  }

  /// Runs run.template operator()<width>(address, place) for what a thread copies of rows `first` to `first` + `there`
  /// of the k-th array, at `data`: `width` elements from an address on, and from `place` on in shared memory.
  template <RowFit fit, class T, class E, class Run>
  __device__ void for_each_part(const DeviceRows<T>& rows, int k, E* data, std::int64_t first, int there,
                                const Run& run) const {
    constexpr int width = row_access<T>;
    const int lane = static_cast<int>(threadIdx.x), elements = there * length.divisor(), begin = begins[k];
    const std::int64_t apart = rows.element_strides[k];
    // Elements before the first whole access of those at a place.
    const auto first_access = [](int place) { return (width - place % width) % width; };
    // What is before the first whole access and after the last: an element for each of 2 * width parts.
    const auto run_edge = [&](E* address, int place, int count, int part) {
      const int first = first_access(place), whole = Kokkos::max(count - first, 0) / width * width;
      const bool is_before = part < width;
      const int one = is_before ? part : first + whole + part - width;
      if (one < (is_before ? Kokkos::min(first, count) : count)) run.template operator()<1>(address + one, place + one);
    };
    switch (copies[k]) {
      case RowCopy::block: {
        E* const block = data + first * length.divisor();
        if constexpr (fit == RowFit::aligned) {
          for (int i = lane * width; i < elements; i += warp_size * width)
            run.template operator()<width>(block + i, i + length.quotient(i) * (stride - length.divisor()));
        } else {
          for (int i = first_access(begin) + lane * width; i + width <= elements; i += warp_size * width)
            run.template operator()<width>(block + i, begin + i);
          if (lane < 2 * width) run_edge(block, begin, elements, lane);
        }
        break;
      }
      case RowCopy::accesses: {
        const auto run_row = [&](int index, const auto& run_elements) {
          E* const row = data + rows.offset(k, first + index);
          run_elements(row, index * stride + (fit == RowFit::aligned ? 0 : elements_after_aligned(row)));
        };
#pragma unroll 2
        for (int i = lane; i < there * accesses.divisor(); i += warp_size) {
          const int index = accesses.quotient(i);
          run_row(index, [&](E* row, int place) {
            const int from =
                (i - index * accesses.divisor()) * width + (fit == RowFit::aligned ? 0 : first_access(place));
            if (fit == RowFit::aligned || from + width <= length.divisor())
              run.template operator()<width>(row + from, place + from);
          });
        }
        if constexpr (fit == RowFit::shifted)
#pragma unroll 4
          for (int i = lane; i < there * 2 * width; i += warp_size)
            run_row(i / (2 * width),
                    [&](E* row, int place) { run_edge(row, place, length.divisor(), i % (2 * width)); });
        break;
      }
      case RowCopy::elements:
        if constexpr (fit == RowFit::shifted)
#pragma unroll 4
          for (int i = lane; i < elements; i += warp_size) {
            const int index = length.quotient(i), place = i - index * length.divisor();
            run.template operator()<1>(data + rows.offset(k, first + index) + place * apart,
                                       begin + index * stride + place);
          }
        break;
      case RowCopy::rows:
        if constexpr (fit == RowFit::shifted)
          for (int index = lane; index < there; index += warp_size) {
            E* const row = data + rows.offset(k, first + index);
#pragma unroll 8
            for (int i = 0; i < length.divisor(); ++i)
              run.template operator()<1>(row + i * apart, begin + index * stride + i);
          }
    }
  }
};

/// Copies an element to shared memory: 4 bytes as copy_async copies 16, 2 bytes so that loads may precede the stores of
/// others.
template <class T>
__device__ void copy_element(T* shared, const T* global) {
  const auto from = __cvta_generic_to_global(global);
  if constexpr (sizeof(T) == 2) {
    std::uint16_t bits;
    asm("ld.global.b16 %0, [%1];" : "=h"(bits) : "l"(from));
    *reinterpret_cast<std::uint16_t*>(shared) = bits;
  } else {
#if __CUDA_ARCH__ >= 800
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n\tcp.async.commit_group;" ::"r"(to), "l"(from) : "memory");
#else
    *shared = *global;
#endif
  }
}

/// Copies from an array to shared memory, to be awaited.
template <class T>
struct CopyIn {
  T* shared;
  CachePolicy policy;

  template <int width>
  __device__ void operator()(const T* address, int place) const {
    if constexpr (width == 1)
      detail::copy_element(shared + place, address);
    else
      copy_async(shared + place, address, policy);
  }
};

/// Gives what was copied its normal priority back.
template <class T>
struct RestorePriority {
  template <int width>
  __device__ void operator()(const T* address, int) const {
    restore_priority(address);
  }
};

/// Copies from shared memory to an array.
template <class T>
struct CopyOut {
  const T* shared;

  template <int width>
  __device__ void operator()(T* address, int place) const {
    if constexpr (width == 1)
      *address = shared[place];
    else
      __stcs(reinterpret_cast<uint4*>(address), *reinterpret_cast<const uint4*>(shared + place));
  }
};

/// 16 bytes of elements in shared memory, which begin anywhere; up to 4 bytes before and after them are read.
template <class Words, class T>
__device__ Words shared_words(const T* from) {
  Words words;
  if constexpr (sizeof(T) == 4) {
    for (int i = 0; i < widest_access / 4; ++i) words[i] = bit_cast<std::uint32_t>(from[i]);
  } else {
    const auto address = reinterpret_cast<std::uintptr_t>(from);
    const auto* const aligned = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
    std::uint32_t own = aligned[0];
    for (int i = 0; i < widest_access / 4; ++i) {
      const std::uint32_t next = aligned[i + 1];
      words[i] = __funnelshift_r(own, next, 8 * static_cast<unsigned>(address & 3));
      own = next;
    }
  }
  return words;
}

/// A warp is a block: small ones come and go while others wait for memory.
/// \tparam fit  of the rows in shared memory
template <class F, class T, RowFit fit, class Shape>
__global__ __launch_bounds__(warp_size) void cuda_short_rows(const __grid_constant__ F f,
                                                             const __grid_constant__ DeviceRows<T> rows,
                                                             const __grid_constant__ WarpRows of_warp) {
  using Row = RowInRegisters<T, fit, Shape>;
  using Input = RowInput<typename Row::Accesses>;
  using Words = typename Input::Words;
  constexpr int threads = Shape::group;
  extern __shared__ uint4 shared[];
  auto* const staged = reinterpret_cast<T*>(shared);
  const int lane = static_cast<int>(threadIdx.x);
  const std::int64_t first = std::int64_t{blockIdx.x} * of_warp.count;
  const auto there = static_cast<int>(Kokkos::min<std::int64_t>(rows.rows - first, of_warp.count));
  const CachePolicy policy = fit == RowFit::aligned ? rows.policy : CachePolicy(false);
  of_warp.template for_each_part<fit>(rows, 1, rows.x, first, there, CopyIn<T>{staged, policy});
  await_copies<0>();
  if constexpr (fit == RowFit::aligned)
    if (first >= rows.first_restored)
      of_warp.template for_each_part<fit>(rows, 1, rows.x, first, there, RestorePriority<T>());
  const Row row{{lane % threads, threads, nullptr}, static_cast<int>(rows.length), {nullptr}};
  for (int begin = 0; begin < there; begin += warp_size / threads) {
    const int index = begin + lane / threads;
    const auto begin_of = [&](int k, const T* data) {
      return staged +
             (fit == RowFit::aligned ? index * of_warp.stride : of_warp.begin_of_row(rows, k, data, first, index));
    };
    const T* const from_begin = begin_of(1, rows.x);
    T* const to_begin = begin_of(0, rows.y);
    Input x;
    __syncwarp();
    row.for_each_access([&](int access) {
      const T* const from = row.place(from_begin, 1, access);
      if constexpr (fit == RowFit::aligned) {
        x.place(access) = *reinterpret_cast<const Words*>(from);
      } else {
        x.place(access) = shared_words<Words>(from);
        if (const int left = row.left(access); left < Row::width) {
          auto elements = bit_cast<Pack<T, Row::width>>(x.place(access));
          for (int i = 0; i < Row::width; ++i)
            if (i >= left) elements[i] = static_cast<T>(-INFINITY);  // which changes no maximum
          x.place(access) = bit_cast<Words>(elements);
        }
      }
    });
    const auto results = f(row, x);
    __syncwarp();
    if (index < there)
      row.for_each_access([&](int access) {
        T* const to = row.place(to_begin, 1, access);
        const auto elements = detail::converted<T>(results.at(access));
        if constexpr (fit == RowFit::aligned) {
          *reinterpret_cast<uint4*>(to) = bit_cast<uint4>(elements);
        } else {
          const int left = row.left(access);
          for (int i = 0; i < Row::width; ++i)
            if (left >= Row::width || i < left) to[i] = elements[i];
        }
      });
  }
  __syncwarp();
  of_warp.template for_each_part<fit>(rows, 0, rows.y, first, there, CopyOut<T>{staged});
}

/// The kernels of short rows of elements of type T, by RowFit, the shortest rows first. On an H200 each is the fastest
/// for some length of those that were tried, or within 1.1 of it.
template <class T>
struct ShortRowShapes {
  using aligned = Tuple<RowShape<1, 1, 4>, RowShape<2, 1, 4>, RowShape<4, 1, 4>, RowShape<8, 1, 4>>;
  using shifted = Tuple<RowShape<1, 1, 4>, RowShape<2, 1, 4>, RowShape<4, 1, 4>, RowShape<8, 1, 4>, RowShape<16, 1, 4>,
                        RowShape<32, 1, 4>, RowShape<32, 1, 6>>;
};
template <class T>
  requires(sizeof(T) == 2)
struct ShortRowShapes<T> {
  using aligned = Tuple<RowShape<1, 1, 2>, RowShape<1, 1, 4>, RowShape<1, 1, 8>, RowShape<4, 1, 4>>;
  using shifted = Tuple<RowShape<1, 1, 2>, RowShape<1, 1, 4>, RowShape<1, 1, 8>, RowShape<2, 1, 8>, RowShape<8, 1, 4>,
                        RowShape<16, 1, 4>>;
};

/// How a warp copies the rows of the k-th array, of which an access has `width` elements.
inline RowCopy copy_of_rows(const RowPlan& plan, int k, int width) {
  if (has_near_rows(plan, k)) return RowCopy::rows;
  if (plan.element_strides[k] != 1) return RowCopy::elements;
  if (plan.rank == 0 || (plan.rank == 1 && plan.strides[k][0] == plan.length)) return RowCopy::block;
  return plan.aligned || plan.length >= 4 * width ? RowCopy::accesses : RowCopy::elements;
}

/// Elements of the longest row that is copied by accesses of its own though it begins anywhere: longer ones of 16 bits,
/// of which warps would have few at once, are faster in the registers of more threads.
template <class T>
inline constexpr std::int64_t longest_by_accesses = sizeof(T) == 2 ? 64 : 1 << 10;

/// \returns whether the kernel is one for such rows
template <RowFit fit, class Shape, class F, class T>
bool launch_short_row_shape(const std::string& label, const CudaInstance& space, const RowPlan& plan, const F& f,
                            const DeviceRows<T>& rows) {
  constexpr int threads = Shape::group, width = row_access<T>, staged_bytes = 8 << 10,
                element_bytes = static_cast<int>(sizeof(T)), rows_at_once = warp_size / threads;
  const auto length = static_cast<int>(plan.length);
  const std::int64_t warps = std::int64_t{warp_size} * space.cuda_device_prop().multiProcessorCount;
  WarpRows of_warp{0, length, {}, {copy_of_rows(plan, 0, width), copy_of_rows(plan, 1, width)}, ShortDivisor(length),
                   {}};
  auto& [of_y, of_x] = of_warp.copies;
  // Blocks begin where accesses may, a few rows apart, and lie like memory.
  int fewest = rows_at_once;
  const auto is_block = [](RowCopy copy) { return copy == RowCopy::block; };
  if constexpr (fit == RowFit::aligned) {
    // An odd number of turns of the threads apart: then those of different rows use different banks.
    of_warp.stride = static_cast<int>(divide_up(length, width * threads) | 1) * width * threads;
    of_warp.accesses = ShortDivisor(length / width);
  } else {
    of_warp.accesses = ShortDivisor(std::max(length / width, 1));
    const bool fills = fewest >= width || plan.rows >= warps * width,
               same_banks = length * element_bytes % 8 == 0 && (of_y == RowCopy::rows || of_x == RowCopy::rows);
    if (fills && !same_banks && of_y != RowCopy::accesses && of_x != RowCopy::accesses) {
      if (is_block(of_y) || is_block(of_x)) fewest = std::max(fewest, width);
      if (is_block(of_y)) of_warp.begins[0] = elements_after_aligned(rows.y);
      if (is_block(of_x)) of_warp.begins[1] = elements_after_aligned(rows.x);
      // Results are stored where no row is that has not been read.
      if (of_warp.begins[1] < of_warp.begins[0]) of_warp.begins[1] += width;
    } else {
      for (RowCopy& copy : of_warp.copies)
        if (is_block(copy)) copy = RowCopy::accesses;
      if (of_y == RowCopy::accesses && of_x == RowCopy::accesses && length > longest_by_accesses<T>) return false;
      of_warp.stride = static_cast<int>(divide_up(length + width - 1, width) | 1) * width;
    }
  }
  // As many rows as fill the warps of a GPU, or the bytes.
  const int row_bytes = of_warp.stride * element_bytes;
  const std::int64_t turns = std::min<std::int64_t>(staged_bytes / (fewest * row_bytes), plan.rows / (fewest * warps));
  of_warp.count = fewest * static_cast<int>(std::max<std::int64_t>(turns, 1));
  // A thread reads up to an access and a word beyond its row, which may begin up to two accesses later.
  const KernelShape shape{divide_up(plan.rows, of_warp.count), warp_size,
                          static_cast<std::size_t>(of_warp.count * row_bytes + 4 * widest_access)};
  detail::launch_kernel(label, space, shape, cuda_short_rows<F, T, fit, Shape>, f, rows, of_warp);
  return true;
}

/// y = f(x), row by row, if there is a kernel for rows that are as short.
/// \returns whether there is
/// \throws std::runtime_error  a launch failed; the text is CUDA's
template <class F, class T>
bool launch_short_rows(const std::string& label, const CudaInstance& space, const RowPlan& plan, const F& f,
                       const DeviceRows<T>& rows) {
  const auto launch = [&]<RowFit fit, class... Shape>(Tuple<Shape...>) {
    const auto try_shape = [&]<class Own>(Own) {
      if (plan.length > Own::template elements<T>(Own::group)) return false;
      // Rows of 64 of 16 bits that begin anywhere: threads apart by 128 bytes use the same bank.
      if (fit == RowFit::shifted && Own::group < 8 && plan.length * sizeof(T) % 128 == 0) return false;
      return detail::launch_short_row_shape<fit, Own>(label, space, plan, f, rows);
    };
    return (try_shape(Shape()) || ...);
  };
  using Shapes = ShortRowShapes<T>;
  if (plan.aligned) return launch.template operator()<RowFit::aligned>(typename Shapes::aligned());
  return launch.template operator()<RowFit::shifted>(typename Shapes::shifted());
}

}  // namespace kachel::detail

#endif
