// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What half and bfloat16 share: storage of 16 bits, conversions, limits.
#pragma once

#include <kachel/detail/math/round_to_odd.hpp>
#include <kachel/math/select.hpp>

#include <Kokkos_Macros.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace kachel {

/// A floating-point number of 16 bits in the given format. Trivial, so that Views of it cost nothing to create.
template <class Format>
class Float16 {
 public:
  Float16() = default;

  /// The nearest number to value, rounded once, ties to even.
  KOKKOS_FORCEINLINE_FUNCTION constexpr explicit Float16(float value) : bits_(Format::encode(value)) {}

  /// The nearest number to value, rounded once, ties to even.
  KOKKOS_FORCEINLINE_FUNCTION constexpr explicit Float16(double value) : Float16(detail::round_to_odd(value)) {}

  /// The nearest number to value, rounded once, ties to even.
  template <std::integral Integer>
    requires(sizeof(Integer) <= 4)
  KOKKOS_FORCEINLINE_FUNCTION constexpr explicit Float16(Integer value) : Float16(static_cast<double>(value)) {}

  /// The same number as a float: lossless, hence implicit.
  KOKKOS_FORCEINLINE_FUNCTION constexpr operator float() const { return Format::decode(bits_); }

  /// The number with these bits, in the format's order: sign, exponent, fraction.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Float16 from_bits(std::uint16_t bits) {
    Float16 number;
    number.bits_ = bits;
    return number;
  }

  /// The bits, as from_bits takes them.
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint16_t bits() const { return bits_; }

  /// Whether rounding to this type may be decided by digits that value does not have: if not, rounding value is as good
  /// as rounding the number that it stands for.
  /// \param ulps  how far from that number value is, and half more, in units of its last place
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool may_be_halfway(float value, std::uint32_t ulps) {
    return Format::may_be_halfway(value, ulps);
  }

 private:
  std::uint16_t bits_;
};

/// Whether T is half or bfloat16.
template <class T>
inline constexpr bool is_float16 = false;

/// \cond
template <class Format>
inline constexpr bool is_float16<Float16<Format>> = true;

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
/// \endcond
