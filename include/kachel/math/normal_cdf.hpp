// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The distribution function of the normal distribution, of which gelu is made.
#pragma once

#include <kachel/detail/math/normal_cdf.hpp>
#include <kachel/math/select.hpp>

namespace kachel::math {

/// Phi(x), the probability that a normally distributed number is below x: erfc(-x / sqrt(2)) / 2, with the same
/// relative accuracy in the tail. Its error: docs/numerics.md.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T normal_cdf(T x) {
  const T tail = detail::scaled_normal_tail<false>(Kokkos::abs(x));
  const T below = tail * (T(1) / detail::NormalConstants<T>::scale);  // exact where its digits matter to the difference
  return select(x != x, x, select(x > T(0), T(1) - below, below));
}

}  // namespace kachel::math
