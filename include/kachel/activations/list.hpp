// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The list of the activations, over which the tests iterate.
#pragma once

#include <kachel/activations/hardsigmoid.hpp>
#include <kachel/activations/hardsigmoid_affine.hpp>
#include <kachel/activations/hardtanh.hpp>

namespace kachel {

/// Types, for a template to iterate over.
template <class... T>
struct TypeList {};

/// The functor of every activation.
using Activations = TypeList<HardTanh, HardSigmoid, HardSigmoidAffine>;

}  // namespace kachel
