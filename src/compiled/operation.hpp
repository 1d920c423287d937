// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operations that are compiled ahead: each activation, its derivatives, and what writes and reads a mask, for every
/// floating-point type. What runs one is a plain function, so that tables of them are all that other code sees.
#pragma once

#include <kachel/detail/backend/host/run_items.hpp>
#include <kachel/detail/cuda_instance.hpp>
#include <kachel/detail/plan.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace kachel::detail {

/// The element types of an operation's arrays, in the order of a table's columns.
enum class CompiledType { float_, double_, half, bfloat16 };
inline constexpr std::size_t compiled_types = 4;

/// Runs an operation on arrays of one type, in the order of the C++ call: outputs first.
/// \param on          threads of the caller's, or a stream
/// \param arrays      all that they have but names
/// \param parameters  in the order of the activation's members
/// \throws std::invalid_argument, std::runtime_error  as the C++ call
template <class Instance>
using RunCompiled = void (*)(const Instance& on, std::span<Array> arrays, const double* parameters);

/// A row of a table.
template <class Instance>
struct CompiledOperation {
  std::string_view name;  ///< hardtanh, hardtanh_backward, hardtanh_with_mask
  RunCompiled<Instance> run[compiled_types];
};

template <class Instance>
using CompiledOperations = std::span<const CompiledOperation<Instance>>;

/// The rows of the part of the list of activations that one source has: KACHEL_PART of KACHEL_PARTS.
template <class Instance, int part>
CompiledOperations<Instance> compiled_part();

/// All operations, by parts.
template <class Instance>
std::span<const CompiledOperations<Instance>> compiled_parts() {
  return []<int... part>(std::integer_sequence<int, part...>) {
    static const std::array parts{compiled_part<Instance, part>()...};
    return std::span<const CompiledOperations<Instance>>(parts);
  }(std::make_integer_sequence<int, KACHEL_PARTS>());
}

/// Those on hosts, as compiled for an instruction set.
using HostOperations = std::span<const CompiledOperations<CallerThreads>>;

/// An instruction set that this library has operations for.
struct Level {
  const char* name;  ///< as -march has it, or own
  HostOperations (*operations)();
};

/// The least first.
extern const std::span<const Level> levels;

}  // namespace kachel::detail
