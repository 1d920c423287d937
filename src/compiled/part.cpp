// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled for each part, on hosts and for CUDA: KACHEL_INSTANCE is what its operations run on.
#include "part.hpp"

namespace kachel::detail {

template <>
CompiledOperations<KACHEL_INSTANCE> compiled_part<KACHEL_INSTANCE, KACHEL_PART>() {
  static constexpr auto operations = operations_of<KACHEL_INSTANCE, KACHEL_PART, KACHEL_PARTS>(Activations());
  return operations;
}

}  // namespace kachel::detail
