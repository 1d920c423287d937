// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Mish and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/pack_math.hpp>

namespace kachel {

/// x tanh(softplus(x)).  torch.nn.functional.mish; ONNX Mish; oneDNN mish.
struct Mish {
  static constexpr std::string_view name = "mish";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{
      .formula = "x tanh(log(1 + e^x))", .ulp = 2, .gradient_ulp = 4, .cost = Cost::high, .gradient_cost = Cost::high};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return math::mish(x);
  }

  /// dx: dy times the derivative.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * math::mish_slope(x);
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return (*this)(x); }

  /// The derivative, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const { return detail::narrow_mish_slope(x); }
};

/// Mish of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<Mish> mish;

/// The derivative of Mish, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Mish> mish_backward;

}  // namespace kachel
