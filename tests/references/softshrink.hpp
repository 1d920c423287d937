// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/softshrink.hpp>

#include <references/reference.hpp>

#include <limits>

namespace kachel_test {

template <>
struct Reference<kachel::SoftShrink> {
  kachel::SoftShrink f = {};

  // Differences that lie half way between two 16-bit numbers, or so near that float32 cannot tell; bands of nothing, of
  // everything, beyond a float.
  static constexpr kachel::SoftShrink cases[] = {
      {.lambd = 1 + 0x1p-23}, {.lambd = 1 - 0x1p-24}, {.lambd = 0x1p-25},
      {.lambd = 1e-30},       {.lambd = 0.3},         {.lambd = 0},
      {.lambd = 1000.1},      {.lambd = 1e39},        {.lambd = std::numeric_limits<double>::infinity()}};

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    const T lambd = static_cast<T>(f.lambd);
    return x > lambd ? x - lambd : (x < -lambd ? x + lambd : (x != x ? x : T(0)));
  }

  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    return Kokkos::abs(x) > static_cast<T>(f.lambd) ? dy : (x != x ? x : T(0));
  }

  template <class T>
  KOKKOS_FUNCTION Exact exact(T x) const {
    const T lambd = static_cast<T>(f.lambd);
    if (Kokkos::abs(x) <= lambd) return {.a = 0};
    return {.a = x, .b = x > 0 ? -lambd : lambd};
  }
};

}  // namespace kachel_test
