// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sums over the elements of each channel, in an order that their number alone decides: the same bits on every backend,
/// with any number of threads, for arrays of any strides.
///
/// A channel's elements are cut into chunks of 512. In each, 128 lanes take every 128th element one after the other.
/// The lanes are added neighbours first, then their pairs, and so on: a binary tree. So are the chunks. What is missing
/// at the end is -0, which changes no sum; a block of any power of two of lanes or chunks is a part of the tree.
#pragma once

#include <kachel/detail/reduce/sum_plan.hpp>
#include <kachel/detail/tiling.hpp>

namespace kachel::detail {

inline constexpr int sum_lanes = 128, sum_steps = 4, sum_chunk = sum_lanes * sum_steps;

/// Reduces a power of two of values, neighbours first.
template <class T, std::size_t count, class Op>
KOKKOS_FORCEINLINE_FUNCTION T reduced_neighbours(const T (&values)[count], const Op& op) {
  if constexpr (count == 1) {
    return values[0];
  } else {
    T pairs[count / 2];
    for (std::size_t i = 0; i < count / 2; ++i) pairs[i] = op(values[2 * i], values[2 * i + 1]);
    return detail::reduced_neighbours(pairs, op);
  }
}

/// The sum of a power of two of values, neighbours first.
template <class T, std::size_t count>
KOKKOS_FORCEINLINE_FUNCTION T sum_of_neighbours(const T (&values)[count]) {
  return detail::reduced_neighbours(values, [](const T& a, const T& b) { return a + b; });
}

/// A tile of elements that lie anywhere, up to `width`: neighbours of one channel, or of one place in each of some.
template <class Tiling>
struct ScatteredTile {
  static constexpr int width = Tiling::width;

  KOKKOS_FORCEINLINE_FUNCTION int count() const { return count_; }

  template <class U, int k>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const Cursor<U, k>& x) const {
    using Value = compute_type<std::remove_const_t<U>>;
    Pack<Value, width> values;
    for (int i = 0; i < width; ++i) values[i] = static_cast<Value>(x.data[offset(k, i < count_ ? i : 0)]);
    return values;
  }
  template <class U, int k, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Cursor<U, k>& y, const Pack<V, width>& values) const {
    const auto rounded = detail::converted<U>(values);
    for (int i = 0; i < width; ++i)
      if (i < count_) y.data[offset(k, i)] = rounded[i];
  }

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t offset(int k, int i) const {
    return Tiling::across ? tiling_.offset(k, channel_ + i, element_) : tiling_.offset(k, channel_, element_ + i);
  }

  const Tiling& tiling_;
  std::int64_t channel_, element_;
  int count_;
};

/// A SumPlan for a kernel, which takes `width` neighbours at a time: elements of one channel, or, across, one element
/// of as many channels. A body has
/// - a type Sum, and the number `arrays` of those that it reads and writes,
/// - constants<count>(channel), a Pack of what it needs of as many channels,
/// - read(tile), what it reads of a tile,
/// - add(tile, read, constants, sums), which adds to each of sums, a Pack<Sum, width>, what the element of that place
///   contributes where the tile holds one, and may write to the tile. The constants are one, or one a place.
template <class T_, class Space, bool across_, class Body>
struct SumTiling {
  using T = T_;
  using Sum = typename Body::Sum;
  static constexpr bool across = across_;
  static constexpr int width = Tile<T, Space>::width, arrays = Body::arrays;
  using Sums = Pack<Sum, width>;

  std::int64_t channels, size;
  int rank;
  bool contiguous = true;  ///< whether neighbours lie side by side in every array
  Divisor extents[std::size_t{max_rank}];
  std::int64_t strides[std::size_t{max_rank}][std::size_t{arrays}];
  std::int64_t channel_strides[std::size_t{arrays}];

  explicit SumTiling(const SumPlan& plan) : channels(plan.channels), size(plan.size), rank(plan.rank) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
      extents[i] = Divisor(std::max<std::int64_t>(plan.extents[i], 1));  // of none where there are no elements
      for (std::size_t k = 0; k < arrays; ++k) strides[i][k] = plan.strides[k][i];
    }
    for (std::size_t k = 0; k < arrays; ++k) {
      channel_strides[k] = plan.channel_strides[k];
      contiguous &= (across ? channel_strides[k] : strides[0][k]) == 1;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t chunks() const { return (size + sum_chunk - 1) / sum_chunk; }

  /// Where an element lies in the k-th array.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t offset(int k, std::int64_t channel, std::int64_t element) const {
    std::int64_t offset = channel * channel_strides[k];
    for (int i = 0; i < rank; ++i) {
      const std::int64_t next = i + 1 < rank ? extents[i].quotient(element) : 0;
      offset += (element - next * extents[i].divisor()) * strides[i][k];
      element = next;
    }
    return offset;
  }

  /// Runs run(tile, begin) for `count` neighbours from an element on, which are there: `width` of them at a time. `run`
  /// may be of a host alone.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class Run>
  KOKKOS_FORCEINLINE_FUNCTION void run_tiles(std::int64_t channel, std::int64_t element, int count, Caching caching,
                                             const Run& run) const {
    for (int begin = 0; begin < count;) {
      const std::int64_t first_channel = across ? channel + begin : channel,
                         first_element = across ? element : element + begin;
      int whole = 0;  // elements of whole tiles in this row
      if (contiguous)
        whole = static_cast<int>(Kokkos::min<std::int64_t>(count - begin, left_of_row(first_element))) / width * width;
      if (whole > 0) {
        PerArray<arrays> offsets;
        for (int k = 0; k < arrays; ++k) offsets[k] = offset(k, first_channel, first_element);
        for (int i = 0; i < whole; i += width)
          run(RowTile<T, ThreadSpace<Space>, arrays>{SpanTile<T, ThreadSpace<Space>>(i, width, false, caching), offsets,
                                                     offsets},
              begin + i);
        begin += whole;
      } else {
        run(ScatteredTile<SumTiling>{*this, first_channel, first_element, Kokkos::min(count - begin, int{width})},
            begin);
        begin += width;
      }
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t left_of_row(std::int64_t element) const {
    if (across || rank == 1) return sum_chunk;  // as many as are asked for
    return extents[0].divisor() - (element - extents[0].quotient(element) * extents[0].divisor());
  }
};

}  // namespace kachel::detail
