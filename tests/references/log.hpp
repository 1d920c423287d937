// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/log.hpp>

#include <references/reference.hpp>

#include <cmath>

namespace kachel_test {

template <>
struct Reference<kachel::Log> {
  kachel::Log f = {};

  template <class R>
  R value(R x) const {
    return std::log(x);
  }

  template <class R>
  R derivative(R x) const {
    return 1 / x;
  }
};

}  // namespace kachel_test
