// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tanh and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/math/from_16_bits.hpp>
#include <kachel/pack_math.hpp>

namespace kachel {

/// The hyperbolic tangent.  torch.nn.functional.tanh; ONNX Tanh; oneDNN tanh.
struct Tanh {
  static constexpr std::string_view name = "tanh";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "tanh(x)", .ulp = 2, .gradient_ulp = 4};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return math::tanh(x);
  }

  /// dx: dy (1 - tanh^2 x), as 4 times the density of the logistic distribution at 2 x.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * (T(4) * math::logistic_density(T(2) * x));
  }

  /// dx: dy (1 - y^2).
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    return dy * fma(-y, y, T(1));
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return (*this)(x); }

  /// The derivative, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const {
    return 4.0f * detail::narrow_logistic_density(2.0f * x);
  }

  /// y for an x of type T, near enough to be rounded to T.
  template <class T>
    requires is_float16<T>
  KOKKOS_FORCEINLINE_FUNCTION float from_16_bits(float x) const {
    return detail::tanh_from_16_bits<std::numeric_limits<T>::digits>(x);
  }
};

/// Tanh of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<Tanh> tanh;

/// The derivative of Tanh, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Tanh> tanh_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Tanh, Saved::output> tanh_backward_from_output;

}  // namespace kachel
