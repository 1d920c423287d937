// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// HardSigmoidAffine and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/math/round_to_odd.hpp>

#include <cmath>

namespace kachel {

/// A sigmoid of straight lines, of any slope.  ONNX HardSigmoid; Keras hard_sigmoid; oneDNN hardsigmoid.
struct HardSigmoidAffine {
  static constexpr std::string_view name = "hardsigmoid_affine";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "max(0, min(1, alpha x + beta))",
                                     .parameters = {"alpha", "beta"},
                                     .expected = "finite numbers",
                                     .ulp = 0.5};

  double alpha = 0.2;  ///< slope
  double beta = 0.5;   ///< value at 0

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return clamp(fma(T(alpha), x, T(beta)), T(0), T(1));
  }

  /// dx: alpha dy where alpha x + beta lies strictly between 0 and 1, 0 elsewhere.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    const T line = fma(T(alpha), x, T(beta));
    return pass_where((line > T(0)) & (line < T(1)) & (T(alpha) != T(0)), dy * T(alpha), x);
  }

  /// For 16-bit results: the sum rounded to float32 can lie half way between two of them, where the exact one does not.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const {
    return clamp(fma_to_odd(static_cast<float>(alpha), x, static_cast<float>(beta)), 0.0, 1.0);
  }

  /// \throws std::invalid_argument  alpha or beta is NaN or infinite
  void check(std::string_view operation) const {
    expect_parameters(operation, *this, std::isfinite(alpha) && std::isfinite(beta));
  }
};

/// HardSigmoidAffine of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<HardSigmoidAffine> hardsigmoid_affine;

/// The derivative of HardSigmoidAffine, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<HardSigmoidAffine> hardsigmoid_affine_backward;

}  // namespace kachel
