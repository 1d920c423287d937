// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/clamp.hpp>

#include <references/reference.hpp>

#include <limits>

namespace kachel_test {

template <>
struct Reference<kachel::Clamp> {
  kachel::Clamp f = {};

  // One bound and two, in the wrong order, equal, infinite of either sign, beyond a float, half way between two 16-bit
  // numbers.
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr kachel::Clamp cases[] = {{.min = 0},
                                            {.max = 0.7},
                                            {.min = -0.3, .max = 0.7},
                                            {.min = 0.7, .max = -0.3},
                                            {.min = -0.0, .max = 0},
                                            {.min = infinity},
                                            {.max = -infinity},
                                            {.min = -1e39, .max = 1e39},
                                            {.min = -1.00048828125, .max = 1.00390625}};

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    const T lower = static_cast<T>(f.min), upper = static_cast<T>(f.max);
    const T raised = x < lower ? lower : x;
    return raised > upper ? upper : raised;
  }

  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    const bool stops_below = f.min != -infinity && x <= static_cast<T>(f.min);
    const bool stops_above = f.max != infinity && x >= static_cast<T>(f.max);
    return x != x ? x : (stops_below || stops_above ? T(0) : dy);
  }

  template <class T>
  KOKKOS_FUNCTION Exact exact(T x) const {
    return {.a = (*this)(x)};
  }
};

}  // namespace kachel_test
