// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays that a call does not take.
#include <kachel/kachel.hpp>

#include <Kokkos_DualView.hpp>
#include <Kokkos_OffsetView.hpp>

#include <vector>

// expected: kachel: atomic Views are not supported
namespace atomic_view {
void call(Kokkos::View<float*, Kokkos::MemoryTraits<Kokkos::Atomic>> y, Kokkos::View<float*> x) {
  kachel::hardtanh(y, x);
}
}  // namespace atomic_view

// expected: kachel: y is written to and cannot have const elements
namespace const_output {
void call(Kokkos::View<const float*> y, Kokkos::View<float*> x) { kachel::hardtanh(y, x); }
}  // namespace const_output

// expected: kachel: y or an input is a DualView, expected one side of it, view_device() or view_host()
namespace dual_view {
void call(Kokkos::View<float*> y, Kokkos::DualView<float*> x) { kachel::hardtanh(y, x); }
}  // namespace dual_view

// expected: kachel: every element type is expected to be float, double, a 16-bit floating-point type or an integer
namespace element_type {
struct Pair {
  float a, b;
};

void call(Kokkos::View<Pair*> y, Kokkos::View<float*> x) { kachel::map(y, kachel::HardTanh{}, x); }
}  // namespace element_type

// expected: kachel: every element type is expected to be float, double, a 16-bit floating-point type or an integer
namespace long_double {
void call(Kokkos::View<long double*> y) { kachel::hardtanh(y, y); }
}  // namespace long_double

// expected: kachel::map: f cannot be called with its inputs
namespace integer_activation {
void call(Kokkos::View<float*> y, Kokkos::View<int*> x) { kachel::hardtanh(y, x); }
}  // namespace integer_activation

// expected: kachel::map: every input is expected to be a View, a DynRankView, an mdspan, kachel::along of one
namespace input_kind {
void call(Kokkos::View<float*> dx, std::vector<float> dy, Kokkos::View<float*> x) {
  kachel::hardtanh_backward(Kokkos::DefaultExecutionSpace{}, dx, dy, x);
}
}  // namespace input_kind

// expected: kachel::map: y is expected to be a View, a DynRankView, an mdspan, or a std::tuple of several
namespace output_kind {
void call(std::vector<float> y, Kokkos::View<float*> x) { kachel::hardtanh(y, x); }
}  // namespace output_kind

// expected: kachel::map: y is written to and cannot be a number
namespace number_output {
void call(Kokkos::View<float*> x) { kachel::map(2.0f, kachel::HardTanh{}, x); }
}  // namespace number_output

// expected: kachel: y or an input is an OffsetView, whose first indices would not be heeded, expected its view
namespace offset_view {
void call(Kokkos::Experimental::OffsetView<float*> y, Kokkos::View<float*> x) { kachel::hardtanh(y, x); }
}  // namespace offset_view

// expected: kachel: an mdspan is expected to have the default accessor, or to be that of a View
namespace mdspan_accessor {
struct Doubled : Kokkos::default_accessor<float> {
  using offset_policy = Doubled;
  float access(float* data, std::size_t i) const { return 2 * data[i]; }
};

void call(Kokkos::mdspan<float, Kokkos::dextents<int, 1>> y,
          Kokkos::mdspan<float, Kokkos::dextents<int, 1>, Kokkos::layout_right, Doubled> x) {
  kachel::hardtanh(Kokkos::DefaultHostExecutionSpace{}, y, x);
}
}  // namespace mdspan_accessor

// expected: kachel: an mdspan is expected to have a layout of strides
namespace mdspan_layout {
struct Scattered {
  template <class Extents>
  struct mapping : Kokkos::layout_right::mapping<Extents> {
    using layout_type = Scattered;
    static constexpr bool is_always_strided() { return false; }
  };
};

void call(Kokkos::mdspan<float, Kokkos::dextents<int, 1>, Scattered> y) {
  kachel::hardtanh(Kokkos::DefaultHostExecutionSpace{}, y, y);
}
}  // namespace mdspan_layout

// expected: kachel: the first output has no execution space, expected one as the first argument
namespace no_execution_space {
void call(Kokkos::mdspan<float, Kokkos::dextents<int, 1>> y) { kachel::hardtanh(y, y); }
}  // namespace no_execution_space

