// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// HardShrink and its derivative.
#pragma once

#include <kachel/activations/mask.hpp>

namespace kachel {

/// The number where it lies outside a band around 0, else 0.  torch.nn.functional.hardshrink; ONNX Shrink of bias 0.
struct HardShrink {
  static constexpr std::string_view name = "hardshrink";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "0 where -lambd <= x <= lambd, else x",
                                     .parameters = {"lambd"},
                                     .expected = "a number that is not NaN",
                                     .kinks = {-0.5, 0.5},
                                     .ulp = 0,
                                     .cost = Cost::low,
                                     .gradient_cost = Cost::low};

  double lambd = 0.5;  ///< half the width of the band; below 0 there is none

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return pass_where(passes(x), x, x);
  }

  /// dx: dy outside the band, 0 in it and at its bounds.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return pass_where(passes(x), dy, x);
  }

  /// Whether x lies outside the band.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto passes(T x) const {
    return (x < -T(lambd)) | (x > T(lambd));
  }

  /// Whether lambd is not NaN.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const { return is_not_nan(lambd); }
};

/// HardShrink of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<HardShrink> hardshrink;

/// The derivative of HardShrink, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<HardShrink> hardshrink_backward;

/// HardShrink of arrays that leaves a mask for its derivative, a bit an element.
KACHEL_FUNCTION_OBJECT PointwiseWithMask<HardShrink> hardshrink_with_mask;

/// The derivative from that mask, times dy.
KACHEL_FUNCTION_OBJECT PointwiseBackwardFromMask<HardShrink> hardshrink_backward_from_mask;

}  // namespace kachel
