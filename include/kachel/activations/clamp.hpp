// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clamp and its derivative.
#pragma once

#include <kachel/activations/mask.hpp>
#include <kachel/detail/activations/clamp.hpp>

namespace kachel {

/// Limits a number on one side or both.  torch.clamp; ONNX Clip.
/// A bound that is not given is infinite. Where min > max every number becomes max.
struct Clamp {
  static constexpr std::string_view name = "clamp";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "min(max(x, min), max)",
                                     .parameters = {"min", "max"},
                                     .expected = "numbers that are not NaN",
                                     .ulp = 0,
                                     .cost = Cost::low,
                                     .gradient_cost = Cost::low};

  double min = -Kokkos::Experimental::infinity_v<double>;  ///< lower bound
  double max = Kokkos::Experimental::infinity_v<double>;   ///< upper bound, which prevails

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    const T raised = select(x < T(min), T(min), x);
    return select(raised > T(max), T(max), raised);
  }

  /// dx: dy strictly between the bounds, 0 at and beyond them. At an infinite x an infinite bound is none.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return pass_where(passes(x), dy, x);
  }

  /// The same from a y that was stored as a number of type Stored: 0 at what a bound was rounded to.
  template <class Stored = double, Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    return pass_where(passes<Stored>(y), dy, y);
  }

  /// Whether a number lies strictly between the bounds, where these are rounded to Stored, or is infinite as its bound.
  template <class Stored = double, Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto passes(T x) const {
    return detail::lies_between<Stored>(x, min, max);
  }

  /// Whether neither min nor max is NaN.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const { return is_not_nan(min) && is_not_nan(max); }
};

// The name belongs to the functions of numbers and packs between two bounds, beside which these stand.

/// @{
/// Clamp of arrays, of a number, of a pack: as the function objects of the other activations are called.
template <class Space, class Y, class X>
  requires Kokkos::is_execution_space_v<Space>
void clamp(const Space& space, const Y& y, const X& x, const Clamp& f = {}) {
  Pointwise<Clamp>{}(space, y, x, f);
}
template <class Y, class X>
  requires CallOfArrays<Y, X>
void clamp(const Y& y, const X& x, const Clamp& f = {}) {
  Pointwise<Clamp>{}(y, x, f);
}
template <class X>
  requires(detail::NumberOperand<X> || is_pack<X>)
KOKKOS_FORCEINLINE_FUNCTION constexpr auto clamp(const X& x, const Clamp& f) {
  return Pointwise<Clamp>{}(x, f);
}
/// @}

/// Refuses bounds that are bare numbers, at compile time.
template <class... A>
  requires(ends_in_bare_number<2, 3, A...> || (sizeof...(A) == 2 && (detail::NumberOperand<A> && ...)))
KOKKOS_FUNCTION constexpr auto clamp(const A&... arguments) {
  return Refusing<Clamp, 0, 0>{}(arguments...);
}

/// The derivative of Clamp, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Clamp> clamp_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Clamp, Saved::output> clamp_backward_from_output;

/// Clamp of arrays that leaves a mask for its derivative, a bit an element.
KACHEL_FUNCTION_OBJECT PointwiseWithMask<Clamp> clamp_with_mask;

/// The derivative from that mask, times dy.
KACHEL_FUNCTION_OBJECT PointwiseBackwardFromMask<Clamp> clamp_backward_from_mask;

}  // namespace kachel
