// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What half and bfloat16 share: storage of 16 bits, conversions, limits.
#pragma once

#include <kachel/detail/math/round_to_odd.hpp>
#include <kachel/detail/types/limits.hpp>
#include <kachel/math/select.hpp>

#include <Kokkos_Macros.hpp>

#include <concepts>
#include <cstdint>
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
  /// \param value  a float next to that number
  /// \param ulps   how far from it value is, and half more, in units of its last place
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool may_be_halfway(float value, std::uint32_t ulps) {
    return Format::may_be_halfway(value, ulps);
  }

 private:
  std::uint16_t bits_;
};

/// Whether T is half or bfloat16.
template <class T>
inline constexpr bool is_float16 = false;

/// Float16 of either format is.
template <class Format>
inline constexpr bool is_float16<Float16<Format>> = true;

}  // namespace kachel
