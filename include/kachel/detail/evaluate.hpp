// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What an op gives for values of the compute type: a number that is rounded once to the type that it is stored in.
#pragma once

#include <kachel/contract.hpp>
#include <kachel/detail/tuple.hpp>
#include <kachel/detail/types/convert.hpp>
#include <kachel/pack.hpp>
#include <kachel/types/element.hpp>

#include <algorithm>
#include <utility>

namespace kachel::detail {

/// The type in which an op receives values of floating-point types T...: the widest of their compute types.
template <class... T>
struct CommonComputeType {
  using type = std::conditional_t<(std::is_same_v<T, double> || ...), double,
                                  std::conditional_t<(is_floating<T> || ...), float, void>>;
};

/// The type in which an op receives a value of type T beside others whose common compute type is Common. Integers come
/// as they are.
template <class Common, class T>
using argument_type = std::conditional_t<is_floating<T> && !std::is_void_v<Common>, Common, compute_type<T>>;

/// Whether F has a member `wide`, which does in double what float is too narrow for: to give the correctly rounded
/// 16-bit result also where the float result lies half way between two of them.
template <class F, class... Args>
concept HasWide = requires(const F& f, const Args&... args) {
  { f.wide(static_cast<double>(args)...) } -> std::same_as<double>;
};

/// Whether F has a member `narrow`, the same in fewer instructions, exact enough for 16-bit results.
template <class F, class... Args>
concept HasNarrow = (std::is_same_v<Args, float> && ...) && requires(const F& f, Args... args) {
  { f.narrow(args...) } -> std::same_as<float>;
};

/// Whether results of type T are decided by `wide` where float leaves a doubt.
template <class T, class F, class... Args>
inline constexpr bool needs_wide = is_float16<T> && HasWide<F, Args...> && (std::is_same_v<Args, float> && ...);

/// What F promises and costs: what its contract says, or that of its activation; else an error of one rounding, and
/// medium cost.
template <class F>
constexpr Contract contract_of() {
  if constexpr (requires { requires std::is_same_v<decltype(&F::contract), const Contract*>; })
    return F::contract;
  else if constexpr (requires { typename F::Activation; })
    return detail::contract_of<typename F::Activation>();
  else
    return {.formula = {}, .ulp = 0.5};
}

/// How near to a number half way a float result of F must be for `wide` to decide, in units of its last place: the
/// error that F's contract names and half a unit more.
template <class F>
inline constexpr int wide_ulps =  // a function would be one of hosts alone
    static_cast<int>(std::max(contract_of<F>().ulp, contract_of<F>().other_ulp) + 1.499);

/// A result as a value of T's compute type, so that rounding that to T is as good as rounding the result.
template <class T, class Result>
KOKKOS_FORCEINLINE_FUNCTION constexpr compute_type<T> to_compute_type(Result result) {
  if constexpr (is_float16<storage_type<Result>>)
    return detail::to_compute_type<T>(static_cast<float>(result));
  else if constexpr (is_float16<T> && std::is_arithmetic_v<Result> && !std::is_same_v<Result, float>)
    return round_to_odd(result);
  else if constexpr (std::is_arithmetic_v<Result>)
    return convert_to<compute_type<T>>(result);
  else
    return static_cast<compute_type<T>>(result);
}

/// f with its result in T's compute type, by `narrow` where that will do.
template <class T, class F>
struct InComputeType {
  const F& f;

  template <class... Args>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto operator()(Args... args) const {
    if constexpr (is_float16<T> && HasNarrow<F, Args...>)
      return detail::to_compute_type<T>(f.narrow(args...));
    else
      return detail::to_compute_type<T>(f(args...));
  }
};

/// f at values of the compute type, rounded once to T.
template <class T, class F, class... Args>
  requires(std::is_arithmetic_v<Args> && ...)
KOKKOS_FORCEINLINE_FUNCTION constexpr T evaluate(const F& f, Args... args) {
  const auto value = InComputeType<T, F>{f}(args...);
  if constexpr (needs_wide<T, F, Args...>)
    if (T::may_be_halfway(value, wide_ulps<F>)) return static_cast<T>(f.wide(static_cast<double>(args)...));
  return static_cast<T>(value);
}

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

/// The type of the elements of a pack, or of what has elements as a pack has.
template <class X>
using lane_type = std::remove_cvref_t<decltype(std::declval<const X&>()[0])>;

/// How many elements each of them has.
template <class... X>
inline constexpr int lanes_of = std::min({X::size()...});

/// f at such elements, in T's compute type.
template <class T, class F, class... X>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto compute(const F& f, const X&... x) {
  constexpr int width = lanes_of<X...>;
  Pack<compute_type<T>, width> values;
  kachel::for_each_place<width, compute_type<T>, lane_type<X>...>(
      [&](int i) KACHEL_INLINE_LAMBDA { values[i] = InComputeType<T, F>{f}(x[i]...); });
  if constexpr (needs_wide<T, F, lane_type<X>...>) {
    if (detail::any_may_be_halfway<T, wide_ulps<F>>(values)) [[unlikely]]
      for (int i = 0; i < width; ++i)
        if (T::may_be_halfway(values[i], wide_ulps<F>)) values[i] = detail::wide_result(f, x[i]...);
  }
  return values;
}

/// The same where f returns several results, by index.
template <class... T, std::size_t... k, class F, class... X>
KOKKOS_FORCEINLINE_FUNCTION auto compute_each(std::index_sequence<k...>, const F& f, const X&... x) {
  constexpr int width = lanes_of<X...>;
  Tuple<Pack<compute_type<T>, width>...> values;
  for (int i = 0; i < width; ++i) {
    const auto results = f(x[i]...);
    ((get<k>(values)[i] = detail::to_compute_type<T>(results[k])), ...);
  }
  return values;
}

/// values as another type's: each rounded once to a 16-bit type, or widened from it.
template <class To, class From, int width>
KOKKOS_FORCEINLINE_FUNCTION constexpr Pack<To, width> converted(const Pack<From, width>& values) {
  if constexpr (std::is_same_v<To, From>) {
    // By registers on a host: GCC copies the struct by 16 bytes, and a wider load would wait for these stores.
    KOKKOS_IF_ON_HOST((if (!std::is_constant_evaluated()) {
      Pack<To, width> copied;
      convert<width>(values.values, copied.values);
      return copied;
    }))
    return values;
  } else {
    Pack<To, width> results;
    convert<width>(values.values, results.values);
    return results;
  }
}

/// f at packs, each result rounded once to T.
template <class T, class F, class... Args, int width>
KOKKOS_FORCEINLINE_FUNCTION constexpr Pack<T, width> evaluate(const F& f, const Pack<Args, width>&... args) {
  return detail::converted<T>(detail::compute<T>(f, args...));
}

}  // namespace kachel::detail