// expected: kachel: the first output has no execution space, expected one as the first argument
namespace no_execution_space_beside_mask {
void call(Kokkos::mdspan<float, Kokkos::dextents<int, 1>> y, Kokkos::View<std::uint8_t*> mask) {
  kachel::hardtanh_with_mask(y, mask, y);
}
}  // namespace no_execution_space_beside_mask

// expected: kachel: the first output has no execution space, expected one as the first argument
namespace no_execution_space_from_mask {
void call(Kokkos::mdspan<float, Kokkos::dextents<int, 1>> dx, Kokkos::View<std::uint8_t*> mask) {
  kachel::hardtanh_backward_from_mask(dx, dx, mask);
}
}  // namespace no_execution_space_from_mask

// expected: kachel: an operand has not y's rank and static extents
namespace rank_differs {
void call(Kokkos::View<float**> y, Kokkos::View<float*> x) { kachel::hardtanh(y, x); }
}  // namespace rank_differs

// expected: kachel: an operand has not y's rank and static extents
namespace static_extent_differs {
void call(Kokkos::View<float* [3]> y, Kokkos::View<float* [4]> x) { kachel::hardtanh(y, x); }
}  // namespace static_extent_differs

// expected: kachel::map: an input has more dimensions than y
namespace rank_above_that_of_y {
void call(Kokkos::View<float*> y, Kokkos::View<float**> x) { kachel::map(y, kachel::HardTanh{}, x); }
}  // namespace rank_above_that_of_y

// expected: kachel::map: an input's extents do not repeat to y's
namespace static_extent_that_does_not_repeat {
void call(Kokkos::View<float* [4]> y, Kokkos::View<float[3]> x) { kachel::map(y, kachel::HardTanh{}, x); }
}  // namespace static_extent_that_does_not_repeat

// expected: kachel::map: the array of an along has an extent that no dimension of y has
namespace along_of_an_extent_that_y_has_not {
void call(Kokkos::View<float[4][6]> y, Kokkos::View<float[5]> w) {
  kachel::map(y, kachel::HardTanh{}, kachel::along(w, 1));
}
}  // namespace along_of_an_extent_that_y_has_not

// expected: kachel::map: every input is expected to be a View, a DynRankView, an mdspan, kachel::along of one
namespace along_of_a_number {
void call(Kokkos::View<float**> y) { kachel::map(y, kachel::HardTanh{}, kachel::along(2.0f, 0)); }
}  // namespace along_of_a_number

// expected: kachel::map: along expects an array of one dimension
namespace along_of_a_matrix {
void call(Kokkos::View<float**> y) { kachel::map(y, kachel::HardTanh{}, kachel::along(y, 0)); }
}  // namespace along_of_a_matrix

// expected: kachel: expected arrays of at most 8 dimensions
namespace too_many_dimensions {
void call(Kokkos::mdspan<float, Kokkos::dextents<int, 9>> y) {
  kachel::hardtanh(Kokkos::DefaultHostExecutionSpace{}, y, y);
}
}  // namespace too_many_dimensions

// expected: kachel: along and index are for inputs of kachel::map alone
namespace along_of_an_activation {
void call(Kokkos::View<float**> y, Kokkos::View<float*> x) { kachel::relu(y, kachel::along(x, 1)); }
}  // namespace along_of_an_activation

// expected: kachel: along and index are for inputs of kachel::map alone
namespace along_of_prelu {
void call(Kokkos::View<float**> y, Kokkos::View<float*> x) { kachel::prelu(y, kachel::along(x, 1), x); }
}  // namespace along_of_prelu

// expected: kachel: softmax and other functions of rows expect elements of float, half or bfloat16
namespace softmax_of_doubles {
void call(Kokkos::View<double**> y) { kachel::softmax(y, y); }
}  // namespace softmax_of_doubles

// expected: kachel: y or an input is a DualView
namespace softmax_of_a_dual_view {
void call(Kokkos::View<float**> y, Kokkos::DualView<float**> x) { kachel::softmax(y, x); }
}  // namespace softmax_of_a_dual_view

// expected: kachel: y is written to and cannot have const elements
namespace softmax_into_constants {
void call(Kokkos::View<const float**> y, Kokkos::View<float**> x) { kachel::softmax(y, x); }
}  // namespace softmax_into_constants
