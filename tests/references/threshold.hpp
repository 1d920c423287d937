// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/threshold.hpp>

#include <references/reference.hpp>

#include <limits>

namespace kachel_test {

template <>
struct Reference<kachel::Threshold> {
  kachel::Threshold f = {};

  // Thresholds and values: not representable, of either sign, infinite, beyond a float; values half way between two
  // 16-bit numbers, negative zero, none.
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr kachel::Threshold cases[] = {{.threshold = 0.3, .value = -7},
                                                {.threshold = -0.3, .value = 1.00048828125},
                                                {.threshold = 6, .value = 1.00390625},
                                                {.value = -0.0},
                                                {.threshold = 1, .value = 65520},
                                                {.threshold = 1e39, .value = 0.1},
                                                {.threshold = infinity, .value = -infinity},
                                                {.threshold = -infinity, .value = 1e39},
                                                {.value = std::numeric_limits<double>::quiet_NaN()}};

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x <= static_cast<T>(f.threshold) ? static_cast<T>(f.value) : x;
  }

  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    return x <= static_cast<T>(f.threshold) ? T(0) : (x != x ? x : dy);
  }

  template <class T>
  KOKKOS_FUNCTION Exact exact(T x) const {
    return {.a = (*this)(x)};
  }
};

}  // namespace kachel_test
