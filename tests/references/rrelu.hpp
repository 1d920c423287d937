// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/rrelu.hpp>

#include <references/leaky_relu.hpp>

namespace kachel_test {

template <>
struct Reference<kachel::RReLU> {
  kachel::RReLU f = {};

  // Slopes that make a LeakyReLU hard, and a mean that floats would round before it is made.
  static constexpr kachel::RReLU cases[] = {{.lower = 2047.0 / 2050, .upper = 2051.0 / 2050},
                                            {.lower = 257.0 / 258, .upper = 257.0 / 258},
                                            {.lower = -0.5, .upper = 0.25},
                                            {.lower = -1, .upper = 1},
                                            {.lower = 0.05, .upper = 0.3},
                                            {.lower = 1e38, .upper = 2e38}};

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return leaky()(x);
  }

  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    return leaky().backward(dy, x);
  }

  template <class T>
  KOKKOS_FUNCTION Exact exact(T x) const {
    return leaky().exact(x);
  }

 private:
  KOKKOS_FUNCTION Reference<kachel::LeakyReLU> leaky() const { return {{.negative_slope = (f.lower + f.upper) / 2}}; }
};

}  // namespace kachel_test
