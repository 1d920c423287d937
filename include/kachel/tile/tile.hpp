// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tile: the consecutive elements that one work item of for_tiles handles (Triton's program and its block of offsets).
#pragma once

#include <kachel/tile/map_array.hpp>
#include <kachel/tile/streaming.hpp>
#include <kachel/tile/tuning.hpp>

#include <cstdint>

namespace kachel {

/// What becomes of stored data in a host's cache. Results do not depend on it.
enum class Caching {
  cached,     ///< as the processor likes
  streaming,  ///< past the cache, for outputs much larger than it; never where the same memory is an input
};

/// `width` consecutive elements of a span whose widest element type is T, seen from execution space Space. The last
/// tile of a span may hold fewer: loads give `other` there, stores leave memory as it is.
template <class T, class Space = Kokkos::DefaultExecutionSpace>
class Tile {
 public:
  /// Elements a tile: 16 bytes on a device, a fixed number on a host.
  static constexpr int width = [] {
    if constexpr (is_host_space<Space>)
      return tuning<Space>.tile_elements;
    else
      return tuning<Space>.tile_bytes / static_cast<int>(sizeof(T));
  }();
  static_assert(is_host_space<Space> ? width % 64 == 0 : width > 0,
                "kachel::Tile: a host's tile is expected to have a multiple of 64 elements, a device's at least one");

  KOKKOS_FORCEINLINE_FUNCTION Tile(std::int64_t begin, int count, Caching caching = Caching::cached)
      : begin_(begin), count_(count), caching_(caching) {}

  /// The same tile, of operands that are known to begin at multiples of 16 bytes: spares the test at each access.
  KOKKOS_FORCEINLINE_FUNCTION Tile assume_aligned() const {
    Tile tile(*this);
    tile.aligned_ = true;
    return tile;
  }

  /// The index of the first element.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t begin() const { return begin_; }

  /// Elements that lie inside the span, 1 to width.
  KOKKOS_FORCEINLINE_FUNCTION int count() const { return count_; }

  /// The indices of the elements (Triton's arange).
  KOKKOS_FORCEINLINE_FUNCTION Pack<std::int64_t, width> index() const {
    Pack<std::int64_t, width> indices;
    for (int i = 0; i < width; ++i) indices[i] = begin_ + i;
    return indices;
  }

  /// Which elements lie inside the span.
  KOKKOS_FORCEINLINE_FUNCTION Pack<bool, width> mask() const {
    Pack<bool, width> inside;
    for (int i = 0; i < width; ++i) inside[i] = i < count_;
    return inside;
  }

  /// The tile's elements of the dense span that begins at data, in the compute type; `other` outside the span.
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION Pack<compute_type<U>, width> load(const U* data, compute_type<U> other = {}) const {
    const U* const from = data + begin_;
    Pack<compute_type<U>, width> values;
    if (count_ != width) {
      for (int i = 0; i < width; ++i) values[i] = i < count_ ? static_cast<compute_type<U>>(from[i]) : other;
    } else if constexpr (is_host_space<Space>) {
      convert<width>(from, values.values);
    } else {
      Pack<U, width> whole;
      if (is_aligned(from))
        whole = *reinterpret_cast<const Pack<U, width>*>(from);
      else
        for (int i = 0; i < width; ++i) whole[i] = from[i];
      convert<width>(whole.values, values.values);
    }
    return values;
  }

  /// The same for a dense View of any rank, elements counted in the order of memory.
  template <class View>
    requires Kokkos::is_view_v<View>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const View& view,
                                        compute_type<typename View::non_const_value_type> other = {}) const {
    return load(dense_data(view), other);
  }

  /// Writes the tile's elements to the dense span that begins at data, each rounded once to the nearest U.
  template <class U, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store(U* data, const Pack<V, width>& values) const {
    U* const to = data + begin_;
    Pack<U, width> whole;
    if (count_ != width) {
      for (int i = 0; i < width; ++i)
        if (i < count_) to[i] = static_cast<U>(values[i]);
    } else if constexpr (is_host_space<Space>) {
      if (caching_ == Caching::streaming) {
        convert<width>(values.values, whole.values);
        KOKKOS_IF_ON_HOST((copy_streaming<sizeof(whole)>(to, whole.values);))
      } else {
        convert<width>(values.values, to);
      }
    } else {
      convert<width>(values.values, whole.values);
      if (is_aligned(to))
        *reinterpret_cast<Pack<U, width>*>(to) = whole;
      else
        for (int i = 0; i < width; ++i) to[i] = whole[i];
    }
  }

  /// y[i] = evaluate(f, x[i]...) for the tile's elements: what store, evaluate and load do, in one loop where a host
  /// can.
  template <class F, class U, class... V>
  KOKKOS_FORCEINLINE_FUNCTION void map(const F& f, U* y, const V*... x) const {
    if constexpr (is_host_space<Space> && (std::is_same_v<U, V> && ...)) {
      KOKKOS_IF_ON_HOST(((prefetch(x + begin_ + tuning<Space>.prefetch_bytes / sizeof(V)), ...);))
      if (count_ == width) {
        Pack<U, width> buffer;
        U* const to = caching_ == Caching::streaming ? buffer.values : y + begin_;
        KOKKOS_IF_ON_HOST((kachel::map_array<width>(f, to, (x + begin_)...);))
        if (caching_ == Caching::streaming) {
          KOKKOS_IF_ON_HOST((copy_streaming<sizeof(buffer)>(y + begin_, buffer.values);))
        }
        return;
      }
    }
    store(y, kachel::evaluate<U>(f, load(x)...));
  }

  /// The same for a dense View of any rank, elements counted in the order of memory.
  template <class View, class V>
    requires Kokkos::is_view_v<View>
  KOKKOS_FORCEINLINE_FUNCTION void store(const View& view, const Pack<V, width>& values) const {
    store(dense_data(view), values);
  }

 private:
  template <class View>
  KOKKOS_FORCEINLINE_FUNCTION static auto* dense_data(const View& view) {
    static_assert(!View::traits::memory_traits::is_atomic, "kachel::Tile: atomic Views are not supported");
    KOKKOS_ASSERT(view.span_is_contiguous());
    return view.data();
  }

  /// Whether one access can move a whole tile.
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION bool is_aligned(const U* address) const {
    return (aligned_ && alignof(Pack<U, width>) <= 16) ||
           reinterpret_cast<std::uintptr_t>(address) % alignof(Pack<U, width>) == 0;
  }

  std::int64_t begin_;
  int count_;
  bool aligned_ = false;
  Caching caching_;
};

}  // namespace kachel
