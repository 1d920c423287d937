// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../checks.hpp"

#include <kachel/detail/row/row_plan.hpp>
#include <kachel/detail/tile/access.hpp>

#include <stdexcept>
#include <string>

namespace kachel::detail {

RowPlan plan_rows(std::string_view operation, std::span<const Array> arrays) {
  RowPlan plan;
  const Array& first = arrays[0];
  if (first.rank == 0)
    throw std::invalid_argument(std::string(operation) + ": " + std::string(first.name) +
                                " has no dimension, expected rows along its last one");
  const int last = first.rank - 1;
  plan.length = static_cast<std::int64_t>(first.extents[last]);
  Array of_rows = first;
  of_rows.rank = last;
  const Dimensions dimensions = dimensions_by_stride(of_rows);
  for (int i = 0; i < dimensions.count; ++i) {
    plan.rows *= static_cast<std::int64_t>(first.extents[dimensions.of[i]]);
    append_dimension(plan, arrays, dimensions.of[i]);
  }
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const auto is_whole = [&](std::int64_t elements) {
      return elements * static_cast<std::int64_t>(arrays[k].element_bytes) % widest_access == 0;
    };
    plan.element_strides[k] = static_cast<std::int64_t>(arrays[k].strides[last]);
    plan.neighbours &= plan.element_strides[k] == 1;
    plan.aligned &= is_aligned(static_cast<const char*>(arrays[k].data), widest_access) && is_whole(plan.length);
    for (int i = 0; i < plan.rank; ++i) plan.aligned &= is_whole(plan.strides[k][i]);
  }
  plan.aligned &= plan.neighbours;
  return plan;
}

}  // namespace kachel::detail
