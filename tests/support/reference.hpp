// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What each activation is held to: its formula as an exact real number, and in IEEE arithmetic.
#pragma once

#include <kachel/activations/list.hpp>

#include <support/exact.hpp>

#include <cmath>

namespace kachel_test {

/// The exact result at x, with the parameters as converted to x's type, float or double.
template <class T>
Exact exact_result(const kachel::HardTanh& f, T x) {
  return {.a = x, .lower = static_cast<T>(f.min_val), .upper = static_cast<T>(f.max_val)};
}

template <class T>
Exact exact_result(const kachel::HardSigmoid&, T x) {
  return {.a = x, .b = 3, .denominator = 6, .lower = 0, .upper = 1};
}

template <class T>
Exact exact_result(const kachel::HardSigmoidAffine& f, T x) {
  const double alpha = static_cast<T>(f.alpha), beta = static_cast<T>(f.beta);
  const double product = alpha * x;
  return {.a = product, .b = beta, .c = std::isinf(product) ? 0 : std::fma(alpha, x, -product), .lower = 0, .upper = 1};
}

/// The result in IEEE arithmetic of float or double, in PyTorch's order of operations.
template <class T>
T ieee_result(const kachel::HardTanh& f, T x) {
  const T lower = static_cast<T>(f.min_val), upper = static_cast<T>(f.max_val);
  return x < lower ? lower : x > upper ? upper : x;
}

template <class T>
T ieee_result(const kachel::HardSigmoid&, T x) {
  const T sum = x + 3;
  return (sum < 0 ? 0 : sum > 6 ? 6 : sum) / 6;
}

template <class T>
T ieee_result(const kachel::HardSigmoidAffine& f, T x) {
  const T value = std::fma(static_cast<T>(f.alpha), x, static_cast<T>(f.beta));
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

/// The correctly rounded result; a zero has the sign that arithmetic in float gives it.
template <class T, class F>
T correctly_rounded(const F& f, T x) {
  if (is_nan(x)) return x;
  const auto value = static_cast<float>(x);
  const T result = nearest<T>(exact_result(f, value));
  const bool is_minus_zero = magnitude_bits(result) == 0 && std::signbit(ieee_result(f, value));
  return is_minus_zero ? nearest<T>(-0.0) : result;
}

/// What kachel::map is to give for x: the correctly rounded value of the formula in 16 bits, the IEEE formula's
/// otherwise.
template <class F, class T>
T expected_result(const F& f, T x) {
  if constexpr (kachel::is_float16<T>)
    return correctly_rounded(f, x);
  else
    return ieee_result(f, x);
}

}  // namespace kachel_test
