// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The body of kachel::map: an op of each element. A body is called with a tile, and names the arrays that it reads.
#pragma once

#include <kachel/detail/tile/tiles.hpp>

namespace kachel::detail {

template <class F, class Y, class X>
KOKKOS_FORCEINLINE_FUNCTION auto map_of(const F& f, const Y& y, const X& x);

/// y[i] = f(x[i]...), for each y where there are several; a y may be an x. Y and X are Tuples of cursors.
template <class F, class Y, class X>
struct Map;
template <class F, class... Y, class... X>
struct Map<F, Tuple<Y...>, Tuple<X...>> {
  static constexpr int outputs = sizeof...(Y), inputs = (0 + ... + is_array<X>),
                       arrays = outputs + (0 + ... + is_placed<X>);
  static constexpr int cyclic_inputs = (0 + ... + is_cyclic<X>);
  /// Whether all that is cyclic has elements of `bytes` bytes in memory.
  template <std::size_t bytes>
  static constexpr bool has_cyclic_arrays =
      ((!is_cyclic<X> || (sizeof(element_of<X>) == bytes && requires(const X& x) { x.data; })) && ...);
  /// Whether a row of an input may be one element, or indices.
  static constexpr bool has_broadcast = ((is_broadcast<X> || is_index<X>) || ...);
  static constexpr int input_bytes = (0 + ... + (is_array<X> ? static_cast<int>(sizeof(element_of<X>)) : 0));

  F f;
  Tuple<Y...> y;
  Tuple<X...> x;

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile) const {
    run(tile, std::index_sequence_for<Y...>(), std::index_sequence_for<X...>());
  }

  /// Runs visit(cursor) for each input that is an array.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_input(const Visit& visit) const {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      (visit_if_array(visit, get<k>(x)), ...);
    }(std::index_sequence_for<X...>());
  }

  /// The same for each that is cyclic.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_cyclic(const Visit& visit) const {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      (visit_if_cyclic(visit, get<k>(x)), ...);
    }(std::index_sequence_for<X...>());
  }

  /// The same op of other inputs: as.template operator()<place>(input) for each, `place` being the next among arrays if
  /// the input is cyclic.
  template <class As>
  KOKKOS_FORCEINLINE_FUNCTION auto with_arrays(const As& as) const {
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
      return map_of(f, y, tuple_of(as.template operator()<next_place<k>>(get<k>(x))...));
    }(std::index_sequence_for<X...>());
  }

  /// The same: as(input) for each.
  template <class As>
  KOKKOS_FORCEINLINE_FUNCTION auto with_inputs(const As& as) const {
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
      return map_of(f, y, tuple_of(as(get<k>(x))...));
    }(std::index_sequence_for<X...>());
  }

  /// Runs visit(cursor) for each array, outputs first. On a host.
  template <class Visit>
  void for_each_array(const Visit& visit) {
    [&]<std::size_t... j, std::size_t... k>(std::index_sequence<j...>, std::index_sequence<k...>) {
      (visit(get<j>(y)), ...);
      const auto visit_array = [&]<class Input>(Input& input) {
        if constexpr (is_array<Input>) visit(input);
      };
      (visit_array(get<k>(x)), ...);
    }(std::index_sequence_for<Y...>(), std::index_sequence_for<X...>());
  }

 private:
  template <std::size_t k>
  static constexpr int next_place = [] {
    constexpr bool cyclic[] = {is_cyclic<X>...};
    return place_among<outputs + inputs, k>(cyclic);
  }();

  template <class Tile, std::size_t... j, std::size_t... k>
  KOKKOS_FORCEINLINE_FUNCTION void run(const Tile& tile, std::index_sequence<j...>, std::index_sequence<k...>) const {
    if constexpr (outputs == 1) {
      tile.store(get<0>(y), detail::compute<element_of<Y>...>(
                                f, detail::converted<argument_of<X, X...>>(detail::load(tile, get<k>(x)))...));
    } else {
      const auto results = detail::compute_each<element_of<Y>...>(
          std::index_sequence<j...>(), f, detail::converted<argument_of<X, X...>>(detail::load(tile, get<k>(x)))...);
      (tile.store(get<j>(y), get<j>(results)), ...);
    }
  }

  template <class Visit, class Input>
  KOKKOS_FORCEINLINE_FUNCTION static void visit_if_array(const Visit& visit, const Input& input) {
    if constexpr (is_array<Input>) visit(input);
  }
  template <class Visit, class Input>
  KOKKOS_FORCEINLINE_FUNCTION static void visit_if_cyclic(const Visit& visit, const Input& input) {
    if constexpr (is_cyclic<Input>) visit(input);
  }
};

template <class F, class Y, class X>
KOKKOS_FORCEINLINE_FUNCTION auto map_of(const F& f, const Y& y, const X& x) {
  return Map<F, Y, X>{f, y, x};
}

}  // namespace kachel::detail
