// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SiLU and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/math/from_16_bits.hpp>
#include <kachel/detail/math/round_to_odd.hpp>
#include <kachel/pack_math.hpp>

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

  /// SiLU{}, without a product by beta.
  struct AtDefaults {
    static constexpr std::string_view name = SiLU::name;  ///< in messages and labels
    /// What y is held to.
    static constexpr Contract contract{
        .formula = "x / (1 + e^-x)", .ulp = SiLU::contract.ulp, .gradient_ulp = SiLU::contract.gradient_ulp};

    /// y.
    template <Real T>
    KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
      return apply(
          [](auto v) KACHEL_INLINE_LAMBDA {
            using Number = decltype(v);
            return math::times_sigmoid(at_least(v, math::ExpConstants<Number>::lowest), Number(1));
          },
          x);
    }

    /// For 16-bit results near a number half way between two of them.
    KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return SiLU{}.wide(x); }

    /// dx: dy times the derivative.
    template <Real T>
    KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
      return SiLU{}.backward(dy, x);
    }

    /// The derivative, for 16 bits.
    KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const { return math::narrow_silu_slope(x); }
  };

  double beta = 1;  ///< of the sigmoid

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return apply(
        [this](auto v) KACHEL_INLINE_LAMBDA {
          using Number = decltype(v);
          const Number factor = Number(beta);
          const bool vanishes = factor * v < math::ExpConstants<Number>::lowest;
          return select(vanishes, Kokkos::copysign(Number(0), v), math::times_sigmoid(v, factor));
        },
        x);
  }

  /// dx: dy times the derivative.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * apply([this](auto v) KACHEL_INLINE_LAMBDA { return math::silu_slope(v, decltype(v)(beta)); }, x);
  }

  /// The derivative, for 16 bits: beta x can be as near to where the derivative vanishes as no x of 16 bits is.
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const {
    const auto factor = static_cast<float>(beta);
    return factor == 1.0f ? math::narrow_silu_slope(x) : math::silu_slope(x, factor);
  }

  /// y for an x of type T with beta 1, near enough to be rounded to T.
  template <class T>
    requires is_float16<T>
  KOKKOS_FORCEINLINE_FUNCTION float from_16_bits(float x) const {
    if constexpr (std::is_same_v<T, half>)
      return math::silu_from_half(x);
    else
      return math::silu_from_bfloat16(x);
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const {
    const double factor = rounded_to_float(beta);
    return beside_half(x, 0.25 * factor, SiLU{factor}(x));
  }

  /// Whether beta is of a magnitude from 2^-20 to 2^20.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const {
    const double magnitude = beta < 0 ? -beta : beta;
    return magnitude >= 0x1p-20 && magnitude <= 0x1p20;
  }
};

/// SiLU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<SiLU> silu;

/// The derivative of SiLU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<SiLU> silu_backward;

}  // namespace kachel
