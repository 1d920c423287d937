// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How Softplus is computed, for 16 bits and at its default parameters too.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/pack_math.hpp>

namespace kachel::detail {

/// x where beta x > threshold, else log(1 + e^(beta x)) / beta.
template <math::RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T softplus_value(T x, T beta, T threshold) {
  const T inverse = T(1) / beta, z = beta * x, z_low = fma(beta, x, -z);
  const math::Scaled<T> e = math::scaled_exp(-Kokkos::abs(z), select(z < T(0), z_low, -z_low));
  const T sum = max(z, T(0)) + log1p_of_unit(e.value * e.scale), quotient = sum * inverse;
  const T y = fma(fma(-quotient, beta, sum), inverse, quotient);
  // Far below 0 it is e^z / beta, which is rounded once where it is subnormal.
  const bool far_below = z < ExpConstants<T>::saturated;
  const T limit = min(threshold, Kokkos::Experimental::finite_max_v<T>);
  return select(z > limit, x, select(far_below, (e.value * inverse) * e.scale, y));
}

/// The derivative, for 16 bits.
KOKKOS_FORCEINLINE_FUNCTION float narrow_softplus_slope(float x, float beta, float threshold) {
  const float z = beta * x;
  return select(z > threshold, 1.0f, narrow_sigmoid(z));
}

/// F{}, without a product and a quotient by beta, where F is Softplus.
template <class F>
struct SoftplusAtDefaults {
  static constexpr Contract contract{.formula = F::contract.formula, .ulp = F::contract.ulp};

  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return apply(
        [](auto v) KACHEL_INLINE_LAMBDA {
          using Number = decltype(v);
          // As for any beta, whose product with x leaves a rest: here 0.
          const math::Scaled<Number> e = math::scaled_exp(-Kokkos::abs(v), Number(0));
          const Number y = at_least(v, Number(-0.0)) + log1p_of_unit(e.value * e.scale);
          if constexpr (std::is_same_v<Number, float>) return y;  // above the threshold the sum is x
          return select(v > Number(F{}.threshold), v, y);
        },
        x);
  }

  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const { return F{}.wide(x); }
};

}  // namespace kachel::detail
