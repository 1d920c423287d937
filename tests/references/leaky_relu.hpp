// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/leaky_relu.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::LeakyReLU> {
  kachel::LeakyReLU f = {};

  // Products that lie half way between two 16-bit numbers but for the last bits of a slope; slopes of either sign and
  // of every size, among them ones that are 0 in a float.
  static constexpr kachel::LeakyReLU cases[] = {{.negative_slope = 2049.0 / 2050},
                                                {.negative_slope = 2051.0 / 2050},
                                                {.negative_slope = 257.0 / 258},
                                                {.negative_slope = 259.0 / 258},
                                                {.negative_slope = 0},
                                                {.negative_slope = -0.0},
                                                {.negative_slope = 1e-46},
                                                {.negative_slope = -0.3},
                                                {.negative_slope = 1.0 / 3},
                                                {.negative_slope = 1},
                                                {.negative_slope = 1.5},
                                                {.negative_slope = 1e-30},
                                                {.negative_slope = 3e38}};

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x > T(0) ? x : x * static_cast<T>(f.negative_slope);
  }

  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    const T slope = x > T(0) ? T(1) : static_cast<T>(f.negative_slope);
    return x != x ? x : (slope == T(0) ? T(0) : dy * slope);
  }

  template <class T>
  KOKKOS_FUNCTION Exact exact(T x) const {
    if (x > T(0)) return {.a = x};
    const double slope = static_cast<T>(f.negative_slope), product = slope * x;
    return {.a = product, .b = Kokkos::isinf(product) ? 0 : Kokkos::fma(slope, x, -product)};
  }
};

}  // namespace kachel_test
