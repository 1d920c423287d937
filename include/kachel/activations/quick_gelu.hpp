// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// QuickGELU and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/math/round_to_odd.hpp>
#include <kachel/detail/math/silu.hpp>
#include <kachel/pack_math.hpp>

namespace kachel {

/// GELU's approximation by a sigmoid.  TransformerEngine qgelu.
struct QuickGELU {
  static constexpr std::string_view name = "quick_gelu";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x / (1 + e^(-1.702 x))", .ulp = 2, .gradient_ulp = 4};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return apply(
        [](auto v) KACHEL_INLINE_LAMBDA {
          using Number = decltype(v);
          constexpr Number lowest = detail::ExpConstants<Number>::lowest / Number(1.75);  // where y is -0
          return detail::times_sigmoid(at_least(v, lowest), factor<Number>.high, factor<Number>.low);
        },
        x);
  }

  /// dx: dy times the derivative.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * apply(
                    [](auto v) KACHEL_INLINE_LAMBDA {
                      return detail::silu_slope(v, factor<decltype(v)>.high, factor<decltype(v)>.low);
                    },
                    x);
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return detail::beside_half(x, 0.4255, (*this)(x)); }

  /// The derivative, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const { return detail::narrow_silu_slope(1.702f * x); }

 private:
  /// 1.702.
  template <math::RealNumber T>
  static constexpr math::Sum<T> factor = {T(1.702), sizeof(T) == 4 ? T(-0x1.78d4fep-26) : T(0x1.89374bc6a7efap-55)};
};

/// QuickGELU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<QuickGELU> quick_gelu;

/// The derivative of QuickGELU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<QuickGELU> quick_gelu_backward;

}  // namespace kachel
