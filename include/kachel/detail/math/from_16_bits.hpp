// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of 16-bit numbers in few operations of float, whose results, rounded to the type of the number, are right
/// for each of the 65,536 numbers that there are: tests walk through them all. `digits` are that type's, 11 of half, 8
/// of bfloat16. What is only near, NearReciprocal and NearExp2, may be off as far as it says without changing a rounded
/// result, which is tested likewise. Constants come from tools/from_16_bits.
#pragma once

#include <kachel/detail/math/polynomial.hpp>
#include <kachel/detail/math/sum.hpp>
#include <kachel/math/reciprocal.hpp>
#include <kachel/math/select.hpp>

#include <Kokkos_NumericTraits.hpp>

namespace kachel::detail {

/// near_reciprocal, for which tests put others.
struct NearReciprocal {
  KOKKOS_FORCEINLINE_FUNCTION float operator()(float x) const { return math::near_reciprocal(x); }
};

/// 2^x, at most 2^-22 of it off; 2^-126 or 0 for less than that, and beyond 2^127 that or more. On CUDA the hardware's
/// approximation, of which that was measured on an H200.
struct NearExp2 {
  KOKKOS_FORCEINLINE_FUNCTION float operator()(float x) const {
#if defined(__CUDA_ARCH__)
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    const float inner = at_most(at_least(x, -126.0f), 127.0f), shifted = inner + integer_shift<float>;
    const float f = inner - (shifted - integer_shift<float>);
    return polynomial(f, 1.0f, 0x1.62e42ap-1f, 0x1.ebf9b8p-3f, 0x1.c6b69ap-5f, 0x1.3cebdp-7f, 0x1.5bfe92p-10f) *
           power_of_two<float>(bit_cast<std::uint32_t>(shifted));
#endif
  }
};

/// What is added to a result that lies half way between two numbers and is a little too small: it decides where that
/// goes, and is lost in others.
template <int digits>
inline constexpr float trace = digits == 11 ? 0x1p-44f : 0x1p-143f;

/// a b, and a trace that may be subnormal: as an operand of fma it would take Intel's processors fifty times as long.
KOKKOS_FORCEINLINE_FUNCTION float traced_product(float a, float b, float trace) {
  return uncontracted_product(a, b) + trace;
}

/// Of half, for e^-x = 2^n 2^f: -log2(e), of which n is made, and again, of which f is, and 2^f for |f| <= 1/2 as a
/// polynomial.
struct Exp2Constants {
  float to_integer, to_fraction, c0, c1, c2, c3, c4, c5;
};

KOKKOS_FORCEINLINE_FUNCTION constexpr Exp2Constants sigmoid_constants() {
  return {-0x1.71346ap0f, -0x1.715476p0f, 0x1.000004p0f, 0x1.62e43p-1f,
          0x1.ebfbb4p-3f, 0x1.c6b6fp-5f,  0x1.3cd5p-7f,  0x1.5bcc0ap-10f};
}

KOKKOS_FORCEINLINE_FUNCTION constexpr Exp2Constants silu_constants() {
  return {-0x1.71545p0f,  -0x1.715478p0f, 0x1.fffffcp-1f, 0x1.62e402p-1f,
          0x1.ebf924p-3f, 0x1.c6b2d8p-5f, 0x1.3cedacp-7f, 0x1.5bfbaep-10f};
}

/// 1 + e^-x for |x| <= 30.
KOKKOS_FORCEINLINE_FUNCTION float one_and_exp_of_minus(float x, const Exp2Constants& c) {
  const float shifted = fma(x, c.to_integer, integer_shift<float>);
  const float f = fma(x, c.to_fraction, integer_shift<float> - shifted);
  return fma(polynomial(f, c.c0, c.c1, c.c2, c.c3, c.c4, c.c5), power_of_two<float>(bit_cast<std::uint32_t>(shifted)),
             1.0f);
}

/// log2(e^-x gate_scale) for bfloat16, where 1 + e^-x is multiplied by gate_scale so that its reciprocal is a normal
/// number. Next to 0 results of sigmoid lie so near to numbers half way that the sum tells no difference: a unit of the
/// last place by the sign of x does.
inline constexpr float gate_scale = 0x1p-16f;
KOKKOS_FORCEINLINE_FUNCTION float gate_exponent(float x) {
  const std::uint32_t sign = bit_cast<std::uint32_t>(x) >> 31;
  return fma(x, -0x1.715476p0f, bit_cast<float>(bit_cast<std::uint32_t>(-16.0f) + sign));
}

/// What multiplies that reciprocal: numbers next to gate_scale.
inline constexpr float sigmoid_scale = 0x1.fffff4p-17f, silu_scale = 0x1.fffffap-17f;

/// tanh(x) / x as a quotient of polynomials of x^2.
struct TanhConstants {
  float p0, p1, p2, q0, q1, q2, p3 = 0, q3 = 0;
};

template <int digits>
KOKKOS_FORCEINLINE_FUNCTION constexpr TanhConstants tanh_constants() {
  if constexpr (digits == 11)
    return {0x1.67673ap0f,  0x1.69e834p-3f, 0x1.d4eb7ep-9f,  0x1.67673cp0f,
            0x1.4a1426p-1f, 0x1.004794p-5f, 0x1.0003ecp-17f, 0x1p-12f};
  else
    return {0x1.1babd2p0f, 0x1.e2ba96p-4f, 0x1.d7325p-11f, 0x1.1bac5p0f, 0x1.f2d97ap-2f, 0x1p-6f};
}

/// 1 / (1 + e^-x) of half.
KOKKOS_FORCEINLINE_FUNCTION float sigmoid_from_half(float x, Exp2Constants c = sigmoid_constants()) {
  const float inner = at_most(at_least(x, -30.0f), 30.0f);
  // As gate_exponent moves its: 1 + e^-x tells no difference.
  c.c0 = bit_cast<float>(bit_cast<std::int32_t>(c.c0) + (bit_cast<std::int32_t>(inner) >> 29));
  return math::reciprocal(one_and_exp_of_minus(inner, c));
}

/// The same of bfloat16.
template <class Exp2 = NearExp2, class Reciprocal = NearReciprocal>
KOKKOS_FORCEINLINE_FUNCTION float sigmoid_from_bfloat16(float x, float scale = sigmoid_scale, const Exp2& exp2 = {},
                                                        const Reciprocal& inverse = {}) {
  return inverse(gate_scale + exp2(gate_exponent(x))) * scale;
}

/// x / (1 + e^-x) of half.
KOKKOS_FORCEINLINE_FUNCTION float silu_from_half(float x, const Exp2Constants& c = silu_constants()) {
  const float inner = at_least(x, -30.0f);
  return Kokkos::copysign(fma(inner, math::reciprocal(one_and_exp_of_minus(at_most(inner, 30.0f), c)), trace<11>), x);
}

/// The same of bfloat16.
template <class Exp2 = NearExp2, class Reciprocal = NearReciprocal>
KOKKOS_FORCEINLINE_FUNCTION float silu_from_bfloat16(float x, float scale = silu_scale, const Exp2& exp2 = {},
                                                     const Reciprocal& inverse = {}) {
  const float inner = at_least(x, -98.0f), sum = gate_scale + exp2(gate_exponent(inner));
  return Kokkos::copysign(traced_product(inner * scale, inverse(sum), trace<8>), x);
}

/// tanh(x), up to where it is rounded to 1.
template <int digits, class Reciprocal = NearReciprocal>
KOKKOS_FORCEINLINE_FUNCTION float tanh_from_16_bits(float x, const TanhConstants& c = tanh_constants<digits>(),
                                                    const Reciprocal& inverse = {}) {
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
  return (inner * numerator) * inverse(denominator);
}

/// x / (1 + |x|).
template <int digits, class Reciprocal = NearReciprocal>
KOKKOS_FORCEINLINE_FUNCTION float softsign_from_16_bits(float x, const Reciprocal& inverse_of = {}) {
  const float a = at_most(Kokkos::abs(x), 0x1p100f), denominator = 1.0f + a, inverse = inverse_of(denominator);
  const float quotient = a * inverse;
  if constexpr (digits == 11)
    return Kokkos::copysign(fma(fma(-quotient, denominator, a), inverse, quotient), x);
  else
    return Kokkos::copysign(quotient, x);
}

/// x min(max(0, x + 3), 6) / 6.
template <int digits>
KOKKOS_FORCEINLINE_FUNCTION float hardswish_from_16_bits(float x) {
  const float inner = at_least(x, -3.0f), factor = (at_most(inner, 3.0f) + 3.0f) * (1 / 6.0f);
  if constexpr (digits == 11) return Kokkos::copysign(fma(inner, factor, trace<digits>), x);
  // Numbers below -3, of which there are many, leave no trace: hosts take longer to round subnormal ones.
  return Kokkos::copysign((inner + trace<digits>)*factor, x);
}

/// x where it is not below 0, else x times a slope.
/// \param slope  the float next to it on that side on which exact products lie where those by the slope itself would be
///               rounded to a number half way
/// \param added  a trace of the sign that brings products to that side, too, for subnormal ones
KOKKOS_FORCEINLINE_FUNCTION float slope_from_16_bits(float x, float slope, float added) {
  return select(x < 0.0f, traced_product(x, slope, added), x);
}

}  // namespace kachel::detail
