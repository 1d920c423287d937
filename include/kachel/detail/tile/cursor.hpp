// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a tile loads from and stores to.
#pragma once

#include <kachel/detail/divisor.hpp>
#include <kachel/detail/tile/evaluate.hpp>

#include <cstdint>

namespace kachel {

/// A span of consecutive elements.
template <class T>
struct Dense {
  T* data;
};

/// A row of elements `stride` apart.
template <class T>
struct Strided {
  T* data;
  std::int64_t stride;
};

/// A row of consecutive elements, or of one that stands for all: `stride` is 1 or 0, on a host any other too.
template <class T>
struct Broadcast {
  T* data;
  std::int64_t stride;
};

/// Rows of `length` elements, `stride` apart, one after the other; row r begins at data[offsets[r]].
template <class T>
struct Rows {
  T* data;
  const std::int64_t* offsets;
  std::int64_t stride;
  int length;
};

/// The elements of one whole tile, aligned as its widest access asks.
template <class T>
struct OneTile {
  T* data;
};

/// An array of which each element stands for those of `run` tiles in a row, or of which tiles' worth of elements do;
/// after `cycle` of them it begins anew. On a device.
template <class T>
struct Cyclic {
  T* data;
  Divisor run, cycle;
  bool by_tile;  ///< whether a tile has elements of its own, at an address that is aligned for them
};

/// An element of an array of T, in the compute type, that stands for all.
template <class T>
struct Repeated {
  compute_type<T> value;
};

/// An array of 16-bit numbers, each of which stands for the float whose index are its bits. On a host.
template <class T>
struct LookedUp {
  T* data;
  const float* floats;
};

/// The same value for every element.
template <class T>
struct Scalar {
  T value;
};

template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool has_stride_1(const Strided<T>& operand) {
  return operand.stride == 1;
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool has_stride_1(const Broadcast<T>& operand) {
  return operand.stride == 1 || operand.stride == 0;
}
template <class Operand>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool has_stride_1(const Operand&) {
  return true;
}

/// An operand that has stride 1, as one that is known to.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr Dense<T> as_dense(const Strided<T>& operand) {
  return {operand.data};
}
template <class Operand>
KOKKOS_FORCEINLINE_FUNCTION constexpr Operand as_dense(const Operand& operand) {
  return operand;
}

/// The element type of an operand.
template <class Operand>
struct ElementOf;
template <class T>
struct ElementOf<Dense<T>> {
  using type = std::remove_const_t<T>;
};
template <class T>
struct ElementOf<Strided<T>> {
  using type = std::remove_const_t<T>;
};
template <class T>
struct ElementOf<Broadcast<T>> {
  using type = std::remove_const_t<T>;
};
template <class T>
struct ElementOf<Rows<T>> {
  using type = std::remove_const_t<T>;
};
template <class T>
struct ElementOf<OneTile<T>> {
  using type = std::remove_const_t<T>;
};
template <class T>
struct ElementOf<Cyclic<T>> {
  using type = std::remove_const_t<T>;
};
template <class T>
struct ElementOf<Repeated<T>> {
  using type = T;
};
template <class T>
struct ElementOf<LookedUp<T>> {
  using type = float;
};
template <class T>
struct ElementOf<Scalar<T>> {
  using type = T;
};
template <class Operand>
using element_of = typename ElementOf<Operand>::type;

template <class Operand>
inline constexpr bool is_dense = false;
template <class T>
inline constexpr bool is_dense<Dense<T>> = true;

template <class Operand>
inline constexpr bool is_broadcast = false;
template <class T>
inline constexpr bool is_broadcast<Broadcast<T>> = true;

/// Whether an operand is the same wherever a tile's elements lie in others.
template <class Operand>
inline constexpr bool is_scalar = false;
template <class T>
inline constexpr bool is_scalar<Scalar<T>> = true;

/// Whether an operand has no element for each of the output's.
template <class Operand>
inline constexpr bool is_repeated = is_scalar<Operand>;
template <class T>
inline constexpr bool is_repeated<Cyclic<T>> = true;

}  // namespace kachel
