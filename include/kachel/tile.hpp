// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tile: the consecutive elements that one work item of for_tiles handles (Triton's program and its block of offsets).
#pragma once

#include <kachel/detail/tile/access.hpp>
#include <kachel/detail/tile/host_memory.hpp>
#include <kachel/pack.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>

namespace kachel {

/// `width` consecutive elements of a span, seen from execution space Space, T being the element type that decides how
/// many. The first and the last tile of a span may hold fewer: loads give `other` there, stores leave memory as it is.
template <class T, class Space = Kokkos::DefaultExecutionSpace>
class Tile {
 public:
  using Element = T;                                             ///< the type that decides the width
  static constexpr bool on_host = detail::is_host_space<Space>;  ///< whether the tile is a host's

  /// Elements a tile: a cache line of T on a host, 16 bytes on a device.
  static constexpr int width = (on_host ? detail::host_line : detail::widest_access) / static_cast<int>(sizeof(T));

  /// \param begin     index of the first element
  /// \param count     elements that lie inside the span, 1 to width
  /// \param interior  whether the span has a tile more on both sides
  /// \param caching   what is done about a host's cache
  KOKKOS_FORCEINLINE_FUNCTION Tile(std::int64_t begin, int count, bool interior = false,
                                   detail::Caching caching = detail::Caching::cached)
      : begin_(begin), count_(count), interior_(interior), caching_(caching) {}

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

  /// The tile's elements of the contiguous span that begins at data, in the compute type: float for the 16-bit types.
  /// `other` stands for those outside the span.
  template <class U>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const U* data, compute_type<detail::storage_type<U>> other = {}) const {
    return load_span(reinterpret_cast<const detail::storage_type<U>*>(data) + begin_, other);
  }

  /// The same of a View: of any layout if its rank is 1, else contiguous, elements counted in the order of memory. The
  /// element of a View of rank 0 stands for every one.
  template <class View>
    requires Kokkos::is_view_v<View>
  KOKKOS_FORCEINLINE_FUNCTION auto load(
      const View& view, compute_type<detail::storage_type<typename View::non_const_value_type>> other = {}) const {
    const auto* const data = elements_of(view);
    if constexpr (View::rank() == 0)
      return Pack<decltype(other), width>(static_cast<decltype(other)>(*data));
    else if (const std::int64_t stride = stride_of(view); stride == 1)
      return load_span(data + begin_, other);
    else
      return load_each(data + begin_ * stride, stride, other);
  }

  /// Writes the tile's elements to the contiguous span that begins at data, each rounded once to the nearest U; what
  /// lies outside the span is left as it is.
  template <class U, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store(U* data, const Pack<V, width>& values) const {
    store_span(reinterpret_cast<detail::storage_type<U>*>(data) + begin_, values);
  }

  /// The same to a View: of any layout if its rank is 1, else contiguous, elements counted in the order of memory.
  template <class View, class V>
    requires Kokkos::is_view_v<View>
  KOKKOS_FORCEINLINE_FUNCTION void store(const View& view, const Pack<V, width>& values) const {
    static_assert(View::rank() > 0, "kachel::Tile: a View of rank 0 has no room for a tile");
    static_assert(!std::is_const_v<typename View::value_type>,
                  "kachel::Tile: a View of const elements is not stored to");
    auto* const data = elements_of(view);
    if (const std::int64_t stride = stride_of(view); stride == 1)
      store_span(data + begin_, values);
    else
      store_each(data + begin_ * stride, stride, values);
  }

 protected:
  /// What is done about a host's cache.
  KOKKOS_FORCEINLINE_FUNCTION detail::Caching caching() const { return caching_; }

  /// For elements outside the span: the last one inside it, so that an op sees none that its operand does not have.
  struct RepeatLast {};

  /// The elements from an address on, in the compute type.
  /// \tparam fetches  whether a host may fetch ahead, as caching() says
  template <bool fetches = true, class U, class Other>
  KOKKOS_FORCEINLINE_FUNCTION auto load_span(const U* from, const Other& other) const {
    using Stored = std::remove_const_t<U>;
    if constexpr (on_host) {
      if (count_ != width) return load_first(from, other);
      Pack<compute_type<Stored>, width> values;
      KOKKOS_IF_ON_HOST(
          (if (fetches && caching_ != detail::Caching::cached) detail::fetch_ahead<width * sizeof(U)>(from);))
      detail::convert<width>(from, values.values);
      return values;
    } else {
      constexpr int bytes = detail::access_bytes<Stored, width>;
      // Elements of 4 bytes and more are loaded one by one as fast as by wider accesses, smaller ones are not.
      constexpr bool across = sizeof(U) < 4 && bytes == detail::widest_access;
      const bool whole = detail::is_aligned(from, bytes);
      // Few tiles are neither: a path of their own would cost the others instructions.
      if (count_ != width || !(whole || (across && interior_))) return load_each(from, 1, other);
      Pack<Stored, width> read;
      if constexpr (across)
        read = whole ? detail::load_aligned<width>(from) : detail::load_across<width>(from);
      else
        read = detail::load_aligned<width>(from);
      return detail::converted<compute_type<Stored>>(read);
    }
  }

