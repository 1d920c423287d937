// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Weights: powers of e beside the largest of a row.
#pragma once

#include <kachel/detail/math/exp.hpp>
#include <kachel/math/select.hpp>
#include <kachel/types/bfloat16.hpp>
#include <kachel/types/half.hpp>

namespace kachel::detail {

/// e^x for the elements x of a row in which m is the largest, times a power of two: the same for all, such that the
/// largest is 0.7 to 1.5. With x = n ln 2 + r, e^x is e^r, which does not depend on m, times a power of two that is
/// exact: so sums of weights of other m differ by powers of two alone. Below 2^-124 of the largest a weight is 0.
/// NaN where x is, or m, or both are infinite and equal.
template <class T>
struct Weight;

template <>
struct Weight<float> {
  static constexpr int lowest = 125;  // weights are 0 from 2^-lowest on, so that others are normal numbers

  /// Where |m| is so large that n ln 2 would lack digits, x - m takes the place of x: exact where the weight is not 0.
  KOKKOS_FORCEINLINE_FUNCTION explicit Weight(float m) : offset(select(Kokkos::abs(m) <= 0x1p15f, 0.0f, m)) {
    using C = ExpConstants<float>;
    const float n = fma(m - offset, C::log2_e, integer_shift<float>) - integer_shift<float>;
    shift = integer_shift<float> + (float(lowest) - n);
    least = (n - float(lowest)) * 0x1.62e43p-1f;
  }

  KOKKOS_FORCEINLINE_FUNCTION float operator()(float x) const {
    using C = ExpConstants<float>;
    const float reduced = at_least(x - offset, least);
    // Its lower bits are those of the power of two, which is 0 where it would be 2^-lowest.
    const float shifted = fma(reduced, C::log2_e, shift), n = shifted - shift;
    return exp_of_remainder(fma(n, -C::ln2_low, fma(n, -C::ln2, reduced)), 4.0f) *
           bit_cast<float>(bit_cast<std::uint32_t>(shifted) << 23);
  }

  float offset, shift, least;
};

template <>
struct Weight<half> {
  static constexpr int lowest = 64;  // weights are 0 from 2^-lowest on, so that others are normal numbers

  KOKKOS_FORCEINLINE_FUNCTION explicit Weight(float m) {
    using C = ExpConstants<float>;
    const float n = fma(m, C::log2_e, integer_shift<float>) - integer_shift<float>;
    shift = integer_shift<float> - n;
    least = (n - float(lowest)) * 0x1.62e43p-1f;
  }

  KOKKOS_FORCEINLINE_FUNCTION float operator()(float x) const {
    const float reduced = at_least(x, least);
    const float shifted = fma(reduced, ExpConstants<float>::log2_e, shift);
    const float fraction = polynomial(fma(reduced, ExpConstants<float>::log2_e, -(shifted - shift)), 0x1.ffffe8p-1f,
                                      0x1.62e0dcp-1f, 0x1.ec06aap-3f, 0x1.ca14a2p-5f, 0x1.39a1bep-7f);
    return times_power_of_two(fraction, bit_cast<std::uint32_t>(shifted));
  }

  float shift, least;
};

template <>
struct Weight<bfloat16> {
  static constexpr int lowest = 125;  // weights are 0 from 2^-lowest on, so that others are normal numbers

  KOKKOS_FORCEINLINE_FUNCTION explicit Weight(float m) {
    using C = ExpConstants<float>;
    const int exponent = Kokkos::max(static_cast<int>(bit_cast<std::uint32_t>(m) >> 23 & 0xff) - (127 + 14), 0);
    const float power = power_of_two<float>(-exponent);
    log2 = C::log2_e * power;
    const float n = fma(m, log2, integer_shift<float>) - integer_shift<float>;
    shift = integer_shift<float> + (float(lowest) - n);
    least = (n - float(lowest)) * (0x1.62e43p-1f * power_of_two<float>(exponent));
  }

  KOKKOS_FORCEINLINE_FUNCTION float operator()(float x) const {
    const float reduced = at_least(x, least);
    const float shifted = fma(reduced, log2, shift);
    return polynomial(fma(reduced, log2, -(shifted - shift)), 0x1.fff69p+1f, 0x1.62f31cp+1f, 0x1.f0dea6p-1f,
                      0x1.c3f79ap-3f) *
           bit_cast<float>(bit_cast<std::uint32_t>(shifted) << 23);
  }

  float log2, shift, least;
};

}  // namespace kachel::detail
