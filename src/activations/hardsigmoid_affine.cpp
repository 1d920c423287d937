// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shortest.hpp"

#include <kachel/activations/hardsigmoid_affine.hpp>

#include <cmath>
#include <stdexcept>

namespace kachel {

void HardSigmoidAffine::check(std::string_view operation) const {
  if (!std::isfinite(alpha) || !std::isfinite(beta))
    throw std::invalid_argument(std::string(operation) + ": alpha is " + shortest(alpha) + " and beta is " +
                                shortest(beta) + ", expected finite numbers");
}

}  // namespace kachel
