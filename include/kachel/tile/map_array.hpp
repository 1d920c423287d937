// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// map_array: an element-wise functor over short arrays on a host, in loops that compilers vectorise.
#pragma once

#include <kachel/tile/evaluate.hpp>

namespace kachel {

/// The elements at `from`, for arithmetic that does not ask for their order.
template <int count, class T>
KOKKOS_FORCEINLINE_FUNCTION Pack<compute_type<T>, count> load_unordered(const T* from) {
  Pack<compute_type<T>, count> values;
  convert_unordered<count>(from, values.values);
  return values;
}

/// y[i] = evaluate(f, x[i]...) for so few elements that they stay in registers; y may be x.
template <int count, class F, class T, class... X>
KOKKOS_FORCEINLINE_FUNCTION void map_chunk(const F& f, T* y, const X*... x) {
  const auto values = kachel::evaluate_unrounded<T>(f, load_unordered<count>(x)...);
  convert_unordered<count>(values.values, y);
}

/// y[i] = evaluate(f, x[i]...) for i < count; y may be x.
template <int count, class F, class T, class... X>
inline void map_array(const F& given, T* y, const X*... x) {
  constexpr int chunk = 64 / static_cast<int>(sizeof(compute_type<T>));
  static_assert(count % chunk == 0);
  const F f(given);  // whose members no store can change
  for (int begin = 0; begin < count; begin += chunk) kachel::map_chunk<chunk>(f, y + begin, (x + begin)...);
}

}  // namespace kachel
