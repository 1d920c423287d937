// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/squareplus.hpp>

#include <references/reference.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::Squareplus> {
  kachel::Squareplus f = {};

  static constexpr kachel::Squareplus cases[] = {{0.01}, {1e-30}, {1e30}, {3}};

  template <class R>
  KOKKOS_FUNCTION R value(R x) const {
    const R s = root(x);
    return x < 0 ? R(f.b) / (2 * (s - x)) : (x + s) / 2;
  }

  template <class R>
  KOKKOS_FUNCTION R derivative(R x) const {
    if (Kokkos::isinf(x)) return x > 0 ? R(1) : R(0);
    const R s = root(x);
    return x < 0 ? R(f.b) / (2 * (s - x)) / s : (x + s) / (2 * s);
  }

 private:
  template <class R>
  KOKKOS_FUNCTION R root(R x) const {
    return Kokkos::hypot(x, Kokkos::sqrt(R(f.b)));
  }
};

}  // namespace kachel_test
