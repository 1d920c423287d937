// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a kernel knows of its operands. Where a tile lies in each, and by which accesses it is moved, tiles know.
#pragma once

#include <kachel/detail/divisor.hpp>
#include <kachel/detail/evaluate.hpp>

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

/// An input that repeats beside contiguous arrays, on a device. `run` neighbouring tiles have one element of it, or
/// with `by_tile` each tile has as many elements as it has places. After `cycle` elements, or tiles' worth of them, the
/// input begins anew.
struct Cycles {
  Divisor run, cycle;
  bool by_tile;  ///< whether a tile has elements of its own, at an address that is aligned for them

  /// The element of a tile, or the tile's worth of them, counted from 0.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t place_of(std::int64_t tile) const {
    const std::int64_t of_run = run.quotient(tile);
    return of_run - cycle.quotient(of_run) * cycle.divisor();
  }
};

/// The same of an array.
template <class T>
struct Cyclic {
  using Element = T;

  const T* data;
  Cycles cycles;
};

/// The same of an index.
struct CyclicIndex {
  using Element = std::int64_t;

  Cycles cycles;
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

/// Whether an operand has a stride for each dimension.
template <class X>
inline constexpr bool is_placed = requires { X::index; };

/// Whether it has memory too.
template <class X>
inline constexpr bool is_array = is_placed<X> && requires(const X& x) { x.data; };

/// Whether an input is known to repeat.
template <class X>
inline constexpr bool is_repeated = false;
template <class T, int index>
inline constexpr bool is_repeated<Broadcast<T, index, true>> = true;
template <int index>
inline constexpr bool is_repeated<IndexCursor<index>> = true;

template <class X>
inline constexpr bool is_number = requires(const X& x) { x.value; };

/// The type in which an op receives the elements of X beside those of All, of which the arrays decide.
template <class X, class... All>
using argument_of =
    argument_type<typename CommonComputeType<std::conditional_t<is_number<All>, void, element_of<All>>...>::type,
                  element_of<X>>;

}  // namespace kachel::detail
