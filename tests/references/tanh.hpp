// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/tanh.hpp>

#include <references/reference.hpp>

#include <cmath>

namespace kachel_test {

template <>
struct Reference<kachel::Tanh> {
  kachel::Tanh f = {};

  template <class R>
  R value(R x) const {
    return std::tanh(x);
  }

  template <class R>
  R derivative(R x) const {
    return 1 / (std::cosh(x) * std::cosh(x));
  }
};

}  // namespace kachel_test
