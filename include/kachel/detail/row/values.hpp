// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The values that a row function computes with: one an element of its row. They are plain data with a member
/// at(place), which gives those of a place by index, and are computed when they are reduced, kept or stored.
#pragma once

#include <kachel/pack.hpp>

#include <type_traits>

namespace kachel::detail {

/// f of each of other values.
template <class F, class V>
struct Applied {
  static constexpr int width = V::width;

  F f;
  V values;

  template <class Place>
  KOKKOS_FORCEINLINE_FUNCTION auto at(const Place& place) const {
    const auto& own = values.at(place);
    if constexpr (std::is_invocable_v<F, decltype(own)>) {  // each element is of another row
      return f(own);
    } else {
      Pack<decltype(f(own[0])), V::width> results;
      kachel::for_each_place<V::width, float>([&](int i) { results[i] = f(own[i]); });
      return results;
    }
  }
};

/// f(v) for each v of values.
template <class F, class V>
KOKKOS_FORCEINLINE_FUNCTION Applied<F, V> each(const F& f, const V& values) {
  return {f, values};
}

/// Sums that are added as they come, in the order in which a tree adds neighbours: fewer than 2^32 of them.
/// \tparam V  float, or a pack of those of different rows
template <class V = float>
struct SumTree {
  V sums[32];          ///< of 2^level neighbours, where a bit of `count` is set
  unsigned count = 0;  ///< that have come

  KOKKOS_FORCEINLINE_FUNCTION void add(V sum) {
    int level = 0;
    for (; (count >> level & 1u) != 0; ++level) sum = sums[level] + sum;
    sums[level] = sum;
    ++count;
  }

  /// Of all, as if -0 came until their number is a power of two.
  KOKKOS_FORCEINLINE_FUNCTION V sum() const {
    V sum(-0.0f);
    for (int level = 0; level < 32 && count >> level != 0; ++level)
      if ((count >> level & 1u) != 0) sum = sums[level] + sum;
    return sum;
  }
};

}  // namespace kachel::detail
