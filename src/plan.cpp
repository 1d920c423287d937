// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checks.hpp"

#include <kachel/detail/plan.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace kachel::detail {
namespace {

/// Whether the arrays, or those that are not broadcast, are one row of stride 1: what most calls have, and
/// append_dimension would find more slowly.
bool are_contiguous_alike(std::span<const Array> arrays, std::size_t size, bool but_broadcast) {
  for (const Array& array : arrays)
    if (!(but_broadcast && array.broadcast) && !same_strides(arrays[0], array)) return false;
  return fills_memory(arrays[0], size);
}

void set_one_row(Plan& plan, std::size_t arrays) {
  plan.rank = 1;
  plan.extents[0] = plan.size;
  for (std::size_t k = 0; k < arrays; ++k) plan.strides[k][0] = 1;
}

/// Elements of an operand between two addresses that are aligned for its widest access: a power of two.
int alignment_unit(const TileShape& tile, const Array& operand) {
  return std::max(1, std::min(tile.width, tile.access_bytes >> std::countr_zero(operand.element_bytes)));
}

/// number modulo a power of two, also of negative numbers.
std::int64_t modulo(std::int64_t number, int power_of_two) { return number & (power_of_two - 1); }

/// How many elements an operand begins after an address that is aligned for its widest access.
int misalignment(const Array& operand, int unit) {
  const auto address = reinterpret_cast<std::intptr_t>(operand.data);
  return static_cast<int>(modulo(address >> std::countr_zero(operand.element_bytes), unit));
}

void set_alignment(Plan& plan, const TileShape& tile, std::span<const Array> arrays) {
  plan.unit = alignment_unit(tile, arrays[0]);
  plan.shift = misalignment(arrays[0], plan.unit);
  plan.aligned = true;
  bool in_rows = true;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    if (!arrays[k].in_memory || (arrays[k].broadcast && plan.strides[k][0] == 0)) continue;
    in_rows &= plan.strides[k][0] == 1;
    const int unit = alignment_unit(tile, arrays[k]);
    plan.aligned &=
        unit <= plan.unit && plan.strides[k][0] == 1 && modulo(misalignment(arrays[k], unit) - plan.shift, unit) == 0;
    for (int i = 1; i < plan.rank; ++i) plan.aligned &= modulo(plan.strides[k][i] - plan.strides[0][i], unit) == 0;
  }
  if (plan.layout != Layout::contiguous && in_rows) plan.layout = Layout::rows;
}

}  // namespace

void append_dimension(Walk& walk, std::span<const Array> arrays, int dimension) {
  const auto extent = static_cast<std::int64_t>(arrays[0].extents[dimension]);
  const int last = walk.rank - 1;
  bool steps_into = walk.rank > 0;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const auto stride = walk.strides[k][walk.rank] = static_cast<std::int64_t>(arrays[k].strides[dimension]);
    steps_into = steps_into && stride == walk.strides[k][last] * walk.extents[last];
  }
  if (steps_into)
    walk.extents[last] *= extent;
  else
    walk.extents[walk.rank++] = extent;
}

void check_initialized(std::string_view operation) {
  if (!Kokkos::is_initialized())
    throw std::logic_error(std::string(operation) +
                           ": Kokkos is not initialized, expected a call between Kokkos::initialize and finalize");
}

Plan plan_call(std::string_view operation, const TileShape& tile, std::span<const Array> arrays, std::size_t outputs) {
  Plan plan;
  const std::size_t size = check_operands(operation, arrays, outputs);
  plan.size = static_cast<std::int64_t>(size);
  if (size == 0) return plan;

  for (const Array& output : arrays.first(outputs))
    for (const Array& input : arrays.subspan(outputs)) plan.in_place |= input.data == output.data;
  if (are_contiguous_alike(arrays, size, false)) {
    plan.layout = Layout::contiguous;
    set_one_row(plan, arrays.size());
  } else {
    const Dimensions dimensions = dimensions_by_stride(arrays[0]);
    for (int i = 0; i < dimensions.count; ++i) append_dimension(plan, arrays, dimensions.of[i]);
  }
  plan.contiguous_but_broadcast = plan.layout == Layout::contiguous || are_contiguous_alike(arrays, size, true);
  set_alignment(plan, tile, arrays);
  return plan;
}

Cycle cycle_of(const Plan& plan, int operand) {
  const auto& strides = plan.strides[operand];
  Cycle cycle{1, 0};
  for (int i = 0; i < plan.rank; ++i) {
    if (strides[i] == 0 && cycle.elements == 0) {
      cycle.run *= plan.extents[i];
    } else if (strides[i] == 1 && cycle.elements == 0) {
      cycle.elements = plan.extents[i];
    } else if (strides[i] != 0) {
      return {};
    }
  }
  if (cycle.elements == 0) cycle.elements = 1;
  return cycle;
}

bool is_whole(const Plan& plan, int operand) {
  for (int i = 0; i < plan.rank; ++i)
    if (plan.strides[operand][i] != plan.strides[0][i]) return false;
  return true;
}

Plan plan_masked_call(std::string_view operation, const TileShape& tile, const Array& output, const Array& input,
                      const Array& mask) {
  const Array arrays[] = {output, input};
  Plan plan = plan_call(operation, tile, arrays, 1);
  plan.aligned &= plan.shift == 0;
  plan.shift = 0;  // a tile that begins elsewhere would begin within a byte of the mask
  if (plan.size > 0) check_mask(operation, output, input, mask, static_cast<std::size_t>(plan.size));
  return plan;
}

}  // namespace kachel::detail
