// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// ReLU and its derivative.
#pragma once

#include <kachel/activations/mask.hpp>

namespace kachel {

/// The number where it is positive, else 0.  torch.nn.functional.relu; ONNX Relu; oneDNN relu.
struct ReLU {
  static constexpr std::string_view name = "relu";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{
      .formula = "max(0, x)", .kinks = {0}, .ulp = 0, .cost = Cost::low, .gradient_cost = Cost::low};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return max(x, T(0));  // in this order -0 stays
  }

  /// dx: dy above 0, 0 at and below it.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return pass_where(passes(x), dy, x);
  }

  /// The same: y is above 0 where x is.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    return backward(dy, y);
  }

  /// Whether x lies above 0.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto passes(T x) const {
    return x > T(0);
  }
};

/// ReLU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<ReLU> relu;

/// The derivative of ReLU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<ReLU> relu_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<ReLU, Saved::output> relu_backward_from_output;

/// ReLU of arrays that leaves a mask for its derivative, a bit an element.
KACHEL_FUNCTION_OBJECT PointwiseWithMask<ReLU> relu_with_mask;

/// The derivative from that mask, times dy.
KACHEL_FUNCTION_OBJECT PointwiseBackwardFromMask<ReLU> relu_backward_from_mask;

}  // namespace kachel
