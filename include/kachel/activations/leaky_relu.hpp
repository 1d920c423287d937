// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LeakyReLU and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>

#include <cmath>

namespace kachel {

/// ReLU with a slope below 0.  torch.nn.functional.leaky_relu; ONNX LeakyRelu; oneDNN relu.
struct LeakyReLU {
  static constexpr std::string_view name = "leaky_relu";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x where x > 0, else negative_slope x",
                                     .parameters = {"negative_slope"},
                                     .expected = "a finite number",
                                     .ulp = 0.5};

  double negative_slope = 0.01;  ///< slope at and below 0

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return select(x > T(0), x, T(negative_slope) * x);
  }

  /// dx: dy above 0, negative_slope dy at and below it.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    const T slope = select(x > T(0), T(1), T(negative_slope));
    return pass_where((slope != T(0)) & (x == x), slope * dy, x);
  }

  /// For 16-bit results: the product rounded to float32 can lie half way between two of them, where the exact one,
  /// which a double holds, does not.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const {
    return LeakyReLU{.negative_slope = static_cast<float>(negative_slope)}(x);
  }

  /// \throws std::invalid_argument  negative_slope is NaN or infinite
  void check(std::string_view operation) const { expect_parameters(operation, *this, std::isfinite(negative_slope)); }
};

/// LeakyReLU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<LeakyReLU> leaky_relu;

/// The derivative of LeakyReLU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<LeakyReLU> leaky_relu_backward;

}  // namespace kachel
