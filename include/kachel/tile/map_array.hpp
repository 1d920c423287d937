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

/// y[i] = evaluate(f, x[i]...) where some may need `wide`; y may be x. A function of its own, so that the values of its
/// caller, which rarely calls it, stay in registers.
template <int count, class F, class T, class... X>
#if defined(__GNUC__)
[[gnu::noinline]]
#endif
void map_wide_chunk(const F& f, T* y, const X*... x) {
  const auto load = [](const auto* from) {
    Pack<float, count> values;
    convert<count>(from, values.values);
    return values;
  };
  const Pack<T, count> results = kachel::evaluate<T>(f, load(x)...);
  convert<count>(results.values, y);
}

/// y[i] = evaluate(f, x[i]...) for so few elements that they stay in registers; y may be x.
template <int count, class F, class T, class... X>
KOKKOS_FORCEINLINE_FUNCTION void map_chunk(const F& f, T* y, const X*... x) {
  const auto values = kachel::apply(InComputeType<T, F>{f}, load_unordered<count>(x)...);
  if constexpr (is_float16<T> && HasWide<F, compute_type<X>...>)
    if (kachel::any_may_be_halfway<T>(values)) [[unlikely]]
      return kachel::map_wide_chunk<count>(f, y, x...);
  convert_unordered<count>(values.values, y);
}

/// y[i] = evaluate(f, x[i]...) for i < count; y may be x.
template <int count, class F, class T, class... X>
KOKKOS_FORCEINLINE_FUNCTION void map_array(const F& f, T* y, const X*... x) {
  constexpr int chunk = 64 / static_cast<int>(sizeof(compute_type<T>));
  static_assert(count % chunk == 0);
  for (int begin = 0; begin < count; begin += chunk) kachel::map_chunk<chunk>(f, y + begin, (x + begin)...);
}

}  // namespace kachel
