// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/softsign.hpp>

#include <references/reference.hpp>

#include <cmath>

namespace kachel_test {

template <>
struct Reference<kachel::Softsign> {
  kachel::Softsign f = {};

  template <class R>
  R value(R x) const {
    return std::isinf(x) ? std::copysign(R(1), x) : x / (1 + std::abs(x));
  }

  template <class R>
  R derivative(R x) const {
    const R sum = 1 + std::abs(x);
    return 1 / sum / sum;
  }
};

}  // namespace kachel_test
