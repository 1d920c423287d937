// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operand_checks.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace kachel {
namespace {

std::string tuple(const std::array<std::size_t, max_rank>& values, int count) {
  std::string text = "(";
  for (int i = 0; i < count; ++i) text.append(i > 0 ? ", " : "").append(std::to_string(values[i]));
  return text + ")";
}

[[noreturn]] void reject(std::string_view operation, const std::string& reason) {
  throw std::invalid_argument(std::string(operation) + ": " + reason);
}

std::size_t element_count(const Operand& operand) {
  std::size_t count = 1;
  for (int i = 0; i < operand.rank; ++i) count *= operand.extents[i];
  return count;
}

bool same_extents(const Operand& a, const Operand& b) {
  if (a.rank != b.rank) return false;
  for (int i = 0; i < a.rank; ++i)
    if (a.extents[i] != b.extents[i]) return false;
  return true;
}

/// Whether both have the same elements at the same places, given equal extents.
bool same_memory(const Operand& a, const Operand& b) {
  if (a.data != b.data || a.element_bytes != b.element_bytes) return false;
  for (int i = 0; i < a.rank; ++i)
    if (a.extents[i] > 1 && a.strides[i] != b.strides[i]) return false;
  return true;
}

void check_address(std::string_view operation, const Operand& operand, std::size_t count) {
  if (operand.data == nullptr)
    reject(operation,
           std::string(operand.name) + " is a null pointer, expected " + std::to_string(count) + " elements");
  if ((reinterpret_cast<std::uintptr_t>(operand.data) & (operand.element_bytes - 1)) != 0)
    reject(operation, std::string(operand.name) + " begins at an address that is no multiple of its element's " +
                          std::to_string(operand.element_bytes) + " bytes");
}

/// An output that writes an element twice.
void check_written_once(std::string_view operation, const Operand& output) {
  for (int i = 0; i < output.rank; ++i)
    if (output.extents[i] > 1 && output.strides[i] == 0)
      reject(operation, std::string(output.name) + " has extents " + tuple(output.extents, output.rank) +
                            " with strides " + tuple(output.strides, output.rank) +
                            ", expected an output without a stride of 0");
}

/// Two operands that meet in memory. Only dense ones are looked at: whether others share an element is not decided by
/// where they begin and end.
void check_overlap(std::string_view operation, const Operand& output, const Operand& other, std::size_t count,
                   bool may_be_same) {
  const auto* const to = static_cast<const char*>(output.data);
  const auto* const from = static_cast<const char*>(other.data);
  const std::ptrdiff_t distance = from - to;
  const std::size_t apart = count * (distance < 0 ? other : output).element_bytes;
  if (static_cast<std::size_t>(std::abs(distance)) >= apart || (may_be_same && same_memory(output, other))) return;
  if (is_dense(output, count) && is_dense(other, count))
    reject(operation, std::string(other.name) + " overlaps " + std::string(output.name) + ": it begins " +
                          std::to_string(std::abs(distance)) + " bytes " + (distance < 0 ? "before" : "after") +
                          " it, expected " + (may_be_same ? "the same memory or " : "") + "memory " +
                          std::to_string(apart) + " bytes apart");
}

}  // namespace

bool is_dense(const Operand& operand, std::size_t count) {
  std::size_t filled = 1;
  for (bool grown = true; grown && filled < count;) {
    grown = false;
    for (int i = 0; i < operand.rank; ++i)
      if (operand.extents[i] > 1 && operand.strides[i] == filled) {
        filled *= operand.extents[i];
        grown = true;
      }
  }
  return filled == count;
}

std::size_t check_operands(std::string_view operation, std::span<const Operand> outputs,
                           std::span<const Operand> inputs) {
  const Operand& first = outputs[0];
  const auto check_extents = [&](const Operand& operand) {
    if (!same_extents(first, operand))
      reject(operation, std::string(operand.name) + " has extents " + tuple(operand.extents, operand.rank) +
                            ", expected " + tuple(first.extents, first.rank) + " as " + std::string(first.name) +
                            " has");
  };
  for (const Operand& output : outputs.subspan(1)) check_extents(output);
  for (const Operand& input : inputs) check_extents(input);

  const std::size_t count = element_count(first);
  if (count == 0) return 0;
  for (const Operand& output : outputs) {
    check_address(operation, output, count);
    check_written_once(operation, output);
  }
  for (const Operand& input : inputs) check_address(operation, input, count);
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    for (std::size_t other = 0; other < k; ++other) check_overlap(operation, outputs[k], outputs[other], count, false);
    for (const Operand& input : inputs) check_overlap(operation, outputs[k], input, count, true);
  }
  return count;
}

}  // namespace kachel
