// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// map_array: an element-wise functor over short arrays on a host, in loops that compilers vectorise.
#pragma once

#include <kachel/detail/tile/cursor.hpp>
#include <kachel/detail/tile/gather.hpp>

#include <algorithm>

namespace kachel {

/// `count` values of an operand from its element `begin` on; with `unordered`, in any order that is the same for all
/// operands of the type.
template <int count, bool unordered, class U>
KOKKOS_FORCEINLINE_FUNCTION auto load_chunk(const Dense<U>& x, std::int64_t begin) {
  Pack<compute_type<std::remove_const_t<U>>, count> values;
  if constexpr (unordered)
    convert_unordered<count>(x.data + begin, values.values);
  else
    convert<count>(x.data + begin, values.values);
  return values;
}
template <int count, bool, class U>
KOKKOS_FORCEINLINE_FUNCTION auto load_chunk(const LookedUp<U>& x, std::int64_t begin) {
  Pack<float, count> values;
  KOKKOS_IF_ON_HOST((gather<count>(x.floats, x.data + begin, values.values);))
  return values;
}
template <int count, bool unordered, class U>
KOKKOS_FORCEINLINE_FUNCTION auto load_chunk(const Repeated<U>& x, std::int64_t) {
  return Pack<compute_type<U>, count>(x.value);
}
template <int count, bool unordered, class U>
KOKKOS_FORCEINLINE_FUNCTION Pack<U, count> load_chunk(const Scalar<U>& x, std::int64_t) {
  return Pack<U, count>(x.value);
}

/// The same of fewer values; the others repeat the last, so that a functor sees none that its operand does not have.
template <int count, class U>
KOKKOS_FORCEINLINE_FUNCTION auto load_rest(const Dense<U>& x, std::int64_t begin, int rest) {
  Pack<compute_type<std::remove_const_t<U>>, count> values;
  for (int i = 0; i < count; ++i)
    values[i] = static_cast<compute_type<std::remove_const_t<U>>>(x.data[begin + (i < rest ? i : rest - 1)]);
  return values;
}
template <int count, class U>
KOKKOS_FORCEINLINE_FUNCTION auto load_rest(const LookedUp<U>& x, std::int64_t begin, int rest) {
  Pack<float, count> values;
  for (int i = 0; i < count; ++i) values[i] = x.floats[x.data[begin + (i < rest ? i : rest - 1)].bits()];
  return values;
}
template <int count, class Value>
  requires requires(const Value& x) { x.value; }
KOKKOS_FORCEINLINE_FUNCTION auto load_rest(const Value& x, std::int64_t begin, int) {
  return kachel::load_chunk<count, false>(x, begin);
}

/// values in the type in which a functor receives them.
template <class Argument, class V, int count>
KOKKOS_FORCEINLINE_FUNCTION Pack<Argument, count> to_argument(const Pack<V, count>& values) {
  if constexpr (std::is_same_v<Argument, V>) {
    return values;
  } else {
    Pack<Argument, count> converted;
    convert<count>(values.values, converted.values);
    return converted;
  }
}

/// The type in which a functor receives the elements of X beside those of All, of which the arrays decide.
template <class X, class... All>
using argument_of =
    argument_type<typename CommonComputeType<std::conditional_t<is_scalar<All>, void, element_of<All>>...>::type,
                  element_of<X>>;

#if defined(__AVX512F__) && defined(__GNUC__)
/// Has 64 bytes in a register at once. In place, since GCC copies a Pack in halves, for which its next load would wait.
[[gnu::always_inline]] inline void keep_in_register(void* bytes) {
  __m512 in_register;
  std::memcpy(&in_register, bytes, sizeof(in_register));
  asm("" : "+v"(in_register));
  std::memcpy(bytes, &in_register, sizeof(in_register));
}
#endif

/// A chunk of an operand, in the type in which a functor receives it; with `whole`, all of it is loaded: where a select
/// keeps only some values, compilers load just those with AVX-512, by a mask that waits for what another operand's load
/// brings. Values that are converted are loaded whole anyway.
template <class Argument, int count, bool unordered, bool whole, class X>
KOKKOS_FORCEINLINE_FUNCTION auto load_argument(const X& x, std::int64_t begin) {
  auto values = kachel::to_argument<Argument>(kachel::load_chunk<count, unordered>(x, begin));
#if defined(__AVX512F__) && defined(__GNUC__)
  if constexpr (whole && is_dense<X> && !is_float16<element_of<X>> && sizeof(values) == 64) {
    KOKKOS_IF_ON_HOST((kachel::keep_in_register(values.values);))
  }
#endif
  return values;
}

/// y[i] = evaluate(f, x[begin + i]...) where some may need `wide`; y may be x. A function of its own, so that the
/// values of its caller, which rarely calls it, stay in registers.
template <int count, class F, class T, class... X>
#if defined(__GNUC__)
[[gnu::noinline]]
#endif
void map_wide_chunk(const F& f, T* y, std::int64_t begin, const X&... x) {
  const Pack<T, count> results =
      kachel::evaluate<T>(f, to_argument<argument_of<X, X...>>(load_chunk<count, false>(x, begin))...);
  convert<count>(results.values, y);
}

/// y[i] = evaluate(f, x[begin + i]...) for so few elements that they stay in registers; y may be x.
template <int count, class F, class T, class... X>
KOKKOS_FORCEINLINE_FUNCTION void map_chunk(const F& f, T* y, std::int64_t begin, const X&... x) {
  constexpr bool unordered = ((is_scalar<X> || std::is_same_v<element_of<X>, T>) && ...);
  constexpr bool whole = (0 + ... + is_dense<X>) > 1;
  const auto values =
      kachel::apply(InComputeType<T, F>{f}, load_argument<argument_of<X, X...>, count, unordered, whole>(x, begin)...);
  if constexpr (needs_wide<T, F, argument_of<X, X...>...>)
    if (kachel::any_may_be_halfway<T, wide_ulps<F>>(values)) [[unlikely]]
      return kachel::map_wide_chunk<count>(f, y, begin, x...);
  if constexpr (unordered)
    convert_unordered<count>(values.values, y);
  else
    convert<count>(values.values, y);
}

/// y[i] = evaluate(f, x[begin + i]...) for i < count; y may be x.
template <class F, class T, class... X>
KOKKOS_FORCEINLINE_FUNCTION void map_array(const F& f, T* y, std::int64_t begin, int count, const X&... x) {
  constexpr int widest = std::max({sizeof(compute_type<T>), sizeof(argument_of<X, X...>)...});
  constexpr int chunk = 64 / widest;
  int done = 0;
  for (; done + chunk <= count; done += chunk) kachel::map_chunk<chunk>(f, y + done, begin + done, x...);
  const int rest = count - done;
  if (rest == 0) return;
  const auto values =
      kachel::evaluate<T>(f, to_argument<argument_of<X, X...>>(load_rest<chunk>(x, begin + done, rest))...);
  for (int i = 0; i < chunk; ++i)
    if (i < rest) y[done + i] = values[i];
}

}  // namespace kachel
