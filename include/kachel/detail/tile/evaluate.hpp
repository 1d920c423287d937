// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// evaluate: an element-wise functor's result in the type that it is stored in.
#pragma once

#include <kachel/detail/tuple.hpp>
#include <kachel/detail/types/convert.hpp>
#include <kachel/detail/types/storage.hpp>
#include <kachel/pack.hpp>

#include <algorithm>

namespace kachel {

/// The type that elements of type T are computed in: float for the 16-bit types, T itself otherwise.
template <class T>
using compute_type = std::conditional_t<is_float16<T>, float, T>;

/// Whether T is a floating-point type, of 16 bits or more.
template <class T>
inline constexpr bool is_floating = std::is_same_v<T, float> || std::is_same_v<T, double> || is_float16<T>;

/// Whether arrays may have elements of type T.
template <class T>
inline constexpr bool is_element = is_floating<T> || (std::is_integral_v<T> && sizeof(T) <= 8);

/// The type in which a functor receives values of floating-point types T...: the widest of their compute types.
template <class... T>
struct CommonComputeType {
  using type = void;
};
template <class T, class... Rest>
struct CommonComputeType<T, Rest...> {
  using OfRest = typename CommonComputeType<Rest...>::type;
  using type = std::conditional_t<!is_floating<T>, OfRest,
                                  std::conditional_t<std::is_same_v<OfRest, double>, double, compute_type<T>>>;
};

/// The type in which a functor receives a value of type T beside others whose common compute type is Common. Integers
/// come as they are.
template <class Common, class T>
using argument_type = std::conditional_t<is_floating<T> && !std::is_void_v<Common>, Common, compute_type<T>>;

/// Whether F has a member `wide`, which does in double what float32 is too narrow for: to give the correctly rounded
/// 16-bit result also where the float32 result lies half way between two of them.
template <class F, class... Args>
concept HasWide = requires(const F& f, const Args&... args) { f.wide(static_cast<double>(args)...); };

/// Whether F has a member `narrow`, the same in fewer instructions, exact enough for 16-bit results.
template <class F, class... Args>
concept HasNarrow = (std::is_same_v<Args, float> && ...) && requires(const F& f, Args... args) { f.narrow(args...); };

/// f for a result of type T, by `narrow` where that will do.
template <class T, class F, class... Args>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto call_for(const F& f, Args... args) {
  if constexpr (is_float16<T> && HasNarrow<F, Args...>)
    return f.narrow(args...);
  else
    return f(args...);
}

/// Whether results of type T need that.
template <class T, class F, class... Args>
inline constexpr bool needs_wide = is_float16<T> && HasWide<F, Args...> && (std::is_same_v<Args, float> && ...);

/// How near to a number half way a float32 result of F must be for `wide` to decide, in units of its last place: the
/// error that F's contract names, or of one rounding where it has none, and half a unit more.
template <class F>
inline constexpr int wide_ulps = 1;
template <class F>
  requires requires { F::contract.ulp; }
inline constexpr int wide_ulps<F> = [] {
  double ulp = F::contract.ulp;
  if constexpr (requires { F::contract.other_ulp; }) ulp = std::max<double>(ulp, F::contract.other_ulp);
  return static_cast<int>(ulp + 1.499);
}();

/// A functor's result as a value of T's compute type, so that rounding that to T is as good as rounding the result.
template <class T, class Result>
KOKKOS_FORCEINLINE_FUNCTION constexpr compute_type<T> to_compute_type(Result result) {
  if constexpr (std::is_same_v<Result, compute_type<T>>)
    return result;
  else if constexpr (is_float16<storage_type<Result>>)
    return kachel::to_compute_type<T>(static_cast<float>(result));
  else if constexpr (is_float16<T> && std::is_arithmetic_v<Result>)
    return round_to_odd(result);
  else if constexpr (std::is_arithmetic_v<Result>)
    return convert_to<compute_type<T>>(result);
  else
    return static_cast<compute_type<T>>(result);
}

/// f at values of the compute type, rounded once to T.
template <class T, class F, class... Args>
  requires(std::is_arithmetic_v<Args> && ...)
KOKKOS_FORCEINLINE_FUNCTION constexpr T evaluate(const F& f, Args... args) {
  const auto value = kachel::to_compute_type<T>(kachel::call_for<T>(f, args...));
  if constexpr (needs_wide<T, F, Args...>)
    if (T::may_be_halfway(value, wide_ulps<F>)) return static_cast<T>(f.wide(static_cast<double>(args)...));
  return static_cast<T>(value);
}

/// f with its result in T's compute type.
template <class T, class F>
struct InComputeType {
  const F& f;

  template <class... Args>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto operator()(Args... args) const {
    return kachel::to_compute_type<T>(kachel::call_for<T>(f, args...));
  }
};

/// Whether T::may_be_halfway holds for any of the values.
template <class T, int ulps, int width>
KOKKOS_FORCEINLINE_FUNCTION bool any_may_be_halfway(const Pack<float, width>& values) {
#if defined(__AVX2__)
  if constexpr (width % halfway_lanes == 0) {
    KOKKOS_IF_ON_HOST((return any_may_be_halfway_on_host<T, width>(values.values, ulps);))
  }
#endif
  bool any = false;
  for (int i = 0; i < width; ++i) any |= T::may_be_halfway(values[i], ulps);
  return any;
}

/// f's result in double, as a float rounded to odd. A function of its own: it is long, and rarely called.
template <class F, class... Args>
#if defined(__GNUC__)
[[gnu::noinline]]
#endif
KOKKOS_FUNCTION float wide_result(const F& f, Args... args) {
  return round_to_odd(f.wide(static_cast<double>(args)...));
}

/// f at packs, each result rounded once to T.
template <class T, class F, class... Args, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> evaluate(const F& f, const Pack<Args, width>&... args) {
  auto values = kachel::apply(InComputeType<T, F>{f}, args...);
  if constexpr (needs_wide<T, F, Args...>) {
    if (kachel::any_may_be_halfway<T, wide_ulps<F>>(values))
      for (int i = 0; i < width; ++i)
        if (T::may_be_halfway(values[i], wide_ulps<F>)) values[i] = kachel::wide_result(f, args[i]...);
  }
  Pack<T, width> results;
  convert<width>(values.values, results.values);
  return results;
}

template <class... T, std::size_t... k, class F, class... Args, int width>
KOKKOS_FORCEINLINE_FUNCTION auto evaluate_each_of(std::index_sequence<k...>, const F& f,
                                                  const Pack<Args, width>&... args) {
  Tuple<Pack<compute_type<T>, width>...> values;
  for (int i = 0; i < width; ++i) {
    const auto results = f(args[i]...);
    ((get<k>(values)[i] = kachel::to_compute_type<T>(results[k])), ...);
  }
  Tuple<Pack<T, width>...> rounded;
  (convert<width>(get<k>(values).values, get<k>(rounded).values), ...);
  return rounded;
}

/// f at packs, where it returns several results, by index: each rounded once to its T.
template <class... T, class F, class... Args, int width>
KOKKOS_FORCEINLINE_FUNCTION auto evaluate_each(const F& f, const Pack<Args, width>&... args) {
  return kachel::evaluate_each_of<T...>(std::index_sequence_for<T...>{}, f, args...);
}

}  // namespace kachel
