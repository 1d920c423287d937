// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How spans and rows are cut into tiles. A tiling has `tiles()`, and runs a program on any one of them, on none for an
/// index beyond.
#pragma once

#include <kachel/detail/plan.hpp>
#include <kachel/tile.hpp>

#include <algorithm>
#include <cstdint>

namespace kachel {

/// The tiles of Tile<T, Space>, as a plan needs to know them.
template <class T, class Space>
inline constexpr TileShape tile_shape = {Tile<T, Space>::width, is_host_space<Space> ? 64 : widest_access};

/// Runs run(tile) for tile `index` of `size` elements. The first tile is `shift` elements short, so that the others
/// begin where memory is aligned.
template <class T, class Space, class Run>
KOKKOS_FORCEINLINE_FUNCTION void run_tile(std::int64_t index, std::int64_t size, int shift, const Run& run) {
  constexpr int width = Tile<T, Space>::width;
  const std::int64_t begin = index * width - shift, left = size - begin;
  // Two calls, so that the first is compiled knowing that its tile is full.
  if (begin >= 0 && left >= width) {
    run(Tile<T, Space>(begin, width, begin >= width && left >= 2 * width));
  } else if (left > 0) {
    const int before = begin < 0 ? shift : 0, within = left < width ? static_cast<int>(left) : width;
    if (within > before) run(Tile<T, Space>(begin + before, within - before));
  }
}

/// Runs run(tile) for the tiles [first, last) of `size` elements, the full ones in a loop of their own, which a host
/// compiles well. Nothing here takes the address of `run`: compilers would then reload what it holds after each store.
template <class T, class Space, class Run>
KOKKOS_FORCEINLINE_FUNCTION void run_tiles(std::int64_t first, std::int64_t last, std::int64_t size, int shift,
                                           Caching caching, const Run& run) {
  constexpr int width = Tile<T, Space>::width;
  const std::int64_t end = Kokkos::min(size, last * width - shift);
  for (std::int64_t begin = first * width - shift; begin < end; begin += width) {
    for (; begin >= 0 && end - begin >= width; begin += width) run(Tile<T, Space>(begin, width, false, caching));
    if (begin >= end) break;
    const std::int64_t inside = Kokkos::max(begin, std::int64_t{0});
    run(Tile<T, Space>(inside, static_cast<int>(Kokkos::min(end, begin + width) - inside), false, caching));
  }
}

/// A span of `size` elements, above 0.
template <class T, class Space>
struct SpanTiling {
  using Element = T;

  std::int64_t size;

  std::int64_t tiles() const { return (size - 1) / Tile<T, Space>::width + 1; }
  std::int64_t elements() const { return size; }

  /// Never; see cuda_tiles.
  KOKKOS_FORCEINLINE_FUNCTION bool is_empty() const { return size <= 0; }

  /// Runs program(tile) for one tile.
  template <class Program>
  KOKKOS_FORCEINLINE_FUNCTION void run(const Program& program, std::int64_t index) const {
    constexpr int width = Tile<T, Space>::width;
    const std::int64_t begin = index * width, left = size - begin;
    // Two calls, so that the first is compiled knowing that its tile is full.
    if (left >= width)
      program(Tile<T, Space>(begin, width, begin >= width && left >= 2 * width));
    else if (left > 0)
      program(Tile<T, Space>(begin, static_cast<int>(left)));
  }

  /// The same for the tiles [first, last) of a host.
  template <class Program>
  KOKKOS_FORCEINLINE_FUNCTION void run_range(const Program& program, std::int64_t first, std::int64_t last,
                                             Caching caching) const {
    kachel::run_tiles<T, Space>(first, last, size, 0, caching, program);
  }
};

/// The same for a program whose loads stay in a device's L2 cache longer than others: work items beyond the tiles,
/// which run last, give the elements read last their normal priority back, so that the next kernel has the cache.
template <class T, class Space>
struct RestoringTiling {
  using Element = T;
  static constexpr int width = Tile<T, Space>::width;
  static constexpr int restored_by_item = 8 * width;  ///< elements

  std::int64_t size;
  std::int64_t restoring_items;

  /// \param restored  how many of the last elements are restored; fewer where there are not so many
  RestoringTiling(std::int64_t elements, std::int64_t restored)
      : size(elements), restoring_items(std::min(elements, restored) / restored_by_item) {}

  std::int64_t tiles() const { return SpanTiling<T, Space>{size}.tiles() + restoring_items; }
  std::int64_t elements() const { return size; }

