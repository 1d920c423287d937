// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/launch/access_plan.hpp>

#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>

namespace kachel {
namespace {

std::string tuple(const std::array<std::size_t, 8>& values, int count) {
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

/// Whether an operand that is not empty fills a range of memory, each element once: some dimension has stride 1,
/// another steps over what that one fills, and so on.
bool is_dense(const Operand& operand) {
  const std::size_t count = element_count(operand);
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

bool same_extents(const Operand& a, const Operand& b) {
  for (int i = 0; i < a.rank; ++i)
    if (a.extents[i] != b.extents[i]) return false;
  return true;
}

/// Whether both lay their elements out in the same order, given equal extents.
bool same_order(const Operand& a, const Operand& b) {
  for (int i = 0; i < a.rank; ++i)
    if (a.extents[i] > 1 && a.strides[i] != b.strides[i]) return false;
  return true;
}

bool is_aligned(const Operand& operand) { return reinterpret_cast<std::uintptr_t>(operand.data) % 16 == 0; }

void check_address(std::string_view operation, const Operand& operand, std::size_t count) {
  if (operand.data == nullptr)
    reject(operation,
           std::string(operand.name) + " is a null pointer, expected " + std::to_string(count) + " elements");
  if (reinterpret_cast<std::uintptr_t>(operand.data) % operand.element_bytes != 0)
    reject(operation, std::string(operand.name) + " begins at an address that is no multiple of its element's " +
                          std::to_string(operand.element_bytes) + " bytes");
}

void check_dense(std::string_view operation, const Operand& operand) {
  if (!is_dense(operand))
    reject(operation, std::string(operand.name) + " is not dense: extents " + tuple(operand.extents, operand.rank) +
                          " with strides " + tuple(operand.strides, operand.rank) +
                          ", expected elements that fill one range of memory");
}

void check_overlap(std::string_view operation, const Operand& output, const Operand& input, std::size_t bytes) {
  const auto* const to = static_cast<const char*>(output.data);
  const auto* const from = static_cast<const char*>(input.data);
  const std::ptrdiff_t distance = from - to;
  if (distance != 0 && static_cast<std::size_t>(std::abs(distance)) < bytes)
    reject(operation, std::string(input.name) + " overlaps " + std::string(output.name) + ": it begins " +
                          std::to_string(std::abs(distance)) + " bytes " + (distance < 0 ? "before" : "after") +
                          " it, expected the same memory or memory " + std::to_string(bytes) + " bytes apart");
}

}  // namespace

void check_initialized(std::string_view operation) {
  if (!Kokkos::is_initialized())
    throw std::logic_error(std::string(operation) +
                           ": Kokkos is not initialized, expected a call between Kokkos::initialize and finalize");
}

AccessPlan plan_access(std::string_view operation, const Operand& output, const Operand* inputs, int input_count) {
  check_initialized(operation);
  const std::span all(inputs, static_cast<std::size_t>(input_count));
  for (const Operand& input : all)
    if (!same_extents(output, input))
      reject(operation, std::string(input.name) + " has extents " + tuple(input.extents, input.rank) + ", expected " +
                            tuple(output.extents, output.rank) + " as " + std::string(output.name) + " has");

  const std::size_t count = element_count(output);
  if (count == 0) return {0, false, false};

  check_address(operation, output, count);
  check_dense(operation, output);
  bool in_place = false, aligned = is_aligned(output);
  for (const Operand& input : all) {
    check_address(operation, input, count);
    if (!same_order(output, input)) {
      check_dense(operation, input);
      reject(operation, std::string(input.name) + " has strides " + tuple(input.strides, input.rank) + ", expected " +
                            tuple(output.strides, output.rank) + " as " + std::string(output.name) + " has");
    }
    check_overlap(operation, output, input, count * output.element_bytes);
    in_place |= input.data == output.data;
    aligned &= is_aligned(input);
  }
  return {static_cast<std::int64_t>(count), in_place, aligned};
}

}  // namespace kachel
