// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers as sums of two, of twice the digits (T. J. Dekker, A floating-point technique for extending the available
/// precision, Numerische Mathematik 18, 1971).
#pragma once

#include <kachel/math/fma.hpp>

namespace kachel::math {

/// A number as a sum, of which high is nearly all.
template <class T>
struct Sum {
  T high, low;
};

/// a + b, exactly where |a| >= |b|; else about an ulp of b off.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Sum<T> ordered_sum(T a, T b) {
  const T high = a + b;
  return {high, b - (high - a)};
}

/// The square of a sum.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Sum<T> square(Sum<T> a) {
  const T high = a.high * a.high;
  return {high, fma(a.high + a.high, a.low, fma(a.high, a.high, -high))};
}

}  // namespace kachel::math

namespace kachel::detail {

/// a b as a number that may be added to: no compiler makes one fma of it and the sum. +0 where it is -0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T uncontracted_product(T a, T b) {
  return fma(a, b, T(0));
}

/// a b, exactly.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION math::Sum<T> exact_product(T a, T b) {
  const T high = a * b;
  return {high, fma(a, b, -high)};
}

/// a + b, exactly (D. E. Knuth, The art of computer programming, volume 2).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION math::Sum<T> exact_sum(T a, T b) {
  const T high = a + b, of_b = high - a;
  return {high, (a - (high - of_b)) + (b - of_b)};
}

}  // namespace kachel::detail
