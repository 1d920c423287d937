// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/activations/hardtanh.hpp>

#include <array>
#include <charconv>
#include <stdexcept>
#include <string>

namespace kachel {
namespace {

/// The fewest digits that tell the value from every other.
std::string shortest(double value) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

}  // namespace

void HardTanh::check() const {
  if (!(min_val <= max_val))
    throw std::invalid_argument("kachel::hardtanh: min_val is " + shortest(min_val) + " and max_val is " +
                                shortest(max_val) + ", expected min_val <= max_val");
}

}  // namespace kachel
