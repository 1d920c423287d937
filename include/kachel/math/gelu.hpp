// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// x times the distribution function of the normal distribution, its approximation by tanh, and the derivatives of
/// both. Constants and the errors of the polynomials come from tools/sollya/constants.sollya.
#pragma once

#include <kachel/math/normal_cdf.hpp>
#include <kachel/math/sigmoid.hpp>

namespace kachel::math {

/// \cond
/// (Phi(-a) - a phi(a)) / (exp(-a^2 / 2) (root - a)) by t = 1 / (a + 4), where root is what makes it 0 / 0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T gelu_slope_factor(T t) {
  if constexpr (std::is_same_v<T, float>)
    return polynomial(t, 0x1.98842cp-2f, 0x1.333414p-2f, 0x1.0591ap0f, 0x1.b4baacp1f, 0x1.d0139ep2f, 0x1.a032b4p5f,
                      -0x1.2cd638p7f, 0x1.0500e2p10f, -0x1.4af70cp11f, 0x1.0de4bcp11f);
  else
    return polynomial(t, 0x1.9884533d4cf87p-2, 0x1.331e9a1872ff1p-2, 0x1.06b67a4c9944p0, 0x1.a3eb3bc44d4c3p1,
                      0x1.335cc19418eadp3, 0x1.8e12e8748aa0cp4, 0x1.adc4c425333bap5, 0x1.04e389e10d9d8p6,
                      0x1.645e714e6312ep7, -0x1.bc811a7f7bf1bp11, 0x1.05f978c813003p15, -0x1.4d4f969646f06p18,
                      0x1.3dc50950679f7p21, -0x1.de6bc2eff27c9p23, 0x1.1d147bdfda207p26, -0x1.017977f76d1b2p28,
                      0x1.539c88cc04f4dp29, -0x1.3c3922c5ab278p30, 0x1.8accc9495c903p30, -0x1.299e15e6562e2p30,
                      0x1.9b156e8d31aa2p28);
}

/// That root.
template <class T>
struct GeluConstants;

template <>
struct GeluConstants<float> {
  static constexpr float root = 0x1.80ead2p-1f, root_low = -0x1.a03fd4p-27f;
};

template <>
struct GeluConstants<double> {
  static constexpr double root = 0x1.80ead197f00b4p-1, root_low = -0x1.13e74c58cada8p-56;
};

/// The constants of gelu_tanh. 2 sqrt(2 / pi) (x + 0.044715 x^3) = x (linear + cubic x^2); `linear` is a multiple of
/// the last place of every such sum that matters, so that their differences are exact.
template <class T>
struct GeluTanhConstants;

template <>
struct GeluTanhConstants<float> {
  static constexpr float linear = 0x1.98845p+0f, linear_low = 0x1.9ea1b2p-23f, cubic = 0x1.2444f2p-4f,
                         cubic_low = 0x1.49b16ap-29f, root = -0x1.8142a0p-1f, root_low = 0x1.85a06cp-27f,
                         root_squared = 0x1.21e4p-1f, root_squared_low = 0x1.7571b6p-18f, at_root = 0x1.2af64ep-2f,
                         at_root_low = 0x1.3890bep-27f, furthest = 11;
};

template <>
struct GeluTanhConstants<double> {
  static constexpr double linear = 0x1.9884533d4366p+0, linear_low = -0x1.ee5e069875fe9p-49,
                          cubic = 0x1.2444f2a4d8b4bp-4, cubic_low = -0x1.6c843a29d1c70p-61,
                          root = -0x1.81429f9e97e4dp-1, root_low = 0x1.4f523ed77dbdcp-55,
                          root_squared = 0x1.21e4bab8dbp-1, root_squared_low = 0x1.56f6221a5149p-45,
                          at_root = 0x1.2af64e9c485eep-2, at_root_low = -0x1.3ca470b477afcp-57, furthest = 21.8;
};

