// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Weights: powers of e beside the largest of a row.
#pragma once

#include <kachel/detail/math/exp.hpp>
#include <kachel/math/select.hpp>
#include <kachel/pack.hpp>
#include <kachel/types/bfloat16.hpp>
#include <kachel/types/half.hpp>

namespace kachel::detail {

/// e^x for the elements x of a row in which m is the largest, times a power of two: the same for all. With
/// x = n ln 2 + r, e^x is e^r, which does not depend on m, times a power of two that is exact: so sums of weights of
/// other m differ by powers of two alone. Where m is not finite weights are anything. A weight has
/// - lowest: from 2^-lowest of the largest on it is 0, or so small that its result is 0,
/// - shift, to which x log2(e) is added so that the lower bits are those of the power of two,
/// - least, the x of the lowest power, in whose place smaller ones come.
/// \tparam V  float, or a pack of those of different rows
template <class T, class V = float>
struct Weight;

/// ln 2, with as many digits as the least x of a row needs.
inline constexpr float weight_ln2 = 0x1.62e43p-1f;

template <class V>
struct Weight<float, V> {
  static constexpr int lowest = 125;  // so that those that are not 0 are normal numbers

  /// Where |m| is so large that n ln 2 would lack digits, x - m takes the place of x: exact where the weight is not 0.
  KOKKOS_FORCEINLINE_FUNCTION explicit Weight(const V& m)
      : offset(apply([](float of) { return select(Kokkos::abs(of) <= 0x1p15f, 0.0f, of); }, m)) {
    const V n = apply(
        [](float of, float own_offset) {
          return fma(of - own_offset, ExpConstants<float>::log2_e, integer_shift<float>) - integer_shift<float>;
        },
        m, offset);
    shift = apply([](float own) { return integer_shift<float> + (float(lowest) - own); }, n);
    least = apply([](float own) { return (own - float(lowest)) * weight_ln2; }, n);
  }

  KOKKOS_FORCEINLINE_FUNCTION V operator()(const V& x) const {
    const auto of_one = [](float of, float own_offset, float own_shift, float own_least) {
      using C = ExpConstants<float>;
      const float reduced = at_least(of - own_offset, own_least);
      const float shifted = fma(reduced, C::log2_e, own_shift), n = shifted - own_shift;
      // The power of two is 0 where it would be 2^-lowest.
      return exp_of_remainder(fma(n, -C::ln2_low, fma(n, -C::ln2, reduced)), 4.0f) *
             bit_cast<float>(bit_cast<std::uint32_t>(shifted) << 23);
    };
    return apply(of_one, x, offset, shift, least);
  }

  V offset, shift, least;
};

/// x log2(e) is in error by as many digits as float's log2(e) is. That of m is the same in each weight of a row and
/// leaves no trace in their ratios; that of x - m is below 2^-20 where the result is not 0. So is the error of 2^f.
template <class V>
struct Weight<half, V> {
  static constexpr int lowest = 64;

  KOKKOS_FORCEINLINE_FUNCTION explicit Weight(const V& m) {
    const V n = apply(
        [](float of) { return fma(of, ExpConstants<float>::log2_e, integer_shift<float>) - integer_shift<float>; }, m);
    shift = apply([](float own) { return integer_shift<float> - own; }, n);
    least = apply([](float own) { return (own - float(lowest)) * weight_ln2; }, n);
  }

  KOKKOS_FORCEINLINE_FUNCTION V operator()(const V& x) const {
    const auto of_one = [](float of, float own_shift, float own_least) {
      const float reduced = at_least(of, own_least), shifted = fma(reduced, ExpConstants<float>::log2_e, own_shift),
                  fraction = fma(reduced, ExpConstants<float>::log2_e, -(shifted - own_shift));
      return times_power_of_two(
          polynomial(fraction, 0x1.ffffe8p-1f, 0x1.62e0dcp-1f, 0x1.ec06aap-3f, 0x1.ca14a2p-5f, 0x1.39a1bep-7f),
          bit_cast<std::uint32_t>(shifted));
    };
    return apply(of_one, x, shift, least);
  }

  V shift, least;
};

template <class V>
struct Weight<bfloat16, V> {
  static constexpr int lowest = 125;  // so that those that are not 0 are normal numbers

  /// From 2^15 on neighbours are 128 apart and more, so that one alone has a weight. From 2^16 on a smaller factor
  /// takes the place of log2(e), so that x log2(e) is below 2^22 and its lower bits are those of an integer.
  KOKKOS_FORCEINLINE_FUNCTION explicit Weight(const V& m) {
    const auto scale = apply(
        [](float of) {
          const auto exponent = static_cast<int>(bit_cast<std::uint32_t>(of) >> 23 & 0xffu) - (127 + 15);
          return static_cast<std::uint32_t>(select(exponent > 0, exponent, 0));
        },
        m);
    factor = apply([](std::uint32_t own) { return ExpConstants<float>::log2_e * power_of_two<float>(-own); }, scale);
    const V n =
        apply([](float of, float own) { return fma(of, own, integer_shift<float>) - integer_shift<float>; }, m, factor);
    shift = apply([](float own) { return integer_shift<float> + (float(lowest) - own); }, n);
    least = apply(
        [](float own, std::uint32_t own_scale) {
          return (own - float(lowest)) * (weight_ln2 * power_of_two<float>(own_scale));
        },
        n, scale);
  }

  KOKKOS_FORCEINLINE_FUNCTION V operator()(const V& x) const {
    const auto of_one = [](float of, float own_factor, float own_shift, float own_least) {
      const float reduced = at_least(of, own_least), shifted = fma(reduced, own_factor, own_shift);
      // The power of two is 0 where it would be 2^-lowest.
      return polynomial(fma(reduced, own_factor, -(shifted - own_shift)), 0x1.fff69p+1f, 0x1.62f31cp+1f, 0x1.f0dea6p-1f,
                        0x1.c3f79ap-3f) *
             bit_cast<float>(bit_cast<std::uint32_t>(shifted) << 23);
    };
    return apply(of_one, x, factor, shift, least);
  }

  V factor, shift, least;
};

}  // namespace kachel::detail
