// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Calls of activations, with their parameters, masks and slopes.
#include <kachel/kachel.hpp>

// expected: kachel: an activation's parameters are expected in braces, each by its name
namespace bare_parameter {
void call(Kokkos::View<float*> y) { kachel::leaky_relu(y, y, 0.1); }
}  // namespace bare_parameter

// expected: kachel: an activation's parameters are expected in braces, each by its name
namespace bare_parameter_of_map {
void call(Kokkos::View<float*> y) { kachel::map(y, kachel::leaky_relu, y, 0.1); }
}  // namespace bare_parameter_of_map

// expected: kachel: an activation's parameters are expected in braces, each by its name
namespace one_input_more {
void call(Kokkos::View<float*> y) { kachel::map(y, kachel::gelu, y, y); }
}  // namespace one_input_more

// expected: kachel: an activation's parameters are expected in braces, each by its name
namespace bare_parameters {
void call(Kokkos::View<float*> y) { kachel::hardtanh(y, y, -1.0, 1.0); }
}  // namespace bare_parameters

// expected: kachel: an activation's parameters are expected in braces, each by its name
namespace bare_parameters_of_clamp {
void call(Kokkos::View<float*> y) { kachel::clamp(y, y, 0.0, 1.0); }
}  // namespace bare_parameters_of_clamp

// expected: kachel: an activation's parameters are expected in braces, each by its name
namespace bare_parameter_of_mask {
void call(Kokkos::View<float*> y, Kokkos::View<std::uint8_t*> mask) {
  kachel::leaky_relu_with_mask(Kokkos::DefaultExecutionSpace{}, y, mask, y, 0.1);
}
}  // namespace bare_parameter_of_mask

// expected: kachel: an activation's parameters are expected in braces, each by its name
namespace bare_parameter_of_number {
float call(float x) { return 2 * kachel::leaky_relu_backward(x, x, 0.1f); }
}  // namespace bare_parameter_of_number

// expected: kachel: an activation's parameters are expected in braces, each by its name
namespace bare_parameter_of_pack {
void call(kachel::Pack<float, 4> p) { kachel::leaky_relu_backward(p, p, 0.1); }
}  // namespace bare_parameter_of_pack

// expected: kachel: an activation with is_valid() is expected to have members of type double alone
namespace parameter_types {
struct Power {
  static constexpr kachel::Contract contract{
      .formula = "scale x^n", .parameters = {"scale", "n"}, .expected = "n above 0", .ulp = 1};

  double scale = 1;
  int n = 1;

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x;
  }

  KOKKOS_FUNCTION constexpr bool is_valid() const { return n > 0; }
};

void call(Kokkos::View<float*> y) { kachel::map(y, Power{}, y); }
}  // namespace parameter_types

// expected: kachel::Backward: f.narrow_slope is expected to be callable, when const, with a float, and to return a
// float
namespace narrow_slope {
struct Square {
  static constexpr std::string_view name = "square";

  float operator()(float x) const { return x * x; }
  float backward(float dy, float x) const { return dy * (2 * x); }
  float narrow_slope(float dy, float x) const { return dy * (2 * x); }
};

void call(Kokkos::View<kachel::half*> x) { kachel::PointwiseBackward<Square>{}(x, x, x); }
}  // namespace narrow_slope

// expected: kachel::BackwardFromOutput: F has no member backward_from_output
namespace no_backward_from_output {
void call(Kokkos::View<float*> dx, Kokkos::View<float*> y) {
  kachel::PointwiseBackward<kachel::GELU, kachel::Saved::output>{}(dx, dx, y);
}
}  // namespace no_backward_from_output

// expected: kachel: the mask is written to and cannot have const elements
namespace const_mask {
void call(Kokkos::View<float*> y, Kokkos::View<const std::uint8_t*> mask, Kokkos::View<float*> x) {
  kachel::hardtanh_with_mask(y, mask, x);
}
}  // namespace const_mask

// expected: kachel: a mask is expected to be a View of rank 1 of std::uint8_t
namespace mask_type {
void call(Kokkos::View<float*> y, Kokkos::View<int*> mask, Kokkos::View<float*> x) {
  kachel::hardtanh_with_mask(y, mask, x);
}
}  // namespace mask_type

// expected: kachel::prelu: w is expected to be a number or an array of one dimension
namespace prelu_slope {
void call(Kokkos::View<float**> y, Kokkos::View<float**> w) { kachel::prelu(y, y, w); }
}  // namespace prelu_slope

// expected: kachel::prelu_backward: dw is expected to be an array of one dimension
namespace prelu_slope_gradient {
void call(Kokkos::View<float**> x, Kokkos::View<float> dw) { kachel::prelu_backward(x, dw, x, x, 0.5); }
}  // namespace prelu_slope_gradient