/// linear + cubic w.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Sum<T> gelu_tanh_factor(Sum<T> w) {
  using C = GeluTanhConstants<T>;
  const T high = fma(C::cubic, w.high, C::linear);
  const T rest = fma(C::cubic, w.low, fma(C::cubic_low, w.high, C::linear_low));
  return {high, fma(C::cubic, w.high, C::linear - high) + rest};
}

/// a times the sum b.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Sum<T> scaled_sum(T a, Sum<T> b) {
  const T high = a * b.high;
  return {high, fma(a, b.low, fma(a, b.high, -high))};
}
/// \endcond

/// x Phi(x), where Phi is the distribution function of the normal distribution. Its error is that of kachel::gelu.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T gelu(T x) {
  const Scaled<T> tail = normal_tail<true>(Kokkos::abs(x));
  return select(x >= T(0), fma(-tail.value, tail.scale, x), -(tail.value * tail.scale));
}

/// The derivative of gelu, at most 4 ulp off: Phi(x) + x phi(x). For x = -a it is exp(-a^2 / 2) (root - a) times a
/// polynomial.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T gelu_slope(T x) {
  using C = NormalConstants<T>;
  using Root = GeluConstants<T>;
  const T magnitude = Kokkos::abs(x), a = select(magnitude > C::largest, C::largest, magnitude);
  const Sum<T> z = exact_product(T(-0.5) * a, a);
  const ExpArgument<T> argument = reduce_exp(z.high, z.low);
  const PowerOfTwo<T> power = split_power_of_two(z.high, argument.shifted);
  const T expm1_z = expm1_of_remainder(argument.remainder), t = reciprocal(a + T(4));
  const Sum<T> factor = scaled_sum(gelu_slope_factor(t), ordered_sum(Root::root - a, Root::root_low));
  const T value = factor.high + fma(factor.high, expm1_z, factor.low);
  const T below = (value * power.first) * power.second;
  return select(x > T(0), T(1) - below, below);
}

/// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2. Its error is that of kachel::gelu_tanh.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T gelu_tanh(T x) {
  using C = GeluTanhConstants<T>;
  const T inner = clamp(x, -C::furthest, C::furthest);
  const Sum<T> z = scaled_sum(inner, gelu_tanh_factor(exact_product(inner, inner)));
  return select(x > C::furthest, x, times_sigmoid(inner, z.high, z.low));
}

/// The derivative of gelu_tanh, at most 4.5 ulp off.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T gelu_tanh_slope(T x) {
  using C = GeluTanhConstants<T>;
  const T inner = clamp(x, -C::furthest, C::furthest);
  const bool below = x < T(-0.25);
  // Below, z(x) - z(root) is (x - root) (linear + cubic (x^2 + x root + root^2)).
  const Sum<T> other = exact_sum(inner, C::root), distance = exact_sum(inner, -C::root);
  const T factor = select(below, other.high, inner), factor_low = select(below, other.low + C::root_low, T(0));
  const T times = select(below, distance.high, inner), times_low = select(below, distance.low - C::root_low, T(0));
  const T added = select(below, C::root_squared, T(0)), added_low = select(below, C::root_squared_low, T(0));
  const T w = fma(inner, factor, added);
  const T w_low = fma(inner, factor, added - w) + fma(inner, factor_low, added_low);
  const Sum<T> sum = gelu_tanh_factor(Sum<T>{w, w_low}), product = scaled_sum(times, sum);
  constexpr T cubic = T(3) * C::cubic;
  const T factor_of_k = fma(cubic, w, C::linear);
  const T factor_of_k_low = fma(cubic, w, C::linear - factor_of_k) + fma(cubic, w_low, C::linear_low);
  const T k_rest = fma(times, factor_of_k, fma(times, factor_of_k_low, times_low * factor_of_k));
  return times_sigmoid_slope(below, k_rest, Sum<T>{product.high, fma(times_low, sum.high, product.low)}, C::at_root,
                             C::at_root_low);
}

}  // namespace kachel::math
