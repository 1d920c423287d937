// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The activations that rows of each are of: all, or as KACHEL_TESTED_ACTIVATIONS of CMake says.
#pragma once

#include <support/kinds.hpp>

namespace bench {

#if defined(KACHEL_TESTED)
using MeasuredActivations = kachel::TypeList<KACHEL_TESTED>;
#elif defined(KACHEL_MEASURES_KINDS)
using MeasuredActivations = kachel::Kinds;
#else
using MeasuredActivations = kachel::Activations;
#endif

}  // namespace bench
