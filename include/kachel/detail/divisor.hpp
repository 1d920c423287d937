// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Divisor, ShortDivisor: many divisions by one number. divide_up: a quotient that is rounded up.
#pragma once

#include <Kokkos_Macros.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace kachel::detail {

/// Divides by a number above 0 by way of its reciprocal, since a device has no instruction that divides integers: the
/// method of Granlund and Montgomery, "Division by invariant integers using multiplication", 1994.
/// \tparam Number  the signed type of numbers and quotients
/// \tparam Wide    an unsigned type of twice the bits
template <class Number, class Wide>
class BasicDivisor {
  using Unsigned = std::make_unsigned_t<Number>;
  static constexpr int bits = 8 * sizeof(Number);

 public:
  /// Divides by 1.
  BasicDivisor() = default;

  /// \param divisor  above 0
  explicit constexpr BasicDivisor(Number divisor)
      : divisor_(divisor),
        shift_(static_cast<int>(std::bit_width(static_cast<Unsigned>(divisor - 1)))),
        reciprocal_(static_cast<Unsigned>(((Wide(1) << (bits - 1 + shift_)) - 1) / static_cast<Unsigned>(divisor)) +
                    1) {}

  /// What is divided by.
  KOKKOS_FORCEINLINE_FUNCTION constexpr Number divisor() const { return divisor_; }

  /// number / divisor(), of a number that is not below 0.
  KOKKOS_FORCEINLINE_FUNCTION constexpr Number quotient(Number number) const {
    const Unsigned high =
        static_cast<Unsigned>(Wide(Unsigned{2} * static_cast<Unsigned>(number)) * reciprocal_ >> bits);
    return static_cast<Number>(high >> shift_);
  }

 private:
  Number divisor_ = 1;
  int shift_ = 0;
  Unsigned reciprocal_ = Unsigned{1} << (bits - 1);  ///< 2^(bits - 1 + shift) / divisor, rounded up
};

/// number / divisor, rounded up, of a number that is not below 0.
constexpr std::int64_t divide_up(std::int64_t number, std::int64_t divisor) { return (number + divisor - 1) / divisor; }

__extension__ typedef unsigned __int128 WideUnsigned;  // C++'s alias takes no __extension__

using Divisor = BasicDivisor<std::int64_t, WideUnsigned>;

/// The same of numbers below 2^31, in a third of the instructions.
using ShortDivisor = BasicDivisor<std::int32_t, std::uint64_t>;

}  // namespace kachel::detail
