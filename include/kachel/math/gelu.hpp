// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// x times the distribution function of the normal distribution, its approximation by tanh, and the derivatives of
/// both. Constants and the errors of the polynomials come from tools/sollya/constants.sollya.
#pragma once

#include <kachel/detail/math/gelu.hpp>
#include <kachel/detail/math/normal_cdf.hpp>
#include <kachel/detail/math/silu.hpp>

namespace kachel::math {

/// x Phi(x), where Phi is the distribution function of the normal distribution. Its error is that of kachel::gelu.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T gelu(T x) {
  const T tail = detail::scaled_normal_tail<true>(Kokkos::abs(x));
  return fma(-tail, T(1) / detail::NormalConstants<T>::scale, at_least(x, T(-0.0)));
}

/// The derivative of gelu, at most 4 ulp off: Phi(x) + x phi(x). For x = -a it is exp(-a^2 / 2) (root - a) times a
/// polynomial.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T gelu_slope(T x) {
  using C = detail::NormalConstants<T>;
  using E = detail::ExpConstants<T>;
  using Root = detail::GeluConstants<T>;
  const T a = at_most(Kokkos::abs(x), C::largest);
  const Sum<T> z = detail::exact_product(T(-0.5) * a, a);
  const detail::ExpArgument<T> argument = detail::reduce_exp(z.high, z.low);
  const T expm1_z = detail::expm1_of_remainder(argument.remainder), t = reciprocal(a + T(4));
  const Sum<T> factor = detail::scaled_sum(detail::gelu_slope_factor(t), ordered_sum(Root::root - a, Root::root_low));
  const T value = factor.high + fma(factor.high, expm1_z, factor.low);
  const T power = detail::power_of_two<T>(argument.shifted + E::log2_scale);
  const T below = detail::uncontracted_product(value * power, T(1) / E::scale);
  return select(x > T(0), T(1) - below, below);
}

/// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2. Its error is that of kachel::gelu_tanh.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T gelu_tanh(T x) {
  const T inner = at_least(x, detail::GeluTanhConstants<T>::lowest);
  const Sum<T> factor = detail::gelu_tanh_factor(detail::exact_product(inner, inner));
  return detail::times_sigmoid(inner, factor.high, factor.low);
}

/// The derivative of gelu_tanh, at most 4 ulp off.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T gelu_tanh_slope(T x) {
  using C = detail::GeluTanhConstants<T>;
  const T inner = at_most(at_least(x, C::lowest), C::highest);
  const Sum<T> factor = detail::gelu_tanh_factor(detail::exact_product(inner, inner));
  // 1 + x z' = 1 + x (linear + 3 cubic x^2) = 1 + x (3 factor - 2 linear)
  const T z_slope = fma(T(3), factor.high, T(-2) * C::linear);
  const T z_slope_low = fma(T(3), factor.low, T(-2) * C::linear_low);
  const T s = fma(z_slope, inner, T(1)), s_low = fma(z_slope_low, inner, fma(z_slope, inner, T(1) - s));
  const T d = inner - C::root;  // exact near the root, from which it is root_low off
  T rest;                       // (1 + e^z + x z') / (d - root_low)
  if constexpr (std::is_same_v<T, float>)
    rest = detail::polynomial(d, 0x1.3af6cep1f, -0x1.993c9p-4f, 0x1.9a09aep-2f, 0x1.36e87ep-4f, 0x1.00031ep-5f,
                              0x1.b95ca6p-7f);
  else
    rest = detail::polynomial(d, 0x1.3af6cd05624f6p1, -0x1.993cd34bf4f03p-4, 0x1.9a0ef5cdf3881p-2, 0x1.3720c65c91f77p-4,
                              0x1.f37b8318d1986p-6, 0x1.721f46c298e3dp-7, 0x1.e3b49750e4068p-9, 0x1.2e3c67db53b24p-10,
                              0x1.75ba9a03630a4p-12, 0x1.af4f5ba9f78p-14, 0x1.f10826c99116cp-16, 0x1.95b243e449abbp-17);
  const bool is_near_root = Kokkos::abs(inner + T(0.7775)) < T(0.175);
  return detail::times_sigmoid_slope(inner, factor, is_near_root, fma(rest, d, rest * -C::root_low), Sum<T>{s, s_low});
}

}  // namespace kachel::math
