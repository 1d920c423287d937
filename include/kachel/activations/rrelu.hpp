// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// RReLU and its derivative.
#pragma once

#include <kachel/activations/leaky_relu.hpp>

namespace kachel {

namespace detail {

/// RReLU{}, whose mean no loop computes again. On an EPYC it took 1.55 times as long in cache (row
/// `cycles/rrelu/float`).
struct RReLUAtDefaults : LeakyReLU {
  RReLUAtDefaults() : LeakyReLU{.negative_slope = mean_slope(1.0 / 8, 1.0 / 3)} {}
};

}  // namespace detail

/// LeakyReLU of the mean of two slopes, converted as its slope is.  torch.nn.functional.rrelu in evaluation; its
/// training, with a random slope between the two for each element, is not there.
struct RReLU {
  static constexpr std::string_view name = "rrelu";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x where x > 0, else x (lower + upper) / 2",
                                     .parameters = {"lower", "upper"},
                                     .expected = "lower <= upper, both finite",
                                     .expected_from_output = "lower + upper > 0",
                                     .kinks = {0},
                                     .ulp = 0.5,
                                     .cost = Cost::low,
                                     .gradient_cost = Cost::low,
                                     .cost_from_16_bits = Cost::low};

  double lower = 1.0 / 8;  ///< the least slope below 0
  double upper = 1.0 / 3;  ///< the greatest slope below 0, at least lower

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return leaky()(x);
  }

  /// dx: dy above 0, dy (lower + upper) / 2 at and below it.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return leaky().backward(dy, x);
  }

  /// The same where the mean of the slopes is positive.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    return leaky().backward_from_output(dy, y);
  }

  /// Whether x lies above 0.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto passes(T x) const {
    return leaky().passes(x);
  }

  /// 1 above 0, the mean of the slopes elsewhere.
  template <math::RealNumber T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr Slopes<T> slopes() const {
    return leaky().template slopes<T>();
  }

  /// Whether lower <= upper, both finite.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const {
    return lower <= upper && is_finite(lower) && is_finite(upper);
  }

  /// Whether lower + upper is above 0: y tells where x was.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid_from_output() const { return lower + upper > 0; }

  /// As that of LeakyReLU.
  KOKKOS_FORCEINLINE_FUNCTION float narrow(float x) const { return leaky().narrow(x); }

  /// y for an x of type T and the default bounds, near enough to be rounded to T.
  template <class T>
    requires is_float16<T>
  KOKKOS_FORCEINLINE_FUNCTION float from_16_bits(float x) const {
    return detail::rrelu_from_16_bits(x);
  }

  /// RReLU{}.
  using AtDefaults = detail::RReLUAtDefaults;

 private:
  KOKKOS_FORCEINLINE_FUNCTION constexpr LeakyReLU leaky() const {
    return {.negative_slope = detail::mean_slope(lower, upper)};
  }
};

/// RReLU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<RReLU> rrelu;

/// The derivative of RReLU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<RReLU> rrelu_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<RReLU, Saved::output> rrelu_backward_from_output;

/// RReLU of arrays that leaves a mask for its derivative, a bit an element.
KACHEL_FUNCTION_OBJECT PointwiseWithMask<RReLU> rrelu_with_mask;

/// The derivative from that mask, times dy.
KACHEL_FUNCTION_OBJECT PointwiseBackwardFromMask<RReLU> rrelu_backward_from_mask;

}  // namespace kachel
