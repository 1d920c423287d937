// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// ReLU6 and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>

namespace kachel {

/// ReLU of at most 6.  torch.nn.functional.relu6; Keras relu6; cuDNN CLIPPED_RELU.
struct ReLU6 {
  static constexpr std::string_view name = "relu6";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "min(max(0, x), 6)", .ulp = 0};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return clamp(x, T(0), T(6));
  }

  /// dx: dy strictly between 0 and 6, 0 elsewhere.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return pass_where((x > T(0)) & (x < T(6)), dy, x);
  }
};

/// ReLU6 of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<ReLU6> relu6;

/// The derivative of ReLU6, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<ReLU6> relu6_backward;

}  // namespace kachel
