// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a call's operands must be, and the errors that say what they are instead.
#pragma once

#include <kachel/detail/plan.hpp>

namespace kachel {

/// Some of an operand's dimensions, in an order.
struct Dimensions {
  int of[max_rank];
  int count = 0;
};

/// The dimensions that have more than one element, the fastest first.
Dimensions dimensions_by_stride(const Operand& operand);

/// Whether two operands of equal extents step from element to element alike, counted in elements.
bool same_strides(const Operand& a, const Operand& b);

/// Whether an operand of `count` elements fills a range of memory, each element once: some dimension has stride 1,
/// another steps over what that one fills, and so on.
bool fills_memory(const Operand& operand, std::size_t count);

/// The number of elements of each operand.
/// \throws std::invalid_argument  as plan_access says
std::size_t check_operands(std::string_view operation, std::span<const Operand> outputs,
                           std::span<const Operand> inputs);

/// Checks the mask of two operands of `count` elements, and that these are dense alike.
/// \throws std::invalid_argument  as plan_masked_access says
void check_mask(std::string_view operation, const Operand& output, const Operand& input, const Operand& mask,
                std::size_t count);

}  // namespace kachel
