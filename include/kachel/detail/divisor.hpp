// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Divisor: many divisions by one number.
#pragma once

#include <Kokkos_Macros.hpp>

#include <bit>
#include <cstdint>

namespace kachel::detail {

/// Divides by a number above 0 by way of its reciprocal, since a device has no instruction that divides integers: the
/// method of Granlund and Montgomery, "Division by invariant integers using multiplication", 1994.
class Divisor {
 public:
  /// Divides by 1.
  Divisor() = default;

  /// \param divisor  above 0
  explicit constexpr Divisor(std::int64_t divisor)
      : divisor_(divisor),
        shift_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(divisor - 1)))),
        reciprocal_(static_cast<std::uint64_t>(((Wide(1) << (63 + shift_)) - 1) / static_cast<std::uint64_t>(divisor)) +
                    1) {}

  /// What is divided by.
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::int64_t divisor() const { return divisor_; }

  /// number / divisor(), of a number that is not below 0.
  KOKKOS_FORCEINLINE_FUNCTION constexpr std::int64_t quotient(std::int64_t number) const {
    return static_cast<std::int64_t>((Wide(2 * static_cast<std::uint64_t>(number)) * reciprocal_ >> 64) >> shift_);
  }

 private:
  __extension__ typedef unsigned __int128 Wide;  // C++'s alias takes no __extension__

  std::int64_t divisor_ = 1;
  int shift_ = 0;
  std::uint64_t reciprocal_ = std::uint64_t{1} << 63;  ///< 2^(63 + shift) / divisor, rounded up
};

}  // namespace kachel::detail
