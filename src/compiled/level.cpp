// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operation.hpp"

#include <array>
#include <utility>

namespace kachel::detail {
namespace {

template <int... part>
HostOperations operations_of(std::integer_sequence<int, part...>) {
  static const std::array parts{compiled_part<CallerThreads, part>()...};
  return parts;
}

}  // namespace
}  // namespace kachel::detail

extern "C" kachel::detail::HostOperations KACHEL_LEVEL();
kachel::detail::HostOperations KACHEL_LEVEL() {
  return kachel::detail::operations_of(std::make_integer_sequence<int, KACHEL_PARTS>());
}
