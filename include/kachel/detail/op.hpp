// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is read of a functor beside its call: the static members and the functions that map's description lists. A
/// pointer to one tells it from a data member of that name, which is the functor's own affair.
#pragma once

#include <kachel/contract.hpp>
#include <kachel/detail/evaluate.hpp>

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace kachel::detail {

/// Whether a pointer to a member is one to a function.
template <class Pointer>
inline constexpr bool is_function_pointer =
    std::is_member_function_pointer_v<Pointer> || std::is_function_v<std::remove_pointer_t<Pointer>>;

/// The name of an operation in messages and kernel labels: the functor's own, where it has one.
template <class F>
constexpr std::string_view operation_name() {
  if constexpr (requires { requires std::is_pointer_v<decltype(&F::name)>; }) {
    constexpr bool is_text = requires { std::bool_constant<(std::string_view(F::name), true)>{}; };
    static_assert(is_text, "kachel::map: f.name is expected to be a static constexpr std::string_view");
    if constexpr (is_text)
      return F::name;
    else
      return {};
  } else {
    return "map";
  }
}

/// The same with the library's name before it.
template <class F>
const std::string& operation_label() {
  static const std::string label = "kachel::" + std::string(operation_name<F>());
  return label;
}

/// Whether a member of `bytes` bytes, to which Pointer points, has a name for each of `count` operands. Of a template's
/// member Clang knows the bytes, but not the extent.
template <class Pointer, std::size_t bytes, std::size_t count>
inline constexpr bool are_names =
    std::is_same_v<std::remove_extent_t<std::remove_pointer_t<Pointer>>, const std::string_view> &&
    bytes >= count * sizeof(std::string_view);

/// The names of a call's outputs in messages: the functor's own, where it has them.
template <class F, std::size_t count>
const std::string_view* output_names() {
  static constexpr std::string_view names[] = {"y", "y1", "y2", "y3", "y4"};
  if constexpr (requires { requires std::is_pointer_v<decltype(&F::output_names)>; }) {
    constexpr bool are_right = are_names<decltype(&F::output_names), sizeof(F::output_names), count>;
    static_assert(are_right,
                  "kachel::map: f.output_names is expected to be a static array of const std::string_view, one an "
                  "output");
    if constexpr (are_right)
      return F::output_names;
    else
      return nullptr;
  } else {
    return names + (count > 1);
  }
}

/// The names of a call's inputs in messages.
template <class F, std::size_t count>
const std::string_view* input_names() {
  static constexpr std::string_view names[] = {"x", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8"};
  if constexpr (requires { requires std::is_pointer_v<decltype(&F::input_names)>; }) {
    constexpr bool are_right = are_names<decltype(&F::input_names), sizeof(F::input_names), count>;
    static_assert(are_right,
                  "kachel::map: f.input_names is expected to be a static array of const std::string_view, one an "
                  "input");
    if constexpr (are_right)
      return F::input_names;
    else
      return nullptr;
  } else {
    return names + (count > 1);
  }
}

/// How many parameters an activation has.
template <class F>
inline constexpr std::size_t parameter_count = std::is_empty_v<F> ? 0 : sizeof(F) / sizeof(double);

/// An activation's parameters, in the order of its members.
template <class F>
auto parameter_values(const F& f) {
  if constexpr (std::is_empty_v<F>)
    return std::array<double, 0>{};
  else
    return bit_cast<std::array<double, parameter_count<F>>>(f);
}

/// Whether F is made of as many doubles as its contract names, which makes parameter_values true.
template <class F>
constexpr bool has_named_doubles() {
  std::size_t named = 0;
  for (const char* const parameter : F::contract.parameters) named += parameter != nullptr;
  return named == parameter_count<F> && []<std::size_t... k>(std::index_sequence<k...>) {
    return requires(double value) { F{(static_cast<void>(k), value)...}; };
  }(std::make_index_sequence<parameter_count<F>>{});
}

/// \throws std::invalid_argument  always: names each parameter, its value, and what was expected
[[noreturn]] void reject_parameters(std::string_view operation, const Contract& contract,
                                    std::span<const double> values, std::string_view expected);

/// \param valid     whether f's parameters are what is expected
/// \param expected  of its contract: `expected` or `expected_from_output`
/// \throws std::invalid_argument  they are not; names each, its value, and what was expected
template <class F>
void expect_parameters(std::string_view operation, const F& f, bool valid, std::string_view expected) {
  static_assert(has_named_doubles<F>(),
                "kachel: an activation with is_valid() is expected to have members of type double alone, each named in "
                "its contract");
  if (!valid) reject_parameters(operation, F::contract, detail::parameter_values(f), expected);
}

/// Whether F says if its parameters are right, and its contract what they should be.
template <class F>
concept Validated = requires(const F& f) {
  F::contract;
  { f.is_valid() } -> std::same_as<bool>;
};

/// Checks a functor's parameters before a launch, by what members it has.
/// \throws std::invalid_argument  they are wrong; `check` throws what it likes
template <class F>
void check_parameters(const F& f, std::string_view operation) {
  if constexpr (Validated<F>) {
    expect_parameters(operation, f, f.is_valid(), F::contract.expected);
  } else if constexpr (requires { f.check(operation); }) {
    f.check(operation);
  } else {
    static_assert(
        !requires { requires is_function_pointer<decltype(&F::check)>; },
        "kachel::map: f.check is expected to be callable, when const, with a std::string_view");
    static_assert(
        !requires { requires is_function_pointer<decltype(&F::is_valid)>; },
        "kachel::map: f.is_valid is expected to be callable, when const, to return a bool, and to stand beside a "
        "contract");
  }
}

/// Whether Pointer, to a member, is to a static one or to a function, but not to a const T.
template <class Pointer, class T>
inline constexpr bool is_of_another_type =
    (std::is_pointer_v<Pointer> || is_function_pointer<Pointer>) && !std::is_same_v<Pointer, const T*>;

/// How much arithmetic F does for an element: what it says itself, or its contract, or medium.
template <class F>
constexpr Cost cost_of() {
  static_assert(
      !requires { requires is_of_another_type<decltype(&F::cost), Cost>; },
      "kachel::map: f.cost is expected to be a static constexpr kachel::Cost");
  static_assert(
      !requires { requires is_of_another_type<decltype(&F::contract), Contract>; },
      "kachel::map: f.contract is expected to be a static constexpr kachel::Contract");
  if constexpr (requires { requires std::is_same_v<decltype(&F::cost), const Cost*>; })
    return F::cost;
  else
    return contract_of<F>().cost;
}

/// Whether all functors of type F are the same.
template <class F>
inline constexpr bool is_stateless = std::is_empty_v<F>;

/// Whether f is what F{} makes, byte by byte. Of a functor with bytes between its members those decide too, so it may
/// count as another.
template <class F>
bool is_default(const F& f) {
  if constexpr (is_stateless<F>) {
    return true;
  } else if constexpr (std::is_trivially_copyable_v<F> && std::is_default_constructible_v<F>) {
    const F made{};
    return std::memcmp(&f, &made, sizeof(F)) == 0;
  } else {
    return false;
  }
}

/// Whether F has a member template `from_16_bits`: what F{} gives for a number of type T, exact enough that its
/// rounding to T is right for every T.
template <class F, class T>
concept HasFrom16Bits = is_float16<T> && requires(const F& f) {
  { f.template from_16_bits<T>(1.0f) } -> std::same_as<float>;
};

/// That member as a functor.
template <class F, class T>
struct Of16Bits {
  static constexpr Cost cost = contract_of<F>().cost_from_16_bits;

  KOKKOS_FORCEINLINE_FUNCTION float operator()(float x) const { return F{}.template from_16_bits<T>(x); }
};

template <class F, class Outputs, class Inputs>
struct Specialized {
  using type = F;
};
template <class F, class Outputs, class Inputs>
  requires requires { typename F::AtDefaults; }
struct Specialized<F, Outputs, Inputs> {
  using type = typename F::AtDefaults;
};
template <class F, class T>
  requires HasFrom16Bits<F, T>
struct Specialized<F, Tuple<T>, Tuple<T>> {
  using type = Of16Bits<F, T>;
};

/// The functor that stands in for F{} where outputs and inputs have elements of the types in Outputs and Inputs, two
/// Tuples: it takes fewer instructions, and its results have the same bits.
template <class F, class Outputs, class Inputs>
using specialized = typename Specialized<F, Outputs, Inputs>::type;

/// Whether F, a functor of two numbers, multiplies the first by a function of the second for results of 16 bits: its
/// member type Factor, of a float, made from the F that it is of.
template <class F>
concept HasFactor = requires(const F& f, float x) {
  { typename F::Factor{f.f}(x) } -> std::same_as<float>;
};

/// What is then left to do.
struct Product {
  KOKKOS_FORCEINLINE_FUNCTION float operator()(float a, float b) const { return a * b; }
};

}  // namespace kachel::detail
