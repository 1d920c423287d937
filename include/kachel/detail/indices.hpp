// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A tile's indices as an op receives them: each is computed where the op takes it. A Pack of them is kept in memory by
/// GCC 12: from it `broadcast/ramp` takes 1.2 to 6 times as long in the cache (an EPYC, Zen 4).
#pragma once

#include <kachel/detail/evaluate.hpp>

#include <cstdint>

namespace kachel::detail {

/// `count` indices from `first` on, `stride` apart; beyond them the last, so that an op sees none that is not there.
template <int width_>
struct Indices {
  static constexpr int width = width_;

  std::int64_t first, stride;
  int count;

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t operator[](int i) const {
    return first + Kokkos::min(i, count - 1) * stride;
  }
};

template <class>
inline constexpr int width_of_indices = 0;
template <int width>
inline constexpr int width_of_indices<Indices<width>> = width;

/// An integer comes as it is.
template <class, int width>
KOKKOS_FORCEINLINE_FUNCTION Indices<width> converted(const Indices<width>& indices) {
  return indices;
}

/// f at elements of which some are indices, in T's compute type. It has neither `wide` nor `narrow` then.
template <class T, class F, class... X>
  requires((width_of_indices<X> > 0) || ...)
KOKKOS_FORCEINLINE_FUNCTION auto compute(const F& f, const X&... x) {
  constexpr int width = (0 | ... | width_of_indices<X>);
  Pack<compute_type<T>, width> values;
  kachel::for_each_place<width, compute_type<T>, std::remove_cvref_t<decltype(x[0])>...>(
      [&](int i) KACHEL_INLINE_LAMBDA { values[i] = InComputeType<T, F>{f}(x[i]...); });
  return values;
}

/// The same where f returns several results, by index.
template <class... T, std::size_t... k, class F, class... X>
  requires((width_of_indices<X> > 0) || ...)
KOKKOS_FORCEINLINE_FUNCTION auto compute_each(std::index_sequence<k...>, const F& f, const X&... x) {
  constexpr int width = (0 | ... | width_of_indices<X>);
  Tuple<Pack<compute_type<T>, width>...> values;
  for (int i = 0; i < width; ++i) {
    const auto results = f(x[i]...);
    ((get<k>(values)[i] = detail::to_compute_type<T>(results[k])), ...);
  }
  return values;
}

}  // namespace kachel::detail
