// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The checks of a call's operands and the plan of its accesses, from plain data: no View, no template.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kachel {

/// What the checks and the plan need to know of a View.
struct Operand {
  std::string_view name;  ///< the argument's name in messages: y, x, x1, x2
  const void* data;
  std::size_t element_bytes;
  int rank;
  std::array<std::size_t, 8> extents;  ///< the first rank entries
  std::array<std::size_t, 8> strides;  ///< in elements, the first rank entries
};

/// How a call reads and writes its operands.
struct AccessPlan {
  std::int64_t size;  ///< elements
  bool in_place;      ///< the output is also an input
  bool aligned;       ///< every operand begins at a multiple of 16 bytes
};

/// \throws std::logic_error  Kokkos is not initialised; names the operation
void check_initialized(std::string_view operation);

/// Checks a call of one output and its inputs and plans it.
/// \param operation  the call's name in messages, as in kachel::hardtanh
/// \param output, inputs, input_count  the operands, of equal rank
/// \throws std::logic_error  Kokkos is not initialised
/// \throws std::invalid_argument  extents differ; an operand is null or not dense; orders in memory differ; an input
///         overlaps the output without being the same memory
AccessPlan plan_access(std::string_view operation, const Operand& output, const Operand* inputs, int input_count);

}  // namespace kachel
