// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions of math/ of packs: each element's.
#pragma once

#include <kachel/detail/math/narrow.hpp>
#include <kachel/math/exp.hpp>
#include <kachel/math/gelu.hpp>
#include <kachel/math/log.hpp>
#include <kachel/math/mish.hpp>
#include <kachel/math/normal_cdf.hpp>
#include <kachel/math/reciprocal.hpp>
#include <kachel/math/sigmoid.hpp>
#include <kachel/math/square_root.hpp>
#include <kachel/math/tanh.hpp>
#include <kachel/pack.hpp>

namespace kachel::math {

/// @{
/// The function of T, element by element.
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> exp(const Pack<T, width>& x) {
  return apply([](T v) { return exp(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> expm1(const Pack<T, width>& x) {
  return apply([](T v) { return expm1(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> sigmoid(const Pack<T, width>& x) {
  return apply([](T v) { return sigmoid(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> logistic_density(const Pack<T, width>& x) {
  return apply([](T v) { return logistic_density(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> tanh(const Pack<T, width>& x) {
  return apply([](T v) { return tanh(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> log(const Pack<T, width>& x) {
  return apply([](T v) { return log(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> log1p(const Pack<T, width>& x) {
  return apply([](T v) { return log1p(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> log1p_exp_minus_abs(const Pack<T, width>& x) {
  return apply([](T v) { return log1p_exp_minus_abs(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> normal_cdf(const Pack<T, width>& x) {
  return apply([](T v) { return normal_cdf(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> gelu(const Pack<T, width>& x) {
  return apply([](T v) { return gelu(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> gelu_slope(const Pack<T, width>& x) {
  return apply([](T v) { return gelu_slope(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> gelu_tanh(const Pack<T, width>& x) {
  return apply([](T v) { return gelu_tanh(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> gelu_tanh_slope(const Pack<T, width>& x) {
  return apply([](T v) { return gelu_tanh_slope(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> mish(const Pack<T, width>& x) {
  return apply([](T v) { return mish(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> mish_slope(const Pack<T, width>& x) {
  return apply([](T v) { return mish_slope(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> x_minus_tanh(const Pack<T, width>& x) {
  return apply([](T v) { return x_minus_tanh(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> reciprocal(const Pack<T, width>& x) {
  return apply([](T v) { return reciprocal(v); }, x);
}
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> square_root(const Pack<T, width>& x) {
  return apply([](T v) { return square_root(v); }, x);
}
/// @}

}  // namespace kachel::math
