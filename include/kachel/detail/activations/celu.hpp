// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How CELU is computed, for 16 bits too.
#pragma once

#include <kachel/pack_math.hpp>

namespace kachel::detail {

/// x / alpha.
template <math::RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION math::Sum<T> celu_quotient(T x, T alpha) {
  const T inverse = T(1) / alpha, inverse_low = fma(-alpha, inverse, T(1)) * inverse;
  const math::Sum<T> quotient = exact_product(x, inverse);
  return {quotient.high, fma(x, inverse_low, quotient.low)};
}

/// x where x >= 0, else alpha (e^(x / alpha) - 1).
template <math::RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T celu_value(T x, T alpha) {
  const math::Sum<T> quotient = celu_quotient(x, alpha);
  const math::Sum<T> below = expm1_of_negative(quotient.high, quotient.low);
  const T product = fma(alpha, below.high, alpha * below.low);
  // Nearer to 0 than this y is x, which a subnormal quotient has lost.
  return select(quotient.high > -Kokkos::Experimental::epsilon_v<T> / 4, x, product);
}

/// y in double for 16-bit results near a number half way between two of them, which alpha can be: y is never that.
KOKKOS_FORCEINLINE_FUNCTION double wide_celu(double x, double alpha) {
  const double expm1_x = max(math::expm1(x / alpha), -0x1.fffffffffffffp-1);
  return select(x >= 0, x, alpha * expm1_x);
}

}  // namespace kachel::detail
