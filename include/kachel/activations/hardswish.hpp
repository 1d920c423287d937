// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// HardSwish and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/math/from_16_bits.hpp>
#include <kachel/detail/math/round_to_odd.hpp>

namespace kachel {

/// The number times its HardSigmoid.  torch.nn.functional.hardswish; ONNX HardSwish; jax.nn.hard_silu.
struct HardSwish {
  static constexpr std::string_view name = "hardswish";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{
      .formula = "x relu6(x + 3) / 6", .kinks = {-3, 3}, .ulp = 1.5, .gradient_ulp = 2.5, .cost = Cost::low};

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    const T limited = clamp(x, T(-3), T(3));
    const T sum = limited + T(3);
    const T lost =
        limited - (sum - T(3));  // by rounding the sum: Dekker's fast two-sum, of numbers of up to 3 and of 3
    return max(x, T(-3)) * sixth(sum, lost);
  }

  /// dx: dy (x / 3 + 1 / 2) strictly between -3 and 3, 0 at and below -3, dy at and above 3.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    const T slope = sixth(fma(T(2), x, T(3)), T(0));
    return pass_where(x > T(-3), dy * select(x < T(3), slope, T(1)), x);
  }

  /// For 16-bit results near a number half way between two of them. Rounded to odd, (x + 3) x is above or below 6 times
  /// that number as the exact one is, by enough that the quotient is, too.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const {
    return select(x <= -3.0, -0.0, select(x < 3.0, detail::fma_to_odd(x, x, 3.0 * x) / 6.0, x));
  }

  /// y for an x of type T, near enough to be rounded to T.
  template <class T>
    requires is_float16<T>
  KOKKOS_FORCEINLINE_FUNCTION float from_16_bits(float x) const {
    return detail::hardswish_from_16_bits<std::numeric_limits<T>::digits>(x);
  }

 private:
  /// (t + lost) / 6 without a division, as that of HardSigmoid.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T sixth(T t, T lost) {
    const T reciprocal = T(1) / T(6);
    const T quotient = t * reciprocal;
    return fma(fma(T(-6), quotient, t) + lost, reciprocal, quotient);
  }
};

/// HardSwish of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<HardSwish> hardswish;

/// The derivative of HardSwish, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<HardSwish> hardswish_backward;

}  // namespace kachel
