// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SiLU and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/activations/silu.hpp>

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
                                     .gradient_ulp = 4,
                                     .cost_from_16_bits = Cost::high};

  double beta = 1;  ///< of the sigmoid

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return apply([this](auto v) KACHEL_INLINE_LAMBDA { return detail::silu_value(v, decltype(v)(beta)); }, x);
  }

  /// dx: dy times the derivative.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * apply([this](auto v) KACHEL_INLINE_LAMBDA { return detail::silu_slope(v, decltype(v)(beta)); }, x);
  }

  /// Whether beta is of a magnitude from 2^-20 to 2^20.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const {
    const double magnitude = beta < 0 ? -beta : beta;
    return magnitude >= 0x1p-20 && magnitude <= 0x1p20;
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return detail::wide_silu(x, rounded_to_float(beta)); }

  /// The derivative, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const {
    return detail::narrow_silu_slope(x, static_cast<float>(beta));
  }

  /// y for an x of type T with beta 1, near enough to be rounded to T.
  template <class T>
    requires is_float16<T>
  KOKKOS_FORCEINLINE_FUNCTION float from_16_bits(float x) const {
    return detail::silu_from_16_bits<T>(x);
  }

  /// SiLU{}, without a product by beta.
  using AtDefaults = detail::SiLUAtDefaults<SiLU>;
};

/// SiLU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<SiLU> silu;

/// The derivative of SiLU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<SiLU> silu_backward;

}  // namespace kachel
