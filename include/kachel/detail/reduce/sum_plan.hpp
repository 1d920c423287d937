// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How elements are summed, channel by channel, from plain data: no View, no template.
#pragma once

#include <kachel/detail/schedule.hpp>

namespace kachel::detail {

/// Sums over operands of equal extents: how many there are, and how the elements of each are walked. Elements are added
/// in the order of their indices, the last index fastest, whatever the operands' strides.
struct SumPlan : Walk {
  std::int64_t channels = 1;                   ///< sums
  std::int64_t size = 1;                       ///< elements that each is of
  bool across = false;                         ///< the neighbours of an element in memory are of other channels
  std::int64_t channel_strides[max_operands];  ///< the same between channels
};

/// \param operands  as plan_call has checked them, not empty; the first decides `across`
/// \param channel   the dimension of which each index has a sum; -1 for one sum of all
SumPlan plan_sums(std::span<const Array> operands, int channel);

/// The schedule of sums. Only its threads and its requests to caches are used.
template <class Element, class Tuning>
Schedule schedule_sums(std::string_view operation, const SumPlan& sums, bool in_place, const Tuning& tuning) {
  return choose_schedule(operation, contiguous_plan(sums.channels * sums.size, in_place),
                         {.element_bytes = sizeof(Element), .rows = false, .shifted = false}, tuning);
}

/// Checks the output of sums.
/// \param sums    the output
/// \param count   how many sums there are
/// \param like    the operand that has as many elements, for messages; empty for none
/// \param apart   the operands that they may not meet, the call's other output first
/// \throws std::invalid_argument  it has not one dimension of `count` elements; it is null, or its address no multiple
///         of its element's size; its elements are not apart from each other and from those of `apart`
void check_sums(std::string_view operation, const Array& sums, std::size_t count, std::string_view like,
                std::span<const Array> apart);

}  // namespace kachel::detail
