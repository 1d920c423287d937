// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// HostRows: how a host runs a body over arrays that are not contiguous in one order. It takes them by blocks. What of
/// a block is not contiguous is copied to a buffer that is, or from one. So the body has the code of contiguous arrays,
/// and there are no gathers and scatters. Called by launch_body; knows nothing of operations.
#pragma once

#include <kachel/detail/backend/host/launch.hpp>
#include <kachel/detail/op.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace kachel::detail {

/// An input as contiguous elements: an index too, whose numbers are in a buffer.
struct InMemory {
  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION X operator()(const X& x) const {
    return x;
  }
  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION Cursor<const std::int64_t, k> operator()(const IndexCursor<k>&) const {
    return {};
  }
};

/// An array of a call, of any type, or an index.
struct HostArray {
  std::byte* data;  ///< also of an input, which is not written
  std::int64_t element_bytes;
  bool broadcast;  ///< whether a tile may have one element of it
  bool is_index;   ///< whether it has no memory, and each element is its place
};

/// An index as one of them.
inline constexpr HostArray host_index = {nullptr, sizeof(std::int64_t), false, true};

/// The tiles that a row is run by.
enum class RowTiles {
  span,         ///< full ones, but for the last
  overlapping,  ///< full ones, of which the last overlaps the one before it: not in place, where it would read results
  apart         ///< full ones, then narrower ones
};

/// What a body is run over: `rows` rows of `length` elements. In array k the first begins offsets[k] elements after
/// data[k], and each pitches[k] after the one before. An index is its offset.
struct HostBlockRows {
  std::int64_t length, rows;
  bool in_memory;  ///< whether indices are in memory too. It is one row then, of contiguous elements
  RowTiles tiles;
  bool take_turns;  ///< whether long rows are run by turns, since all have the same row of a broadcast array
  Caching caching;
  std::byte* data[max_operands];
  std::int64_t offsets[max_operands];
  std::int64_t pitches[max_operands];  ///< 0 if there is one row
  std::int64_t steps[max_operands];    ///< from one element of a row to the next: 1, or 0 in a broadcast array
};

/// The blocks of a plan: compiled once for all calls.
class HostBlocks {
 public:
  /// \param plan     outlives this
  /// \param outputs  how many of the arrays are written: the first ones
  /// \param width    elements a tile
  /// \param cost     of the op
  HostBlocks(const Plan& plan, std::span<const HostArray> arrays, std::size_t outputs, int width, Cost cost);

  /// How many blocks there are.
  std::int64_t tiles() const;

 protected:
  using RunRows = void (*)(const void* body, const HostBlockRows& rows);

  /// Runs run(body, rows) for what the blocks [first, last) are made of.
  void run_blocks(std::int64_t first, std::int64_t last, Caching caching, RunRows run, const void* body) const;

 private:
  /// Whether a block of the array is copied, unless it is contiguous.
  bool is_copied(std::size_t array) const;

  const Plan& plan_;
  std::size_t arrays_, outputs_;
  int width_;
  bool in_rows_;     ///< whether rows that are contiguous in an array stay where they are
  bool take_turns_;  ///< as HostBlockRows says
  HostArray array_[max_operands];
  std::int64_t buffer_bytes_;     ///< for each array that is copied
  std::int64_t block_[max_rank];  ///< elements along each dimension, fewer where the arrays end
};

/// How many rows take turns, each of so many tiles. With a row `broadcast/scale` takes 0.95 to 0.97 of the time of rows
/// one after another: a thread reads the row half as often. Four rows take 0.81 to 0.90 in float on a Zen 4, which
/// likes several places of x at a time, and 1.2 to 1.3 on a Zen 5.
inline constexpr std::int64_t rows_in_turn = 2, tiles_in_turn = 4;

/// A type that makes tiles of two registers where T makes them of one, so that fewer branches are asked. By one
/// register a row takes 1.10 of the time, a column 1.08 (`broadcast/scale/float`, an EPYC, Zen 4).
template <class T>
using TwoRegisters =
    std::conditional_t<sizeof(T) == 8, std::uint32_t, std::conditional_t<sizeof(T) == 4, std::uint16_t, T>>;

/// Which element of its tile the first of an output is: tiles of T are aligned for stores past the cache.
template <class T>
KOKKOS_INLINE_FUNCTION int first_place(const void* output, Caching caching) {
  if (caching != Caching::streaming) return 0;
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(output) / sizeof(T) % Tile<T, AnyHost>::width);
}

