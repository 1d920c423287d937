// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reciprocal, and a quotient whose denominator is a sum.
#pragma once

#include <kachel/math/polynomial.hpp>

#include <type_traits>

namespace kachel::math {

/// 1 / x, correctly rounded, where both are normal numbers.
/// On CUDA a float's by the hardware's approximation and one step of Newton's iteration by fma, which ends in the
/// correctly rounded number: what nvcc makes of 1 / x, without the branch for other numbers. A double's needs an
/// approximation of more bits than PTX gives, where the fraction of x is all ones.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T reciprocal(T x) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) {
    T y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return fma(fma(-x, y, T(1)), y, y);
  } else {
    return __drcp_rn(x);
  }
#else
  return T(1) / x;
#endif
}

/// \cond
/// (a + a_low) / (b + b_low), where the low parts are at most about an ulp of the high ones: a quotient by the
/// reciprocal, and one correction by its remainder.
/// \param a_low  none, or one number
template <class T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION T divide_sums(T b, T b_low, T a, Low... a_low) {
  const T inverse = reciprocal(b);
  const T quotient = a * inverse;
  const T remainder = (fma(-quotient, b_low, fma(-quotient, b, a)) + ... + a_low);
  return fma(remainder, inverse, quotient);
}
/// \endcond

}  // namespace kachel::math