  /// Runs program(tile) for one tile, or program.restore(first, count) for elements that are restored.
  template <class Program>
  KOKKOS_FORCEINLINE_FUNCTION void run(const Program& program, std::int64_t index) const {
    // SpanTiling's two branches again: asked whether it had a tile, the kernel takes four registers more and longer.
    const std::int64_t begin = index * width, left = size - begin;
    if (left >= width) {
      program(Tile<T, Space>(begin, width));
    } else if (left > 0) {
      program(Tile<T, Space>(begin, static_cast<int>(left)));
    } else {
      const std::int64_t item = index - (size - 1) / width - 1,
                         first = size - (restoring_items - item) * restored_by_item;
      if (item < restoring_items) program.restore(first, restored_by_item);
    }
  }
};

/// A span whose first tile is `shift` elements short: a kernel of its own, since aligned spans feel every
/// instruction.
template <class T, class Space>
struct ShiftedTiling {
  using Element = T;

  std::int64_t size;
  int shift;

  std::int64_t tiles() const { return (size + shift - 1) / Tile<T, Space>::width + 1; }
  std::int64_t elements() const { return size; }

  /// Runs program(tile) for one tile.
  template <class Program>
  KOKKOS_FORCEINLINE_FUNCTION void run(const Program& program, std::int64_t index) const {
    kachel::run_tile<T, Space>(index, size, shift, program);
  }

  /// The same for the tiles [first, last) of a host.
  template <class Program>
  KOKKOS_FORCEINLINE_FUNCTION void run_range(const Program& program, std::int64_t first, std::int64_t last,
                                             Caching caching) const {
    kachel::run_tiles<T, Space>(first, last, size, shift, caching, program);
  }
};

/// Where a row begins in each operand, in elements.
template <int operands>
using RowOffsets = Kokkos::Array<std::int64_t, std::size_t{operands}>;

/// The elements of a row that a device's work item takes where their strides are not 1: from `first` on every
/// 2^log2_step-th, so that neighbouring work items access neighbouring elements.
template <int operands>
struct SpreadElements {
  RowOffsets<operands> offsets;  ///< of the row
  std::int64_t first;
  int log2_step;
};

/// Where each of several rows begins in each operand, in elements.
template <int operands, int max_rows>
struct ShortRows {
  std::int64_t offsets[std::size_t{operands}][std::size_t{max_rows}];
  int length;  ///< elements a row
};

/// Rows of equal length, in up to seven dimensions, of several operands.
template <class T, class Space, int operands>
struct RowTiling {
  using Element = T;
  static constexpr int max_dimensions = 7, width = Tile<T, Space>::width;
  /// That of a tile of spread elements, which are accessed one by one.
  using SpreadElement = std::conditional_t<(sizeof(T) < 4), std::uint32_t, T>;

  std::int64_t rows;
  std::int64_t length;         ///< elements a row
  Divisor tiles_per_row;       ///< of the row that needs most
  std::int64_t rows_per_tile;  ///< above 1 where a host's tile has room for several
  bool spread;                 ///< on a device, whether work items take SpreadElements instead of consecutive ones
  int log2_step;               ///< as SpreadElements says
  int unit;                    ///< a power of two: the first operand is aligned at every unit-th element
  int shift;                   ///< elements from there to the first element of all
  int dimensions;              ///< across rows
  Divisor extents[max_dimensions];
  std::int64_t strides[std::size_t{operands}][max_dimensions];

  explicit RowTiling(const AccessPlan& plan)
      : rows(plan.size / plan.extents[0]),
        length(plan.extents[0]),
        unit(plan.unit),
        shift(plan.shift),
        dimensions(plan.rank - 1) {
    int widest_shift = shift;
    for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(plan.rank); ++i) {
      extents[i] = Divisor(plan.extents[i + 1]);
      for (std::size_t k = 0; k < operands; ++k) strides[k][i] = plan.strides[k][i + 1];
      if (strides[0][i] % unit != 0) widest_shift = unit - 1;
    }
    std::int64_t tiles_of_row = SpanTiling<T, Space>{length + widest_shift}.tiles();
    // Short rows that begin anywhere would leave tiles half empty.
    spread = !is_host_space<Space> && (!plan.contiguous || tiles_of_row * width >= 2 * length);
    log2_step = length < 32 ? 0 : 5;
    if (spread) tiles_of_row = SpanTiling<SpreadElement, Space>{((length - 1) >> log2_step) + 1}.tiles() << log2_step;
    tiles_per_row = Divisor(tiles_of_row);
    // Measured: contiguous rows of 16 elements are vectorised well enough one by one.
    const bool joined = is_host_space<Space> && !(plan.contiguous && length >= 16);
    rows_per_tile = joined ? std::clamp<std::int64_t>(width / length, 1, rows) : 1;
  }

