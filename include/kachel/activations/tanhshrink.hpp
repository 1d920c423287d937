// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// TanhShrink and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/math/round_to_odd.hpp>
#include <kachel/pack_math.hpp>

namespace kachel {

/// torch.nn.functional.tanhshrink.
struct TanhShrink {
  static constexpr std::string_view name = "tanhshrink";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{
      .formula = "x - tanh(x)", .ulp = 2, .gradient_ulp = 4, .cost = Cost::high, .gradient_cost = Cost::high};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return math::x_minus_tanh(x);
  }

  /// dx: dy tanh^2(x).
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * apply([](auto v) KACHEL_INLINE_LAMBDA { return detail::tanh_squared(v); }, x);
  }

  /// For 16-bit results near a number half way between two of them, which x - 1 can be: y is on its side of that.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const {
    const double beyond = detail::fma_to_odd(Kokkos::copysign(0x1p-60, x), 1, x - Kokkos::copysign(1.0, x));
    return select((x > 40) | (x < -40), beyond, math::x_minus_tanh(x));
  }

  /// The derivative, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const {
    const float y = detail::narrow_tanh(x);
    return y * y;
  }
};

/// TanhShrink of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<TanhShrink> tanhshrink;

/// The derivative of TanhShrink, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<TanhShrink> tanhshrink_backward;

}  // namespace kachel