  /// The same of a tile of a host that is not full: a copy of a few bytes is faster than a load of each element.
  template <class U, class Other>
  KOKKOS_FORCEINLINE_FUNCTION auto load_first(const U* from, const Other& other) const {
    using Stored = std::remove_const_t<U>;
    Pack<Stored, width> read(from[count_ - 1]);
    std::memcpy(static_cast<void*>(read.values), from, static_cast<std::size_t>(count_) * sizeof(U));
    auto values = detail::converted<compute_type<Stored>>(read);
    if constexpr (!std::is_same_v<Other, RepeatLast>)
      for (int i = 0; i < width; ++i) values[i] = i < count_ ? values[i] : other;
    return values;
  }

  /// The same of elements that are `stride` apart, one by one.
  template <class U, class Other>
  KOKKOS_FORCEINLINE_FUNCTION auto load_each(const U* from, std::int64_t stride, const Other& other) const {
    using Value = compute_type<std::remove_const_t<U>>;
    Pack<Value, width> values;
    for (int i = 0; i < width; ++i) {
      if constexpr (std::is_same_v<Other, RepeatLast>)
        values[i] = static_cast<Value>(from[(i < count_ ? i : count_ - 1) * stride]);
      else
        values[i] = i < count_ ? static_cast<Value>(from[i * stride]) : other;
    }
    return values;
  }

  /// Writes the elements from an address on, each rounded once.
  template <class U, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store_span(U* to, const Pack<V, width>& values) const {
    if constexpr (on_host) {
      if (count_ != width) {
        const auto rounded = detail::converted<U>(values);
        std::memcpy(static_cast<void*>(to), rounded.values, static_cast<std::size_t>(count_) * sizeof(U));
        return;
      }
      if constexpr (width * sizeof(U) % detail::host_line == 0)
        if (detail::streams_to(to, caching_)) {
          if constexpr (std::is_same_v<U, V>) {  // a copy would be one in memory
            KOKKOS_IF_ON_HOST((detail::copy_streaming<sizeof(values)>(to, values.values);))
          } else {
            const auto rounded = detail::converted<U>(values);
            KOKKOS_IF_ON_HOST((detail::copy_streaming<sizeof(rounded)>(to, rounded.values);))
          }
          return;
        }
      detail::convert<width>(values.values, to);
    } else {
      // Two calls: as one they take up to four registers more in kernels of misaligned arrays.
      if (count_ != width) return store_each(to, 1, values);
      if (!detail::is_aligned(to, detail::access_bytes<U, width>)) return store_each(to, 1, values);
      detail::store_aligned(to, detail::converted<U>(values));
    }
  }

  /// The same of elements that are `stride` apart, one by one.
  template <class U, class V>
  KOKKOS_FORCEINLINE_FUNCTION void store_each(U* to, std::int64_t stride, const Pack<V, width>& values) const {
    if constexpr (detail::is_cast<U, V>) {
      for (int i = 0; i < width; ++i)
        if (i < count_) to[i * stride] = static_cast<U>(values[i]);
    } else {
      for (int i = 0; i < width; ++i)
        if (i < count_) to[i * stride] = detail::convert_to<U>(values[i]);
    }
  }

 private:
  template <class View>
  KOKKOS_FORCEINLINE_FUNCTION static auto* elements_of(const View& view) {
    static_assert(!View::traits::memory_traits::is_atomic, "kachel::Tile: atomic Views are not supported");
    static_assert(!std::is_same_v<typename View::array_layout, Kokkos::LayoutStride> || View::rank() <= 1,
                  "kachel::Tile: a View of LayoutStride is expected to have rank 1");
    return reinterpret_cast<detail::storage_type<typename View::value_type>*>(view.data());
  }

  template <class View>
  KOKKOS_FORCEINLINE_FUNCTION static std::int64_t stride_of(const View& view) {
    if constexpr (std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>) {
      return static_cast<std::int64_t>(view.stride(0));
    } else {
      KOKKOS_ASSERT(view.span_is_contiguous());
      return 1;
    }
  }

  std::int64_t begin_;
  int count_;
  bool interior_;
  detail::Caching caching_;
};

}  // namespace kachel
