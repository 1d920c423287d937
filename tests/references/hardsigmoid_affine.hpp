// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/hardsigmoid_affine.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::HardSigmoidAffine> {
  kachel::HardSigmoidAffine f = {};

  // Sums that lie half way between two 16-bit numbers, or so near that float32 cannot tell; slopes of either sign and
  // of every size; offsets beyond the limits.
  static constexpr kachel::HardSigmoidAffine cases[] = {{.alpha = 1e-9, .beta = 0.5 + 0x1p-12},
                                                        {.alpha = -1e-9, .beta = 0.5 + 0x1p-12},
                                                        {.alpha = 1e-9, .beta = 0.5 + 0x1p-9},
                                                        {.alpha = 1e-30, .beta = 0x1p-14 + 0x1p-25},
                                                        {.alpha = 0x1p-25, .beta = 0},
                                                        {.alpha = -1.0 / 3, .beta = 1.0 / 3},
                                                        {.alpha = 1e-38, .beta = 0.25 + 0x1p-11},
                                                        {.alpha = 3e38, .beta = -0.125},
                                                        {.alpha = 1.0 / 6, .beta = 0.5},
                                                        {.alpha = 1, .beta = -3e38},
                                                        {.alpha = 0.1, .beta = 1.5}};

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    const T y = line(x);
    return y < T(0) ? T(0) : (y > T(1) ? T(1) : y);
  }

  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    return line(x) > T(0) && line(x) < T(1) ? dy * static_cast<T>(f.alpha) : (x != x ? x : T(0));
  }

  template <class T>
  KOKKOS_FUNCTION Exact exact(T x) const {
    const double alpha = static_cast<T>(f.alpha), beta = static_cast<T>(f.beta);
    const double product = alpha * x, rest = Kokkos::isinf(product) ? 0 : Kokkos::fma(alpha, x, -product);
    return {.a = product, .b = beta, .c = rest, .lower = 0, .upper = 1};
  }

 private:
  template <class T>
  KOKKOS_FUNCTION T line(T x) const {
    return Kokkos::fma(static_cast<T>(f.alpha), x, static_cast<T>(f.beta));
  }
};

}  // namespace kachel_test
