// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of 16-bit numbers in few operations of float, whose results, rounded to the type of the number, are right
/// for each of the 65,536 numbers that there are: tests walk through them all. `digits` are that type's, 11 of half, 8
/// of bfloat16. Constants come from tools/from_16_bits.
#pragma once

#include <kachel/math/polynomial.hpp>
#include <kachel/math/reciprocal.hpp>
#include <kachel/math/select.hpp>

#include <Kokkos_NumericTraits.hpp>

namespace kachel::math {

/// \cond
/// From `lowest` to `highest` e^-x is computed times 2^log2_scale, by which its reciprocal is a normal number. Outside,
/// results are rounded to their limits. `trace` added to a result that lies half way between two numbers and is a
/// little too small decides where it goes, and is lost in others.
template <int digits>
struct From16Bits;

template <>
struct From16Bits<11> {
  static constexpr float lowest = -30, highest = 30, scale = 1, trace = 0x1p-44f;
  static constexpr int log2_scale = 0;
};

template <>
struct From16Bits<8> {
  static constexpr float lowest = -98, highest = 60, scale = 0x1p-16f, trace = 0x1p-149f;
  static constexpr int log2_scale = -16;
};

/// For e^-x = 2^n 2^f: -log2(e), of which n is made, and again, of which f is, and 2^f for |f| <= 1/2 as a polynomial.
struct Exp2Constants {
  float to_integer, to_fraction, c0, c1, c2, c3, c4, c5 = 0;
};

template <int digits>
KOKKOS_FORCEINLINE_FUNCTION constexpr Exp2Constants sigmoid_constants() {
  if constexpr (digits == 11)
    return {-0x1.71346ap0f, -0x1.715476p0f, 0x1.000004p0f, 0x1.62e43p-1f,
            0x1.ebfbb4p-3f, 0x1.c6b6fp-5f,  0x1.3cd5p-7f,  0x1.5bcc0ap-10f};
  else
    return {-0x1.71555cp0f, -0x1.71547ap0f, 0x1.fffffap-1f, 0x1.62e062p-1f,
            0x1.ec017cp-3f, 0x1.c9fdfp-5f,  0x1.3a015p-7f};
}

template <int digits>
KOKKOS_FORCEINLINE_FUNCTION constexpr Exp2Constants silu_constants() {
  if constexpr (digits == 11)
    return {-0x1.71545p0f,  -0x1.715478p0f, 0x1.fffffcp-1f, 0x1.62e402p-1f,
            0x1.ebf924p-3f, 0x1.c6b2d8p-5f, 0x1.3cedacp-7f, 0x1.5bfbaep-10f};
  else
    return {-0x1.71555cp0f, -0x1.715478p0f, 1, 0x1.62df74p-1f, 0x1.ec017cp-3f, 0x1.c9fdfp-5f, 0x1.3a015p-7f};
}

/// e^-x times that scale, from `lowest` to `highest`.
template <int digits>
KOKKOS_FORCEINLINE_FUNCTION float scaled_exp_of_minus(float x, const Exp2Constants& c) {
  constexpr float shift = integer_shift<float> + From16Bits<digits>::log2_scale;
  const float shifted = fma(x, c.to_integer, shift), f = fma(x, c.to_fraction, shift - shifted);
  float power;
  if constexpr (digits == 11)
    power = polynomial(f, c.c0, c.c1, c.c2, c.c3, c.c4, c.c5);
  else
    power = polynomial(f, c.c0, c.c1, c.c2, c.c3, c.c4);
  constexpr int fraction_bits = FloatFormat<float>::fraction_bits;
  return bit_cast<float>(bit_cast<std::uint32_t>(power) + (bit_cast<std::uint32_t>(shifted) << fraction_bits));
}
/// \endcond

/// 1 / (1 + e^-x).
template <int digits>
KOKKOS_FORCEINLINE_FUNCTION float sigmoid_from_16_bits(float x, Exp2Constants c = sigmoid_constants<digits>()) {
  using Range = From16Bits<digits>;
  const float inner = at_most(at_least(x, Range::lowest), Range::highest);
  // Next to 0 halves lie so near to numbers half way that 1 + e^-x tells no difference: a few units of e^-x, by the
  // sign of x, do.
  if constexpr (digits == 11)
    c.c0 = bit_cast<float>(bit_cast<std::int32_t>(c.c0) + (bit_cast<std::int32_t>(inner) >> 29));
  return reciprocal(Range::scale + scaled_exp_of_minus<digits>(inner, c)) * Range::scale;
}

/// x / (1 + e^-x).
template <int digits>
KOKKOS_FORCEINLINE_FUNCTION float silu_from_16_bits(float x, const Exp2Constants& c = silu_constants<digits>()) {
  using Range = From16Bits<digits>;
  const float inner = at_least(x, Range::lowest);
  const float e = scaled_exp_of_minus<digits>(at_most(inner, Range::highest), c);
  return Kokkos::copysign(fma(inner * Range::scale, reciprocal(Range::scale + e), Range::trace), x);
}

/// \cond
/// tanh(x) / x as a quotient of polynomials of x^2.
struct TanhConstants {
  float p0, p1, p2, q0, q1, q2, p3 = 0, q3 = 0;
};

template <int digits>
KOKKOS_FORCEINLINE_FUNCTION constexpr TanhConstants tanh_constants() {
  if constexpr (digits == 11)
    return {0x1.67673ap0f,  0x1.69e838p-3f, 0x1.d4eb6cp-9f,  0x1.67673ap0f,
            0x1.4a1426p-1f, 0x1.004796p-5f, 0x1.000456p-17f, 0x1p-12f};
  else
    return {0x1.1babd2p0f, 0x1.e2ba96p-4f, 0x1.d7325p-11f, 0x1.1bac5p0f, 0x1.f2d97ap-2f, 0x1p-6f};
}
/// \endcond

/// tanh(x), up to where it is rounded to 1.
template <int digits>
KOKKOS_FORCEINLINE_FUNCTION float tanh_from_16_bits(float x, const TanhConstants& c = tanh_constants<digits>()) {
  constexpr float limit = digits == 11 ? 4.6f : 3.6f;
  const float inner = at_most(at_least(x, -limit), limit), w = inner * inner;
  float numerator, denominator;
  if constexpr (digits == 11) {
    numerator = polynomial(w, c.p0, c.p1, c.p2, c.p3);
    denominator = polynomial(w, c.q0, c.q1, c.q2, c.q3);
  } else {
    numerator = polynomial(w, c.p0, c.p1, c.p2);
    denominator = polynomial(w, c.q0, c.q1, c.q2);
  }
  return (inner * numerator) * reciprocal(denominator);
}

/// x / (1 + |x|).
KOKKOS_FORCEINLINE_FUNCTION float softsign_from_16_bits(float x) {
  const float a = at_most(Kokkos::abs(x), 0x1p100f), denominator = 1.0f + a, inverse = reciprocal(denominator);
  const float quotient = a * inverse;
  return Kokkos::copysign(fma(fma(-quotient, denominator, a), inverse, quotient), x);
}

/// x min(max(0, x + 3), 6) / 6.
/// \param sixth, again  1/6 or next to it
template <int digits>
KOKKOS_FORCEINLINE_FUNCTION float hardswish_from_16_bits(float x,
                                                         float sixth = digits == 11 ? 0x1.5534e8p-3f : 1 / 6.0f,
                                                         float again = digits == 11 ? 0x1.5559bp-3f : 1 / 6.0f) {
  const float inner = at_most(at_least(x, -3.0f), Kokkos::Experimental::finite_max_v<float>);
  const float sum = at_most(inner, 3.0f) + 3.0f, quotient = sum * sixth;
  const float factor = fma(fma(-6.0f, quotient, sum), again, quotient);
  if constexpr (digits == 11) return Kokkos::copysign(fma(inner, factor, From16Bits<digits>::trace), x);
  // Numbers below -3, of which there are many, leave no trace: hosts take longer to round subnormal ones.
  return Kokkos::copysign((inner + 2 * From16Bits<digits>::trace) * factor, x);
}

/// x where it is not below 0, else x times a slope.
/// \param slope  the float next to it on that side on which exact products lie where those by the slope itself would be
///               rounded to a number half way
/// \param trace  of the sign that brings products to that side, too, for subnormal ones
KOKKOS_FORCEINLINE_FUNCTION float slope_from_16_bits(float x, float slope, float trace) {
  return select(x < 0.0f, fma(x, slope, trace), x);
}

}  // namespace kachel::math
