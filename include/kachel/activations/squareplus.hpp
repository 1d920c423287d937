// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Squareplus and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/activations/squareplus.hpp>

namespace kachel {

/// A smooth maximum of 0 and x, of arithmetic alone.  J. T. Barron, Squareplus (2021); JAX squareplus.
struct Squareplus {
  static constexpr std::string_view name = "squareplus";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "(x + sqrt(x^2 + b)) / 2",
                                     .parameters = {"b"},
                                     .expected = "a number from 2^-100 to 2^100",
                                     .ulp = 2,
                                     .gradient_ulp = 4};

  double b = 4;  ///< how far the curve stays from the corner

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return apply([this](auto v) KACHEL_INLINE_LAMBDA { return detail::squareplus_value(v, decltype(v)(b)); }, x);
  }

  /// dx: dy (1 + x / sqrt(x^2 + b)) / 2.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * apply([this](auto v) KACHEL_INLINE_LAMBDA { return detail::squareplus_slope(v, decltype(v)(b)); }, x);
  }

  /// Whether b is a number from 2^-100 to 2^100.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const { return b >= 0x1p-100 && b <= 0x1p100; }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return detail::wide_squareplus(x, rounded_to_float(b)); }

  /// The derivative, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const {
    return detail::narrow_squareplus_slope(x, static_cast<float>(b));
  }
};

/// Squareplus of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<Squareplus> squareplus;

/// The derivative of Squareplus, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Squareplus> squareplus_backward;

}  // namespace kachel
