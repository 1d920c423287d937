// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Squareplus and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/math/round_to_odd.hpp>
#include <kachel/math/reciprocal.hpp>
#include <kachel/math/square_root.hpp>

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
    return apply([this](auto v) KACHEL_INLINE_LAMBDA { return value(v, decltype(v)(b)); }, x);
  }

  /// dx: dy (1 + x / sqrt(x^2 + b)) / 2.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * apply([this](auto v) KACHEL_INLINE_LAMBDA { return slope(v, decltype(v)(b)); }, x);
  }

  /// The derivative, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const {
    const auto number = static_cast<float>(b);
    const float root = root_of(x, number), sum = root + Kokkos::abs(x), inverse = math::reciprocal(root);
    const float below = (0.5f * number * math::reciprocal(sum)) * inverse;
    const float above = select(x == root, 1.0f, 0.5f * sum * inverse);
    const bool is_infinite = sum == Kokkos::Experimental::infinity_v<float>;  // of which devices' reciprocal is NaN
    return select(x < 0.0f, select(is_infinite, 0.0f, below), above);
  }

  /// For 16-bit results near a number half way between two of them, which sqrt(b) / 2 and b / (4 |x|) can be: next to
  /// 0 and far below it y is beside them, nearer than doubles are to each other.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const {
    const double number = rounded_to_float(b), square = x * x;
    const double middle = fma_to_odd(0.5, x, 0.5 * root_of(x, number));
    const double below = -0.25 * number / x * (1 - 0x1p-30);
    return select(square < 0x1p-52 * number, middle,
                  select((x < 0) & (square > 0x1p28 * number), below, value(x, number)));
  }

  /// Whether b is a number from 2^-100 to 2^100.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const { return b >= 0x1p-100 && b <= 0x1p100; }

 private:
  /// Beyond it the root is |x|, whose square may be infinite.
  template <math::RealNumber T>
  static constexpr T large = sizeof(T) == 4 ? T(0x1p62) : T(0x1p510);

  /// sqrt(x^2 + b).
  template <math::RealNumber T>
  KOKKOS_FORCEINLINE_FUNCTION static T root_of(T x, T b) {
    const T a = Kokkos::abs(x);
    return select(a > large<T>, a, math::root_of_normal(fma(x, x, b)));
  }

  /// sqrt(x^2 + b), and h = (|x| + sqrt(x^2 + b)) / 2 times `scale`, of which it is the reciprocal that is a normal
  /// number.
  template <math::RealNumber T>
  struct Parts {
    static constexpr T scale = T(0x1p-8);

    T root;
    math::Sum<T> h;

    KOKKOS_FORCEINLINE_FUNCTION Parts(T x, T b) {
      const T half_a = T(0.5) * scale * Kokkos::abs(x);
      root = root_of(x, b);
      h.high = fma(T(0.5) * scale, root, half_a);
      h.low = half_a - fma(T(-0.5) * scale, root, h.high);
    }

    /// b / (4 h), y for x <= 0 without a difference, but where h is infinite.
    KOKKOS_FORCEINLINE_FUNCTION T quarter_over_h(T number) const {
      return math::divide_by_sum(h.high, h.low, T(0.25) * scale * number);
    }

    KOKKOS_FORCEINLINE_FUNCTION bool is_infinite() const { return root == Kokkos::Experimental::infinity_v<T>; }
  };

  template <math::RealNumber T>
  KOKKOS_FORCEINLINE_FUNCTION static T value(T x, T b) {
    const Parts<T> parts(x, b);
    const T below = select(parts.is_infinite(), T(0), parts.quarter_over_h(b));
    return select(x < T(0), below, parts.h.high * (T(1) / Parts<T>::scale));
  }

  /// y / sqrt(x^2 + b), where the root and its reciprocal are each two numbers.
  template <math::RealNumber T>
  KOKKOS_FORCEINLINE_FUNCTION static T slope(T x, T b) {
    Parts<T> parts(x, b);
    const T root = parts.root, inverse = math::reciprocal(root);
    const T rest = select(root > large<T>, T(0), fma(-root, root, fma(x, x, b)));
    const T root_low = T(0.5) * inverse * rest;
    const T inverse_low = inverse * fma(-root_low, inverse, fma(-root, inverse, T(1)));
    parts.h.low = fma(T(0.5) * Parts<T>::scale, root_low, parts.h.low);
    const T quotient = parts.quarter_over_h(b);
    const T below = select(parts.is_infinite(), T(0), fma(quotient, inverse, quotient * inverse_low));
    const T scaled = fma(parts.h.high, inverse, fma(parts.h.low, inverse, parts.h.high * inverse_low));
    const T above = scaled * (T(1) / Parts<T>::scale);
    return select(x < T(0), below, select(x == root, T(1), above));  // where the reciprocal may be no normal number
  }
};

/// Squareplus of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<Squareplus> squareplus;

/// The derivative of Squareplus, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Squareplus> squareplus_backward;

}  // namespace kachel
