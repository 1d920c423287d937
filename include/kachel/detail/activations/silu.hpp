// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How SiLU is computed, for 16 bits and at its default parameters too.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/math/from_16_bits.hpp>
#include <kachel/detail/math/round_to_odd.hpp>
#include <kachel/detail/math/silu.hpp>
#include <kachel/pack_math.hpp>

namespace kachel::detail {

/// x sigmoid(beta x).
template <math::RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T silu_value(T x, T beta) {
  const bool vanishes = beta * x < ExpConstants<T>::lowest;
  return select(vanishes, Kokkos::copysign(T(0), x), times_sigmoid(x, beta));
}

/// The same in double, beside x / 2 where that is near to it.
KOKKOS_FORCEINLINE_FUNCTION double wide_silu(double x, double beta) {
  return beside_half(x, 0.25 * beta, silu_value(x, beta));
}

/// The derivative, for 16 bits: beta x can be as near to where the derivative vanishes as no x of 16 bits is.
KOKKOS_FORCEINLINE_FUNCTION float narrow_silu_slope(float x, float beta) {
  return beta == 1.0f ? narrow_silu_slope(x) : silu_slope(x, beta);
}

/// x sigmoid(x), near enough to be rounded to T.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION float silu_from_16_bits(float x) {
  if constexpr (std::is_same_v<T, half>)
    return silu_from_half(x);
  else
    return silu_from_bfloat16(x);
}

/// F{}, without a product by beta, where F is SiLU.
template <class F>
struct SiLUAtDefaults {
  static constexpr std::string_view name = F::name;
  static constexpr Contract contract{
      .formula = "x / (1 + e^-x)", .ulp = F::contract.ulp, .gradient_ulp = F::contract.gradient_ulp};

  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return apply(
        [](auto v) KACHEL_INLINE_LAMBDA {
          using Number = decltype(v);
          return times_sigmoid(at_least(v, ExpConstants<Number>::lowest), Number(1));
        },
        x);
  }

  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return F{}.backward(dy, x);
  }

  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return F{}.wide(x); }
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const { return narrow_silu_slope(x); }
};

}  // namespace kachel::detail