/// Rows as a tiling, where a body has a broadcast array: each `in_turn` take turns.
template <class T, int arrays>
struct HostLongRows {
  std::int64_t length, in_turn;
  PerArray<arrays> offsets, pitches, steps;

  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void run_range(const Body& body, std::int64_t first, std::int64_t last,
                                             Caching caching) const {
    using U = TwoRegisters<T>;
    // Copies, which no store of the body's can change.
    const HostLongRows own(*this);
    for (; first < last; first += own.in_turn) {
      const auto begin_of = [&](int k, std::int64_t row) { return own.offsets[k] + (first + row) * own.pitches[k]; };
      const Span<U, AnyHost> span{.size = own.length,
                                  .shift = detail::first_place<T>(get<0>(body.y).data + begin_of(0, 0), caching)};
      const std::int64_t rows = Kokkos::min(own.in_turn, last - first), tiles = span.tiles(),
                         most = rows == 1 ? tiles : tiles_in_turn;
      for (std::int64_t begin = 0; begin < tiles; begin += most)
        for (std::int64_t row = 0; row < rows; ++row) {
          PerArray<arrays> begins;
          for (int k = 0; k < arrays; ++k) begins[k] = begin_of(k, row);
          const auto run_tile = [&](const auto& tile) KACHEL_INLINE_LAMBDA {
            body(RowTile<U, AnyHost, arrays>{tile, begins, own.steps});
          };
          span.run_range(run_tile, begin, Kokkos::min(begin + most, tiles), caching);
        }
    }
  }
};

/// Several rows of a tile or more as a tiling: full tiles alone.
template <class T, int arrays>
struct HostFullRows {
  std::int64_t length;
  PerArray<arrays> offsets, pitches, steps;

  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void run_range(const Body& body, std::int64_t first, std::int64_t last, Caching) const {
    using Tile = RowTile<T, AnyHost, arrays>;
    PerArray<arrays> begins;
    for (int k = 0; k < arrays; ++k) begins[k] = offsets[k] + first * pitches[k];
    const auto tile = [&](std::int64_t begin)
                          KACHEL_INLINE_LAMBDA { body(Tile{SpanTile<T, AnyHost>(begin, Tile::width), begins, steps}); };
    for (; first < last; ++first) {
      for (std::int64_t begin = 0; begin < length - Tile::width; begin += Tile::width) tile(begin);
      tile(length - Tile::width);
      for (int k = 0; k < arrays; ++k) begins[k] += pitches[k];
    }
  }
};

/// A type that decides a tile's width: half of what T makes it.
template <class T>
struct Twice {
  T of[2];
};

/// Short rows as a tiling: full tiles, then narrower ones for the rest of a row. The loop over rows is that of
/// HostFullRows. As one function of both, it takes up to 1.5 times as long by GCC 12 (half, a Zen 4).
template <class T, int arrays>
struct HostApartRows {
  std::int64_t length;
  PerArray<arrays> offsets, pitches, steps;

  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void run_range(const Body& body, std::int64_t first, std::int64_t last, Caching) const {
    constexpr int width = Tile<T, AnyHost>::width;
    PerArray<arrays> begins;
    for (int k = 0; k < arrays; ++k) begins[k] = first * pitches[k] + offsets[k];
    const std::int64_t full = length / width * width;
    for (; first < last; ++first) {
      for (std::int64_t begin = 0; begin < full; begin += width) run_tile<T>(body, begins, begin);
      run_rest<Twice<T>>(body, begins, full);
      for (int k = 0; k < arrays; ++k) begins[k] += pitches[k];
    }
  }

 private:
  template <class U, class Body>
  KOKKOS_FORCEINLINE_FUNCTION void run_tile(const Body& body, const PerArray<arrays>& begins,
                                            std::int64_t begin) const {
    body(RowTile<U, AnyHost, arrays>{SpanTile<U, AnyHost>(begin, Tile<U, AnyHost>::width), begins, steps});
  }

  template <class U, class Body>
  KOKKOS_FORCEINLINE_FUNCTION void run_rest(const Body& body, const PerArray<arrays>& begins,
                                            std::int64_t begin) const {
    constexpr int width = Tile<U, AnyHost>::width;
    if (length & width) {
      run_tile<U>(body, begins, begin);
      begin += width;
    }
    if constexpr (width > 1) run_rest<Twice<U>>(body, begins, begin);
  }
};

/// Inputs in rows to which each that is known to repeat brings one element: that element, and contiguous arrays. A tile
/// would read it anew: `prelu` of 16,384 half in cache takes 0.91 of the time (an EPYC, Zen 4).
struct OneElement {
  const HostBlockRows& rows;

  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION X operator()(const X& x) const {
    return x;
  }
  template <class U, int k>
  KOKKOS_FORCEINLINE_FUNCTION Cursor<U, k> operator()(const Broadcast<U, k, false>& x) const {
    return x;
  }
  template <class U, int k>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Broadcast<U, k, true>& x) const {
    using Element = std::remove_const_t<U>;
    return Loaded<Element, compute_type<Element>>{static_cast<compute_type<Element>>(x.data[rows.offsets[k]])};
  }

  /// Whether an array is so in these rows.
  template <class X>
  bool holds() const {
    constexpr int k = X::index;
    if constexpr (is_repeated<X>)
      return rows.steps[k] == 0 && (rows.rows == 1 || rows.pitches[k] == 0);
    else
      return !is_broadcast<X> || rows.steps[k] == 1;
  }
};

