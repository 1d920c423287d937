// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a tile loads from and stores to.
#pragma once

#include <kachel/tile/evaluate.hpp>

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

/// The same value for every element.
template <class T>
struct Scalar {
  T value;
};

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
inline constexpr bool is_scalar = false;
template <class T>
inline constexpr bool is_scalar<Scalar<T>> = true;

}  // namespace kachel
