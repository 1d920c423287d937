// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What math/ takes of Kokkos, for compilers that no Kokkos was configured for.
#pragma once

#include <limits>

namespace Kokkos::Experimental {
template <class T>
inline constexpr T infinity_v = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T quiet_NaN_v = std::numeric_limits<T>::quiet_NaN();
template <class T>
inline constexpr T norm_min_v = std::numeric_limits<T>::min();
template <class T>
inline constexpr T finite_max_v = std::numeric_limits<T>::max();
}  // namespace Kokkos::Experimental
