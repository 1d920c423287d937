// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Softsign and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/activations/softsign.hpp>
#include <kachel/detail/math/from_16_bits.hpp>

namespace kachel {

/// torch.nn.functional.softsign; ONNX Softsign; JAX soft_sign.
struct Softsign {
  static constexpr std::string_view name = "softsign";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x / (1 + |x|)", .ulp = 1.5, .gradient_ulp = 4};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return apply(
        [](auto v) KACHEL_INLINE_LAMBDA {
          const auto sum = detail::softsign_denominator(v);
          return Kokkos::copysign(math::divide_sums(sum.high, sum.low, detail::softsign_magnitude(v)), v);
        },
        x);
  }

  /// dx: dy / (1 + |x|)^2.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * apply(
                    [](auto v) KACHEL_INLINE_LAMBDA {
                      const auto sum = detail::softsign_denominator(v);
                      const auto inverse = math::divide_sums(sum.high, sum.low, decltype(v)(1));
                      return inverse * inverse;
                    },
                    x);
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return (*this)(x); }

  /// y for an x of type T, near enough to be rounded to T.
  template <class T>
    requires is_float16<T>
  KOKKOS_FORCEINLINE_FUNCTION float from_16_bits(float x) const {
    return detail::softsign_from_16_bits<std::numeric_limits<T>::digits>(x);
  }
};

/// Softsign of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<Softsign> softsign;

/// The derivative of Softsign, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Softsign> softsign_backward;

}  // namespace kachel
