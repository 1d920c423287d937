// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Derivatives for results of 16 bits: plain arithmetic of float, without the parts that keep float's own last digits.
/// They err by a few units of 2^-24 of the largest number on the way, gelu's by 2^-19 of itself. Constants come from
/// tools/sollya/constants.sollya.
#pragma once

#include <kachel/detail/math/exp.hpp>
#include <kachel/detail/math/gelu.hpp>
#include <kachel/detail/math/normal_cdf.hpp>
#include <kachel/math/reciprocal.hpp>
#include <kachel/math/select.hpp>

namespace kachel::detail {

/// e^x for x from -112 to 60, subnormal results included.
KOKKOS_FORCEINLINE_FUNCTION float narrow_exp(float x) {
  using C = ExpConstants<float>;
  const float shifted = fma(x, C::log2_e, integer_shift<float>), n = shifted - integer_shift<float>;
  const float value = exp_of_remainder(fma(n, -0x1.62e43p-1f, x), 1 / C::scale);
  return uncontracted_product(value, power_of_two<float>(bit_cast<std::uint32_t>(shifted) + C::log2_scale));
}

/// With e = e^-|z|: |z| limited to where e is 0, e, and 1 / (1 + e). NaN where z is.
struct NarrowGate {
  float magnitude, e, inverse;

  KOKKOS_FORCEINLINE_FUNCTION explicit NarrowGate(float z) {
    magnitude = at_most(Kokkos::abs(z), 104.0f);
    e = narrow_exp(-magnitude);
    inverse = math::reciprocal(1.0f + e);
  }

  /// sigmoid(z), of the z that it was made from.
  KOKKOS_FORCEINLINE_FUNCTION float sigmoid(float z) const { return select(z < 0.0f, e * inverse, inverse); }

  /// Its derivative.
  KOKKOS_FORCEINLINE_FUNCTION float density() const { return (e * inverse) * inverse; }
};

/// The derivative of sigmoid.
KOKKOS_FORCEINLINE_FUNCTION float narrow_logistic_density(float x) { return NarrowGate(x).density(); }

/// sigmoid.
KOKKOS_FORCEINLINE_FUNCTION float narrow_sigmoid(float x) { return NarrowGate(x).sigmoid(x); }

/// The derivative of z sigmoid(z).
KOKKOS_FORCEINLINE_FUNCTION float narrow_silu_slope(float z) {
  const NarrowGate gate(z);
  return fma(Kokkos::copysign(gate.magnitude, z), gate.density(), gate.sigmoid(z));
}

/// The derivative of gelu_tanh.
KOKKOS_FORCEINLINE_FUNCTION float narrow_gelu_tanh_slope(float x) {
  using C = GeluTanhConstants<float>;
  const float inner = at_most(at_least(x, -11.0f), 11.0f), w = inner * inner;
  const float z = inner * fma(C::cubic, w, C::linear), z_slope = fma(3 * C::cubic, w, C::linear);
  const float e = narrow_exp(-Kokkos::abs(z)), inverse = math::reciprocal(1.0f + e), other = e * inverse;
  return fma(inner * z_slope, other * inverse, select(z < 0.0f, other, inverse));
}

/// The derivative of gelu: exp(-a^2 / 2) (root - a) times a polynomial of 3 / (a + 3), for x = -a.
KOKKOS_FORCEINLINE_FUNCTION float narrow_gelu_slope(float x) {
  const float a = at_most(Kokkos::abs(x), NormalConstants<float>::largest);
  const float w = 3.0f * math::reciprocal(a + 3.0f);
  const float factor =
      polynomial(w, 0x1.98932p-2f, 0x1.952d28p-4f, 0x1.698b12p-4f, 0x1.e7e59ap-6f, 0x1.499706p-4f, -0x1.00da32p-5f);
  const float below = uncontracted_product(narrow_exp((-0.5f * a) * a), (GeluConstants<float>::root - a) * factor);
  return select(x > 0.0f, 1.0f - below, below);
}

/// The derivative of mish. With n = e^x it is q / (q + 2) + 4 x n (n + 1) / (q + 2)^2, where q = n (n + 2).
KOKKOS_FORCEINLINE_FUNCTION float narrow_mish_slope(float x) {
  const float inner = at_most(at_least(x, -104.0f), 20.0f), n = narrow_exp(inner);
  const float q = fma(n, n, 2.0f * n), inverse = math::reciprocal(q + 2.0f);
  return fma(4.0f * inner, fma(n, n, n) * (inverse * inverse), q * inverse);
}

/// tanh, also next to 0.
KOKKOS_FORCEINLINE_FUNCTION float narrow_tanh(float x) {
  const float inner = at_most(Kokkos::abs(x), -ExpConstants<float>::saturated);
  const ExpArgument<float> argument = reduce_exp(-2.0f * inner);
  const float power = power_of_two<float>(argument.shifted);
  const float m = fma(power, expm1_of_remainder(argument.remainder), power - 1.0f);
  return Kokkos::copysign(m * math::reciprocal(2.0f + m), x);
}

}  // namespace kachel::detail
