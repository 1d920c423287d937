// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// map_tile: an element-wise functor over a tile of its operands.
#pragma once

#include <kachel/detail/tile/map_array.hpp>
#include <kachel/tile.hpp>

namespace kachel {

/// map_array where some operands may be broadcast, with what each is: a choice within the loop would keep compilers
/// from vectorising it. The first operand is looked at and becomes the last, until all `left` are known. No lambda, of
/// which GCC would leave calls.
template <int left, class F, class U, class X, class... Others>
KOKKOS_FORCEINLINE_FUNCTION void map_broadcast_array(const F& f, U* y, std::int64_t begin, int count, const X& x,
                                                     const Others&... others) {
  if constexpr (left == 0) {
    kachel::map_array(f, y, begin, count, x, others...);
  } else if constexpr (is_broadcast<X>) {
    using Element = element_of<X>;
    if (x.stride == 0)
      kachel::map_broadcast_array<left - 1>(f, y, begin, count, others...,
                                            Repeated<Element>{static_cast<compute_type<Element>>(*x.data)});
    else
      kachel::map_broadcast_array<left - 1>(f, y, begin, count, others..., Dense<const Element>{x.data});
  } else {
    kachel::map_broadcast_array<left - 1>(f, y, begin, count, others..., x);
  }
}

/// The tile of a host, operands dense: one loop, where loading, computing and storing whole tiles would be three.
/// Inlined, so that a loop over tiles prepares the functor once.
template <class T, class Space, class F, class U, class... X>
#if defined(__GNUC__)
[[gnu::always_inline]]
#endif
inline void map_dense_tile(const Tile<T, Space>& tile, const F& f, const Dense<U>& y, const X&... x) {
  constexpr int width = Tile<T, Space>::width;
  U* const to = y.data + tile.begin();
  const std::int64_t begin = tile.begin();
  if (tile.count() != width) return kachel::map_broadcast_array<sizeof...(X)>(f, to, begin, tile.count(), x...);
  (tile.fetch_ahead(x), ...);
  if (tile.caching() != Caching::streaming) return kachel::map_broadcast_array<sizeof...(X)>(f, to, begin, width, x...);
  Pack<U, width> buffer;
  kachel::map_broadcast_array<sizeof...(X)>(f, buffer.values, begin, width, x...);
  copy_streaming<sizeof(buffer)>(to, buffer.values);
}

/// y[i] = evaluate(f, x[i]...) for the elements of a tile; y may be an x.
template <class Tile, class F, class Y, class... X>
KOKKOS_FORCEINLINE_FUNCTION void map_tile(const Tile& tile, const F& f, const Y& y, const X&... x) {
  if constexpr (Tile::on_host && is_dense<Y>) {
    KOKKOS_IF_ON_HOST((kachel::map_dense_tile(tile, f, y, x...);))
  } else {
    if constexpr (Tile::on_host && std::is_same_v<Y, Strided<element_of<Y>>>)
      if (has_stride_1(y) && (has_stride_1(x) && ...)) return kachel::map_tile(tile, f, as_dense(y), as_dense(x)...);
    tile.store(y, kachel::evaluate<element_of<Y>>(f, to_argument<argument_of<X, X...>>(tile.load_repeating(x))...));
  }
}

/// The same for a functor with several results, by index: y[k][i] = f(x[i]...)[k].
template <class Tile, class F, std::size_t... k, class... Y, class... X>
KOKKOS_FORCEINLINE_FUNCTION void map_tile_to_each(const Tile& tile, const F& f, std::index_sequence<k...>,
                                                  const Tuple<Y...>& y, const X&... x) {
  const auto results =
      kachel::evaluate_each<element_of<Y>...>(f, to_argument<argument_of<X, X...>>(tile.load_repeating(x))...);
  (tile.store(get<k>(y), get<k>(results)), ...);
}

}  // namespace kachel
