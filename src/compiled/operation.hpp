// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operations that are compiled ahead: each activation, its derivatives, and what writes and reads a mask, for every
/// floating-point type, prelu, and softmax. What runs one is a plain function, so that tables of them are all that
/// other code sees.
#pragma once

#include <kachel/contract.hpp>
#include <kachel/detail/backend/host/run_items.hpp>
#include <kachel/detail/cuda_instance.hpp>
#include <kachel/detail/plan.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kachel::detail {

/// The element types of an operation's arrays, in the order of CompiledOperation::run.
enum class CompiledType { float_, double_, half, bfloat16 };
inline constexpr std::size_t compiled_types = 4;

/// How many arrays and how many parameters an operation has at most.
inline constexpr std::size_t most_arrays = 5, most_parameters = std::extent_v<decltype(Contract::parameters)>;

/// Runs an operation on arrays of one type, in the order of the C++ call: outputs first.
/// \param on          threads of the caller's, or a stream
/// \param arrays      all that they have but names
/// \param parameters  in the order of the activation's members
/// \throws std::invalid_argument, std::runtime_error  as the C++ call
template <class Instance>
using RunCompiled = void (*)(const Instance& on, std::span<Array> arrays, const double* parameters);

/// An operation, and what it takes.
template <class Instance>
struct CompiledOperation {
  std::string name;                 ///< hardtanh, hardtanh_backward, hardtanh_with_mask
  std::vector<const char*> arrays;  ///< their names, outputs first; a mask's is mask
  int outputs;                      ///< how many of them are written; the second is a mask, or dw
  std::vector<const char*> parameters;
  std::vector<double> defaults;
  std::array<RunCompiled<Instance>, compiled_types> run;  ///< null of a type that it has not here
};

template <class Instance>
using CompiledOperations = std::vector<CompiledOperation<Instance>>;

/// Appends those of the part of the list of activations that one source has.
template <class Instance, int part>
void append_part(CompiledOperations<Instance>& operations);

/// All operations, in the same order for every instance.
template <class Instance>
const CompiledOperations<Instance>& compiled_operations() {
  static const CompiledOperations<Instance> all = [] {
    CompiledOperations<Instance> operations;
    [&]<int... part>(std::integer_sequence<int, part...>) {
      (detail::append_part<Instance, part>(operations), ...);
    }(std::make_integer_sequence<int, KACHEL_PARTS>());
    return operations;
  }();
  return all;
}

/// An instruction set that this library has operations for.
struct Level {
  const char* name;  ///< as -march has it, or own
  const CompiledOperations<CallerThreads>& (*operations)();
};

/// The least first.
extern const std::span<const Level> levels;

}  // namespace kachel::detail
