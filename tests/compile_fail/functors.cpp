// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functors that map does not take.
#include <kachel/kachel.hpp>

#include <array>

// expected: kachel::map: f is an array, expected y first, then f, then the inputs
namespace functor_first {
void call(Kokkos::View<float*> y, Kokkos::View<float*> x) { kachel::map(kachel::HardTanh{}, y, x); }
}  // namespace functor_first

// expected: kachel::map: f is expected to be a function object, not a function
namespace function {
float halve(float x) { return x / 2; }

void call(Kokkos::View<float*, Kokkos::HostSpace> y) { kachel::map(y, halve, y); }
}  // namespace function

// expected: kachel::map: f cannot be called with its inputs
namespace not_callable {
struct OfTwo {
  KOKKOS_FUNCTION float operator()(float a, float b) const { return a + b; }
};

void call(Kokkos::View<float*> y, Kokkos::View<float*> x) { kachel::map(y, OfTwo{}, x); }
}  // namespace not_callable

// expected: kachel::map: expected 1 to 8 inputs after the functor
namespace no_input {
struct One {
  KOKKOS_FUNCTION float operator()() const { return 1; }
};

void call(Kokkos::View<float*> y) { kachel::map(y, One{}); }
}  // namespace no_input

// expected: kachel::map: expected 1 to 8 inputs after the functor
namespace too_many_inputs {
struct First {
  template <class T, class... Rest>
  KOKKOS_FUNCTION T operator()(T first, Rest...) const {
    return first;
  }
};

void call(Kokkos::View<float*> v) { kachel::map(v, First{}, v, v, v, v, v, v, v, v, v); }
}  // namespace too_many_inputs

// expected: kachel::map: expected 1 to 4 outputs
namespace too_many_outputs {
struct Five {
  KOKKOS_FUNCTION Kokkos::Array<float, 5> operator()(float x) const { return {x, x, x, x, x}; }
};

void call(Kokkos::View<float*> v) { kachel::map(std::tuple(v, v, v, v, v), Five{}, v); }
}  // namespace too_many_outputs

// expected: kachel::map: f returns what is no result for y, expected a number, or for several outputs a Kokkos::Array
namespace results_differ {
struct Three {
  KOKKOS_FUNCTION Kokkos::Array<float, 3> operator()(float x) const { return {x, x, x}; }
};

void call(Kokkos::View<float*> v) { kachel::map(std::tuple(v, v), Three{}, v); }
}  // namespace results_differ

// expected: kachel::map: f returns what is no result for y, expected a number, or for several outputs a Kokkos::Array
namespace results_are_no_numbers {
struct Pointers {
  KOKKOS_FUNCTION Kokkos::Array<const float*, 2> operator()(const float& x) const { return {&x, &x}; }
};

void call(Kokkos::View<bool*> v) { kachel::map(std::tuple(v, v), Pointers{}, Kokkos::View<float*>()); }
}  // namespace results_are_no_numbers

// expected: kachel::map: f.check is expected to be callable, when const, with a std::string_view
namespace check_arguments {
struct Scale {
  float factor;

  KOKKOS_FUNCTION float operator()(float x) const { return factor * x; }
  void check() const;
};

void call(Kokkos::View<float*> y) { kachel::map(y, Scale{2}, y); }
}  // namespace check_arguments

// expected: kachel::map: f.name is expected to be a static constexpr std::string_view
namespace functor_name {
struct Halve {
  static constexpr int name = 2;

  KOKKOS_FUNCTION float operator()(float x) const { return x / name; }
};

void call(Kokkos::View<float*> y) { kachel::map(y, Halve{}, y); }
}  // namespace functor_name

// expected: kachel::map: f.input_names is expected to be a static array of const std::string_view, one an input
namespace input_names_missing {
struct Sum {
  static constexpr std::string_view input_names[] = {"a"};

  KOKKOS_FUNCTION float operator()(float a, float b) const { return a + b; }
};

void call(Kokkos::View<float*> y) { kachel::map(y, Sum{}, y, y); }
}  // namespace input_names_missing

// expected: kachel::map: f.output_names is expected to be a static array of const std::string_view, one an output
namespace output_names_type {
struct Halve {
  static constexpr std::array<std::string_view, 1> output_names = {"half"};

  KOKKOS_FUNCTION float operator()(float x) const { return x / 2; }
};

void call(Kokkos::View<float*> y) { kachel::map(y, Halve{}, y); }
}  // namespace output_names_type

// expected: kachel::map: f.is_valid is expected to be callable, when const, to return a bool, and to stand beside a
// contract
namespace is_valid_alone {
struct Scale {
  float factor;

  KOKKOS_FUNCTION float operator()(float x) const { return factor * x; }
  KOKKOS_FUNCTION bool is_valid() const { return factor > 0; }
};

void call(Kokkos::View<float*> y) { kachel::map(y, Scale{2}, y); }
}  // namespace is_valid_alone

// expected: kachel::map: f.wide is expected to be callable, when const, with a double an input, and to return a
namespace wide_arguments {
struct Sum {
  KOKKOS_FUNCTION float operator()(float a, float b) const { return a + b; }
  KOKKOS_FUNCTION double wide(double a) const { return a; }
};

void call(Kokkos::View<kachel::half*> y) { kachel::map(y, Sum{}, y, y); }
}  // namespace wide_arguments

// expected: kachel::map: f.wide is expected to be callable, when const, with a double an input, and to return a double
namespace wide_result {
struct Halve {
  KOKKOS_FUNCTION float operator()(float x) const { return x / 2; }
  KOKKOS_FUNCTION float wide(double x) const { return static_cast<float>(x / 2); }
};

void call(Kokkos::View<kachel::half*> y) { kachel::map(y, Halve{}, y); }
}  // namespace wide_result

// expected: kachel::map: f.cost is expected to be a static constexpr kachel::Cost
namespace cost_type {
struct Halve {
  static constexpr int cost = 1;
  KOKKOS_FUNCTION float operator()(float x) const { return x / 2; }
};

void call(Kokkos::View<float*> y) { kachel::map(y, Halve{}, y); }
}  // namespace cost_type

// expected: kachel::map: f.contract is expected to be a static constexpr kachel::Contract
namespace contract_type {
struct Halve {
  static constexpr int contract = 1;
  KOKKOS_FUNCTION float operator()(float x) const { return x / 2; }
};

void call(Kokkos::View<float*> y) { kachel::map(y, Halve{}, y); }
}  // namespace contract_type
