// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pack: the values that one work item holds. It behaves as a number does, each operation applying to every element;
/// a scalar beside a pack is converted to the pack's element type first.
#pragma once

#include <kachel/math/fma.hpp>
#include <kachel/math/select.hpp>
#include <kachel/types/float16.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \def KACHEL_INLINE_LAMBDA
/// Stands after the parameters of a long lambda that apply is given: `[](auto v) KACHEL_INLINE_LAMBDA { ... }`. A
/// source that has such a lambda several times would call it, and leave a user's loop over numbers scalar.
#define KACHEL_INLINE_LAMBDA __attribute__((always_inline))

/// \cond
// On hosts, GCC vectorises a short loop only if it does not unroll it first, Clang only if it does. Where a loop is
// over several registers, GCC takes them through memory from one loop to the next: it gets a loop over one inside one
// over all, which it unrolls. nvcc's front end warns of GCC's pragma and passes it on.
#if defined(__CUDA_ARCH__)
#define KACHEL_SHORT_LOOP
#define KACHEL_UNROLLED_LOOP
#elif defined(__clang__)
#define KACHEL_SHORT_LOOP _Pragma("clang loop unroll(full)")
#define KACHEL_UNROLLED_LOOP KACHEL_SHORT_LOOP
#elif defined(__NVCC__)
#define KACHEL_SHORT_LOOP \
  _Pragma("nv_diagnostic push") _Pragma("nv_diag_suppress 1675") _Pragma("GCC unroll 1") _Pragma("nv_diagnostic pop")
#define KACHEL_UNROLLED_LOOP \
  _Pragma("nv_diagnostic push") _Pragma("nv_diag_suppress 1675") _Pragma("GCC unroll 64") _Pragma("nv_diagnostic pop")
#else
#define KACHEL_SHORT_LOOP _Pragma("GCC unroll 1")
#define KACHEL_UNROLLED_LOOP _Pragma("GCC unroll 64")
#endif

namespace kachel {

/// The bytes of the narrowest type that a short loop has: a register, or all.
#if defined(__CUDA_ARCH__) || defined(__clang__)
inline constexpr std::size_t short_loop_bytes = SIZE_MAX;
#elif defined(__AVX512F__)
inline constexpr std::size_t short_loop_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t short_loop_bytes = 32;
#else
inline constexpr std::size_t short_loop_bytes = 16;
#endif

template <class T, int width>
  requires(width > 0 && (width & (width - 1)) == 0)
struct Pack;

template <class T>
inline constexpr bool is_pack = false;
template <class T, int width>
inline constexpr bool is_pack<Pack<T, width>> = true;
/// \endcond

/// f(i) for i < width, in loops that compilers vectorise; f may be of a host alone.
/// \tparam T  the types that f works on
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
template <int width, class... T, class F>
KOKKOS_FORCEINLINE_FUNCTION constexpr void for_each_place(const F& f) {
  constexpr std::size_t most = short_loop_bytes / std::min({sizeof(T)...});
  constexpr int step = static_cast<int>(std::min(most, std::size_t{width}));
  KACHEL_UNROLLED_LOOP
  for (int first = 0; first < width; first += step) {
    KACHEL_SHORT_LOOP
    for (int i = first; i < first + step; ++i) f(i);
  }
}

/// f applied to each element: the result's element i is f(packs[i]...).
template <class F, int width, class... T>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto apply(const F& f, const Pack<T, width>&... packs) {
  using Result = decltype(f(packs[0]...));
  Pack<Result, width> result;
  for_each_place<width, Result, T...>([&](int i) KACHEL_INLINE_LAMBDA { result[i] = f(packs[i]...); });
  return result;
}

/// f of numbers, so that what is written with apply serves them as it serves packs.
template <class F, class... T>
  requires(std::is_arithmetic_v<T> && ...)
KOKKOS_FORCEINLINE_FUNCTION constexpr auto apply(const F& f, T... numbers) {
  return f(numbers...);
}

/// `width` values of type T; width is a power of two. Aligned to its size, at most to 64 bytes.
template <class T, int width>
  requires(width > 0 && (width & (width - 1)) == 0)
struct alignas(sizeof(T) * width < 64 ? sizeof(T) * width : 64) Pack {
  T values[std::size_t{width}];  ///< the elements

  /// The elements are not set.
  Pack() = default;

  /// Every element equal to value (Triton's full). A fraction does not become an integer.
  template <class U>
    requires(std::convertible_to<U, T> && !(std::integral<T> && (std::floating_point<U> || is_float16<U>)))
  KOKKOS_FORCEINLINE_FUNCTION constexpr Pack(U value) {
    for (int i = 0; i < width; ++i) values[i] = static_cast<T>(value);
  }

  /// The elements of a pack of another type, converted.
  template <class U>
    requires(!std::same_as<U, T>)
  KOKKOS_FORCEINLINE_FUNCTION constexpr explicit Pack(const Pack<U, width>& other) {
    for (int i = 0; i < width; ++i) values[i] = static_cast<T>(other[i]);
  }

  /// How many elements there are.
  static constexpr int size() { return width; }

