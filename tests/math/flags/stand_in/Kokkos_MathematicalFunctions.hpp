// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What math/ takes of Kokkos, for compilers that no Kokkos was configured for.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cmath>

namespace Kokkos {
using std::abs;
using std::copysign;
using std::fma;
using std::sqrt;
}  // namespace Kokkos
