// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of Softsign's quotient.
#pragma once

#include <kachel/detail/math/sum.hpp>
#include <kachel/math/reciprocal.hpp>
#include <kachel/math/select.hpp>

namespace kachel::detail {

/// |x|, but no more than where y is 1, the derivative 0, and their quotients are normal numbers.
template <math::RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T softsign_magnitude(T x) {
  return min(Kokkos::abs(x), sizeof(T) == 4 ? T(0x1p100) : T(0x1p600));
}

/// 1 + |x|.
template <math::RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION math::Sum<T> softsign_denominator(T x) {
  return exact_sum(T(1), softsign_magnitude(x));
}

}  // namespace kachel::detail
