// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LogSigmoid and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/pack_math.hpp>

namespace kachel {

/// The logarithm of the sigmoid.  torch.nn.functional.logsigmoid; JAX log_sigmoid.
struct LogSigmoid {
  static constexpr std::string_view name = "logsigmoid";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "-log(1 + e^-x)", .ulp = 2, .gradient_ulp = 4};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return min(x, T(-0.0)) - math::log1p_exp_minus_abs(x);
  }

  /// dx: dy / (1 + e^x).
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * math::sigmoid(-x);
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return (*this)(x); }

  /// The derivative, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const { return detail::narrow_sigmoid(-x); }
};

/// LogSigmoid of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<LogSigmoid> logsigmoid;

/// The derivative of LogSigmoid, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<LogSigmoid> logsigmoid_backward;

}  // namespace kachel
