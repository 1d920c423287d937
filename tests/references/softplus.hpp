// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kachel/activations/softplus.hpp>

#include <references/reference.hpp>

#include <cmath>

namespace kachel_test {

template <>
struct Reference<kachel::Softplus> {
  kachel::Softplus f = {};

  // Steeper and flatter, thresholds that show, and none.
  static constexpr kachel::Softplus cases[] = {
      {.beta = 3}, {.beta = 1.0 / 3}, {.threshold = 1}, {.threshold = -1}, {.beta = 0.1, .threshold = 1e300}};

  template <class R>
  R value(R x) const {
    const R z = R(f.beta) * x;
    if (z > R(f.threshold)) return x;
    if (z < R(-1e6)) return R(0);
    const R rest = std::isinf(z) ? R(0) : std::fma(R(f.beta), x, -z);
    const R e = std::exp(-std::abs(z)) * (1 + (z < 0 ? rest : -rest));
    return ((z > 0 ? z : R(0)) + std::log1p(e)) / R(f.beta);
  }

  template <class R>
  R derivative(R x) const {
    const R z = R(f.beta) * x;
    if (z > R(f.threshold)) return R(1);
    if (z < R(-1e6)) return R(0);
    const R rest = std::isinf(z) ? R(0) : std::fma(R(f.beta), x, -z);
    return z < 0 ? std::exp(z) * (1 + rest) / (1 + std::exp(z)) : 1 / (1 + std::exp(-z));
  }
};

}  // namespace kachel_test