  /// @{
  /// Element i, of 0 to width - 1.
  KOKKOS_FORCEINLINE_FUNCTION constexpr T& operator[](int i) { return values[i]; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr const T& operator[](int i) const { return values[i]; }
  /// @}

  /// \cond
#define KACHEL_OPERATOR_OF_PACKS(Result, op, ...)                                                           \
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr auto operator op(const Pack& a, const Pack& b) __VA_ARGS__ { \
    return apply([](T x, T y) { return static_cast<Result>(x op y); }, a, b);                               \
  }
  /// \endcond

  /// @{
  /// Element by element, as the operator of T; a number beside a pack is converted to T first. %, & and | are of
  /// integers.
  KACHEL_OPERATOR_OF_PACKS(decltype(x + y), +)
  KACHEL_OPERATOR_OF_PACKS(decltype(x + y), -)
  KACHEL_OPERATOR_OF_PACKS(decltype(x + y), *)
  KACHEL_OPERATOR_OF_PACKS(decltype(x + y), /)
  KACHEL_OPERATOR_OF_PACKS(bool, ==)
  KACHEL_OPERATOR_OF_PACKS(bool, !=)
  KACHEL_OPERATOR_OF_PACKS(bool, <)
  KACHEL_OPERATOR_OF_PACKS(bool, <=)
  KACHEL_OPERATOR_OF_PACKS(bool, >)
  KACHEL_OPERATOR_OF_PACKS(bool, >=)
  KACHEL_OPERATOR_OF_PACKS(T, %, requires std::integral<T>)
  KACHEL_OPERATOR_OF_PACKS(T, &, requires std::integral<T>)
  KACHEL_OPERATOR_OF_PACKS(T, |, requires std::integral<T>)
#undef KACHEL_OPERATOR_OF_PACKS
  /// @}

  /// The negative of each element.
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr auto operator-(const Pack& a) {
    return apply([](T x) { return -x; }, a);
  }
  /// Whether each element is false, of bools.
  KOKKOS_FORCEINLINE_FUNCTION friend constexpr Pack operator!(const Pack& a)
    requires std::same_as<T, bool>
  {
    return apply([](bool x) { return !x; }, a);
  }
};

/// \cond
/// The type of the first pack among Args.
template <class... Args>
struct CommonPack {};
template <class First, class... Rest>
struct CommonPack<First, Rest...> : CommonPack<Rest...> {};
template <class T, int width, class... Rest>
struct CommonPack<Pack<T, width>, Rest...> {
  using type = Pack<T, width>;
};
/// \endcond

/// Packs of one type, or beside one, numbers that convert to its elements.
template <class... Args>
concept PackAndNumbers = (std::convertible_to<Args, typename CommonPack<Args...>::type> && ...);

/// condition ? a : b, element by element.
template <int width, class A, class B>
  requires PackAndNumbers<A, B>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto select(const Pack<bool, width>& condition, const A& a, const B& b) {
  using Values = typename CommonPack<A, B>::type;
  return apply([](bool c, auto x, auto y) { return select(c, x, y); }, condition, Values(a), Values(b));
}

/// The same of two numbers, as their common type.
template <int width, class A, class B>
  requires(std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
KOKKOS_FORCEINLINE_FUNCTION constexpr auto select(const Pack<bool, width>& condition, A a, B b) {
  return select(condition, Pack<std::common_type_t<A, B>, width>(a), b);
}

/// The smaller of a and b, a where they compare equal, element by element; NaN where either is NaN.
template <class A, class B>
  requires PackAndNumbers<A, B>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto min(const A& a, const B& b) {
  using Values = typename CommonPack<A, B>::type;
  return apply([](auto x, auto y) { return min(x, y); }, Values(a), Values(b));
}

/// The larger of a and b, a where they compare equal, element by element; NaN where either is NaN.
template <class A, class B>
  requires PackAndNumbers<A, B>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto max(const A& a, const B& b) {
  using Values = typename CommonPack<A, B>::type;
  return apply([](auto x, auto y) { return max(x, y); }, Values(a), Values(b));
}

/// x limited to [lower, upper], element by element, where lower <= upper; a NaN x passes.
template <class X, class Lower, class Upper>
  requires PackAndNumbers<X, Lower, Upper>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto clamp(const X& x, const Lower& lower, const Upper& upper) {
  using Values = typename CommonPack<X, Lower, Upper>::type;
  return apply([](auto v, auto l, auto u) { return clamp(v, l, u); }, Values(x), Values(lower), Values(upper));
}

/// a * b + c, rounded once, element by element.
template <class A, class B, class C>
  requires PackAndNumbers<A, B, C>
KOKKOS_FORCEINLINE_FUNCTION auto fma(const A& a, const B& b, const C& c) {
  using Values = typename CommonPack<A, B, C>::type;
  return apply([](auto x, auto y, auto z) { return fma(x, y, z); }, Values(a), Values(b), Values(c));
}

}  // namespace kachel

#undef KACHEL_SHORT_LOOP
#undef KACHEL_UNROLLED_LOOP
