// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of gelu's and gelu_tanh's derivatives, and their constants, which come from tools/sollya/constants.sollya.
#pragma once

#include <kachel/detail/math/exp.hpp>
#include <kachel/math/reciprocal.hpp>
#include <kachel/math/select.hpp>

#include <type_traits>

namespace kachel::detail {

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

/// The constants of gelu_tanh: 2 sqrt(2 / pi) (x + 0.044715 x^3) = x (linear + cubic x^2); `linear` is a
/// multiple of the last place of every such sum that matters, so that their differences are exact. `root` is where it
/// has its minimum; below `lowest` it and the derivative are 0, above `highest` that is 1.
template <class T>
struct GeluTanhConstants;

template <>
struct GeluTanhConstants<float> {
  static constexpr float linear = 0x1.98845p+0f, linear_low = 0x1.9ea1b2p-23f, cubic = 0x1.2444f2p-4f,
                         cubic_low = 0x1.49b16ap-29f, root = -0x1.8142ap-1f, root_low = 0x1.85a06cp-27f,
                         lowest = -10.9f, highest = 5.5f;
};

template <>
struct GeluTanhConstants<double> {
  static constexpr double linear = 0x1.9884533d4366p+0, linear_low = -0x1.ee5e069875fe9p-49,
                          cubic = 0x1.2444f2a4d8b4bp-4, cubic_low = -0x1.6c843a29d1c7p-61, root = -0x1.81429f9e97e4dp-1,
                          root_low = 0x1.4f523ed77dbdcp-55, lowest = -21.6, highest = 7.7;
};

/// linear + cubic w.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION math::Sum<T> gelu_tanh_factor(math::Sum<T> w) {
  using C = GeluTanhConstants<T>;
  const T high = fma(C::cubic, w.high, C::linear);
  const T rest = fma(C::cubic, w.low, fma(C::cubic_low, w.high, C::linear_low));
  return {high, fma(C::cubic, w.high, C::linear - high) + rest};
}

/// a times the sum b.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION math::Sum<T> scaled_sum(T a, math::Sum<T> b) {
  const T high = uncontracted_product(a, b.high);
  return {high, fma(a, b.low, fma(a, b.high, -high))};
}

/// The derivative of x sigmoid(z(x)), z = x factor(x): e^z (s + e^z) / (1 + e^z)^2 with s = 1 + x z'. It is
/// p (s v + p) / (v + p)^2, where p is the power of two next to e^z, and v is p / e^z.
/// \param x             such that z is in [-110, 21] in float, in [-755, 45] in double, or NaN
/// \param is_near_root  whether s + e^z is nearly 0, and so not to be had as that sum
/// \param near_root     s + e^z then
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T times_sigmoid_slope(T x, math::Sum<T> factor, bool is_near_root, T near_root,
                                                  math::Sum<T> s) {
  // Scaled so that p is a normal number and the denominator's square finite.
  constexpr int log2_scale = sizeof(T) == 4 ? 32 : 128;
  constexpr T scale = sizeof(T) == 4 ? T(0x1p32) : T(0x1p128);
  const T shifted = fma(x * factor.high, ExpConstants<T>::log2_e, integer_shift<T>), n_ln2 = times_ln2(shifted);
  const T high = fma(factor.low, x, fma(factor.high, x, -n_ln2));  // the inner product is exact
  const math::Sum<T> v = exp_sum_of_remainder(-fma(n_ln2, -ln2_ratio<T>, high), scale);
  const T power = power_of_two<T>(bit_cast<FloatBits<T>>(shifted) + log2_scale);
  const T denominator = v.high + power, denominator_low = (v.high - (denominator - power)) + v.low;
  const T sum = fma(s.high, v.high, fma(s.high, v.low, fma(s.low, v.high, power)));
  const T numerator = select(is_near_root, near_root * v.high, sum) * power;
  const math::Sum<T> squared = math::square(math::Sum<T>{denominator, denominator_low});
  return math::divide_sums(squared.high, squared.low, numerator);
}

}  // namespace kachel::detail
