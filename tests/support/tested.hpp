// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The activations that a source is compiled for: a part of the list, KACHEL_PART of KACHEL_PARTS; those in
/// KACHEL_TESTED; else one of each kind. KACHEL_TESTED_ACTIVATIONS of CMake chooses.
#pragma once

#include <support/kinds.hpp>
#include <support/typed_lists.hpp>

namespace kachel_test {

#if defined(KACHEL_PART)
inline constexpr int tested_part = KACHEL_PART;
using TestedActivations = Part<kachel::Activations, tested_part, KACHEL_PARTS>::type;
#elif defined(KACHEL_TESTED)
inline constexpr int tested_part = 0;
using TestedActivations = TypeList<KACHEL_TESTED>;
#else
inline constexpr int tested_part = 0;
using TestedActivations = kachel::Kinds;
#endif

}  // namespace kachel_test
