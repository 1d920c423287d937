// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Choices between values without a branch: select, min, max, clamp.
#pragma once

#include <kachel/detail/math/bit_cast.hpp>

#include <Kokkos_Macros.hpp>

#include <cstdint>
#include <type_traits>

namespace kachel {

/// condition ? a : b, for float, double and integers.
/// On hosts a select of bits: GCC leaves loops over `?:` scalar, because its two sides might trap.
template <class T>
  requires(std::is_arithmetic_v<T> && sizeof(T) <= 8)
KOKKOS_FORCEINLINE_FUNCTION constexpr T select(bool condition, T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return (condition & a) | (!condition & b);
  } else if constexpr (std::is_integral_v<T>) {
    const T mask = static_cast<T>(-static_cast<T>(condition));
    return static_cast<T>((a & mask) | (b & ~mask));
  } else {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    KOKKOS_IF_ON_HOST(
        (return detail::bit_cast<T>(select(condition, detail::bit_cast<Bits>(a), detail::bit_cast<Bits>(b)));))
    return condition ? a : b;
  }
}

/// condition ? a : b, where the condition compares a and b. GCC has an instruction for `?:` then, a minimum or a
/// maximum, and can move neither side behind a branch: a reduction by max takes a third of its time with select. Where
/// a side is a constant GCC makes a branch of `?:`, and the loop stays scalar: then it is a select of bits.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T select_compared(bool condition, T a, T b) {
#if defined(__GNUC__) && !defined(__clang__)
  if (!__builtin_constant_p(a) && !__builtin_constant_p(b)) return condition ? a : b;
#endif
  return select(condition, a, b);
}

/// The smaller of a and b, a where they compare equal; NaN where either is NaN.
template <class T>
  requires(std::is_arithmetic_v<T> && sizeof(T) <= 8)
KOKKOS_FORCEINLINE_FUNCTION constexpr T min(T a, T b) {
  // In two steps, so that a loop that keeps the smallest number in a waits for the first alone.
  KOKKOS_IF_ON_HOST((return select_compared(b != b, b, select_compared(b < a, b, a));))
  return select((b < a) | (b != b), b, a);
}

/// The larger of a and b, a where they compare equal; NaN where either is NaN.
template <class T>
  requires(std::is_arithmetic_v<T> && sizeof(T) <= 8)
KOKKOS_FORCEINLINE_FUNCTION constexpr T max(T a, T b) {
  KOKKOS_IF_ON_HOST((return select_compared(b != b, b, select_compared(b > a, b, a));))
  return select((b > a) | (b != b), b, a);
}

/// The larger of x and a limit other than +0; NaN where x is. An instruction on CUDA, which nvcc does not always find.
template <class T>
  requires std::is_floating_point_v<T>
KOKKOS_FORCEINLINE_FUNCTION T at_least(T x, T limit) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<T, float>) {
    asm("max.NaN.f32 %0, %0, %1;" : "+f"(x) : "f"(limit));
    return x;
  }
#endif
  return select(x < limit, limit, x);
}

/// The smaller of x and a limit other than -0, likewise.
template <class T>
  requires std::is_floating_point_v<T>
KOKKOS_FORCEINLINE_FUNCTION T at_most(T x, T limit) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<T, float>) {
    asm("min.NaN.f32 %0, %0, %1;" : "+f"(x) : "f"(limit));
    return x;
  }
#endif
  return select(x > limit, limit, x);
}

/// The smaller of a and a limit, neither with a sign; the limit where a is NaN. On hosts floats are compared as
/// integers, for which x86 has an instruction that leaves the units free that multiply: in cache `gelu` takes 0.96 of
/// the time, `tanhshrink` 0.97 (Zen 4, activations/gelu/float/65536). Doubles gain nothing.
template <class T>
  requires std::is_floating_point_v<T>
KOKKOS_FORCEINLINE_FUNCTION T magnitude_at_most(T a, T limit) {
  if constexpr (std::is_same_v<T, float>) {
    KOKKOS_IF_ON_HOST((const auto own = detail::bit_cast<std::int32_t>(a), most = detail::bit_cast<std::int32_t>(limit);
                       return detail::bit_cast<float>(own < most ? own : most);))
  }
  return select(a < limit, a, limit);
}

/// x limited to [lower, upper], where lower <= upper. A NaN x fails both comparisons and passes.
template <class T>
  requires(std::is_arithmetic_v<T> && sizeof(T) <= 8)
KOKKOS_FORCEINLINE_FUNCTION constexpr T clamp(T x, T lower, T upper) {
  return select(x < lower, lower, select(x > upper, upper, x));
}

/// The same of a floating-point number, and bounds of any types as its own.
template <class T, class Lower, class Upper>
  requires(std::is_floating_point_v<T> && std::is_arithmetic_v<Lower> && std::is_arithmetic_v<Upper>)
KOKKOS_FORCEINLINE_FUNCTION constexpr T clamp(T x, Lower lower, Upper upper) {
  return clamp(x, static_cast<T>(lower), static_cast<T>(upper));
}

}  // namespace kachel
