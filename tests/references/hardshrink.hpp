// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/hardshrink.hpp>

#include <references/reference.hpp>

#include <limits>

namespace kachel_test {

template <>
struct Reference<kachel::HardShrink> {
  kachel::HardShrink f = {};

  // Bands without an inside, of nothing, of one bit more than a 16-bit number, of everything, beyond a float.
  static constexpr kachel::HardShrink cases[] = {{.lambd = 0},    {.lambd = -1},
                                                 {.lambd = 0.3},  {.lambd = 1.00048828125},
                                                 {.lambd = 1e39}, {.lambd = std::numeric_limits<double>::infinity()}};

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return is_inside(x) ? T(0) : x;
  }

  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    return is_inside(x) ? T(0) : (x != x ? x : dy);
  }

  template <class T>
  KOKKOS_FUNCTION Exact exact(T x) const {
    return {.a = (*this)(x)};
  }

 private:
  template <class T>
  KOKKOS_FUNCTION bool is_inside(T x) const {
    return Kokkos::abs(x) <= static_cast<T>(f.lambd);
  }
};

}  // namespace kachel_test
