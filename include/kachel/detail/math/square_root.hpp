// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The square root of a normal number, by Newton's iteration.
#pragma once

#include <kachel/detail/math/polynomial.hpp>
#include <kachel/math/fma.hpp>

#include <Kokkos_MathematicalFunctions.hpp>

#include <type_traits>

namespace kachel::detail {

/// The last step: sqrt(x), correctly rounded, from one that errs by a unit in the last place at most, and half its
/// reciprocal.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T correct_root(T x, T root, T half_inverse) {
  return fma(fma(-root, root, x), half_inverse, root);
}

/// A step of Newton's iteration for 1 / sqrt(x), of third order. Not in a loop, which GCC would unroll too late to
/// vectorise one around it.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T nearer_inverse_root(T x, T inverse) {
  const T rest = fma(-(x * inverse), inverse, T(1));
  return fma(inverse * rest, fma(rest, T(0.375), T(0.5)), inverse);
}

/// sqrt(x), correctly rounded, where x is finite and at least 2^-100; NaN where x is.
/// By an approximation of 1 / sqrt(x) and steps of Newton's iteration by fma: of a float on CUDA what nvcc makes of
/// sqrtf, without the branch for other numbers, and on a host what compilers vectorise, which they do not do with sqrt,
/// since it may set errno.
template <math::RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T root_of_normal(T x) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) {
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
    return correct_root(x, x * inverse, 0.5f * inverse);
  } else {
    return Kokkos::sqrt(x);
  }
#else
  // Half of the bits of x, taken from a constant, are those of nearly 1 / sqrt(x): the errors are 2^-4, 2^-13, in
  // double 2^-38, and then those of rounding.
  constexpr bool is_double = sizeof(T) == 8;
  constexpr auto magic = static_cast<FloatBits<T>>(is_double ? 0x5fe6eb50c7b537a9 : 0x5f3759df);
  T inverse = bit_cast<T>(magic - (bit_cast<FloatBits<T>>(x) >> 1));
  inverse = nearer_inverse_root(x, inverse);
  if constexpr (is_double) inverse = nearer_inverse_root(x, inverse);
  const T root = x * inverse, half = T(0.5) * inverse, rest = fma(-root, half, T(0.5));
  return correct_root(x, fma(root, rest, root), fma(half, rest, half));
#endif
}

}  // namespace kachel::detail
