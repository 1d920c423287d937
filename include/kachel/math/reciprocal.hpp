// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reciprocal, and a quotient whose denominator is a sum.
#pragma once

#include <kachel/detail/math/polynomial.hpp>
#include <kachel/detail/math/sum.hpp>

#include <type_traits>

namespace kachel::math {

/// 1 / x, at most a unit of the last place off, where both are normal numbers. On CUDA the hardware's approximation, of
/// which that was measured on an H200.
KOKKOS_FORCEINLINE_FUNCTION float near_reciprocal(float x) {
#if defined(__CUDA_ARCH__)
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return 1.0f / x;
#endif
}

/// 1 / x, correctly rounded, where both are normal numbers.
/// On CUDA by the hardware's approximation and Newton's iteration by fma, which ends in the correctly rounded number:
/// what nvcc makes of 1 / x, without the branch for other numbers. Of a double the last step starts from the number
/// above 1 / |x|, or it would miss the tie where the fraction of x is all ones (P. Markstein, Computation of elementary
/// functions on the IBM RISC System/6000 processor, IBM Journal of Research and Development 34, 1990).
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T reciprocal(T x) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) {
    const T y = near_reciprocal(x);
    return fma(fma(-x, y, T(1)), y, y);
  } else {
    const double a = Kokkos::abs(x);
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
    const double error = fma(-a, y, 1.0);
    const double above = __fma_ru(fma(error, error, error), y, y);
    return Kokkos::copysign(fma(fma(-a, above, 1.0), above, above), x);
  }
#else
  return T(1) / x;
#endif
}

/// (a + a_low) / (b + b_low), where the low parts are at most about an ulp of the high ones, and a_low is none or one
/// number: a quotient by the reciprocal, and one correction by its remainder.
template <class T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION T divide_sums(T b, T b_low, T a, Low... a_low) {
  const T inverse = reciprocal(b);
  const T quotient = a * inverse;
  const T remainder = (fma(-quotient, b_low, fma(-quotient, b, a)) + ... + a_low);
  return fma(remainder, inverse, quotient);
}

}  // namespace kachel::math

namespace kachel::detail {

/// (a + a_low) / (b + b_low), rounded once, also where it is subnormal; the low parts are at most about an ulp of the
/// high ones. The quotient is corrected, not the reciprocal: that of a large b would have a subnormal correction, for
/// which x86 processors take a hundred times as long.
/// \param a_low  none, or one number
template <class T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION T divide_by_sum(T b, T b_low, T a, Low... a_low) {
  const T inverse = math::reciprocal(b);
  const T error = fma(-b_low, inverse, fma(-b, inverse, T(1)));
  T correction = (a * inverse) * error;
  ((correction = fma(a_low, inverse, correction)), ...);
  return fma(a, inverse, correction);
}

}  // namespace kachel::detail
