// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whether elements of strided arrays share memory, decided exactly. Called by the checks of a call's operands.
#pragma once

#include <kachel/detail/plan.hpp>

#include <cstdint>

namespace kachel::detail {

/// What a search says that may give up.
enum class Found { no, yes, undecided };

/// Whether two elements of an operand lie at one address.
Found meets_itself(const Array& operand);

/// Whether an element of one operand shares a byte with an element of the other. Each operand's address is a multiple
/// of its element's size.
Found share_memory(const Array& a, const Array& b);

}  // namespace kachel::detail
