// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An activation of each kind, for what would take a compiler long for all of them.
#pragma once

#include <kachel/activations/list.hpp>

namespace kachel {

/// Of straight lines, with and without a `wide`; of a quotient of exponentials; the longest.
using Kinds = TypeList<HardTanh, HardSigmoid, HardSigmoidAffine, ReLU, LeakyReLU, Sigmoid, GELU>;

}  // namespace kachel
