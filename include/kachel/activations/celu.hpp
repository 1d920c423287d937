// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// CELU and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/activations/celu.hpp>

namespace kachel {

/// ELU with a derivative that is continuous for every alpha.  torch.nn.functional.celu; ONNX Celu; JAX celu.
struct CELU {
  static constexpr std::string_view name = "celu";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x where x >= 0, else alpha (e^(x / alpha) - 1)",
                                     .parameters = {"alpha"},
                                     .expected = "a number from 2^-100 to 2^100",
                                     .ulp = 2,
                                     .gradient_ulp = 4};

  double alpha = 1;  ///< minus the limit

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return apply([this](auto v) KACHEL_INLINE_LAMBDA { return detail::celu_value(v, decltype(v)(alpha)); }, x);
  }

  /// dx: dy above 0, dy e^(x / alpha) at 0 and below.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return apply(
        [this](auto gradient, auto v) KACHEL_INLINE_LAMBDA {
          const auto quotient = detail::celu_quotient(v, decltype(v)(alpha));
          const auto below = gradient * detail::exp_of_negative(quotient.high, quotient.low);
          return select(v > decltype(v)(0), gradient, below);
        },
        dy, x);
  }

  /// dx: dy where y is above 0, dy (y + alpha) / alpha elsewhere. With alpha rounded as a y of type Stored was, so that
  /// the sum is never negative.
  template <class Stored = double, Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    const T limit = stored_limit<T, Stored>(alpha);
    return select(y > T(0), dy, dy * ((y + limit) / limit));
  }

  /// Whether alpha is a number from 2^-100 to 2^100.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const { return alpha >= 0x1p-100 && alpha <= 0x1p100; }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return detail::wide_celu(x, rounded_to_float(alpha)); }
};

/// CELU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<CELU> celu;

/// The derivative of CELU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<CELU> celu_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<CELU, Saved::output> celu_backward_from_output;

}  // namespace kachel
