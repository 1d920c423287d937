// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/elu.hpp>

#include <references/reference.hpp>

#include <algorithm>
#include <cmath>

namespace kachel_test {

template <>
struct Reference<kachel::ELU> {
  kachel::ELU f = {};

  // Limits of any size, among them half way between two 16-bit numbers, and of the other sign.
  static constexpr kachel::ELU cases[] = {{0.3}, {-2}, {0}, {1.00048828125}, {1.00390625}, {1e6}};

  template <class R>
  R value(R x) const {
    return x >= 0 ? x : R(f.alpha) * std::max(std::expm1(x), R(-1 + 0x1p-63L));
  }

  template <class R>
  R derivative(R x) const {
    return x > 0 ? R(1) : R(f.alpha) * std::exp(x);
  }
};

}  // namespace kachel_test
