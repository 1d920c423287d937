// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SiLU and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/math/round_to_odd.hpp>
#include <kachel/tile/pack_math.hpp>

#include <cmath>

namespace kachel {

/// x times its sigmoid, also known as swish.  torch.nn.functional.silu (beta 1); ONNX Swish (beta its alpha); oneDNN
/// swish.
struct SiLU {
  static constexpr std::string_view name = "silu";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x / (1 + e^(-beta x))",
                                     .parameters = {"beta"},
                                     .expected = "of a magnitude from 2^-20 to 2^20",
                                     .ulp = 2,
                                     .gradient_ulp = 4};

  double beta = 1;  ///< of the sigmoid

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    // Nearly every call's, and shorter.
    if (beta == 1) return apply([](auto v) { return of_itself(v); }, x);
    return apply([this](auto v) { return math::times_gate(v, math::gate_argument(v, decltype(v)(beta))); }, x);
  }

  /// dx: dy times the derivative.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * apply(
                    [this](auto v) {
                      const auto z = math::gate_argument(v, decltype(v)(beta));
                      return math::silu_slope(z.high, z.low);
                    },
                    x);
  }

  /// For 16-bit results near a number half way between two of them; where y is nearer to x / 2 than doubles are to each
  /// other, on its side of that.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const {
    const double factor = static_cast<float>(beta);
    const bool small = (x < 0x1p-20) & (x > -0x1p-20);
    return select(small, fma_to_odd(0.25 * factor * x, x, x / 2), SiLU{factor}(x));
  }

  /// \throws std::invalid_argument  beta is not of a magnitude from 2^-20 to 2^20
  void check(std::string_view operation) const {
    expect_parameters(operation, *this, std::abs(beta) >= 0x1p-20 && std::abs(beta) <= 0x1p20);
  }

 private:
  template <math::RealNumber T>
  KOKKOS_FORCEINLINE_FUNCTION static T of_itself(T x) {
    constexpr T furthest = -math::ExpConstants<T>::lowest;
    const T inner = clamp(x, -furthest, furthest);
    return select(x > furthest, x, math::times_sigmoid(inner, inner));
  }
};

/// SiLU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<SiLU> silu;

/// The derivative of SiLU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<SiLU> silu_backward;

}  // namespace kachel
