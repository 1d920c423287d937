// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rounding to odd: a result that is not exact has its last bit set. Rounding it once more, to nearest, to a type at
/// least two bits narrower gives what rounding the exact value would have given.
/// Source: S. Boldo, G. Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using rounding to
/// odd, IEEE Transactions on Computers 57 (2008).
#pragma once

#include <kachel/math/select.hpp>

#include <kachel/math/bit_cast.hpp>
#include <cstdint>

namespace kachel {

/// value as a float, rounded to odd.
KOKKOS_FORCEINLINE_FUNCTION constexpr float round_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  const double back = nearest;
  const auto bits = bit_cast<std::uint32_t>(nearest);
  const double magnitude = select(value < 0.0, -value, value);
  const double back_magnitude = select(back < 0.0, -back, back);
  const std::uint32_t truncated = bits - select(back_magnitude > magnitude, 1u, 0u);
  return bit_cast<float>(truncated | select(back != value, 1u, 0u));
}

/// a * b + c, rounded to odd.
/// The product a * b must be exact in double, as it is where a and b are floats.
KOKKOS_FORCEINLINE_FUNCTION double fma_to_odd(double a, double b, double c) {
  const double product = a * b;
  const double sum = product + c;
  // Knuth's two-sum: sum + error is the exact value. An infinite sum leaves a NaN, which fails both comparisons.
  const double c_part = sum - product;
  const double error = (product - (sum - c_part)) + (c - c_part);
  const bool inexact = (error < 0.0) | (error > 0.0);
  // Where the last bit is even, the odd neighbour is the next number on the error's side.
  const auto bits = bit_cast<std::int64_t>(sum);
  const std::int64_t outwards = ((bit_cast<std::int64_t>(error) ^ bits) >> 63) | 1;
  return bit_cast<double>(bits + select<std::int64_t>(inexact & ((bits & 1) == 0), outwards, 0));
}

}  // namespace kachel
