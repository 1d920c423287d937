// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the rows of a call's arrays lie, from plain data: no View, no template.
#pragma once

#include <kachel/detail/schedule.hpp>

namespace kachel::detail {

/// The rows of arrays of equal extents: what lies along their last dimension. The walk is over the rows, neighbours of
/// the first array first.
struct RowPlan : Walk {
  std::int64_t rows = 1;
  std::int64_t length = 1;                     ///< elements of a row
  std::int64_t element_strides[max_operands];  ///< between neighbours in a row
  bool neighbours = true;                      ///< whether a row's elements are neighbours in every array
  bool aligned = true;                         ///< whether rows are whole accesses of a device in every array, aligned
};

/// \param arrays  as plan_call has checked them, not empty
/// \throws std::invalid_argument  they have no dimension
RowPlan plan_rows(std::string_view operation, std::span<const Array> arrays);

/// The schedule of row functions. Only its threads and its requests to caches are used.
template <class Element, class Tuning>
Schedule schedule_rows(std::string_view operation, const RowPlan& rows, bool in_place, const Tuning& tuning) {
  return choose_schedule(operation, contiguous_plan(rows.rows * rows.length, in_place),
                         {.element_bytes = sizeof(Element), .rows = false, .shifted = false}, tuning);
}

}  // namespace kachel::detail
