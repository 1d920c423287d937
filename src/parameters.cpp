// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/detail/op.hpp>

#include <charconv>
#include <stdexcept>
#include <string>

namespace kachel::detail {
namespace {

/// The fewest digits that tell the value from every other.
std::string shortest(double value) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

}  // namespace

void reject_parameters(std::string_view operation, const Contract& contract, std::span<const double> values,
                       std::string_view expected) {
  std::string message = std::string(operation) + ": ";
  for (std::size_t i = 0; i < values.size(); ++i)
    message.append(i > 0 ? " and " : "").append(contract.parameters[i]).append(" is ").append(shortest(values[i]));
  throw std::invalid_argument(message.append(", expected ").append(expected));
}

}  // namespace kachel::detail
