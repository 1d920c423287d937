// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Squareplus and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/math/polynomial.hpp>
#include <kachel/math/sum.hpp>

namespace kachel {

/// A smooth maximum of 0 and x, of arithmetic alone.  J. T. Barron, Squareplus (2021); JAX squareplus.
struct Squareplus {
  static constexpr std::string_view name = "squareplus";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "(x + sqrt(x^2 + b)) / 2",
                                     .parameters = {"b"},
                                     .expected = "a number from 2^-100 to 2^100",
                                     .ulp = 2,
                                     .gradient_ulp = 4.5};

  double b = 4;  ///< how far the curve stays from the corner

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return apply(
        [this](auto v) {
          using Number = decltype(v);
          const auto half_sum = half_sum_of(this->root(v), v);
          return select(v < Number(0), this->quarter_b_over(half_sum), half_sum.high);
        },
        x);
  }

  /// dx: dy (1 + x / sqrt(x^2 + b)) / 2.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * apply(
                    [this](auto v) {
                      using Number = decltype(v);
                      const Number square_root = this->root(v);
                      const auto half_sum = half_sum_of(square_root, v);
                      const Number below = this->quarter_b_over(half_sum) / square_root,
                                   above = half_sum.high / square_root;
                      const Number finite_above =
                          select(square_root == Kokkos::Experimental::infinity_v<Number>, Number(1), above);
                      return select(v < Number(0), below, finite_above);
                    },
                    x);
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return Squareplus{static_cast<float>(b)}(x); }

  /// \throws std::invalid_argument  b is not a number from 2^-100 to 2^100
  void check(std::string_view operation) const { expect_parameters(operation, *this, b >= 0x1p-100 && b <= 0x1p100); }

 private:
  /// (root + |x|) / 2.
  template <math::RealNumber T>
  KOKKOS_FORCEINLINE_FUNCTION static math::Sum<T> half_sum_of(T root, T x) {
    return math::ordered_sum(T(0.5) * root, T(0.5) * Kokkos::abs(x));
  }

  /// b / 4 over a sum.
  template <math::RealNumber T>
  KOKKOS_FORCEINLINE_FUNCTION T quarter_b_over(const math::Sum<T>& sum) const {
    const T quarter = T(0.25) * T(b), quotient = quarter / sum.high;
    const T rest = fma(-quotient, sum.low, fma(-quotient, sum.high, quarter));
    const T corrected = fma(rest, quotient * (T(1) / quarter), quotient);
    return select(sum.high < Kokkos::Experimental::infinity_v<T>, corrected, quotient);
  }

  /// sqrt(x^2 + b), also where x^2 is beyond the type's range.
  template <math::RealNumber T>
  KOKKOS_FORCEINLINE_FUNCTION T root(T x) const {
    constexpr T large = sizeof(T) == 4 ? T(0x1p62) : T(0x1p510), down = sizeof(T) == 4 ? T(0x1p-64) : T(0x1p-512);
    const bool scaled = Kokkos::abs(x) > large;
    const T factor = select(scaled, down, T(1)), inner = x * factor;
    return Kokkos::sqrt(fma(inner, inner, T(b) * factor * factor)) * select(scaled, T(1) / down, T(1));
  }
};

/// Squareplus of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<Squareplus> squareplus;

/// The derivative of Squareplus, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Squareplus> squareplus_backward;

}  // namespace kachel
