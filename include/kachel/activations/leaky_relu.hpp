// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LeakyReLU and its derivative.
#pragma once

#include <kachel/activations/mask.hpp>
#include <kachel/detail/activations/leaky_relu.hpp>

namespace kachel {

/// ReLU with a slope below 0.  torch.nn.functional.leaky_relu; ONNX LeakyRelu; oneDNN relu.
struct LeakyReLU {
  static constexpr std::string_view name = "leaky_relu";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x where x > 0, else negative_slope x",
                                     .parameters = {"negative_slope"},
                                     .expected = "a finite number",
                                     .expected_from_output = "negative_slope > 0",
                                     .kinks = {0},
                                     .ulp = 0.5,
                                     .cost = Cost::low,
                                     .gradient_cost = Cost::low,
                                     .cost_from_16_bits = Cost::low};

  /// Slope at and below 0, converted to the compute type: beyond float's range it is infinite there, and 0 gives NaN.
  double negative_slope = 0.01;

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return select(x > T(0), x, T(negative_slope) * x);
  }

  /// dx: dy above 0, negative_slope dy at and below it.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    const T slope = T(negative_slope);
    return select(passes(x), dy, select(x == x, select(slope != T(0), slope * dy, T(0)), x));
  }

  /// The same where negative_slope is positive: y is above 0 where x is.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    return backward(dy, y);
  }

  /// Whether x lies above 0.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto passes(T x) const {
    return x > T(0);
  }

  /// 1 above 0, negative_slope elsewhere.
  template <math::RealNumber T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr Slopes<T> slopes() const {
    return {.other = T(negative_slope)};
  }

  /// Whether negative_slope is finite.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const { return is_finite(negative_slope); }

  /// Whether negative_slope is above 0: y tells where x was.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid_from_output() const { return negative_slope > 0; }

  /// y, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow(float x) const {
    return detail::narrow_leaky_relu(x, static_cast<float>(negative_slope));
  }

  /// y for an x of type T and the default slope, near enough to be rounded to T.
  template <class T>
    requires is_float16<T>
  KOKKOS_FORCEINLINE_FUNCTION float from_16_bits(float x) const {
    return detail::leaky_relu_from_16_bits(x);
  }
};

/// LeakyReLU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<LeakyReLU> leaky_relu;

/// The derivative of LeakyReLU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<LeakyReLU> leaky_relu_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<LeakyReLU, Saved::output> leaky_relu_backward_from_output;

/// LeakyReLU of arrays that leaves a mask for its derivative, a bit an element.
KACHEL_FUNCTION_OBJECT PointwiseWithMask<LeakyReLU> leaky_relu_with_mask;

/// The derivative from that mask, times dy.
KACHEL_FUNCTION_OBJECT PointwiseBackwardFromMask<LeakyReLU> leaky_relu_backward_from_mask;

}  // namespace kachel
