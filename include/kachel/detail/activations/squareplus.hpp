// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How Squareplus is computed, for 16 bits too.
#pragma once

#include <kachel/detail/math/round_to_odd.hpp>
#include <kachel/detail/math/square_root.hpp>
#include <kachel/math/reciprocal.hpp>

#include <Kokkos_NumericTraits.hpp>

namespace kachel::detail {

/// Beyond it sqrt(x^2 + b) is |x|, whose square may be infinite.
template <math::RealNumber T>
inline constexpr T squareplus_large = sizeof(T) == 4 ? T(0x1p62) : T(0x1p510);

/// sqrt(x^2 + b).
template <math::RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T squareplus_root(T x, T b) {
  const T a = Kokkos::abs(x);
  return select(a > squareplus_large<T>, a, root_of_normal(fma(x, x, b)));
}

/// sqrt(x^2 + b), and h = (|x| + sqrt(x^2 + b)) / 2 times `scale`, of which it is the reciprocal that is a normal
/// number.
template <math::RealNumber T>
struct SquareplusParts {
  static constexpr T scale = T(0x1p-8);

  T root;
  math::Sum<T> h;

  KOKKOS_FORCEINLINE_FUNCTION SquareplusParts(T x, T b) {
    const T half_a = T(0.5) * scale * Kokkos::abs(x);
    root = squareplus_root(x, b);
    h.high = fma(T(0.5) * scale, root, half_a);
    h.low = half_a - fma(T(-0.5) * scale, root, h.high);
  }

  /// b / (4 h), y for x <= 0 without a difference, but where h is infinite.
  KOKKOS_FORCEINLINE_FUNCTION T quarter_over_h(T b) const { return divide_by_sum(h.high, h.low, T(0.25) * scale * b); }

  KOKKOS_FORCEINLINE_FUNCTION bool is_infinite() const { return root == Kokkos::Experimental::infinity_v<T>; }
};

/// (x + sqrt(x^2 + b)) / 2.
template <math::RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T squareplus_value(T x, T b) {
  const SquareplusParts<T> parts(x, b);
  const T below = select(parts.is_infinite(), T(0), parts.quarter_over_h(b));
  return select(x < T(0), below, parts.h.high * (T(1) / SquareplusParts<T>::scale));
}

/// The derivative, y / sqrt(x^2 + b), where the root and its reciprocal are each two numbers.
template <math::RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T squareplus_slope(T x, T b) {
  SquareplusParts<T> parts(x, b);
  const T root = parts.root, inverse = math::reciprocal(root);
  const T rest = select(root > squareplus_large<T>, T(0), fma(-root, root, fma(x, x, b)));
  const T root_low = T(0.5) * inverse * rest;
  const T inverse_low = inverse * fma(-root_low, inverse, fma(-root, inverse, T(1)));
  parts.h.low = fma(T(0.5) * SquareplusParts<T>::scale, root_low, parts.h.low);
  const T quotient = parts.quarter_over_h(b);
  const T below = select(parts.is_infinite(), T(0), fma(quotient, inverse, quotient * inverse_low));
  const T scaled = fma(parts.h.high, inverse, fma(parts.h.low, inverse, parts.h.high * inverse_low));
  const T above = scaled * (T(1) / SquareplusParts<T>::scale);
  return select(x < T(0), below, select(x == root, T(1), above));  // where the reciprocal may be no normal number
}

/// y in double for 16-bit results near a number half way between two of them, which sqrt(b) / 2 and b / (4 |x|) can be:
/// next to 0 and far below it y is beside them, nearer than doubles are to each other.
KOKKOS_FORCEINLINE_FUNCTION double wide_squareplus(double x, double b) {
  const double square = x * x;
  const double middle = fma_to_odd(0.5, x, 0.5 * squareplus_root(x, b));
  const double below = -0.25 * b / x * (1 - 0x1p-30);
  return select(square < 0x1p-52 * b, middle, select((x < 0) & (square > 0x1p28 * b), below, squareplus_value(x, b)));
}

/// The derivative, for 16 bits.
KOKKOS_FORCEINLINE_FUNCTION float narrow_squareplus_slope(float x, float b) {
  const float root = squareplus_root(x, b), sum = root + Kokkos::abs(x), inverse = math::reciprocal(root);
  const float below = (0.5f * b * math::reciprocal(sum)) * inverse;
  const float above = select(x == root, 1.0f, 0.5f * sum * inverse);
  const bool is_infinite = sum == Kokkos::Experimental::infinity_v<float>;  // of which devices' reciprocal is NaN
  return select(x < 0.0f, select(is_infinite, 0.0f, below), above);
}

}  // namespace kachel::detail
