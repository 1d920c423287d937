// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// std::numeric_limits of the 16-bit types.
#pragma once

#include <cstdint>
#include <limits>

namespace kachel {

template <class Format>
class Float16;

}  // namespace kachel

template <class Format>
struct std::numeric_limits<kachel::Float16<Format>> {
  using T = kachel::Float16<Format>;
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr bool is_iec559 = true, is_bounded = true, is_modulo = false, traps = false;
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr bool has_denorm_loss = false, tinyness_before = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int radix = 2;
  static constexpr int digits = Format::fraction_bits + 1;
  static constexpr int digits10 = (digits - 1) * 30103 / 100000;
  static constexpr int max_digits10 = 2 + digits * 30103 / 100000;
  static constexpr int max_exponent = Format::max_exponent;
  static constexpr int min_exponent = 3 - max_exponent;
  static constexpr int max_exponent10 = max_exponent * 30103 / 100000;
  static constexpr int min_exponent10 = (min_exponent - 1) * 30103 / 100000;

  static constexpr T infinity() { return T::from_bits(exponent_mask); }
  static constexpr T quiet_NaN() { return T::from_bits(exponent_mask | quiet_bit); }
  static constexpr T signaling_NaN() { return T::from_bits(exponent_mask | 1); }
  static constexpr T max() { return T::from_bits(exponent_mask - 1); }
  static constexpr T lowest() { return T::from_bits(0x8000 | (exponent_mask - 1)); }
  static constexpr T min() { return T::from_bits(1 << Format::fraction_bits); }
  static constexpr T denorm_min() { return T::from_bits(1); }
  static constexpr T epsilon() {  // 2^(1 - digits)
    return T::from_bits((max_exponent - digits) << Format::fraction_bits);
  }
  static constexpr T round_error() { return T::from_bits((max_exponent - 2) << Format::fraction_bits); }  // 1/2

 private:
  static constexpr std::uint16_t quiet_bit = 1 << (Format::fraction_bits - 1);
  static constexpr std::uint16_t exponent_mask = 0x7fff & ~((1 << Format::fraction_bits) - 1);
};
