// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// ELU for 16 bits.
#pragma once

#include <kachel/detail/math/round_to_odd.hpp>
#include <kachel/math/exp.hpp>

namespace kachel::detail {

/// y in double for 16-bit results near a number half way between two of them, which alpha and alpha x can be: y is
/// never that.
KOKKOS_FORCEINLINE_FUNCTION double wide_elu(double x, double alpha) {
  const double expm1_x = max(math::expm1(x), -0x1.fffffffffffffp-1);
  // Near 0 it is alpha x (1 + x / 2), nearer to alpha x than doubles are to each other.
  const double below = select(x > -0x1p-40, fma_to_odd(0.5 * alpha * x, x, alpha * x), alpha * expm1_x);
  return select(x >= 0, x, below);
}

}  // namespace kachel::detail
