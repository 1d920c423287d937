// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Softplus and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/pack_math.hpp>

#include <cmath>

namespace kachel {

/// A smooth maximum of 0 and x.  torch.nn.functional.softplus; ONNX Softplus and oneDNN soft_relu (no threshold).
struct Softplus {
  static constexpr std::string_view name = "softplus";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x where beta x > threshold, else log(1 + e^(beta x)) / beta",
                                     .parameters = {"beta", "threshold"},
                                     .expected = "beta from 2^-30 to 2^60, threshold not NaN",
                                     .ulp = 2,
                                     .gradient_ulp = 4,
                                     .other_ulp = 3,
                                     .cost = Cost::high,
                                     .gradient_cost = Cost::high};

  /// Softplus{}, without a product and a quotient by beta.
  struct AtDefaults {
    static constexpr Contract contract{.formula = Softplus::contract.formula, .ulp = Softplus::contract.ulp};  ///< y

    /// y.
    template <Real T>
    KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
      return apply(
          [](auto v) KACHEL_INLINE_LAMBDA {
            using Number = decltype(v);
            // As for any beta, whose product with x leaves a rest: here 0.
            const math::Scaled<Number> e = math::scaled_exp(-Kokkos::abs(v), Number(0));
            const Number y = at_least(v, Number(-0.0)) + math::log1p_of_unit(e.value * e.scale);
            if constexpr (std::is_same_v<Number, float>) return y;  // above the threshold the sum is x
            return select(v > Number(Softplus{}.threshold), v, y);
          },
          x);
    }

    /// For 16-bit results near a number half way between two of them.
    KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return Softplus{}.wide(x); }
  };

  double beta = 1;        ///< steepness
  double threshold = 20;  ///< of beta x, above which y is x

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return apply([this](auto v) KACHEL_INLINE_LAMBDA { return value(v, decltype(v)(beta), decltype(v)(threshold)); },
                 x);
  }

  /// dx: dy / (1 + e^(-beta x)), dy above the threshold.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return dy * apply(
                    [this](auto v) KACHEL_INLINE_LAMBDA {
                      using Number = decltype(v);
                      const Number factor = Number(beta), z = factor * v;
                      return select(z > Number(threshold), Number(1), math::sigmoid(z, fma(factor, v, -z)));
                    },
                    x);
  }

  /// The derivative, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow_slope(float x) const {
    const float z = static_cast<float>(beta) * x;
    return select(z > static_cast<float>(threshold), 1.0f, math::narrow_sigmoid(z));
  }

  /// For 16-bit results near a number half way between two of them.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const {
    return value(x, rounded_to_float(beta), rounded_to_float(threshold));
  }

  /// Whether beta is from 2^-30 to 2^60, and threshold not NaN.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const {
    return beta >= 0x1p-30 && beta <= 0x1p60 && is_not_nan(threshold);
  }

 private:
  template <math::RealNumber T>
  KOKKOS_FORCEINLINE_FUNCTION static T value(T x, T factor, T threshold) {
    const T inverse = T(1) / factor, z = factor * x, z_low = fma(factor, x, -z);
    const math::Scaled<T> e = math::scaled_exp(-Kokkos::abs(z), select(z < T(0), z_low, -z_low));
    const T sum = max(z, T(0)) + math::log1p_of_unit(e.value * e.scale), quotient = sum * inverse;
    const T y = fma(fma(-quotient, factor, sum), inverse, quotient);
    // Far below 0 it is e^z / beta, which is rounded once where it is subnormal.
    const bool far_below = z < math::ExpConstants<T>::saturated;
    const T limit = min(threshold, Kokkos::Experimental::finite_max_v<T>);
    return select(z > limit, x, select(far_below, (e.value * inverse) * e.scale, y));
  }
};

/// Softplus of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<Softplus> softplus;

/// The derivative of Softplus, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<Softplus> softplus_backward;

}  // namespace kachel
