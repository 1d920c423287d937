// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The constants of SELU.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/pack_math.hpp>

namespace kachel::detail {

/// SELU's slope above 0, and that at 0 from below as a sum of two numbers.
template <class T>
struct SELUConstants;

template <>
struct SELUConstants<float> {
  static constexpr float above = 0x1.0cfabep+0f, below = 0x1.c212ccp+0f, below_low = 0x1.903c0cp-26f;
};

template <>
struct SELUConstants<double> {
  static constexpr double above = 0x1.0cfabd6a91132p+0, below = 0x1.c212cc640f031p+0, below_low = 0x1.05161b045a1fep-56;
};

/// How far a y of type Stored lies above its limit, 1.75809934084737686 below 0. With that number rounded as a y of 16
/// bits was, so that the sum is never negative.
template <class Stored, math::RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T selu_above_limit(T y) {
  if constexpr (is_float16<Stored>)
    return y + stored_limit<T, Stored>(SELUConstants<double>::below);
  else
    return (y + SELUConstants<T>::below) + SELUConstants<T>::below_low;
}

}  // namespace kachel::detail
