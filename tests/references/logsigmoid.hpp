// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/logsigmoid.hpp>

#include <references/reference.hpp>

#include <cmath>

namespace kachel_test {

template <>
struct Reference<kachel::LogSigmoid> {
  kachel::LogSigmoid f = {};

  template <class R>
  R value(R x) const {
    return x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x));
  }

  template <class R>
  R derivative(R x) const {
    return 1 / (1 + std::exp(x));
  }
};

}  // namespace kachel_test
