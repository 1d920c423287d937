// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/activations/hardtanh.hpp>

#include <sstream>
#include <stdexcept>

namespace kachel {

void HardTanh::check() const {
  if (min_val <= max_val) return;
  std::ostringstream message;
  message << "kachel::hardtanh: min_val is " << min_val << " and max_val is " << max_val
          << ", expected min_val <= max_val";
  throw std::invalid_argument(message.str());
}

}  // namespace kachel
