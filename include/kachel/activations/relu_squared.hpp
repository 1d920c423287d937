// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// ReLUSquared and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>

namespace kachel {

/// The square of ReLU.  TransformerEngine srelu.
struct ReLUSquared {
  static constexpr std::string_view name = "relu_squared";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{
      .formula = "max(0, x)^2", .ulp = 0.5, .cost = Cost::low, .gradient_cost = Cost::low};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    const T positive = max(x, T(0));
    return positive * positive;
  }

  /// dx: 2 x dy above 0, 0 at and below it.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return pass_where(x > T(0), dy * (T(2) * x), x);  // 2 x is exact
  }
};

/// ReLUSquared of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<ReLUSquared> relu_squared;

/// The derivative of ReLUSquared, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<ReLUSquared> relu_squared_backward;

}  // namespace kachel
