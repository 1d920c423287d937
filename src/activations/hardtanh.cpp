// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shortest.hpp"

#include <kachel/activations/hardtanh.hpp>

#include <stdexcept>

namespace kachel {

void HardTanh::check(std::string_view operation) const {
  if (!(min_val <= max_val))
    throw std::invalid_argument(std::string(operation) + ": min_val is " + shortest(min_val) + " and max_val is " +
                                shortest(max_val) + ", expected min_val <= max_val");
}

}  // namespace kachel
