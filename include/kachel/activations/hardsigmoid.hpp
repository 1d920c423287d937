// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// HardSigmoid and its derivative.
#pragma once

#include <kachel/activations/mask.hpp>

namespace kachel {

/// A sigmoid of straight lines.  torch.nn.functional.hardsigmoid; jax.nn.hard_sigmoid.
struct HardSigmoid {
  static constexpr std::string_view name = "hardsigmoid";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{
      .formula = "relu6(x + 3) / 6", .kinks = {-3, 3}, .ulp = 1, .cost = Cost::low, .gradient_cost = Cost::low};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    const T t = clamp(x + T(3), T(0), T(6));
    // t / 6 without a division: the quotient by the rounded reciprocal, and one correction by its exact remainder.
    const T sixth = T(1) / T(6);
    const T quotient = t * sixth;
    return fma(fma(T(-6), quotient, t), sixth, quotient);
  }

  /// dx: dy / 6, by the rounded reciprocal, strictly between -3 and 3; 0 elsewhere.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return pass_where(passes(x), dy * (T(1) / T(6)), x);
  }

  /// The same: dy / 6 where y lies strictly between 0 and 1.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    return pass_where((y > T(0)) & (y < T(1)), dy * (T(1) / T(6)), y);
  }

  /// Whether x lies strictly between -3 and 3.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto passes(T x) const {
    return (x > T(-3)) & (x < T(3));
  }

  /// Where x passes 1 / 6, rounded.
  template <math::RealNumber T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr Slopes<T> slopes() const {
    return {.passing = T(1) / T(6)};
  }
};

/// HardSigmoid of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<HardSigmoid> hardsigmoid;

/// The derivative of HardSigmoid, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<HardSigmoid> hardsigmoid_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<HardSigmoid, Saved::output> hardsigmoid_backward_from_output;

/// HardSigmoid of arrays that leaves a mask for its derivative, a bit an element.
KACHEL_FUNCTION_OBJECT PointwiseWithMask<HardSigmoid> hardsigmoid_with_mask;

/// The derivative from that mask, times dy.
KACHEL_FUNCTION_OBJECT PointwiseBackwardFromMask<HardSigmoid> hardsigmoid_backward_from_mask;

}  // namespace kachel
