// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of float in fewer instructions, exact enough for results of 16 bits: for the member `narrow` of a functor.
/// Each is within 2^-15 of its exact value, or of the smallest normal float where that is more: 1/16 of a unit in the
/// last place of half, 1/128 of one of bfloat16, beside the half of a unit by which a result is rounded. NaN gives NaN.
/// Constants and the errors of the polynomials come from tools/sollya/constants.sollya.
#pragma once

#include <kachel/detail/math/narrow.hpp>

namespace kachel::math {

/// 1 / (1 + e^-x).
KOKKOS_FORCEINLINE_FUNCTION float narrow_sigmoid(float x) { return detail::narrow_sigmoid(x); }

/// tanh(x).
KOKKOS_FORCEINLINE_FUNCTION float narrow_tanh(float x) { return detail::narrow_tanh(x); }

/// x / (1 + e^-x).
KOKKOS_FORCEINLINE_FUNCTION float narrow_silu(float x) {
  return at_least(x, -104.0f) * detail::NarrowGate(x).sigmoid(x);
}

/// x Phi(x), where Phi is the distribution function of the normal distribution: x Phi(-a) for x = -a, x - a Phi(-a) for
/// x = a. Phi(-a) is exp(-a^2 / 2) times a polynomial of 1 / (a + 2.75).
KOKKOS_FORCEINLINE_FUNCTION float narrow_gelu(float x) {
  // exp(-a^2 / 2) times 2^64, which the polynomial takes back: that of a large a is no normal number.
  constexpr float shift = detail::integer_shift<float> + 64, half_log2_e = 0.5f * detail::ExpConstants<float>::log2_e;
  const float a = at_most(Kokkos::abs(x), detail::NormalConstants<float>::largest);
  const float square = detail::uncontracted_product(a, a), shifted = fma(square, -half_log2_e, shift);
  const float f = fma(square, -half_log2_e, shift - shifted);
  const float power = detail::times_power_of_two(
      detail::polynomial(f, 1.0f, 0x1.62e12ap-1f, 0x1.ec0382p-3f, 0x1.c9fdd2p-5f, 0x1.3a015ep-7f),
      detail::bit_cast<std::uint32_t>(shifted));
  const float factor = detail::scaled_polynomial(reciprocal(a + 2.75f), 1.0f, 0x1p-64f, 0x1.2aa0dcp-13f, 0x1.90b386p-2f,
                                                 0x1.41b7fap0f, 0x1.eb7104p-1f, 0x1.bc23eep3f, -0x1.ea7cb6p3f);
  return fma(-a, detail::uncontracted_product(factor, power), at_least(x, -0.0f));
}

/// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.
KOKKOS_FORCEINLINE_FUNCTION float narrow_gelu_tanh(float x) {
  using C = detail::GeluTanhConstants<float>;
  const float inner = at_most(at_least(x, -11.0f), 11.0f), z = inner * fma(C::cubic, inner * inner, C::linear);
  const float e = detail::narrow_exp(-Kokkos::abs(z)), inverse = reciprocal(1.0f + e);
  return at_least(x, -11.0f) * select(z < 0.0f, e * inverse, inverse);
}

}  // namespace kachel::math
