// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The checks of a call's operands and the plan of its accesses, from plain data: no View, no template.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace kachel::detail {

/// The most dimensions that an operand may have, and the most operands that a call may have.
inline constexpr int max_rank = 8, max_operands = 12;

/// What the checks and the plan need to know of an operand whose elements are in memory.
struct Array {
  std::string_view name;  ///< the argument's name in messages: y, x, x1, x2
  const void* data;
  std::size_t element_bytes;  ///< a power of two
  int rank;
  std::size_t extents[max_rank];  ///< the first rank entries
  std::size_t strides[max_rank];  ///< in elements, the first rank entries; a negative one modulo 2^64, as in a View
  bool in_memory = true;          ///< false of an index
  bool broadcast = false;         ///< an input that kernels read once where its stride is 0
};

/// The tiles that the plan is made for.
struct TileShape {
  int width;         ///< elements
  int access_bytes;  ///< what one access moves at most
};

/// How the elements of a call's arrays lie.
enum class Layout {
  contiguous,  ///< in one row, of stride 1 in every array
  rows,        ///< in rows, of stride 1 in every array, or 0 in an input that may be broadcast
  strided,     ///< in rows of any strides
};

/// How a call's arrays may lie, as far as types tell: what of it is compiled.
struct Layouts {
  bool contiguous = true;  ///< in one row
  bool misaligned = true;  ///< in one row that begins anywhere
  bool rows = true;        ///< in rows of any strides
};

/// The dimensions that arrays are walked by, fewer than theirs where neighbours can be walked as one.
struct Walk {
  int rank = 0;
  // Not set beyond the first rank entries: a call's cost is counted in nanoseconds.
  std::int64_t extents[max_rank];                ///< that of the neighbours first
  std::int64_t strides[max_operands][max_rank];  ///< in elements
};

/// How a call reads and writes its arrays: as rows of extents[0] elements, whose elements lie strides[k][0] apart in
/// array k, outputs before inputs.
struct Plan : Walk {
  std::int64_t size = 0;  ///< elements
  Layout layout = Layout::strided;
  bool in_place = false;  ///< an output is also an input
  bool aligned = false;   ///< where full tiles begin, every array of stride 1 is aligned for its widest access
  bool contiguous_but_broadcast = false;  ///< every array fills memory as the first output does, or is broadcast
  int unit = 1;   ///< elements of the first output between two addresses that are aligned for its widest access
  int shift = 0;  ///< how many elements the first output begins after such an address
};

/// That of arrays of `size` elements, contiguous and aligned.
inline Plan contiguous_plan(std::int64_t size, bool in_place = false) {
  Plan plan;
  plan.size = size;
  plan.layout = Layout::contiguous;
  plan.in_place = in_place;
  plan.aligned = true;
  return plan;
}

/// How a broadcast array repeats along contiguous ones. Each of its `elements` elements stands for the next `run` of
/// theirs. After the last the first follows.
struct Cycle {
  std::int64_t run = 0, elements = 0;
};

/// The cycle of an array in a plan that is contiguous_but_broadcast. Its run is 0 where the array repeats in another
/// way.
Cycle cycle_of(const Plan& plan, int operand);

/// Whether an array does not repeat in a plan that is contiguous_but_broadcast.
bool is_whole(const Plan& plan, int operand);

/// \throws std::logic_error  Kokkos is not initialised; names the operation
void check_initialized(std::string_view operation);

/// \param offset  where an mdspan's layout puts the first element, in elements
/// \throws std::invalid_argument  it is not 0, as where a layout of the caller's own steps backwards
void check_first_element(std::string_view operation, std::string_view name, std::size_t offset);

/// Makes an input's description that of one with the extents of `like`, by the rule of NumPy: dimensions match from the
/// last, and one that is missing or has a single element repeats.
/// \throws std::invalid_argument  its extents do not fit; it is null
void repeat(std::string_view operation, Array& operand, const Array& like);

/// \throws std::invalid_argument  `like` has no such dimension
void check_dimension(std::string_view operation, std::string_view name, int dimension, const Array& like);

/// As `repeat` of an array whose dimension is that of `like` of the given number, from 0. A dimension that `like` has
/// not counts as one of a single element, as PReLU has it.
/// \throws std::invalid_argument  it has not one dimension of one element or of as many as `like` has there; it is null
void repeat_along(std::string_view operation, Array& operand, int dimension, const Array& like);

/// Makes the description of an index along a dimension of `like`, but for its name.
void describe_index(Array& operand, int dimension, const Array& like);

/// Checks a call's arrays and plans it.
/// \param operation  the call's name in messages, as in kachel::hardtanh
/// \param outputs, inputs  the arrays, of equal rank; at least one output
/// \throws std::invalid_argument  extents differ; an operand is null, or its address no multiple of its element's size;
///         two elements of an output lie at one address; an output shares memory with another operand without being the
///         same elements; strides so unusual that a search of bounded length could not tell
Plan plan_call(std::string_view operation, const TileShape& tile, std::span<const Array> arrays, std::size_t outputs);

/// The same of one output and one input beside a mask, a bit an element.
/// \throws std::invalid_argument  as above; also: an operand is not dense, or the other's strides
///         differ; the mask has too few bytes, or ones apart, or shares memory with an operand
Plan plan_masked_call(std::string_view operation, const TileShape& tile, const Array& output, const Array& input,
                      const Array& mask);

}  // namespace kachel::detail
