// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// GELUTanh and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/math/round_to_odd.hpp>
#include <kachel/pack_math.hpp>

namespace kachel {

/// GELU's approximation by tanh.  torch.nn.functional.gelu with approximate='tanh'; ONNX Gelu with approximate tanh;
/// oneDNN gelu_tanh.
struct GELUTanh {
  static constexpr std::string_view name = "gelu_tanh";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))",
                                     .ulp = 2,
                                     .gradient_ulp = 4,
                                     .cost = Cost::high,
                                     .gradient_cost = Cost::high};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return math::gelu_tanh(x);
  }

  /// dx: dy times the derivative.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * math::gelu_tanh_slope(x);
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const {
    return detail::beside_half(x, 0.3989422804014327, math::gelu_tanh(x));
  }

  /// The derivative, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const { return detail::narrow_gelu_tanh_slope(x); }
};

/// GELUTanh of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<GELUTanh> gelu_tanh;

/// The derivative of GELUTanh, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<GELUTanh> gelu_tanh_backward;

}  // namespace kachel
