// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// QuickGELU and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/math/round_to_odd.hpp>
#include <kachel/tile/pack_math.hpp>

namespace kachel {

/// GELU's approximation by a sigmoid.  TransformerEngine qgelu.
struct QuickGELU {
  static constexpr std::string_view name = "quick_gelu";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x / (1 + e^(-1.702 x))", .ulp = 2, .gradient_ulp = 4};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return apply([](auto v) { return math::times_gate(v, argument(v)); }, x);
  }

  /// dx: dy times the derivative.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * apply(
                    [](auto v) {
                      const auto z = argument(v);
                      return math::silu_slope(z.high, z.low);
                    },
                    x);
  }

  /// For 16-bit results near a number half way between two of them; where y is nearer to x / 2 than doubles are to each
  /// other, on its side of that.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const {
    const bool small = (x < 0x1p-20) & (x > -0x1p-20);
    return select(small, fma_to_odd(0.4255 * x, x, x / 2), (*this)(x));
  }

 private:
  template <math::RealNumber T>
  KOKKOS_FORCEINLINE_FUNCTION static math::Sum<T> argument(T x) {
    constexpr T factor = T(1.702), rest = sizeof(T) == 4 ? T(-0x1.78d4fep-26) : T(0x1.89374bc6a7efap-55);
    return math::gate_argument(x, factor, rest);
  }
};

/// QuickGELU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<QuickGELU> quick_gelu;

/// The derivative of QuickGELU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<QuickGELU> quick_gelu_backward;

}  // namespace kachel
