// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sigmoid and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/math/from_16_bits.hpp>
#include <kachel/pack_math.hpp>

namespace kachel {

/// The distribution function of the logistic distribution.  torch.nn.functional.sigmoid; ONNX Sigmoid; oneDNN logistic.
struct Sigmoid {
  static constexpr std::string_view name = "sigmoid";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{
      .formula = "1 / (1 + e^-x)", .ulp = 1.5, .gradient_ulp = 4, .cost_from_16_bits = Cost::high};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return math::sigmoid(x);
  }

  /// dx: dy e^-x / (1 + e^-x)^2.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * math::logistic_density(x);
  }

  /// dx: dy y (1 - y).
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    return dy * fma(-y, y, y);
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return (*this)(x); }

  /// The derivative, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const { return detail::narrow_logistic_density(x); }

  /// y for an x of type T, near enough to be rounded to T.
  template <class T>
    requires is_float16<T>
  KOKKOS_FORCEINLINE_FUNCTION float from_16_bits(float x) const {
    if constexpr (std::is_same_v<T, half>)
      return detail::sigmoid_from_half(x);
    else
      return detail::sigmoid_from_bfloat16(x);
  }
};

/// Sigmoid of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<Sigmoid> sigmoid;

/// The derivative of Sigmoid, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Sigmoid> sigmoid_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Sigmoid, Saved::output> sigmoid_backward_from_output;

}  // namespace kachel
