// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The tiles that bodies are given: what they load and store is a cursor, and each kind knows by which accesses.
#pragma once

#include <kachel/detail/cursor.hpp>
#include <kachel/detail/indices.hpp>
#include <kachel/detail/tile/gather.hpp>
#include <kachel/tile.hpp>

namespace kachel::detail {

/// Where a row begins in each array, or steps between elements, in elements.
template <int arrays>
using PerArray = Kokkos::Array<std::int64_t, std::size_t{arrays}>;

/// What a tile has of an operand: of an array what the tile itself loads.
template <class Tile, class X>
KOKKOS_FORCEINLINE_FUNCTION auto load(const Tile& tile, const X& x) {
  using Values = Pack<compute_type<element_of<X>>, Tile::width>;
  if constexpr (is_number<X>) {
    return Values(x.value);
  } else if constexpr (requires { x.element; }) {
    return Values(x.element);
  } else if constexpr (is_cyclic<X>) {
    const auto number = static_cast<std::int32_t>(tile.begin() / Tile::width);
    if (x.cycles.by_tile) return x.template load<Tile::width>(x.cycles.place_of(number));
    return Values(x.load_element(x.cycles.element_of(number)));
  } else {
    return tile.load(x);
  }
}

/// A tile of contiguous arrays, at any alignment, full or not.
template <class T, class Space>
struct SpanTile : Tile<T, Space> {
  using Base = Tile<T, Space>;
  using Base::Base, Base::caching, Base::load, Base::store, Base::width, Base::on_host;

  template <class U, int k>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const Cursor<U, k>& x) const {
    return this->load_span(x.data + this->begin(), typename Base::RepeatLast());
  }
  template <class U, int k>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const LookedUp<U, k>& x) const {
    Pack<float, width> values;
    const U* const from = x.data + this->begin();
    if (this->count() == width) {
      KOKKOS_IF_ON_HOST((if (caching() != Caching::cached) detail::fetch_ahead<width * sizeof(U)>(from);
                         gather<width>(x.floats, from, values.values);))
    } else {
      for (int i = 0; i < width; ++i) values[i] = x.floats[from[i < this->count() ? i : this->count() - 1].bits()];
    }
    return values;
  }

  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const IndexCursor<k>&) const {
    return Indices<width>{this->begin(), 1, this->count()};
  }

  template <class U, int k, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Cursor<U, k>& y, const Pack<V, width>& values) const {
    this->store_span(y.data + this->begin(), values);
  }
};

/// A full tile of contiguous arrays that are aligned where it begins. On a device.
template <class T, class Space>
struct AlignedTile {
  static constexpr int width = Tile<T, Space>::width;

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t begin() const { return begin_; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int count() { return width; }

  template <class U, int k>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const Cursor<U, k>& x) const {
    using Stored = std::remove_const_t<U>;
    return detail::converted<compute_type<Stored>>(
        detail::load_aligned<width>(static_cast<const Stored*>(x.data) + begin_, policy_));
  }

  template <class U, int k, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Cursor<U, k>& y, const Pack<V, width>& values) const {
    detail::store_words(y.data + begin_, detail::converted<U>(values));
  }

  /// As a tile program sees it.
  KOKKOS_FORCEINLINE_FUNCTION operator Tile<T, Space>() const { return {begin_, width, interior_}; }

  std::int64_t begin_;
  bool interior_;
  CachePolicy policy_;
};

/// A tile of a row, of arrays that have stride 1 there, or 0 where they are Broadcast.
/// \tparam aligned  how many of the first of them are known to be aligned where full tiles of a device begin: where the
///                  output is, 16-bit rows are 1.01 to 1.03 times as fast (rows `views/rows`, H200)
template <class T, class Space, int arrays, int aligned = 0>
struct RowTile : SpanTile<T, Space> {
  using Base = SpanTile<T, Space>;
  using Base::load, Base::width, Base::on_host;

  template <class U, int k>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const Cursor<U, k>& x) const {
    using Stored = std::remove_const_t<U>;
    const Stored* const from = x.data + offsets_[k] + this->begin();
    if constexpr (k < aligned)
      if (this->count() == width) return detail::converted<compute_type<Stored>>(detail::load_aligned<width>(from));
    return this->load_span(from, typename Base::Base::RepeatLast());
  }
  template <class U, int k, bool always>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const Broadcast<U, k, always>& x) const {
    using Value = compute_type<std::remove_const_t<U>>;
    const U* const from = x.data + offsets_[k];
    if (strides_[k] == 0) return Pack<Value, width>(static_cast<Value>(*from));
    if constexpr (on_host)  // what is known to repeat is in the cache
      return this->template load_span<!always>(from + this->begin(), typename Base::Base::RepeatLast());
    else
      return load(static_cast<const Cursor<U, k>&>(x));
  }
  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const IndexCursor<k>&) const {
    return Indices<width>{offsets_[k] + this->begin() * strides_[k], strides_[k], this->count()};
  }

  template <class U, int k, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Cursor<U, k>& y, const Pack<V, width>& values) const {
    U* const to = y.data + offsets_[k] + this->begin();
    if constexpr (on_host)
      this->store_span(to, values);
    else if (this->count() == width && (k < aligned || detail::is_aligned(to, access_bytes<U, width>)))
      detail::store_words(to, detail::converted<U>(values));
    else
      this->store_each(to, 1, values);
  }

  const PerArray<arrays>& offsets_;
  const PerArray<arrays>& strides_;
};

/// Elements of a row from begin() on, or every 2^log2_step-th of them, of arrays of any strides. On a device.
template <class T, class Space, int arrays>
struct StridedTile : Tile<T, Space> {
  using Base = Tile<T, Space>;
  using Base::width;

  template <class U, int k>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const Cursor<U, k>& x) const {
    return this->load_each(first(x), strides_[k] << log2_step_, typename Base::RepeatLast());
  }
  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const IndexCursor<k>&) const {
    return Indices<width>{offsets_[k] + this->begin() * strides_[k], strides_[k] << log2_step_, this->count()};
  }

  template <class U, int k, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Cursor<U, k>& y, const Pack<V, width>& values) const {
    this->store_each(first(y), strides_[k] << log2_step_, values);
  }

  template <class U, int k>
  KOKKOS_FORCEINLINE_FUNCTION U* first(const Cursor<U, k>& array) const {
    return array.data + offsets_[k] + this->begin() * strides_[k];
  }

  const PerArray<arrays>& offsets_;
  const PerArray<arrays>& strides_;
  int log2_step_;
};

/// The body of for_tiles: a program of the caller's, which sees a Tile.
template <class T, class Space, class Program>
struct TileProgram {
  Program program;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile<T, Space>& tile) const { program(tile); }
};

}  // namespace kachel::detail
