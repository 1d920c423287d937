// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tile: the consecutive elements that one work item of for_tiles handles (Triton's program and its block of offsets).
#pragma once

#include <kachel/detail/tile/cursor.hpp>
#include <kachel/detail/tile/streaming.hpp>
#include <kachel/detail/tile/vector_access.hpp>
#include <kachel/detail/types/storage.hpp>
#include <kachel/tuning.hpp>

#include <cstdint>

namespace kachel {

/// What is done about a host's cache. Results do not depend on it.
enum class Caching {
  cached,     ///< nothing, for operands that it may hold
  fetching,   ///< inputs are fetched ahead, for operands much larger than it
  streaming,  ///< the same, and stores go past it; never where the same memory is an input
};

/// `width` consecutive elements of a span, seen from execution space Space, T being the element type that decides how
/// many. The first and the last tile of a span may hold fewer: loads give `other` there, stores leave memory as it is.
template <class T, class Space = Kokkos::DefaultExecutionSpace>
class Tile {
 public:
  using Element = T;                                     ///< the type that decides the width
  static constexpr bool on_host = is_host_space<Space>;  ///< whether the tile is a host's

  /// Elements a tile: 16 bytes on a device, a fixed number on a host.
  static constexpr int width = [] {
    constexpr int tuned = [] {
      if constexpr (on_host)
        return tuning<Space>.tile_elements;
      else
        return tuning<Space>.tile_bytes / static_cast<int>(sizeof(T));
    }();
    constexpr bool is_right = tuned >= (on_host ? 64 : 1) && (tuned & (tuned - 1)) == 0;
    static_assert(is_right,
                  "kachel::Tile: the elements of a tile are expected to be a power of two, at least 64 on a host");
    return is_right ? tuned : 64;
  }();

  /// \param begin     index of the first element
  /// \param count     elements that lie inside the span, 1 to width
  /// \param interior  whether the span has a tile more on both sides
  /// \param caching   what is done about a host's cache
  KOKKOS_FORCEINLINE_FUNCTION Tile(std::int64_t begin, int count, bool interior = false,
                                   Caching caching = Caching::cached)
      : begin_(begin), count_(count), interior_(interior), caching_(caching) {}

  /// The same tile, of operands that are known to be aligned for their widest access where it begins: spares the test
  /// at each access.
  KOKKOS_FORCEINLINE_FUNCTION Tile assume_aligned() const {
    Tile tile(*this);
    tile.aligned_ = tile.aligned_stores_ = true;
    return tile;
  }

  /// The same of what is stored alone.
  KOKKOS_FORCEINLINE_FUNCTION Tile assume_aligned_stores() const {
    Tile tile(*this);
    tile.aligned_stores_ = true;
    return tile;
  }

  /// The same, whose aligned stores are of words: in kernels of rows nvcc makes a store of each 16-bit element
  /// otherwise, in those of spans the words cost instructions.
  KOKKOS_FORCEINLINE_FUNCTION Tile with_word_stores() const {
    Tile tile(*this);
    tile.word_stores_ = true;
    return tile;
  }

  /// The same, whose aligned loads stay in a device's L2 cache longer than others, see load_evicted_last.
  KOKKOS_FORCEINLINE_FUNCTION Tile with_loads_evicted_last() const {
    Tile tile(*this);
    tile.evicted_last_ = true;
    return tile;
  }

  /// The index of the first element.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t begin() const { return begin_; }

  /// Elements that lie inside the span, 1 to width.
  KOKKOS_FORCEINLINE_FUNCTION int count() const { return count_; }

  /// What is done about a host's cache.
  KOKKOS_FORCEINLINE_FUNCTION Caching caching() const { return caching_; }

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

  /// \cond
  /// On a host, asks for what a later tile will load of the operand, unless the cache may hold it already.
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION void fetch_ahead(const Dense<U>& operand) const {
    if constexpr (on_host)
      if (caching_ != Caching::cached) {
        KOKKOS_IF_ON_HOST(
            (kachel::fetch_ahead<width * sizeof(U)>(operand.data, begin_, tuning<Space>.fetched_ahead_bytes);))
      }
  }
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION void fetch_ahead(const LookedUp<U>& operand) const {
    fetch_ahead(Dense<U>{operand.data});
  }
  template <class Operand>
  KOKKOS_FORCEINLINE_FUNCTION void fetch_ahead(const Operand&) const {}

