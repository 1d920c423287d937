// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tilings cut arrays into tiles: Span contiguous ones, Rows all others on a device. tiles() says how many there are.
/// On a device run() calls a body with one tile, and does nothing for an index beyond the last. On a host run_range()
/// calls it with each of a range.
#pragma once

#include <kachel/detail/plan.hpp>
#include <kachel/detail/tile/tiles.hpp>

namespace kachel::detail {

/// Contiguous arrays of `size` elements, above 0.
template <class T, class Space>
struct Span {
  static constexpr int width = Tile<T, Space>::width;
  static constexpr int restored_by_item = 8 * width;  ///< elements

  std::int64_t size;
  CachePolicy policy{false};         ///< of aligned arrays on a device
  int shift = 0;                     ///< elements that the first tile is short, where arrays are not aligned
  std::int64_t restoring_items = 0;  ///< at the end of the tiles, see run_aligned

  KOKKOS_FUNCTION std::int64_t tiles() const { return (size + shift - 1) / width + 1 + restoring_items; }

  /// Runs body(tile) for one tile of aligned arrays. With restoring_items, what is loaded stays in a device's L2 cache
  /// longer than other lines; work items beyond the tiles, which run last, give the elements read last their normal
  /// priority back, so that the next kernel has the cache.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void run_aligned(const Body& body, std::int64_t index) const {
    const std::int64_t begin = index * width, left = size - begin;
    if (left >= width) {
      body(AlignedTile<T, Space>{begin, begin >= width && left >= 2 * width, policy});
    } else if (left > 0) {
      // Asked again as an int, so that nothing of full tiles is compiled here.
      if (const auto count = static_cast<int>(left); count < width) body(SpanTile<T, Space>(begin, count));
    } else if constexpr (requires { Body::input_bytes; }) {
      const std::int64_t first = restored_first(index);
      if (first >= 0) body.for_each_input([=](const auto& x) { restore(x.data + first); });
    }
  }

  /// Where the elements begin that a work item beyond the tiles restores; -1 where there are none.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t restored_first(std::int64_t index) const {
    const std::int64_t item = index - (size - 1) / width - 1;
    return item < restoring_items ? size - (restoring_items - item) * restored_by_item : -1;
  }

  /// The same of arrays that begin anywhere. The first tile is `shift` elements short, so that the others begin where
  /// memory is aligned.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void run(const Body& body, std::int64_t index) const {
    const std::int64_t begin = index * width - shift, left = size - begin;
    // Two calls, so that the first is compiled knowing that its tile is full.
    if (begin >= 0 && left >= width) {
      body(SpanTile<T, Space>(begin, width, begin >= width && left >= 2 * width));
    } else if (left > 0) {
      const int before = begin < 0 ? shift : 0, within = left < width ? static_cast<int>(left) : width;
      if (within > before) body(SpanTile<T, Space>(begin + before, within - before));
    }
  }

  /// The same for the tiles [first, last) of a host. The full ones have a loop of their own, which a host compiles
  /// well, and another where they may be cached: by it, floats in the cache take 0.95 of the time
  /// (`activations/hardtanh`, an EPYC of 256-bit vectors). Nothing here takes the address of `body`: compilers would
  /// then reload what it holds after each store.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void run_range(const Body& body, std::int64_t first, std::int64_t last,
                                             Caching caching) const {
    const std::int64_t end = Kokkos::min(size, last * width - shift);
    for (std::int64_t begin = first * width - shift; begin < end; begin += width) {
      const std::int64_t full_end = begin < 0 ? begin : end - width + 1;
      if (caching == Caching::cached)
        for (; begin < full_end; begin += width) body(SpanTile<T, Space>(begin, width));
      else
        for (; begin < full_end; begin += width) body(SpanTile<T, Space>(begin, width, false, caching));
      if (begin >= end) break;
      const std::int64_t inside = Kokkos::max(begin, std::int64_t{0});
      body(SpanTile<T, Space>(inside, static_cast<int>(Kokkos::min(end, begin + width) - inside), false, caching));
    }
  }

 private:
  /// Of the elements of one work item.
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION static void restore(const U* from) {
    constexpr int step = cache_line / static_cast<int>(sizeof(U));
    for (int i = 0; i < restored_by_item; i += step) restore_priority(from + i);
  }
};

/// Rows of equal length of several arrays, in up to seven dimensions. On a device; a host has HostRows.
template <class T, class Space, int arrays>
struct Rows {
  static constexpr int max_dimensions = max_rank - 1, width = Tile<T, Space>::width;
  /// That of a tile of strided elements, which are accessed one by one.
  using StridedElement = std::conditional_t<sizeof(T) < 4, std::uint32_t, T>;

