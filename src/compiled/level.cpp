// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operation.hpp"

using kachel::detail::CallerThreads;

extern "C" const kachel::detail::CompiledOperations<CallerThreads>& KACHEL_LEVEL();
const kachel::detail::CompiledOperations<CallerThreads>& KACHEL_LEVEL() {
  return kachel::detail::compiled_operations<CallerThreads>();
}
