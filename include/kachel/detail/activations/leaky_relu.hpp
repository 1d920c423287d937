// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LeakyReLU and RReLU for 16 bits.
#pragma once

#include <kachel/detail/math/from_16_bits.hpp>
#include <kachel/detail/math/round_to_odd.hpp>

namespace kachel::detail {

/// x where x > 0, else a slope times x: the product rounded to nearest could lie half way between two numbers of 16
/// bits, where the exact one does not.
KOKKOS_FORCEINLINE_FUNCTION float narrow_leaky_relu(float x, float slope) {
  return select(x > 0.0f, x, product_to_odd(slope, x));
}

/// The same of an x of 16 bits and LeakyReLU's default slope.
KOKKOS_FORCEINLINE_FUNCTION float leaky_relu_from_16_bits(float x) {
  return slope_from_16_bits(x, 0x1.47ae12p-7f, 0x1p-149f);
}

/// The same of the mean of RReLU's default slopes.
KOKKOS_FORCEINLINE_FUNCTION float rrelu_from_16_bits(float x) {
  return slope_from_16_bits(x, 0x1.d55558p-3f, -0x1p-149f);
}

/// (lower + upper) / 2. The sum of large slopes is infinite, the halves of subnormal ones are rounded.
KOKKOS_FORCEINLINE_FUNCTION constexpr double mean_slope(double lower, double upper) {
  const double mean = (lower + upper) / 2;
  return select((mean < lower) | (mean > upper), lower / 2 + upper / 2, mean);
}

}  // namespace kachel::detail
