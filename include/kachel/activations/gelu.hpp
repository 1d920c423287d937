// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// GELU and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/math/round_to_odd.hpp>
#include <kachel/pack_math.hpp>

namespace kachel {

/// x times the distribution function of the normal distribution.  torch.nn.functional.gelu; ONNX Gelu; oneDNN gelu_erf.
struct GELU {
  static constexpr std::string_view name = "gelu";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{
      .formula = "x Phi(x)", .ulp = 2, .gradient_ulp = 4, .cost = Cost::high, .gradient_cost = Cost::high};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return math::gelu(x);
  }

  /// dx: dy (Phi(x) + x phi(x)).
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * math::gelu_slope(x);
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const {
    return detail::beside_half(x, 0.3989422804014327, math::gelu(x));
  }

  /// The derivative, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const { return detail::narrow_gelu_slope(x); }
};

/// GELU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<GELU> gelu;

/// The derivative of GELU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<GELU> gelu_backward;

}  // namespace kachel
