// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers in messages.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace kachel {

/// The fewest digits that tell the value from every other.
inline std::string shortest(double value) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

}  // namespace kachel
