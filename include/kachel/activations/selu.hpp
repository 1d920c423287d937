// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SELU and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/activations/selu.hpp>

namespace kachel {

/// ELU, scaled so that layers of it keep mean and variance.  torch.nn.functional.selu; ONNX Selu; JAX selu.
struct SELU {
  static constexpr std::string_view name = "selu";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{
      .formula = "1.05070098735548049 x where x >= 0, else 1.75809934084737686 (e^x - 1)",
      .kinks = {0},
      .ulp = 2,
      .gradient_ulp = 4};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return apply(
        [](auto v) KACHEL_INLINE_LAMBDA {
          using C = detail::SELUConstants<decltype(v)>;
          const auto below = detail::expm1_of_negative(v);
          const auto product = fma(C::below, below.high, fma(C::below, below.low, C::below_low * below.high));
          return select(v >= decltype(v)(0), C::above * v, product);
        },
        x);
  }

  /// dx: 1.05070098735548049 dy above 0, 1.75809934084737686 dy e^x at 0 and below.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * apply(
                    [](auto v) KACHEL_INLINE_LAMBDA {
                      using C = detail::SELUConstants<decltype(v)>;
                      return select(v > decltype(v)(0), C::above, C::below * detail::exp_of_negative(v));
                    },
                    x);
  }

  /// dx: 1.05070098735548049 dy where y is above 0, dy (y + 1.75809934084737686) elsewhere.
  template <class Stored = double, Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    return dy * apply(
                    [](auto v) KACHEL_INLINE_LAMBDA {
                      using C = detail::SELUConstants<decltype(v)>;
                      return select(v > decltype(v)(0), C::above, detail::selu_above_limit<Stored>(v));
                    },
                    y);
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return (*this)(x); }
};

/// SELU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<SELU> selu;

/// The derivative of SELU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<SELU> selu_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<SELU, Saved::output> selu_backward_from_output;

}  // namespace kachel
