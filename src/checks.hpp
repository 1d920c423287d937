// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a call's operands must be, and the errors that say what they are instead.
#pragma once

#include <kachel/detail/plan.hpp>

namespace kachel::detail {

/// Some of an operand's dimensions, in an order.
struct Dimensions {
  int of[max_rank];
  int count = 0;
};

/// The dimensions that have more than one element, the fastest first.
Dimensions dimensions_by_stride(const Array& operand);

/// Walks a dimension after the others, as one with the last of them where every array steps from there into it.
void append_dimension(Walk& walk, std::span<const Array> arrays, int dimension);

/// Whether two operands of equal extents step from element to element alike, counted in elements.
bool same_strides(const Array& a, const Array& b);

/// Whether an operand of `count` elements fills a range of memory, each element once: some dimension has stride 1,
/// another steps over what that one fills, and so on.
bool fills_memory(const Array& operand, std::size_t count);

/// The number of elements of each operand.
/// \throws std::invalid_argument  as plan_call says
std::size_t check_operands(std::string_view operation, std::span<const Array> arrays, std::size_t outputs);

/// Checks the mask of two operands of `count` elements, and that these are dense alike.
/// \throws std::invalid_argument  as plan_masked_call says
void check_mask(std::string_view operation, const Array& output, const Array& input, const Array& mask,
                std::size_t count);

}  // namespace kachel::detail
