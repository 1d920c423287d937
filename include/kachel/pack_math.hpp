// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions of math/ of packs: each element's.
#pragma once

#include <kachel/detail/math/narrow.hpp>
#include <kachel/math/exp.hpp>
#include <kachel/math/gelu.hpp>
#include <kachel/math/log.hpp>
#include <kachel/math/mish.hpp>
#include <kachel/math/normal_cdf.hpp>
#include <kachel/math/reciprocal.hpp>
#include <kachel/math/sigmoid.hpp>
#include <kachel/math/square_root.hpp>
#include <kachel/math/tanh.hpp>
#include <kachel/pack.hpp>

namespace kachel::math {

/// \cond
#define KACHEL_OF_PACK(function)                                                 \
  template <class T, int width>                                                  \
  KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> function(const Pack<T, width>& x) { \
    return apply([](T v) { return function(v); }, x);                            \
  }
/// \endcond

/// @{
/// The function of T, element by element.
KACHEL_OF_PACK(exp)
KACHEL_OF_PACK(expm1)
KACHEL_OF_PACK(sigmoid)
KACHEL_OF_PACK(logistic_density)
KACHEL_OF_PACK(tanh)
KACHEL_OF_PACK(log)
KACHEL_OF_PACK(log1p)
KACHEL_OF_PACK(log1p_exp_minus_abs)
KACHEL_OF_PACK(normal_cdf)
KACHEL_OF_PACK(gelu)
KACHEL_OF_PACK(gelu_slope)
KACHEL_OF_PACK(gelu_tanh)
KACHEL_OF_PACK(gelu_tanh_slope)
KACHEL_OF_PACK(mish)
KACHEL_OF_PACK(mish_slope)
KACHEL_OF_PACK(x_minus_tanh)
KACHEL_OF_PACK(reciprocal)
KACHEL_OF_PACK(square_root)
/// @}

#undef KACHEL_OF_PACK

}  // namespace kachel::math
