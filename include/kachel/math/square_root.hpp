// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Square root.
#pragma once

#include <kachel/detail/math/square_root.hpp>
#include <kachel/math/select.hpp>

#include <Kokkos_NumericTraits.hpp>

namespace kachel::math {

/// sqrt(x), correctly rounded. NaN where x is negative, but -0 of -0.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T square_root(T x) {
  const bool is_small = x < T(0x1p-60);
  const T root = detail::root_of_normal(x * select(is_small, T(0x1p120), T(1))) * select(is_small, T(0x1p-60), T(1));
  const bool is_usual = (x > T(0)) & (x <= Kokkos::Experimental::finite_max_v<T>);
  return select(is_usual, root, select(x < T(0), Kokkos::Experimental::quiet_NaN_v<T>, x));
}

}  // namespace kachel::math
