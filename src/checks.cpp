// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checks.hpp"

#include "overlap.hpp"

#include <kachel/detail/reduce/sum_plan.hpp>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>

namespace kachel::detail {
namespace {

/// Extents or strides; a stride may be negative, of which a View's type knows nothing.
std::string tuple(const std::size_t* values, int count) {
  std::string text = "(";
  for (int i = 0; i < count; ++i)
    text.append(i > 0 ? ", " : "").append(std::to_string(static_cast<std::int64_t>(values[i])));
  return text + ")";
}

[[noreturn]] void reject(std::string_view operation, const std::string& reason) {
  throw std::invalid_argument(std::string(operation) + ": " + reason);
}

std::size_t element_count(const Array& operand) {
  std::size_t count = 1;
  for (int i = 0; i < operand.rank; ++i) count *= operand.extents[i];
  return count;
}

bool same_extents(const Array& a, const Array& b) {
  if (a.rank != b.rank) return false;
  for (int i = 0; i < a.rank; ++i)
    if (a.extents[i] != b.extents[i]) return false;
  return true;
}

/// An output's extents, as a message about another operand has them.
std::string as_has(const Array& like) {
  return tuple(like.extents, like.rank) + " as " + std::string(like.name) + " has" +
         (like.data == nullptr ? ", which is a null pointer" : "");
}

/// Whether an operand has one element at several places.
bool has_repetitions(const Array& operand) {
  for (int i = 0; i < operand.rank; ++i)
    if (operand.strides[i] == 0 && operand.extents[i] > 1) return true;
  return false;
}

/// Whether both have the same elements at the same places, given equal extents.
bool same_memory(const Array& a, const Array& b) {
  return a.data == b.data && a.element_bytes == b.element_bytes && same_strides(a, b);
}

/// Whether the elements, and the bytes between them, are few enough to be counted in 64 bits.
bool is_countable(const Array& operand) {
  double count = 1, bytes = 0;
  for (int i = 0; i < operand.rank; ++i) {
    const auto extent = static_cast<double>(operand.extents[i]);
    count *= extent;
    bytes += std::abs(static_cast<double>(static_cast<std::int64_t>(operand.strides[i]))) * (extent - 1) *
             static_cast<double>(operand.element_bytes);
  }
  return count == 0 || (count < 0x1p62 && bytes < 0x1p62);
}

void check_address(std::string_view operation, const Array& operand, std::size_t count) {
  if (operand.data == nullptr)
    reject(operation, std::string(operand.name) + " is a null pointer, expected " + std::to_string(count) +
                          (count == 1 ? " element" : " elements"));
  if ((reinterpret_cast<std::uintptr_t>(operand.data) & (operand.element_bytes - 1)) != 0)
    reject(operation, std::string(operand.name) + " begins at an address that is no multiple of its element's " +
                          std::to_string(operand.element_bytes) + " bytes");
}

/// An output that writes an element twice.
void check_written_once(std::string_view operation, const Array& output) {
  const Found found = meets_itself(output);
  if (found == Found::no) return;
  reject(operation, std::string(output.name) + " has extents " + tuple(output.extents, output.rank) + " with strides " +
                        tuple(output.strides, output.rank) +
                        (found == Found::undecided ? ", too irregular for a search of bounded length" : "") +
                        ", expected strides that keep its elements apart");
}

/// What an output and another operand may have in common.
enum class Sharing {
  nothing,
  all,               ///< all elements, where these have as many bytes, or nothing
  nothing_repeated,  ///< nothing, since the other is an input that repeats
};

/// An output that shares memory with another operand.
void check_overlap(std::string_view operation, const Array& output, const Array& other, Sharing allowed) {
  const bool may_be_same = allowed == Sharing::all && output.element_bytes == other.element_bytes;
  if (may_be_same && same_memory(output, other)) return;
  const Found found = share_memory(output, other);
  if (found == Found::no) return;
  const std::ptrdiff_t distance = static_cast<const char*>(other.data) - static_cast<const char*>(output.data);
  const bool undecided = found == Found::undecided;
  reject(operation,
         std::string(other.name) + (undecided ? " may overlap " : " overlaps ") + std::string(output.name) +
             (distance == 0 ? std::string(": both begin at one address") + (may_be_same ? " with other strides" : "")
                            : ": it begins " + std::to_string(std::abs(distance)) + " bytes " +
                                  (distance < 0 ? "before" : "after") + " it") +
             (undecided ? ", with strides too irregular for a search of bounded length" : "") + ", expected " +
             (may_be_same ? "the same memory or " : "") + "no element in common" +
             (allowed == Sharing::nothing_repeated ? ", since it repeats: pass a copy of it" : ""));
}

/// Whether an operand's dimensions match from the last, each with one extent, or 1, or missing.
bool repeats(const Array& operand, const Array& like) {
  const int missing = like.rank - operand.rank;
  if (missing < 0) return false;
  for (int i = 0; i < operand.rank; ++i)
    if (operand.extents[i] != 1 && operand.extents[i] != like.extents[i + missing]) return false;
  return true;
}

/// What to do with an operand that does not repeat to `like`: its extents in their order, each at the last dimension
/// of `like` that has it, and 1 elsewhere; else to reorder them. Nothing if there is no such place for each.
std::string remedy(const Array& operand, const Array& like) {
  std::size_t extents[max_rank];
  int own = operand.rank - 1, place = -1;
  for (int i = like.rank - 1; i >= 0; --i) {
    while (own >= 0 && operand.extents[own] == 1) --own;
    const bool fits = own >= 0 && operand.extents[own] == like.extents[i];
    extents[i] = fits ? like.extents[i] : 1;
    if (!fits) continue;
    --own;
    place = i;
  }
  while (own >= 0 && operand.extents[own] == 1) --own;
  if (own >= 0 && repeats(like, operand)) return "; " + std::string(like.name) + " does not repeat";
  if (own >= 0)
    return operand.rank == like.rank && std::is_permutation(operand.extents, operand.extents + like.rank, like.extents)
               ? "; with its dimensions in the order of " + std::string(like.name) + "'s it fits"
               : "";
  if (operand.rank > 1 || place < 0) return "; with extents " + tuple(extents, like.rank) + " it fits";
  return "; kachel::along(" + std::string(operand.name) + ", " + std::to_string(place) + ") puts it along dimension " +
         std::to_string(place);
}

}  // namespace

void check_first_element(std::string_view operation, std::string_view name, std::size_t offset) {
  if (offset != 0)
    reject(operation, std::string(name) + " is an mdspan whose layout puts the first element at " +
                          std::to_string(offset) + ", expected at 0");
}

void repeat(std::string_view operation, Array& operand, const Array& like) {
  const int missing = like.rank - operand.rank;
  if (!repeats(operand, like))
    reject(operation, std::string(operand.name) + " has extents " + tuple(operand.extents, operand.rank) +
                          (missing < 0 ? ", more dimensions than " : ", which do not repeat to ") + as_has(like) +
                          ", expected each from the last on to be the same, or 1, or missing" + remedy(operand, like));
  if (!same_extents(operand, like)) {
    if (element_count(operand) > 0) check_address(operation, operand, element_count(operand));
    for (int i = like.rank - 1; i >= 0; --i) {
      const int own = i - missing;
      operand.strides[i] = own < 0 || operand.extents[own] == 1 ? 0 : operand.strides[own];
      operand.extents[i] = like.extents[i];
    }
    operand.rank = like.rank;
  }
  operand.broadcast = has_repetitions(operand);
}

void check_dimension(std::string_view operation, std::string_view name, int dimension, const Array& like) {
  if (dimension >= 0 && dimension < like.rank) return;
  const std::string last = std::to_string(like.rank - 1),
                    all = like.rank == 1 ? "0" : (like.rank == 2 ? "0 or " : "0 to ") + last;
  reject(operation, std::string(name) + " is along dimension " + std::to_string(dimension) + ", expected " +
                        (like.rank == 0 ? "a number, since " + std::string(like.name) + " has no dimension"
                                        : all + ", counted from the first of " + as_has(like)));
}

void repeat_along(std::string_view operation, Array& operand, int dimension, const Array& like) {
  const std::size_t expected = dimension < like.rank ? like.extents[dimension] : 1;
  const std::size_t count = operand.rank == 1 ? operand.extents[0] : 0;
  if (operand.rank != 1 || (count != 1 && count != expected))
    reject(operation, std::string(operand.name) + " has extents " + tuple(operand.extents, operand.rank) +
                          ", expected (1)" + (expected == 1 ? "" : " or (" + std::to_string(expected) + ")") +
                          ": it is along dimension " + std::to_string(dimension) + " of " + std::string(like.name) +
                          ", whose extents are " + tuple(like.extents, like.rank));
  if (count > 0) check_address(operation, operand, count);
  const std::size_t stride = count == 1 ? 0 : operand.strides[0];
  operand.rank = like.rank;
  for (int i = 0; i < like.rank; ++i) {
    operand.extents[i] = like.extents[i];
    operand.strides[i] = i == dimension ? stride : 0;
  }
  operand.broadcast = true;
}

void describe_index(Array& operand, int dimension, const Array& like) {
  operand.data = nullptr;
  operand.element_bytes = sizeof(std::int64_t);
  operand.rank = like.rank;
  for (int i = 0; i < like.rank; ++i) {
    operand.extents[i] = like.extents[i];
    operand.strides[i] = i == dimension;
  }
  operand.in_memory = false;
  operand.broadcast = true;
}

void check_sums(std::string_view operation, const Array& sums, std::size_t count, std::string_view like,
                std::span<const Array> apart) {
  if (sums.rank != 1 || sums.extents[0] != count)
    reject(operation, std::string(sums.name) + " has extents " + tuple(sums.extents, sums.rank) + ", expected (" +
                          std::to_string(count) + ")" + (like.empty() ? "" : " as " + std::string(like) + " has"));
  if (count == 0) return;
  check_address(operation, sums, count);
  check_written_once(operation, sums);
  if (element_count(apart[0]) == 0) return;
  Array of_each = sums;
  repeat_along(operation, of_each, 1, apart[0]);
  for (const Array& operand : apart) check_overlap(operation, operand, of_each, Sharing::nothing);
}

bool same_strides(const Array& a, const Array& b) {
  for (int i = 0; i < a.rank; ++i)
    if (a.extents[i] > 1 && a.strides[i] != b.strides[i]) return false;
  return true;
}

bool fills_memory(const Array& operand, std::size_t count) {
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

Dimensions dimensions_by_stride(const Array& operand) {
  Dimensions dimensions;
  for (int i = 0; i < operand.rank; ++i) {
    if (operand.extents[i] == 1) continue;
    int place = dimensions.count++;
    for (; place > 0 && operand.strides[dimensions.of[place - 1]] > operand.strides[i]; --place)
      dimensions.of[place] = dimensions.of[place - 1];
    dimensions.of[place] = i;
  }
  return dimensions;
}

std::size_t check_operands(std::string_view operation, std::span<const Array> arrays, std::size_t outputs) {
  const Array& first = arrays[0];
  for (const Array& array : arrays)
    if (!same_extents(first, array))
      reject(operation, std::string(array.name) + " has extents " + tuple(array.extents, array.rank) + ", expected " +
                            as_has(first));

  for (const Array& array : arrays)
    if (!is_countable(array))
      reject(operation, std::string(array.name) + " has extents " + tuple(array.extents, array.rank) +
                            " with strides " + tuple(array.strides, array.rank) +
                            ", expected elements that lie within 2^62 bytes");
  const std::size_t count = element_count(first);
  if (count == 0) return 0;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    if (!arrays[k].in_memory) continue;
    check_address(operation, arrays[k], count);
    if (k < outputs) check_written_once(operation, arrays[k]);
  }
  for (std::size_t k = 0; k < outputs; ++k) {
    for (std::size_t other = 0; other < k; ++other)
      check_overlap(operation, arrays[k], arrays[other], Sharing::nothing);
    for (const Array& input : arrays.subspan(outputs))
      if (input.in_memory)
        check_overlap(operation, arrays[k], input, has_repetitions(input) ? Sharing::nothing_repeated : Sharing::all);
  }
  return count;
}

void check_mask(std::string_view operation, const Array& output, const Array& input, const Array& mask,
                std::size_t count) {
  const auto layout = [](const Array& operand) {
    return std::string(operand.name) + " has extents " + tuple(operand.extents, operand.rank) + " with strides " +
           tuple(operand.strides, operand.rank) + ", expected ";
  };
  if (!fills_memory(output, count)) reject(operation, layout(output) + "dense elements, as a mask needs");
  if (!same_strides(output, input))
    reject(operation, layout(input) + tuple(output.strides, output.rank) + " as " + std::string(output.name) + " has");
  Array bytes = mask;
  bytes.extents[0] = (count - 1) / 8 + 1;
  if (mask.extents[0] < bytes.extents[0])
    reject(operation, std::string(mask.name) + " has extents " + tuple(mask.extents, 1) + ", expected at least " +
                          tuple(bytes.extents, 1) + ", a bit for each of " + std::to_string(count) + " elements");
  if (bytes.extents[0] > 1 && mask.strides[0] != 1) reject(operation, layout(mask) + "dense elements");
  check_address(operation, bytes, bytes.extents[0]);
  for (const Array* operand : {&output, &input}) check_overlap(operation, *operand, bytes, Sharing::nothing);
}

}  // namespace kachel::detail
