// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threshold and its derivative.
#pragma once

#include <kachel/activations/mask.hpp>

namespace kachel {

/// The number where it is above a threshold, else another one.  torch.nn.functional.threshold, which has no defaults;
/// ONNX ThresholdedRelu, of value 0.
struct Threshold {
  static constexpr std::string_view name = "threshold";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x where x > threshold, else value",
                                     .parameters = {"threshold", "value"},
                                     .expected = "a threshold that is not NaN",
                                     .kinks = {0},
                                     .ulp = 0,
                                     .cost = Cost::low,
                                     .gradient_cost = Cost::low};

  double threshold = 0;  ///< the number passes above it
  double value = 0;      ///< y at and below the threshold

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return select(x <= T(threshold), T(value), x);
  }

  /// dx: dy above the threshold, 0 at and below it.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return pass_where(passes(x), dy, x);
  }

  /// Whether x lies above the threshold.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto passes(T x) const {
    return x > T(threshold);
  }

  /// Whether threshold is not NaN.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const { return is_not_nan(threshold); }
};

/// Threshold of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<Threshold> threshold;

/// The derivative of Threshold, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Threshold> threshold_backward;

/// Threshold of arrays that leaves a mask for its derivative, a bit an element.
KACHEL_FUNCTION_OBJECT PointwiseWithMask<Threshold> threshold_with_mask;

/// The derivative from that mask, times dy.
KACHEL_FUNCTION_OBJECT PointwiseBackwardFromMask<Threshold> threshold_backward_from_mask;

}  // namespace kachel
