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

/// A call's arrays, outputs first.
struct Arrays {
  const Array* of[max_operands];  // not cleared, which would take as long as the rest of a plan
  int count = 0;
};

/// Whether the operands are one row of stride 1: what most calls have, and set_dimensions would find more slowly.
bool are_contiguous_alike(const Arrays& arrays, std::size_t size) {
  for (int k = 1; k < arrays.count; ++k)
    if (!same_strides(*arrays.of[0], *arrays.of[k])) return false;
  return fills_memory(*arrays.of[0], size);
}

void set_one_row(Plan& plan, int arrays) {
  plan.rank = 1;
  plan.extents[0] = plan.size;
  for (int k = 0; k < arrays; ++k) plan.strides[k][0] = 1;
}

/// Walks neighbouring dimensions as one where every operand steps from the end of the inner one into the outer one.
void set_dimensions(Plan& plan, const Arrays& arrays) {
  const auto steps_into = [&](int dimension) {
    for (int k = 0; k < arrays.count; ++k)
      if (static_cast<std::int64_t>(arrays.of[k]->strides[dimension]) !=
          plan.strides[k][plan.rank - 1] * plan.extents[plan.rank - 1])
        return false;
    return true;
  };
  const Dimensions dimensions = dimensions_by_stride(*arrays.of[0]);
  for (int i = 0; i < dimensions.count; ++i) {
    const int dimension = dimensions.of[i];
    const auto extent = static_cast<std::int64_t>(arrays.of[0]->extents[dimension]);
    if (plan.rank > 0 && steps_into(dimension)) {
      plan.extents[plan.rank - 1] *= extent;
      continue;
    }
    plan.extents[plan.rank] = extent;
    for (int k = 0; k < arrays.count; ++k)
      plan.strides[k][plan.rank] = static_cast<std::int64_t>(arrays.of[k]->strides[dimension]);
    ++plan.rank;
  }
}

/// Whether the operands that are not broadcast fill memory as the first does.
bool are_contiguous_but_broadcast(const Arrays& arrays, std::size_t size) {
  for (int k = 1; k < arrays.count; ++k)
    if (!arrays.of[k]->broadcast && !same_strides(*arrays.of[0], *arrays.of[k])) return false;
  return fills_memory(*arrays.of[0], size);
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

void set_alignment(Plan& plan, const TileShape& tile, const Arrays& arrays) {
  plan.unit = alignment_unit(tile, *arrays.of[0]);
  plan.shift = misalignment(*arrays.of[0], plan.unit);
  plan.aligned = true;
  bool in_rows = true;
  for (int k = 0; k < arrays.count; ++k) {
    if (arrays.of[k]->broadcast && plan.strides[k][0] == 0) continue;
    in_rows &= plan.strides[k][0] == 1;
    const int unit = alignment_unit(tile, *arrays.of[k]);
    plan.aligned &= unit <= plan.unit && plan.strides[k][0] == 1 &&
                    modulo(misalignment(*arrays.of[k], unit) - plan.shift, unit) == 0;
    for (int i = 1; i < plan.rank; ++i) plan.aligned &= modulo(plan.strides[k][i] - plan.strides[0][i], unit) == 0;
  }
  if (plan.layout != Layout::contiguous && in_rows) plan.layout = Layout::rows;
}

}  // namespace

void check_initialized(std::string_view operation) {
  if (!Kokkos::is_initialized())
    throw std::logic_error(std::string(operation) +
                           ": Kokkos is not initialized, expected a call between Kokkos::initialize and finalize");
}

Plan plan_call(std::string_view operation, const TileShape& tile, std::span<const Array> outputs,
               std::span<const Array> inputs) {
  check_initialized(operation);
  Plan plan;
  const std::size_t size = check_operands(operation, outputs, inputs);
  plan.size = static_cast<std::int64_t>(size);
  if (size == 0) return plan;

  Arrays arrays;
  arrays.of[0] = &outputs[0];
  for (const Array& output : outputs) arrays.of[arrays.count++] = &output;
  for (const Array& input : inputs) arrays.of[arrays.count++] = &input;
  for (const Array& output : outputs)
    for (const Array& input : inputs) plan.in_place |= input.data == output.data;
  if (are_contiguous_alike(arrays, size)) {
    plan.layout = Layout::contiguous;
    set_one_row(plan, arrays.count);
  } else {
    set_dimensions(plan, arrays);
  }
  plan.contiguous_but_broadcast = plan.layout == Layout::contiguous || are_contiguous_but_broadcast(arrays, size);
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

Plan plan_masked_call(std::string_view operation, const TileShape& tile, const Array& output, const Array& input,
                      const Array& mask) {
  Plan plan = plan_call(operation, tile, {&output, 1}, {&input, 1});
  plan.aligned &= plan.shift == 0;
  plan.shift = 0;  // a tile that begins elsewhere would begin within a byte of the mask
  if (plan.size > 0) check_mask(operation, output, input, mask, static_cast<std::size_t>(plan.size));
  return plan;
}

}  // namespace kachel::detail
