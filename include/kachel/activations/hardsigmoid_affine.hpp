// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// HardSigmoidAffine and its derivative.
#pragma once

#include <kachel/activations/mask.hpp>
#include <kachel/detail/math/round_to_odd.hpp>

namespace kachel {

/// A sigmoid of straight lines, of any slope.  ONNX HardSigmoid; Keras hard_sigmoid; oneDNN hardsigmoid.
struct HardSigmoidAffine {
  static constexpr std::string_view name = "hardsigmoid_affine";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "max(0, min(1, alpha x + beta))",
                                     .parameters = {"alpha", "beta"},
                                     .expected = "finite numbers",
                                     .kinks = {-2.5, 2.5},
                                     .ulp = 0.5,
                                     .cost = Cost::low,
                                     .gradient_cost = Cost::low};

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
    return pass_where(passes(x) & (T(alpha) != T(0)), dy * T(alpha), x);
  }

  /// The same: alpha dy where y lies strictly between 0 and 1.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    return pass_where((y > T(0)) & (y < T(1)) & (T(alpha) != T(0)), dy * T(alpha), y);
  }

  /// Whether alpha x + beta lies strictly between 0 and 1.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto passes(T x) const {
    const T line = fma(T(alpha), x, T(beta));
    return (line > T(0)) & (line < T(1));
  }

  /// Where x passes alpha.
  template <math::RealNumber T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr Slopes<T> slopes() const {
    return {.passing = T(alpha)};
  }

  /// Whether alpha and beta are finite.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const { return is_finite(alpha) && is_finite(beta); }

  /// For 16-bit results: the sum rounded to float32 can lie half way between two of them, where the exact one does not.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const {
    return clamp(detail::fma_to_odd(rounded_to_float(alpha), x, rounded_to_float(beta)), 0.0, 1.0);
  }
};

/// HardSigmoidAffine of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<HardSigmoidAffine> hardsigmoid_affine;

/// The derivative of HardSigmoidAffine, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<HardSigmoidAffine> hardsigmoid_affine_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<HardSigmoidAffine, Saved::output> hardsigmoid_affine_backward_from_output;

/// HardSigmoidAffine of arrays that leaves a mask for its derivative, a bit an element.
KACHEL_FUNCTION_OBJECT PointwiseWithMask<HardSigmoidAffine> hardsigmoid_affine_with_mask;

/// The derivative from that mask, times dy.
KACHEL_FUNCTION_OBJECT PointwiseBackwardFromMask<HardSigmoidAffine> hardsigmoid_affine_backward_from_mask;

}  // namespace kachel
