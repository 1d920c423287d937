// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Log and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/pack_math.hpp>

namespace kachel {

/// The natural logarithm.  torch.log; ONNX Log; oneDNN log.
struct Log {
  static constexpr std::string_view name = "log";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "log(x)", .ulp = 1.5, .gradient_ulp = 1, .gradient_cost = Cost::low};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return math::log(x);
  }

  /// dx: dy / x.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy / x;
  }

  /// dx: dy e^-y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    return dy * math::exp(-y);
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return (*this)(x); }
};

/// Log of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<Log> log;

/// The derivative of Log, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Log> log_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Log, Saved::output> log_backward_from_output;

}  // namespace kachel