/// The same as a tiling for one type of body.
/// \tparam T  the type that decides a tile's width
template <class T, class Body>
class HostRows : public HostBlocks {
 public:
  static constexpr int width = Tile<T, AnyHost>::width;

  HostRows(const Plan& plan, const Body& body)
      : HostBlocks(plan, arrays_of(body), Body::outputs, width, cost_of<decltype(body.f)>()) {}

  void run_range(const Body& body, std::int64_t first, std::int64_t last, Caching caching) const {
    run_blocks(first, last, caching, run, &body);
  }

 private:
  static constexpr int arrays = Body::arrays;
  static constexpr bool is_low_cost = cost_of<decltype(Body::f)>() == Cost::low;

  static std::array<HostArray, std::size_t{arrays}> arrays_of(Body body) {
    std::array<HostArray, std::size_t{arrays}> described;
    described.fill(host_index);
    body.for_each_array([&]<class X>(X& x) {
      auto* const data = const_cast<element_of<X>*>(x.data);
      described[std::size_t{X::index}] = {reinterpret_cast<std::byte*>(data), sizeof(element_of<X>), is_broadcast<X>,
                                          false};
    });
    return described;
  }

  static PerArray<arrays> first_of(const std::int64_t (&numbers)[max_operands]) {
    PerArray<arrays> first;
    for (int k = 0; k < arrays; ++k) first[k] = numbers[k];
    return first;
  }

  static void run(const void* body, const HostBlockRows& rows) {
    const Body& own = *static_cast<const Body*>(body);
    if (rows.in_memory)
      run_rows(with_data(own.with_inputs(InMemory()), rows), rows);
    else if (rows.tiles == RowTiles::overlapping && rows.length >= width / 4)
      run_full<T>(with_data(own, rows), rows);
    else if (is_low_cost && rows.tiles == RowTiles::apart)
      run_apart(with_data(own, rows), rows);
    else
      run_rows(with_data(own, rows), rows);
  }

  /// The body of arrays that begin where the rows' do.
  template <class Own>
  static Own with_data(Own body, const HostBlockRows& rows) {
    body.for_each_array([&]<class X>(X& x) { x.data = reinterpret_cast<decltype(x.data)>(rows.data[X::index]); });
    return body;
  }

  /// By the widest of three kinds of tiles that a row fills.
  template <class U>
  static void run_full(const Body& body, const HostBlockRows& rows) {
    if constexpr (4 * Tile<U, AnyHost>::width > width)
      if (rows.length < Tile<U, AnyHost>::width) return run_full<Twice<U>>(body, rows);
    const HostFullRows<U, arrays> full_rows{rows.length, first_of(rows.offsets), first_of(rows.pitches),
                                            first_of(rows.steps)};
    detail::run_tiles(full_rows, body, 0, rows.rows, Caching::cached);
  }

  static void run_apart(const Body& body, const HostBlockRows& rows) {
    if constexpr (is_low_cost) {
      const HostApartRows<T, arrays> apart{rows.length, first_of(rows.offsets), first_of(rows.pitches),
                                           first_of(rows.steps)};
      detail::run_tiles(apart, body, 0, rows.rows, Caching::cached);
    }
  }

  template <class Own>
  static void run_rows(Own body, const HostBlockRows& rows) {
    if constexpr (Own::has_broadcast) {
      const OneElement one{rows};
      if constexpr (!decltype(body.with_inputs(one))::has_broadcast) {
        bool holds = true;
        body.for_each_array([&]<class X>(X&) { holds &= one.template holds<X>(); });
        if (holds) return run_rows(body.with_inputs(one), rows);
      }
      const bool take_turns = rows.take_turns && rows.pitches[0] % width == 0;
      const HostLongRows<T, arrays> long_rows{rows.length, take_turns ? rows_in_turn : 1, first_of(rows.offsets),
                                              first_of(rows.pitches), first_of(rows.steps)};
      detail::run_tiles(long_rows, body, 0, rows.rows, rows.caching);
    } else {
      body.for_each_array([&]<class X>(X& x) { x.data += rows.offsets[X::index]; });
      for (std::int64_t row = 0; row < rows.rows; ++row) {
        if (row > 0) body.for_each_array([&]<class X>(X& x) { x.data += rows.pitches[X::index]; });
        const Span<T, AnyHost> span{.size = rows.length,
                                    .shift = detail::first_place<T>(get<0>(body.y).data, rows.caching)};
        detail::run_tiles(span, body, 0, span.tiles(), rows.caching);
      }
    }
  }
};

}  // namespace kachel::detail
