// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SELU and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/pack_math.hpp>

namespace kachel {

/// \cond
/// SELU's slope above 0, and that at 0 from below as a sum of two numbers.
template <class T>
struct SELUConstants;

template <>
struct SELUConstants<float> {
  static constexpr float above = 0x1.0cfabep+0f, below = 0x1.c212ccp+0f, below_low = 0x1.903c0cp-26f;
};

template <>
struct SELUConstants<double> {
  static constexpr double above = 0x1.0cfabd6a91132p+0, below = 0x1.c212cc640f031p+0, below_low = 0x1.05161b045a1fep-56;
};
/// \endcond

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
          using C = SELUConstants<decltype(v)>;
          const auto below = math::expm1_of_negative(v);
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
                      using C = SELUConstants<decltype(v)>;
                      return select(v > decltype(v)(0), C::above, C::below * math::exp_of_negative(v));
                    },
                    x);
  }

  /// dx: 1.05070098735548049 dy where y is above 0, dy (y + 1.75809934084737686) elsewhere. With that number rounded as
  /// a y of 16 bits was, so that the sum is never negative.
  template <class Stored = double, Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    return dy * apply(
                    [](auto v) KACHEL_INLINE_LAMBDA {
                      using Number = decltype(v);
                      using C = SELUConstants<Number>;
                      Number below;
                      if constexpr (is_float16<Stored>)
                        below = v + stored_limit<Number, Stored>(SELUConstants<double>::below);
                      else
                        below = (v + C::below) + C::below_low;
                      return select(v > Number(0), C::above, below);
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
