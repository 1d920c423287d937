// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The activations as a user writes them with the standard library, for loops.cpp. Their parameters are the defaults,
/// as numbers in the formula. They lose NaN, infinities or digits where Kachel's do not.
#pragma once

#include <kachel/activations/list.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bench {

template <class T>
T formula(kachel::HardTanh, T x) {
  return std::min(std::max(x, T(-1)), T(1));
}

template <class T>
T formula(kachel::HardSigmoid, T x) {
  return std::min(std::max(x + T(3), T(0)), T(6)) / T(6);
}

template <class T>
T formula(kachel::HardSigmoidAffine, T x) {
  return std::min(std::max(T(0.2) * x + T(0.5), T(0)), T(1));
}

template <class T>
T formula(kachel::ReLU, T x) {
  return x > T(0) ? x : T(0);
}

template <class T>
T formula(kachel::ReLU6, T x) {
  return std::min(std::max(x, T(0)), T(6));
}

/// Of [0, 1], since by default it has no bounds.
template <class T>
T formula(kachel::Clamp, T x) {
  return std::min(std::max(x, T(0)), T(1));
}

template <class T>
T formula(kachel::HardShrink, T x) {
  return x > T(0.5) || x < T(-0.5) ? x : T(0);
}

template <class T>
T formula(kachel::SoftShrink, T x) {
  return x > T(0.5) ? x - T(0.5) : (x < T(-0.5) ? x + T(0.5) : T(0));
}

template <class T>
T formula(kachel::Threshold, T x) {
  return x > T(0) ? x : T(0);
}

template <class T>
T formula(kachel::LeakyReLU, T x) {
  return x > T(0) ? x : T(0.01) * x;
}

template <class T>
T formula(kachel::RReLU, T x) {
  return x > T(0) ? x : T(11.0 / 48) * x;
}

template <class T>
T formula(kachel::ReLUSquared, T x) {
  return x > T(0) ? x * x : T(0);
}

template <class T>
T formula(kachel::HardSwish, T x) {
  return x * std::min(std::max(x + T(3), T(0)), T(6)) / T(6);
}

template <class T>
T formula(kachel::Sigmoid, T x) {
  return T(1) / (T(1) + std::exp(-x));
}

template <class T>
T formula(kachel::Tanh, T x) {
  return std::tanh(x);
}

template <class T>
T formula(kachel::Exp, T x) {
  return std::exp(x);
}

template <class T>
T formula(kachel::Log, T x) {
  return std::log(x);
}

template <class T>
T formula(kachel::ELU, T x) {
  return x > T(0) ? x : std::expm1(x);
}

template <class T>
T formula(kachel::SELU, T x) {
  return T(1.05070098735548049) * (x > T(0) ? x : T(1.67326324235437728) * std::expm1(x));
}

template <class T>
T formula(kachel::CELU, T x) {
  return std::max(T(0), x) + std::min(T(0), std::expm1(x));
}

template <class T>
T formula(kachel::GELU, T x) {
  return T(0.5) * x * (T(1) + std::erf(x / std::numbers::sqrt2_v<T>));
}

template <class T>
T formula(kachel::GELUTanh, T x) {
  return T(0.5) * x * (T(1) + std::tanh(T(0.797884560802865356) * (x + T(0.044715) * x * x * x)));
}

template <class T>
T formula(kachel::QuickGELU, T x) {
  return x / (T(1) + std::exp(T(-1.702) * x));
}

template <class T>
T formula(kachel::SiLU, T x) {
  return x / (T(1) + std::exp(-x));
}

template <class T>
T formula(kachel::Mish, T x) {
  return x * std::tanh(std::log1p(std::exp(x)));
}

template <class T>
T formula(kachel::LogSigmoid, T x) {
  return -std::log1p(std::exp(-x));
}

template <class T>
T formula(kachel::Softplus, T x) {
  return x > T(20) ? x : std::log1p(std::exp(x));
}

template <class T>
T formula(kachel::Softsign, T x) {
  return x / (T(1) + std::abs(x));
}

template <class T>
T formula(kachel::TanhShrink, T x) {
  return x - std::tanh(x);
}

template <class T>
T formula(kachel::Squareplus, T x) {
  return (x + std::sqrt(x * x + T(4))) / T(2);
}

}  // namespace bench