  std::int64_t rows;
  std::int64_t length;    ///< elements a row
  Divisor tiles_per_row;  ///< of the row that needs most
  bool aligned;           ///< as Plan says
  bool strided;           ///< whether elements are accessed one by one
  int log2_step;          ///< of a strided tile: neighbouring work items access neighbouring elements
  int unit;               ///< a power of two: the first array is aligned at every unit-th element
  int shift;              ///< elements from there to the first element of all
  int dimensions;         ///< across rows
  Divisor extents[max_dimensions];
  std::int64_t strides[std::size_t{arrays}][max_dimensions];
  PerArray<arrays> in_row;  ///< strides within a row

  explicit Rows(const Plan& plan)
      : rows(plan.size / plan.extents[0]),
        length(plan.extents[0]),
        aligned(plan.aligned),
        unit(plan.unit),
        shift(plan.shift),
        dimensions(plan.rank - 1) {
    int widest_shift = shift;
    for (std::size_t k = 0; k < arrays; ++k) in_row[k] = plan.strides[k][0];
    for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(plan.rank); ++i) {
      extents[i] = Divisor(plan.extents[i + 1]);
      for (std::size_t k = 0; k < arrays; ++k) strides[k][i] = plan.strides[k][i + 1];
      if (strides[0][i] % unit != 0) widest_shift = unit - 1;
    }
    std::int64_t tiles_of_row = Span<T, Space>{.size = length, .shift = widest_shift}.tiles();
    // Short rows that begin anywhere would leave tiles half empty.
    strided = plan.layout == Layout::strided || tiles_of_row * width >= 2 * length;
    log2_step = length < 32 ? 0 : 5;
    if (strided) tiles_of_row = Span<StridedElement, Space>{((length - 1) >> log2_step) + 1}.tiles() << log2_step;
    tiles_per_row = Divisor(tiles_of_row);
  }

  std::int64_t tiles() const { return rows * tiles_per_row.divisor(); }

  /// Runs body(tile) for one tile.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void run(const Body& body, std::int64_t index) const {
    const std::int64_t row = tiles_per_row.quotient(index);
    if (row >= rows) return;
    const PerArray<arrays> offsets = offsets_of(row);
    const std::int64_t tile_in_row = index - row * tiles_per_row.divisor();
    if (strided)
      run_strided(body, tile_in_row, offsets);
    else if (aligned)  // a path of its own, which 16-bit rows are 1.05 times as fast by
      span_of(offsets).run([&](const auto& tile) KACHEL_INLINE_LAMBDA { body(Aligned{tile, offsets, in_row}); },
                           tile_in_row);
    else
      span_of(offsets).run([&](const auto& tile) KACHEL_INLINE_LAMBDA { body(Unaligned{tile, offsets, in_row}); },
                           tile_in_row);
  }

 private:
  using Aligned = RowTile<T, Space, arrays, arrays>;
  using Unaligned = RowTile<T, Space, arrays, 1>;

  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void run_strided(const Body& body, std::int64_t index,
                                               const PerArray<arrays>& offsets) const {
    using Strided = StridedTile<StridedElement, Space, arrays>;
    const std::int64_t lane = index & ((1 << log2_step) - 1), first = (index - lane) * Strided::width + lane;
    const std::int64_t left = length - first;
    if (left <= 0) return;
    const int count = static_cast<int>(Kokkos::min<std::int64_t>(((left - 1) >> log2_step) + 1, Strided::width));
    body(Strided{Tile<StridedElement, Space>(first, count), offsets, in_row, log2_step});
  }

  KOKKOS_FORCEINLINE_FUNCTION Span<T, Space> span_of(const PerArray<arrays>& offsets) const {
    return {.size = length, .shift = static_cast<int>((shift + offsets[0]) & (unit - 1))};
  }

  KOKKOS_FORCEINLINE_FUNCTION PerArray<arrays> offsets_of(std::int64_t row) const {
    PerArray<arrays> offsets;
    for (int k = 0; k < arrays; ++k) offsets[k] = 0;
    for (int i = 0; i < dimensions; ++i) {
      const std::int64_t next = i + 1 < dimensions ? extents[i].quotient(row) : 0,
                         place = row - next * extents[i].divisor();
      for (int k = 0; k < arrays; ++k) offsets[k] += place * strides[k][i];
      row = next;
    }
    return offsets;
  }
};

}  // namespace kachel::detail
