// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/quick_gelu.hpp>

#include <references/gates.hpp>
#include <references/reference.hpp>

#include <cmath>

namespace kachel_test {

template <>
struct Reference<kachel::QuickGELU> {
  kachel::QuickGELU f = {};

  static constexpr long double factor = 1.702L;

  template <class R>
  R value(R x) const {
    const R z = R(factor) * x;
    return gate(x, z, rest(x));
  }

  template <class R>
  R derivative(R x) const {
    const R z = R(factor) * x;
    return silu_slope(z, rest(x));
  }

 private:
  template <class R>
  static R rest(R x) {
    const R product = R(factor) * x;
    return std::isinf(product) ? R(0) : std::fma(R(factor), x, -product) + R(factor - R(factor)) * x;
  }
};

}  // namespace kachel_test
