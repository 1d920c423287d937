// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Weights: powers of e beside the largest of a row.
#pragma once

#include <kachel/detail/math/exp.hpp>
#include <kachel/math/select.hpp>
#include <kachel/types/bfloat16.hpp>
#include <kachel/types/half.hpp>

namespace kachel::detail {

/// 4 e^r of a number x = n ln 2 + r: for results in float to the last digits of float, for 16-bit results to 2^-18 or
/// 2^-13, as tools/sollya/constants.sollya says.
template <class T>
struct WeightArithmetic {
  static constexpr float largest = 0x1p15f;  ///< x whose n ln 2 has digits enough

  KOKKOS_FORCEINLINE_FUNCTION static float fraction(float x, float n) {
    using C = ExpConstants<float>;
    return exp_of_remainder(fma(n, -C::ln2_low, fma(n, -C::ln2, x)), 4.0f);
  }
};

template <>
struct WeightArithmetic<half> {
  static constexpr float largest = 0x1p9f;

  KOKKOS_FORCEINLINE_FUNCTION static float fraction(float x, float n) {
    return polynomial(fma(x, ExpConstants<float>::log2_e, -n), 0x1.ffffe8p+1f, 0x1.62e0dcp+1f, 0x1.ec06aap-1f,
                      0x1.ca14a2p-3f, 0x1.39a1bep-5f);
  }
};

template <>
struct WeightArithmetic<bfloat16> {
  static constexpr float largest = 0x1p9f;

  KOKKOS_FORCEINLINE_FUNCTION static float fraction(float x, float n) {
    return polynomial(fma(x, ExpConstants<float>::log2_e, -n), 0x1.fff69p+1f, 0x1.62f31cp+1f, 0x1.f0dea6p-1f,
                      0x1.c3f79ap-3f);
  }
};

/// e^x for the elements x of a row in which m is the largest, times a power of two: the same for all, such that the
/// largest is 0.7 to 1.5. With x = n ln 2 + r, e^x is e^r, which does not depend on m, times a power of two that is
/// exact: so sums of weights of other m differ by powers of two alone. Below 2^-124 of the largest a weight is 0.
/// Where |m| is so large that n ln 2 would lack digits, x - m takes the place of x: exact where the weight is not 0.
/// NaN where x is, or m, or both are infinite and equal.
template <class T>
struct Weight {
  using Arithmetic = WeightArithmetic<T>;
  static constexpr int lowest = 125;  // weights are 0 from 2^-lowest on, so that others are normal numbers

  KOKKOS_FORCEINLINE_FUNCTION explicit Weight(float m)
      : offset(select(Kokkos::abs(m) <= Arithmetic::largest, 0.0f, m)) {
    using C = ExpConstants<float>;
    const float n = fma(m - offset, C::log2_e, integer_shift<float>) - integer_shift<float>;
    shift = integer_shift<float> + (float(lowest) - n);
    least = (n - float(lowest)) * 0x1.62e43p-1f;
  }

  KOKKOS_FORCEINLINE_FUNCTION float operator()(float x) const {
    using C = ExpConstants<float>;
    const float reduced = at_least(x - offset, least);
    // Its lower bits are those of the power of two, which is 0 where it would be 2^-lowest.
    const float shifted = fma(reduced, C::log2_e, shift);
    return Arithmetic::fraction(reduced, shifted - shift) * bit_cast<float>(bit_cast<std::uint32_t>(shifted) << 23);
  }

  float offset, shift, least;
};

}  // namespace kachel::detail
