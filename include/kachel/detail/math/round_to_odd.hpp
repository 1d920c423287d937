// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rounding to odd: a result that is not exact has its last bit set. Rounding it once more, to nearest, to a type at
/// least two bits narrower gives what rounding the exact value would have given.
/// Source: S. Boldo, G. Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using rounding to
/// odd, IEEE Transactions on Computers 57 (2008).
#pragma once

#include <kachel/detail/math/bit_cast.hpp>
#include <kachel/math/fma.hpp>
#include <kachel/math/select.hpp>

#include <cstdint>

namespace kachel::detail {

/// value as a float, rounded to odd.
KOKKOS_FORCEINLINE_FUNCTION constexpr float round_to_odd(double value) {
#if defined(KOKKOS_ENABLE_CUDA)
  if (!__builtin_is_constant_evaluated()) {
    KOKKOS_IF_ON_DEVICE((const float truncated = __double2float_rz(value);
                         return bit_cast<float>(bit_cast<std::uint32_t>(truncated) | (truncated != value ? 1u : 0u));))
  }
#endif
  const auto nearest = static_cast<float>(value);
  const double error = value - static_cast<double>(nearest);
  // The error's sign alone goes on in float, where a small error would vanish.
  const auto sign = static_cast<float>(select(error > 0.0, 1.0, select(error < 0.0, -1.0, 0.0)));
  const bool away_from_zero = select(value < 0.0, -sign, sign) < 0.0f;
  const std::uint32_t truncated = bit_cast<std::uint32_t>(nearest) - select(away_from_zero, 1u, 0u);
  return bit_cast<float>(truncated | select(sign != 0.0f, 1u, 0u));
}

/// The same of an integer. Of those with more than 53 bits the lower 12 leave a trace first, so that a double holds it.
template <class T>
  requires std::is_integral_v<T>
KOKKOS_FORCEINLINE_FUNCTION constexpr float round_to_odd(T value) {
  if constexpr (sizeof(T) < 8) {
    return detail::round_to_odd(static_cast<double>(value));
  } else {
    constexpr T lower = (T{1} << 12) - 1, exact = T{1} << 53;
    const bool fits = value <= exact && (!std::is_signed_v<T> || value >= -exact);
    const T traced = fits || (value & lower) == 0 ? value : (value & ~lower) | (lower + 1) / 2;
    return detail::round_to_odd(static_cast<double>(traced));
  }
}

/// a number rounded to nearest, as rounding to odd would have given it.
/// \param inexact, away_from_zero  1 if rounding changed it, and if that made it larger, else 0
KOKKOS_FORCEINLINE_FUNCTION float to_odd(float nearest, std::uint32_t inexact, std::uint32_t away_from_zero) {
  return bit_cast<float>((bit_cast<std::uint32_t>(nearest) - away_from_zero) | inexact);
}

#if defined(KOKKOS_ENABLE_CUDA)
/// A number rounded to odd, from what it is rounded down and up: one of two neighbours is odd.
__device__ inline float odd_of(float down, float up) {
  return (bit_cast<std::uint32_t>(down) & 1) != 0 ? down : up;  // of -0 and 0 the second
}
#endif

/// a * b, rounded to odd; where a or b is infinite, a number that no 16-bit type tells from the product.
KOKKOS_FORCEINLINE_FUNCTION float product_to_odd(float a, float b) {
#if defined(KOKKOS_ENABLE_CUDA)
  KOKKOS_IF_ON_DEVICE((return odd_of(__fmul_rd(a, b), __fmul_ru(a, b));))
#endif
  const float nearest = a * b;
  // The sign of an error is right also where the error underflows; that of none is + both times.
  const auto bits = bit_cast<std::uint32_t>(nearest), error = bit_cast<std::uint32_t>(fma(a, b, -nearest)),
             opposite = bit_cast<std::uint32_t>(fma(-a, b, nearest));
  return to_odd(nearest, (error | opposite) >> 31, ((error & ~bits) | (opposite & bits)) >> 31);
}

/// a + b, rounded to odd, where |a| >= |b|; else about as near.
KOKKOS_FORCEINLINE_FUNCTION float sum_to_odd(float a, float b) {
#if defined(KOKKOS_ENABLE_CUDA)
  KOKKOS_IF_ON_DEVICE((return odd_of(__fadd_rd(a, b), __fadd_ru(a, b));))
#endif
  const float nearest = a + b;
  const float error = b - (nearest - a);  // exact (Dekker); NaN where the sum is infinite
  const std::uint32_t inexact = select((error < 0.0f) | (error > 0.0f), 1u, 0u);
  return to_odd(nearest, inexact,
                inexact & ((bit_cast<std::uint32_t>(error) ^ bit_cast<std::uint32_t>(nearest)) >> 31));
}

/// a * b + c, rounded to odd.
/// The product a * b must be exact in double, as it is where a and b are floats.
KOKKOS_FORCEINLINE_FUNCTION double fma_to_odd(double a, double b, double c) {
  const double product = a * b;
  const double sum = product + c;
  // Knuth's two-sum: sum + error is the exact value. An infinite sum leaves a NaN, which is neither above nor below 0.
  const double c_part = sum - product;
  const double error = (product - (sum - c_part)) + (c - c_part);
  const double outwards = select(sum < 0.0, -error, error);
  const std::uint64_t truncated = bit_cast<std::uint64_t>(sum) - select<std::uint64_t>(outwards < 0.0, 1, 0);
  return bit_cast<double>(truncated | select<std::uint64_t>((outwards < 0.0) | (outwards > 0.0), 1, 0));
}

/// For a function x / 2 + slope x^2 + ...: its value, and near 0, where that is nearer to x / 2 than doubles are to
/// each other, a number on its side of x / 2.
KOKKOS_FORCEINLINE_FUNCTION double beside_half(double x, double slope, double value) {
  const double step = slope * x;
  const bool small = (step < 0x1p-22) & (step > -0x1p-22);
  return select(small, fma_to_odd(step, x, x / 2), value);
}

}  // namespace kachel::detail
