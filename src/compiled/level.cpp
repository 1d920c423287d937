// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operation.hpp"

extern "C" kachel::detail::HostOperations KACHEL_LEVEL();
kachel::detail::HostOperations KACHEL_LEVEL() {
  return kachel::detail::compiled_parts<kachel::detail::CallerThreads>();
}
