// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// RReLU and its derivative.
#pragma once

#include <kachel/activations/leaky_relu.hpp>

#include <cmath>

namespace kachel {

/// LeakyReLU of the mean of two slopes.  torch.nn.functional.rrelu in evaluation; its training, with a random slope
/// between the two for each element, is not there.
struct RReLU {
  static constexpr std::string_view name = "rrelu";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x where x > 0, else x (lower + upper) / 2",
                                     .parameters = {"lower", "upper"},
                                     .expected = "lower <= upper, both finite",
                                     .ulp = 0.5};

  double lower = 1.0 / 8;  ///< the least slope below 0
  double upper = 1.0 / 3;  ///< the greatest slope below 0, at least lower

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return leaky()(x);
  }

  /// dx: dy above 0, dy (lower + upper) / 2 at and below it.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return leaky().backward(dy, x);
  }

  /// As that of LeakyReLU.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return leaky().wide(x); }

  /// \throws std::invalid_argument  lower > upper, or one of them is NaN or infinite
  void check(std::string_view operation) const {
    expect_parameters(operation, *this, lower <= upper && std::isfinite(lower) && std::isfinite(upper));
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION constexpr LeakyReLU leaky() const { return {.negative_slope = (lower + upper) / 2}; }
};

/// RReLU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<RReLU> rrelu;

/// The derivative of RReLU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<RReLU> rrelu_backward;

}  // namespace kachel
