// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tuple: values of several types that a kernel may hold; std::get is not for device code.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <utility>

namespace kachel::detail {

template <std::size_t index, class T>
struct TupleElement {
  T value;
};

template <class Indices, class... T>
struct TupleElements;
template <std::size_t... index, class... T>
struct TupleElements<std::index_sequence<index...>, T...> : TupleElement<index, T>... {};

/// An aggregate: Tuple<int, float>{{{1}, {2.0f}}}.
template <class... T>
struct Tuple : TupleElements<std::index_sequence_for<T...>, T...> {};

template <class... T>
KOKKOS_FORCEINLINE_FUNCTION Tuple<T...> tuple_of(const T&... values) {
  return {{{values}...}};
}

template <std::size_t index, class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T& get(TupleElement<index, T>& element) {
  return element.value;
}
template <std::size_t index, class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr const T& get(const TupleElement<index, T>& element) {
  return element.value;
}

}  // namespace kachel::detail
