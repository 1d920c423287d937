// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What calls reject.
#pragma once

#include <stdexcept>
#include <string>

namespace kachel_test {

/// The message of the std::invalid_argument that call() throws.
template <class Call>
std::string rejection_of(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace kachel_test
