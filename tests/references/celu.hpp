// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/celu.hpp>

#include <references/reference.hpp>

#include <algorithm>
#include <cmath>

namespace kachel_test {

template <>
struct Reference<kachel::CELU> {
  kachel::CELU f = {};

  // Limits of any size, among them half way between two 16-bit numbers.
  static constexpr kachel::CELU cases[] = {{0.3}, {2}, {1.00048828125}, {1.00390625}, {1e25}, {1e-25}};

  template <class R>
  R value(R x) const {
    return x >= 0 ? x : R(f.alpha) * std::max(std::expm1(x / R(f.alpha)), R(-1 + 0x1p-63L));
  }

  template <class R>
  R derivative(R x) const {
    return x > 0 ? R(1) : std::exp(x / R(f.alpha));
  }
};

}  // namespace kachel_test