  /// The tile's elements of an operand, in the compute type; `other` outside the span.
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const Dense<U>& operand,
                                        compute_type<std::remove_const_t<U>> other = {}) const {
    return load_from(operand, other);
  }
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const Strided<U>& operand,
                                        compute_type<std::remove_const_t<U>> other = {}) const {
    return load_from(operand, other);
  }
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION Pack<U, width> load(const Scalar<U>& operand) const {
    return Pack<U, width>(operand.value);
  }

  /// The same with the last element inside the span also outside of it: none that the operand does not have.
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION auto load_repeating(const Dense<U>& operand) const {
    return load_from(operand, RepeatLast{});
  }
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION auto load_repeating(const Strided<U>& operand) const {
    return load_from(operand, RepeatLast{});
  }
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION auto load_repeating(const Broadcast<U>& operand) const {
    using Value = compute_type<std::remove_const_t<U>>;
    if (operand.stride == 0) return Pack<Value, width>(static_cast<Value>(*operand.data));
    if constexpr (on_host)
      return load_from(Strided<U>{operand.data, operand.stride}, RepeatLast{});
    else
      return load_from(Dense<U>{operand.data}, RepeatLast{});
  }
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION auto load_repeating(const Rows<U>& operand) const {
    using Value = compute_type<std::remove_const_t<U>>;
    Pack<Value, width> values;
    for_each_of(operand,
                [&](int lane, std::int64_t offset) { values[lane] = static_cast<Value>(operand.data[offset]); });
    for (int lane = count_; lane < width; ++lane) values[lane] = values[count_ - 1];
    return values;
  }
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION auto load_repeating(const OneTile<U>& operand) const {
    const auto read = kachel::load_aligned<width>(operand.data, false);
    Pack<compute_type<std::remove_const_t<U>>, width> values;
    convert<width>(read.values, values.values);
    return values;
  }
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION auto load_repeating(const Cyclic<U>& operand) const {
    using Value = compute_type<std::remove_const_t<U>>;
    const std::int64_t run = operand.run.quotient(begin_ / width),
                       place = run - operand.cycle.quotient(run) * operand.cycle.divisor();
    if (!operand.by_tile) return Pack<Value, width>(static_cast<Value>(operand.data[place]));
    return load_repeating(OneTile<U>{operand.data + place * width});
  }
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION auto load_repeating(const Scalar<U>& operand) const {
    return load(operand);
  }
  /// \endcond

  /// The tile's elements of the dense span that begins at data, in the compute type: float for the 16-bit types.
  /// `other` stands for those outside the span.
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const U* data, compute_type<storage_type<U>> other = {}) const {
    return load(Dense<const storage_type<U>>{reinterpret_cast<const storage_type<U>*>(data)}, other);
  }

  /// The same of a View: of any layout if its rank is 1, else dense, elements counted in the order of memory. The
  /// element of a View of rank 0 stands for every one.
  template <class View>
    requires Kokkos::is_view_v<View>
  KOKKOS_FORCEINLINE_FUNCTION auto load(
      const View& view, compute_type<storage_type<typename View::non_const_value_type>> other = {}) const {
    const auto operand = operand_of(view);
    if constexpr (View::rank() == 0)
      return decltype(load(operand, other))(
          static_cast<compute_type<storage_type<typename View::non_const_value_type>>>(*operand.data));
    else
      return has_stride_1(operand) ? load(as_dense(operand), other) : load(operand, other);
  }

  /// \cond
  /// Writes the tile's elements to an operand, each rounded once to the nearest U.
  template <class U, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Dense<U>& operand, const Pack<V, width>& values) const {
    U* const to = operand.data + begin_;
    if (count_ != width) return store_each(to, 1, values);
    if constexpr (on_host) {
      if (caching_ != Caching::streaming) return convert<width>(values.values, to);
      Pack<U, width> whole;
      convert<width>(values.values, whole.values);
      KOKKOS_IF_ON_HOST((copy_streaming<sizeof(whole)>(to, whole.values);))
    } else {
      Pack<U, width> whole;
      convert<width>(values.values, whole.values);
      if (aligned_stores_ && word_stores_)
        kachel::store_words<access_bytes<U, width>>(to, whole);
      else if (aligned_stores_)
        kachel::store_aligned<access_bytes<U, width>>(to, whole);
      else
        kachel::store_by<access_bytes<U, width>>(to, whole);
    }
  }

  template <class U, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Strided<U>& operand, const Pack<V, width>& values) const {
    if (on_host && operand.stride == 1)
      store(Dense<U>{operand.data}, values);
    else
      store_each(operand.data + begin_ * operand.stride, operand.stride, values);
  }

  template <class U, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Rows<U>& operand, const Pack<V, width>& values) const {
    Pack<U, width> whole;
    convert<width>(values.values, whole.values);
    for_each_of(operand, [&](int lane, std::int64_t offset) { operand.data[offset] = whole[lane]; });
  }
  /// \endcond

  /// Writes the tile's elements to the dense span that begins at data, each rounded once to the nearest U; what lies
  /// outside the span is left as it is.
  template <class U, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store(U* data, const Pack<V, width>& values) const {
    store(Dense<storage_type<U>>{reinterpret_cast<storage_type<U>*>(data)}, values);
  }

  /// The same to a View: of any layout if its rank is 1, else dense, elements counted in the order of memory.
  template <class View, class V>
    requires Kokkos::is_view_v<View>
  KOKKOS_FORCEINLINE_FUNCTION void store(const View& view, const Pack<V, width>& values) const {
    static_assert(View::rank() > 0, "kachel::Tile: a View of rank 0 has no room for a tile");
    static_assert(!std::is_const_v<typename View::value_type>,
                  "kachel::Tile: a View of const elements is not stored to");
    const auto operand = operand_of(view);
    if (has_stride_1(operand))
      store(as_dense(operand), values);
    else
      store(operand, values);
  }

 private:
  template <class View>
  KOKKOS_FORCEINLINE_FUNCTION static auto operand_of(const View& view) {
    static_assert(!View::traits::memory_traits::is_atomic, "kachel::Tile: atomic Views are not supported");
    using Stored = storage_type<typename View::value_type>;
    auto* const data = reinterpret_cast<Stored*>(view.data());
    constexpr bool strided = std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>;
    static_assert(!strided || View::rank() <= 1, "kachel::Tile: a View of LayoutStride is expected to have rank 1");
    if constexpr (strided && View::rank() == 1) {
      return Strided<Stored>{data, static_cast<std::int64_t>(view.stride(0))};
    } else {
      KOKKOS_ASSERT(view.span_is_contiguous());
      return Dense<Stored>{data};
    }
  }

  /// Runs visit(lane, offset) for each element of several rows. Which lane takes which element is left open, but the
  /// same for all operands: the inner loop is the longer one.
  template <class U, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_of(const Rows<U>& operand, const Visit& visit) const {
    const int rows = count_ / operand.length;
    if (rows > operand.length) {
      for (int i = 0; i < operand.length; ++i)
        for (int row = 0; row < rows; ++row) visit(i * rows + row, operand.offsets[row] + i * operand.stride);
    } else {
      for (int row = 0; row < rows; ++row)
        for (int i = 0; i < operand.length; ++i)
          visit(row * operand.length + i, operand.offsets[row] + i * operand.stride);
    }
  }

  struct RepeatLast {};

  template <class U, class Other>
  KOKKOS_FORCEINLINE_FUNCTION auto load_from(const Dense<U>& operand, const Other& other) const {
    const U* const from = operand.data + begin_;
    Pack<compute_type<std::remove_const_t<U>>, width> values;
    if constexpr (on_host) {
      if (count_ != width) return load_each(from, 1, other);
      fetch_ahead(operand);
      convert<width>(from, values.values);
    } else {
      constexpr int bytes = access_bytes<U, width>;
      // Elements of 4 bytes and more are loaded one by one as fast as by wider accesses, smaller ones are not.
      constexpr bool across = sizeof(U) < 4 && bytes == widest_access;
      const bool whole = aligned_ || is_aligned(from, bytes);
      // Few tiles are neither: a path of their own would cost the others instructions.
      if (count_ != width || !(whole || (across && interior_))) return load_each(from, 1, other);
      Pack<std::remove_const_t<U>, width> read;
      if constexpr (across) {
        if (whole)
          read = kachel::load_aligned<width>(from, evicted_last_);
        else
          read = kachel::load_across<width>(from);
      } else {
        read = kachel::load_aligned<width>(from, evicted_last_);
      }
      convert<width>(read.values, values.values);
    }
    return values;
  }

  template <class U, class Other>
  KOKKOS_FORCEINLINE_FUNCTION auto load_from(const Strided<U>& operand, const Other& other) const {
    if (on_host && operand.stride == 1) return load_from(Dense<U>{operand.data}, other);
    return load_each(operand.data + begin_ * operand.stride, operand.stride, other);
  }

  template <class U, class Other>
  KOKKOS_FORCEINLINE_FUNCTION Pack<compute_type<U>, width> load_each(const U* from, std::int64_t stride,
                                                                     const Other& other) const {
    using Value = compute_type<U>;
    Pack<Value, width> values;
    for (int i = 0; i < width; ++i) {
      if constexpr (std::is_same_v<Other, RepeatLast>)
        values[i] = static_cast<Value>(from[(i < count_ ? i : count_ - 1) * stride]);
      else
        values[i] = i < count_ ? static_cast<Value>(from[i * stride]) : other;
    }
    return values;
  }

  template <class U, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store_each(U* to, std::int64_t stride, const Pack<V, width>& values) const {
    if constexpr (is_cast<U, V>) {
      for (int i = 0; i < width; ++i)
        if (i < count_) to[i * stride] = static_cast<U>(values[i]);
    } else {
      for (int i = 0; i < width; ++i)
        if (i < count_) to[i * stride] = convert_to<U>(values[i]);
    }
  }

  std::int64_t begin_;
  int count_;
  bool aligned_ = false;
  bool aligned_stores_ = false;
  bool word_stores_ = false;
  bool evicted_last_ = false;
  bool interior_;
  Caching caching_;
};

}  // namespace kachel
