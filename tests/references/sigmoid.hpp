// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/sigmoid.hpp>

#include <references/reference.hpp>

#include <cmath>

namespace kachel_test {

template <>
struct Reference<kachel::Sigmoid> {
  kachel::Sigmoid f = {};

  template <class R>
  R value(R x) const {
    return 1 / (1 + std::exp(-x));
  }

  template <class R>
  R derivative(R x) const {
    return 1 / ((1 + std::exp(-x)) * (1 + std::exp(x)));
  }
};

}  // namespace kachel_test
