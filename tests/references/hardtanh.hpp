// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/hardtanh.hpp>

#include <references/reference.hpp>

#include <limits>

namespace kachel_test {

template <>
struct Reference<kachel::HardTanh> {
  kachel::HardTanh f = {};

  // Bounds: representable and not, equal, of one sign, infinite, beyond a float, half way between two 16-bit numbers.
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr kachel::HardTanh cases[] = {{-0.3, 0.7},
                                               {.min_val = 0.5, .max_val = 0.5},
                                               {.min_val = 0, .max_val = 6},
                                               {.min_val = -3, .max_val = -0x1p-20},
                                               {.min_val = -infinity, .max_val = infinity},
                                               {.min_val = 1, .max_val = infinity},
                                               {.min_val = -1.00048828125, .max_val = 1.00390625}};

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    const T lower = static_cast<T>(f.min_val), upper = static_cast<T>(f.max_val);
    return x < lower ? lower : (x > upper ? upper : x);
  }

  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    return x > static_cast<T>(f.min_val) && x < static_cast<T>(f.max_val) ? dy : (x != x ? x : T(0));
  }

  template <class T>
  KOKKOS_FUNCTION Exact exact(T x) const {
    return {.a = x, .lower = static_cast<T>(f.min_val), .upper = static_cast<T>(f.max_val)};
  }
};

}  // namespace kachel_test