  std::int64_t tiles() const {
    return rows_per_tile > 1 ? (rows - 1) / rows_per_tile + 1 : rows * tiles_per_row.divisor();
  }
  std::int64_t elements() const { return rows * length; }

  /// Runs program(tile, offsets) for one tile, whose elements are counted from the beginning of its row, or
  /// program(tile, spread_elements).
  template <class Program>
  KOKKOS_FORCEINLINE_FUNCTION void run(const Program& program, std::int64_t index) const {
    const std::int64_t row = tiles_per_row.quotient(index);
    if (row >= rows) return;
    const RowOffsets<operands> offsets = offsets_of(row);
    const std::int64_t in_row = index - row * tiles_per_row.divisor();
    if (spread)
      run_spread(program, in_row, offsets);
    else
      kachel::run_tile<T, Space>(in_row, length, shift_of(offsets), OfRow<Program>{program, offsets});
  }

  /// The same for the tiles [first, last) of a host.
  template <class Program>
  KOKKOS_FORCEINLINE_FUNCTION void run_range(const Program& program, std::int64_t first, std::int64_t last,
                                             Caching caching) const {
    if (rows_per_tile > 1) {
      for (std::int64_t index = first; index < last; ++index) run_short_rows(program, index * rows_per_tile);
      return;
    }
    while (first < last) {
      const std::int64_t row = tiles_per_row.quotient(first), begin = row * tiles_per_row.divisor();
      const std::int64_t end = Kokkos::min(last, begin + tiles_per_row.divisor());
      const RowOffsets<operands> offsets = offsets_of(row);
      kachel::run_tiles<T, Space>(first - begin, end - begin, length, shift_of(offsets), caching,
                                  OfRow<Program>{program, offsets});
      first = end;
    }
  }

 private:
  /// Runs the program for a tile of a row. No lambda, of which GCC leaves calls on hosts.
  template <class Program>
  struct OfRow {
    const Program& program;
    const RowOffsets<operands>& offsets;

    KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile<T, Space>& tile) const { program(tile, offsets); }
  };

  template <class Program>
  KOKKOS_FORCEINLINE_FUNCTION void run_spread(const Program& program, std::int64_t index,
                                              const RowOffsets<operands>& offsets) const {
    using SpreadTile = Tile<SpreadElement, Space>;
    const std::int64_t lane = index & ((1 << log2_step) - 1), first = (index - lane) * SpreadTile::width + lane;
    const std::int64_t left = length - first;
    if (left <= 0) return;
    const int count = static_cast<int>(Kokkos::min<std::int64_t>(((left - 1) >> log2_step) + 1, SpreadTile::width));
    program(SpreadTile(0, count), SpreadElements<operands>{offsets, first, log2_step});
  }

  /// Runs program(tile, short_rows) for the rows of one tile, from `row` on.
  template <class Program>
  KOKKOS_FORCEINLINE_FUNCTION void run_short_rows(const Program& program, std::int64_t row) const {
    const int count = static_cast<int>(Kokkos::min(rows - row, rows_per_tile));
    ShortRows<operands, width / 2> short_rows;
    short_rows.length = static_cast<int>(length);
    std::int64_t place = row - extents[0].quotient(row) * extents[0].divisor();
    RowOffsets<operands> offsets = offsets_of(row);
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < operands; ++k) short_rows.offsets[k][i] = offsets[k];
      if (++place < extents[0].divisor()) {
        for (int k = 0; k < operands; ++k) offsets[k] += strides[k][0];
      } else {
        place = 0;
        offsets = offsets_of(row + i + 1);
      }
    }
    program(Tile<T, Space>(0, count * short_rows.length), short_rows);
  }

  KOKKOS_FORCEINLINE_FUNCTION int shift_of(const RowOffsets<operands>& offsets) const {
    return static_cast<int>((shift + offsets[0]) & (unit - 1));
  }

  KOKKOS_FORCEINLINE_FUNCTION RowOffsets<operands> offsets_of(std::int64_t row) const {
    RowOffsets<operands> offsets;
    for (int k = 0; k < operands; ++k) offsets[k] = 0;
    for (int i = 0; i < dimensions; ++i) {
      const std::int64_t next = i + 1 < dimensions ? extents[i].quotient(row) : 0,
                         place = row - next * extents[i].divisor();
      for (int k = 0; k < operands; ++k) offsets[k] += place * strides[k][i];
      row = next;
    }
    return offsets;
  }
};

}  // namespace kachel
