// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a kernel knows of its operands. Where a tile lies in each, and by which accesses it is moved, tiles know.
#pragma once

#include <kachel/detail/divisor.hpp>
#include <kachel/detail/evaluate.hpp>
#include <kachel/detail/tile/access.hpp>

namespace kachel::detail {

/// An array, whose strides the tile has under its place among the call's arrays, outputs first.
template <class T, int index_>
struct Cursor {
  using Element = std::remove_const_t<T>;
  static constexpr int index = index_;

  T* data;
};

/// The same of an input that may have a stride of 0, so that one element stands for all of a tile's.
/// \tparam always  whether it is known to, but for outputs of single extents
template <class T, int index_, bool always>
struct Broadcast : Cursor<T, index_> {};

/// An element's index along a dimension: an input without memory, which has a stride of 1 there and 0 elsewhere.
template <int index_>
struct IndexCursor {
  using Element = std::int64_t;
  static constexpr int index = index_;
};

/// An input that repeats beside contiguous arrays, on a device. With `by_tile` each tile has as many elements as it has
/// places, and after `period` tiles the input begins anew. Else `period` neighbouring tiles have one element, and after
/// `cycle` elements the input begins anew.
struct Cycles {
  ShortDivisor period, cycle;
  bool by_tile;  ///< whether a tile has elements of its own, at an address that is aligned for them

  /// The element of a tile, counted from 0.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t element_of(std::int32_t tile) const {
    const std::int32_t periods = period.quotient(tile);
    return periods - cycle.quotient(periods) * cycle.divisor();
  }

  /// A tile's place in its period.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t place_of(std::int32_t tile) const {
    return tile - period.quotient(tile) * period.divisor();
  }
};

/// The same of an array.
template <class T>
struct Cyclic {
  using Element = T;

  const T* data;
  Cycles cycles;

  KOKKOS_FORCEINLINE_FUNCTION compute_type<T> load_element(std::int64_t place) const {
    return static_cast<compute_type<T>>(data[place]);
  }
  template <int width>
  KOKKOS_FORCEINLINE_FUNCTION auto load(std::int64_t tile) const {
    return detail::converted<compute_type<T>>(detail::load_aligned<width>(data + tile * width));
  }
};

/// The same of an index.
struct CyclicIndex {
  using Element = std::int64_t;

  Cycles cycles;

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t load_element(std::int64_t place) const { return place; }
  template <int width>
  KOKKOS_FORCEINLINE_FUNCTION auto load(std::int64_t tile) const {
    Pack<std::int64_t, width> indices;
    for (int i = 0; i < width; ++i) indices[i] = tile * width + i;
    return indices;
  }
};

/// An element, or a tile's, of type T in memory, that stands for those of other tiles too.
template <class T, class Value>
struct Loaded {
  using Element = T;

  Value element;
};

/// An input of 16-bit numbers, each of which stands for the float whose index are its bits. On a host.
template <class T, int index_>
struct LookedUp {
  using Element = float;
  static constexpr int index = index_;

  const T* data;
  const float* floats;
};

/// The same value for every element.
template <class T>
struct Number {
  using Element = T;

  T value;
};

template <class X>
using element_of = typename X::Element;

/// The place of a call's input of index k among arrays, outputs first, which some inputs are.
template <int outputs, std::size_t k, std::size_t count>
constexpr int place_among(const bool (&is_one)[count]) {
  int place = outputs;
  for (std::size_t i = 0; i != k; ++i) place += is_one[i];
  return place;
}

/// Whether an operand has a stride for each dimension.
template <class X>
inline constexpr bool is_placed = requires { X::index; };

/// Whether it has memory too.
template <class X>
inline constexpr bool is_array = is_placed<X> && requires(const X& x) { x.data; };

template <class X>
inline constexpr bool is_broadcast = false;
template <class T, int index, bool always>
inline constexpr bool is_broadcast<Broadcast<T, index, always>> = true;

template <class X>
inline constexpr bool is_index = false;
template <int index>
inline constexpr bool is_index<IndexCursor<index>> = true;

/// Whether an input is known to repeat.
template <class X>
inline constexpr bool is_repeated = is_index<X>;
template <class T, int index>
inline constexpr bool is_repeated<Broadcast<T, index, true>> = true;

template <class X>
inline constexpr bool is_cyclic = requires(const X& x) { x.cycles; };

template <class X>
inline constexpr bool is_number = requires(const X& x) { x.value; };

/// The type in which an op receives the elements of X beside those of All, of which the arrays decide.
template <class X, class... All>
using argument_of =
    argument_type<typename CommonComputeType<std::conditional_t<is_number<All>, void, element_of<All>>...>::type,
                  element_of<X>>;

}  // namespace kachel::detail
