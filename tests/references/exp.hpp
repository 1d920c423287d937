// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/exp.hpp>

#include <references/reference.hpp>

#include <cmath>

namespace kachel_test {

template <>
struct Reference<kachel::Exp> {
  kachel::Exp f = {};

  template <class R>
  R value(R x) const {
    return std::exp(x);
  }

  template <class R>
  R derivative(R x) const {
    return std::exp(x);
  }
};

}  // namespace kachel_test
