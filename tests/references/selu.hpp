// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/selu.hpp>

#include <references/reference.hpp>

#include <cmath>

namespace kachel_test {

template <>
struct Reference<kachel::SELU> {
  kachel::SELU f = {};

  static constexpr long double gamma = 1.0507009873554804934193349852946L, alpha = 1.6732632423543772848170429916717L;

  template <class R>
  R value(R x) const {
    return x >= 0 ? R(gamma) * x : R(gamma * alpha) * std::expm1(x);
  }

  template <class R>
  R derivative(R x) const {
    return x > 0 ? R(gamma) : R(gamma * alpha) * std::exp(x);
  }
};

}  // namespace kachel_test
