// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// ReLU6 and its derivative.
#pragma once

#include <kachel/activations/mask.hpp>

namespace kachel {

/// ReLU of at most 6.  torch.nn.functional.relu6; Keras relu6; cuDNN CLIPPED_RELU.
struct ReLU6 {
  static constexpr std::string_view name = "relu6";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{
      .formula = "min(max(0, x), 6)", .kinks = {0, 6}, .ulp = 0, .cost = Cost::low, .gradient_cost = Cost::low};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return clamp(x, T(0), T(6));
  }

  /// dx: dy strictly between 0 and 6, 0 elsewhere.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return pass_where(passes(x), dy, x);
  }

  /// The same: y lies strictly between 0 and 6 where x does.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    return backward(dy, y);
  }

  /// Whether x lies strictly between 0 and 6.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto passes(T x) const {
    return (x > T(0)) & (x < T(6));
  }
};

/// ReLU6 of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<ReLU6> relu6;

/// The derivative of ReLU6, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<ReLU6> relu6_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<ReLU6, Saved::output> relu6_backward_from_output;

/// ReLU6 of arrays that leaves a mask for its derivative, a bit an element.
KACHEL_FUNCTION_OBJECT PointwiseWithMask<ReLU6> relu6_with_mask;

/// The derivative from that mask, times dy.
KACHEL_FUNCTION_OBJECT PointwiseBackwardFromMask<ReLU6> relu6_backward_from_mask;

}  // namespace kachel
