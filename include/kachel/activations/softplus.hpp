// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Softplus and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/activations/softplus.hpp>

namespace kachel {

/// A smooth maximum of 0 and x.  torch.nn.functional.softplus; ONNX Softplus and oneDNN soft_relu (no threshold).
struct Softplus {
  static constexpr std::string_view name = "softplus";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x where beta x > threshold, else log(1 + e^(beta x)) / beta",
                                     .parameters = {"beta", "threshold"},
                                     .expected = "beta from 2^-30 to 2^60, threshold not NaN",
                                     .ulp = 2,
                                     .gradient_ulp = 4,
                                     .other_ulp = 3,
                                     .cost = Cost::high,
                                     .gradient_cost = Cost::high};

  double beta = 1;        ///< steepness
  double threshold = 20;  ///< of beta x, above which y is x

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return apply(
        [this](auto v)
            KACHEL_INLINE_LAMBDA { return detail::softplus_value(v, decltype(v)(beta), decltype(v)(threshold)); },
        x);
  }

  /// dx: dy / (1 + e^(-beta x)), dy above the threshold.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * apply(
                    [this](auto v) KACHEL_INLINE_LAMBDA {
                      using Number = decltype(v);
                      const Number factor = Number(beta), z = factor * v;
                      return select(z > Number(threshold), Number(1), math::sigmoid(z, fma(factor, v, -z)));
                    },
                    x);
  }

  /// Whether beta is from 2^-30 to 2^60, and threshold not NaN.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const {
    return beta >= 0x1p-30 && beta <= 0x1p60 && is_not_nan(threshold);
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const {
    return detail::softplus_value(x, rounded_to_float(beta), rounded_to_float(threshold));
  }

  /// The derivative, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const {
    return detail::narrow_softplus_slope(x, static_cast<float>(beta), static_cast<float>(threshold));
  }

  /// Softplus{}, without a product and a quotient by beta.
  using AtDefaults = detail::SoftplusAtDefaults<Softplus>;
};

/// Softplus of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<Softplus> softplus;

/// The derivative of Softplus, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Softplus> softplus_backward;

}  // namespace kachel
