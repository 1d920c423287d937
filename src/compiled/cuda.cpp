// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "part.hpp"

namespace kachel::detail {

template <>
CompiledOperations<CudaInstance> compiled_part<CudaInstance, KACHEL_PART>() {
  static constexpr auto operations = operations_of<CudaInstance, KACHEL_PART, KACHEL_PARTS>(Activations());
  return operations;
}

}  // namespace kachel::detail
