// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled for each part, on hosts and for CUDA: KACHEL_INSTANCE is what its operations run on.
#include "part.hpp"

namespace kachel::detail {

template <>
void append_part<KACHEL_INSTANCE, KACHEL_PART>(CompiledOperations<KACHEL_INSTANCE>& operations) {
  detail::append_part<KACHEL_PART, KACHEL_PARTS>(operations, Activations());
}

}  // namespace kachel::detail
