// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// ELU and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/activations/elu.hpp>
#include <kachel/pack_math.hpp>

namespace kachel {

/// x above 0, below it a limit at -alpha.  torch.nn.functional.elu; ONNX Elu; oneDNN elu.
struct ELU {
  static constexpr std::string_view name = "elu";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x where x >= 0, else alpha (e^x - 1)",
                                     .parameters = {"alpha"},
                                     .expected = "0, or of a magnitude from 2^-60 to 2^30",
                                     .expected_from_output = "alpha >= 0",
                                     .ulp = 2,
                                     .gradient_ulp = 4};

  double alpha = 1;  ///< minus the limit

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return apply(
        [this](auto v) KACHEL_INLINE_LAMBDA {
          using Number = decltype(v);
          const auto below = detail::expm1_of_negative(v);
          const Number product = fma(Number(alpha), below.high, Number(alpha) * below.low);
          return select(v >= Number(0), v, Kokkos::copysign(product, Number(-alpha)));
        },
        x);
  }

  /// dx: dy above 0, alpha dy e^x at 0 and below; 0 there if alpha is, whatever dy.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return apply(
        [this](auto gradient, auto v) KACHEL_INLINE_LAMBDA {
          using Number = decltype(v);
          const auto exp_v = math::scaled_exp(v);
          const Number below = gradient * ((Number(alpha) * exp_v.value) * exp_v.scale);
          return pass_where((Number(alpha) != Number(0)) | (v > Number(0)), select(v > Number(0), gradient, below), v);
        },
        dy, x);
  }

  /// dx: dy where y is above 0, dy (y + alpha) elsewhere, where alpha is not negative; 0 there if alpha is. With alpha
  /// rounded as a y of type Stored was, so that the sum is never negative.
  template <class Stored = double, Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward_from_output(T dy, T y) const {
    const T below = dy * (y + stored_limit<T, Stored>(alpha));
    return pass_where((T(alpha) != T(0)) | (y > T(0)), select(y > T(0), dy, below), y);
  }

  /// Whether alpha is 0, or of a magnitude from 2^-60 to 2^30.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const {
    const double magnitude = alpha < 0 ? -alpha : alpha;
    return alpha == 0 || (magnitude >= 0x1p-60 && magnitude <= 0x1p30);
  }

  /// Whether alpha is 0 or more: y tells where x was.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid_from_output() const { return alpha >= 0; }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return detail::wide_elu(x, rounded_to_float(alpha)); }
};

/// ELU of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<ELU> elu;

/// The derivative of ELU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<ELU> elu_backward;

/// The same from y instead of x.
KACHEL_FUNCTION_OBJECT PointwiseBackward<ELU, Saved::output> elu_backward_from_output;

}  // namespace kachel
