// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// HardTanh and its derivative.
#pragma once

#include <kachel/activations/mask.hpp>

namespace kachel {

/// Limits a number to an interval.  torch.nn.functional.hardtanh; ONNX Clip; oneDNN clip_v2.
struct HardTanh {
  static constexpr std::string_view name = "hardtanh";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "clamp(x, min_val, max_val)",
                                     .parameters = {"min_val", "max_val"},
                                     .expected = "min_val <= max_val",
                                     .kinks = {-1, 1},
                                     .ulp = 0,
                                     .cost = Cost::low,
                                     .gradient_cost = Cost::low};

  double min_val = -1;  ///< lower bound
  double max_val = 1;   ///< upper bound, at least min_val

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return clamp(x, T(min_val), T(max_val));
  }

  /// dx: dy strictly between the bounds, 0 at and beyond them.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return pass_where(passes(x), dy, x);
  }

  /// The same from a y that was stored as a number of type Stored: 0 at what a bound was rounded to.
  template <class Stored = double, Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    return pass_where(passes<Stored>(y), dy, y);
  }

  /// Whether a number lies strictly between the bounds, where these are rounded to Stored.
  template <class Stored = double, Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto passes(T x) const {
    const T lower = stored_bound<T, Stored>(min_val), upper = stored_bound<T, Stored>(max_val);
    return (x > lower) & (x < upper);
  }

  /// Whether min_val <= max_val, so that neither is NaN.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const { return min_val <= max_val; }
};

/// HardTanh of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<HardTanh> hardtanh;

/// The derivative of HardTanh, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<HardTanh> hardtanh_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<HardTanh, Saved::output> hardtanh_backward_from_output;

/// HardTanh of arrays that leaves a mask for its derivative, a bit an element.
KACHEL_FUNCTION_OBJECT PointwiseWithMask<HardTanh> hardtanh_with_mask;

/// The derivative from that mask, times dy.
KACHEL_FUNCTION_OBJECT PointwiseBackwardFromMask<HardTanh> hardtanh_backward_from_mask;

}  // namespace kachel
