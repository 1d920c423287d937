// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The tail of the normal distribution.
/// Phi(-a) = exp(-a^2 / 2) g(u) / (a + c) with u = a / (a + c). Each quantity whose rounding would show is kept in two
/// numbers. Constants and the errors of the polynomials come from tools/sollya/constants.sollya.
#pragma once

#include <kachel/detail/math/exp.hpp>
#include <kachel/math/reciprocal.hpp>
#include <kachel/math/select.hpp>

#include <type_traits>

namespace kachel::detail {

/// Beyond `largest` Phi(-a) is 0, also times a. `middle` is g(1/2), `slope` next to g'(1/2), times `scale`, with which
/// g is a normal number also times e^(-a^2 / 2), so that results are rounded once where they are subnormal.
template <class T>
struct NormalConstants;

template <>
struct NormalConstants<float> {
  static constexpr float largest = 14.8f, offset = 3.375f, scale = 0x1p64f, middle = 0x1.7b6eep63f,
                         slope = -0x1.1b21ccp64f;
};

template <>
struct NormalConstants<double> {
  static constexpr double largest = 38.8, offset = 4, scale = 0x1p128, middle = 0x1.82b4bb8c94dcep127,
                          slope = -0x1.373e3a893c28ap128;
};

/// ((g(u) - g(1/2)) / v - slope) / v with v = u - 1/2, times the scale.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T normal_tail_rest(T v) {
  constexpr T unit = 1, scale = NormalConstants<T>::scale;
  if constexpr (std::is_same_v<T, float>)
    return scaled_polynomial(v, unit, scale, 0x1.2e7702p0f, -0x1.92fb74p-1f, 0x1.1db8b8p-3f, 0x1.006782p-2f,
                             -0x1.2724d4p-3f, -0x1.bd72bcp-4f, 0x1.44b79ap-4f, 0x1.1af1eep-4f);
  else
    return scaled_polynomial(v, unit, scale, 0x1.8c6dbf2cfc27ep0, -0x1.7dff2bff683bfp0, 0x1.eec4cc3e5137p-1,
                             -0x1.ee276104764a9p-3, -0x1.c81719d9be0fdp-3, 0x1.ab825fbeb1702p-3, 0x1.17a4b0e6006d2p-5,
                             -0x1.e4a424b2684a8p-4, -0x1.002254a8cdfap-9, 0x1.26d085dc0989dp-4, 0x1.80eeddb292b3dp-9,
                             -0x1.8d486f33648f1p-5, -0x1.527cfa35dec81p-7, 0x1.1217c913e843ap-5, 0x1.252c3ec511d88p-6,
                             -0x1.4b1fae7e2a293p-6, -0x1.740d8ed296d56p-6, 0x1.ad0be178b335cp-8, 0x1.5cd6cfb6442fep-6,
                             0x1.47f138b585f18p-8, -0x1.71c4866a0a2cbp-7, -0x1.d16b4854bc4ddp-8);
}

/// expm1(r) of minus_2r + low, low less than an ulp of minus_2r; the second number is what the first lacks.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION math::Sum<T> expm1_of_half(T minus_2r, T low) {
  const T rest = expm1_rest(minus_2r, T(0.25), T(-0.5));
  const T bend = fma(minus_2r * minus_2r, rest, T(-0.5) * low), value = fma(minus_2r, T(-0.5), bend);
  return {value, bend - fma(minus_2r, T(0.5), value)};
}

/// Phi(-a) for a >= 0, or with `times_a` a Phi(-a), times NormalConstants' scale. A NaN is not passed on. Without
/// `times_a`, whose speed counts, more quantities are kept in two numbers.
template <bool times_a, class T>
KOKKOS_FORCEINLINE_FUNCTION T scaled_normal_tail(T a) {
  using C = NormalConstants<T>;
  using E = ExpConstants<T>;
  const T x = magnitude_at_most(a, C::largest);

  // x^2 = 2 (n ln 2 - r), where the product by n is exact.
  const T shifted = fma(x * x, T(-0.5) * E::log2_e, integer_shift<T>);
  const T n_ln2 = times_ln2(shifted, T(2));
  math::Sum<T> expm1_r = {};
  if constexpr (times_a) {
    const T minus_2r = fma(n_ln2, ln2_ratio<T>, fma(x, x, n_ln2));
    expm1_r.high = minus_2r * fma(minus_2r, expm1_rest(minus_2r, T(0.25), T(-0.5)), T(-0.5));
  } else {
    const T square = uncontracted_product(x, x), square_low = fma(x, x, -square);
    const T high = square + n_ln2, low = fma(n_ln2, ln2_ratio<T>, square_low);
    const T minus_2r = high + low;
    expm1_r = expm1_of_half(minus_2r, low - (minus_2r - high));
  }

  // u = x / (x + offset); the remainder of the quotient is of both terms, since their sum is rounded.
  const T inverse = math::reciprocal(x + C::offset), u = uncontracted_product(x, inverse);
  const T u_low = uncontracted_product(inverse, fma(-u, x, fma(-u, C::offset, x)));
  const T v = (u - T(0.5)) + u_low, rest = normal_tail_rest(v), chord = fma(rest, v, C::slope);
  const T g = fma(chord, v, C::middle);
  T g_low = fma(chord, v, C::middle - g), rise;  // g e^r is g + rise
  T factor = u, factor_low = u_low;
  if constexpr (times_a) {
    rise = fma(g, expm1_r.high, fma(g_low, expm1_r.high, g_low));
  } else {
    const T v_low = u_low - (v - (u - T(0.5))), chord_low = fma(rest, v, C::slope - chord);
    g_low = fma(chord, v_low, fma(chord_low, v, g_low));
    rise = fma(g, expm1_r.high, fma(g, expm1_r.low, fma(g_low, expm1_r.high, g_low)));
    factor = inverse;
    factor_low = inverse * (fma(-inverse, x, T(0.5)) + fma(-inverse, C::offset, T(0.5)));
  }
  const T value = fma(factor, g, fma(factor, rise, factor_low * (g + rise)));
  return times_power_of_two(value, bit_cast<FloatBits<T>>(shifted));
}

}  // namespace kachel::detail
