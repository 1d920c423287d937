// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// HardSigmoid and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>

namespace kachel {

/// A sigmoid of straight lines.  torch.nn.functional.hardsigmoid; jax.nn.hard_sigmoid.
struct HardSigmoid {
  static constexpr std::string_view name = "hardsigmoid";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "relu6(x + 3) / 6", .ulp = 1};

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
    return pass_where((x > T(-3)) & (x < T(3)), dy * (T(1) / T(6)), x);
  }
};

/// HardSigmoid of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<HardSigmoid> hardsigmoid;

/// The derivative of HardSigmoid, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<HardSigmoid> hardsigmoid_backward;

}  // namespace kachel
