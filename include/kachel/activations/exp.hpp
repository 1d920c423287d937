// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Exp and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/pack_math.hpp>

namespace kachel {

/// The exponential function.  torch.exp; ONNX Exp; oneDNN exp.
struct Exp {
  static constexpr std::string_view name = "exp";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "e^x", .ulp = 1, .gradient_ulp = 2, .cost = Cost::low};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return math::exp(x);
  }

  /// dx: dy e^x.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * math::exp(x);
  }

  /// dx: dy y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    return dy * y;
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return (*this)(x); }
};

/// Exp of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<Exp> exp;

/// The derivative of Exp, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Exp> exp_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Exp, Saved::output> exp_backward_from_output;

}  // namespace kachel
