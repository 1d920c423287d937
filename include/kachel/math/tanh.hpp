// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// tanh.
#pragma once

#include <kachel/math/exp.hpp>
#include <kachel/math/reciprocal.hpp>

namespace kachel::math {

/// The hyperbolic tangent. Its error: docs/numerics.md.
/// With m = expm1(-2 |x|) in two numbers: -m / (2 + m), with the sign of x.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T tanh(T x) {
  const Sum<T> m = expm1_of_negative(T(-2) * Kokkos::abs(x));
  const T denominator = T(2) + m.high;
  const T denominator_low = (m.high - (denominator - T(2))) + m.low;
  return Kokkos::copysign(divide_sums(denominator, denominator_low, -m.high, -m.low), x);
}

/// x - tanh(x), accurate also near 0; +0 at both zeros. Its error is that of kachel::tanhshrink.
/// With a = |x|, a polynomial for a < 1, (a - 1) + 2 e / (1 + e) with e = exp(-2 a) above. Constants come from
/// tools/sollya/constants.sollya.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T x_minus_tanh(T x) {
  const T a = Kokkos::abs(x);
  const T e = exp_of_negative(T(-2) * a);
  const Sum<T> denominator = ordered_sum(T(1), e);
  const T far = (a - T(1)) + divide_sums(denominator.high, denominator.low, T(2) * e);

  const T inner = min(a, T(1)), w = inner * inner, w_low = fma(inner, inner, -w);
  const T cube = inner * w, cube_low = fma(inner, w_low, fma(inner, w, -cube));
  T rest;  // ((a - tanh(a)) / a^3 - 1 / 3) / a^2
  if constexpr (std::is_same_v<T, float>)
    rest = polynomial(w, -0x1.11110ep-3f, 0x1.ba1a3cp-5f, -0x1.6631aap-6f, 0x1.21325cp-7f, -0x1.c7ba4ep-9f,
                      0x1.452cf8p-10f, -0x1.61030ap-12f, 0x1.94760ap-15f);
  else
    rest = polynomial(w, -0x1.111111111107bp-3, 0x1.ba1ba1ba11cc4p-5, -0x1.664f48805374cp-6, 0x1.226e350664ba8p-7,
                      -0x1.d6d3c0f06fdabp-9, 0x1.7da2679bccf69p-10, -0x1.354cf40fc1711p-11, 0x1.f4c297bad6d9cp-13,
                      -0x1.91e94dff7e976p-14, 0x1.339df4bffff24p-15, -0x1.76580430b0b83p-17, -0x1.ab7662d0b5d36p-23,
                      0x1.2973546f097afp-18, -0x1.2f0aee0ca24b8p-18, 0x1.7453b1ab71f81p-19, -0x1.28a2bc8eb1469p-20,
                      0x1.1adf38f82a231p-22, -0x1.ec14079c24fa1p-26);
  constexpr T third = T(1) / T(3), third_low = T(sizeof(T) == 4 ? -0x1.555556p-27 : 0x1.5555555555555p-56);
  const T near = fma(cube, third, fma(cube_low, third, cube * fma(w, rest, third_low)));
  return select(x == T(0), T(0), Kokkos::copysign(select(a < T(1), near, far), x));
}

}  // namespace kachel::math
