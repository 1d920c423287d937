// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// ReLU and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>

namespace kachel {

/// The number where it is positive, else 0.  torch.nn.functional.relu; ONNX Relu; oneDNN relu.
struct ReLU {
  static constexpr std::string_view name = "relu";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "max(0, x)", .ulp = 0};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return max(T(0), x);  // in this order -0 stays
  }

  /// dx: dy above 0, 0 at and below it.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return pass_where(x > T(0), dy, x);
  }
};

/// ReLU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<ReLU> relu;

/// The derivative of ReLU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<ReLU> relu_backward;

}  // namespace kachel
