// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What kachel::map reads of a functor beside its call: the static members and the functions that map's description
/// lists. A pointer to one tells it from a data member of that name, which is the functor's own affair.
#pragma once

#include <kachel/detail/specialize.hpp>
#include <kachel/detail/tile/evaluate.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kachel {

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

/// How a functor's parameters are checked before a launch: by its own member `check`, where it has one.
template <class F>
struct ParameterCheck {
  static void run(const F& f, std::string_view operation) {
    if constexpr (requires { f.check(operation); })
      f.check(operation);
    else
      static_assert(
          !requires { requires is_function_pointer<decltype(&F::check)>; },
          "kachel::map: f.check is expected to be callable, when const, with a std::string_view");
    static_assert(
        requires { f.check(operation); } || !requires { requires is_function_pointer<decltype(&F::is_valid)>; },
        "kachel::map: f.is_valid is expected to be callable, when const, to return a bool, and to stand beside a "
        "contract");
  }
};

template <class F>
void check_parameters(const F& f, std::string_view operation) {
  ParameterCheck<F>::run(f, operation);
}

/// Whether F may take so many instructions that a device computes for longer than it waits for memory. A functor whose
/// contract promises nearly exact results is made of few.
template <class F>
inline constexpr bool may_be_long = true;
template <class F>
  requires requires { F::contract.ulp; }
inline constexpr bool may_be_long<F> = [] {
  bool brief = F::contract.ulp <= 1;
  if constexpr (requires { F::contract.brief; }) brief |= F::contract.brief;
  return !brief;
}();

template <class F, class T>
inline constexpr bool may_be_long<Of16Bits<F, T>> = [] {
  if constexpr (requires { F::contract.ulp; }) return F::contract.ulp > 1;
  return true;
}();

/// Whether F is known to take still more.
template <class F>
inline constexpr bool is_very_long = false;
template <class F>
  requires requires { F::contract.very_long; }
inline constexpr bool is_very_long<F> = F::contract.very_long;
template <class F>
inline constexpr bool is_very_long<Of16Bits<F, half>> = [] {
  if constexpr (requires { F::contract.long_from_half; }) return F::contract.long_from_half;
  return false;
}();

/// Where F, a functor of two numbers, multiplies the first by a function of the second for results of 16 bits: that
/// function, of a float, made from F.
template <class F>
struct Factor;
template <class F>
concept HasFactor = requires { sizeof(Factor<F>); };

/// What is then left to do.
struct Product {
  KOKKOS_FORCEINLINE_FUNCTION float operator()(float a, float b) const { return a * b; }
};

/// Whether F, called with Args for `outputs` results, has no function `wide`, or one as evaluate calls it.
template <class F, std::size_t outputs, class... Args>
constexpr bool wide_is_as_expected() {
  if constexpr (HasWide<F, Args...>)
    return outputs == 1 &&
           std::is_same_v<decltype(std::declval<const F&>().wide(static_cast<double>(Args())...)), double>;
  else
    return !requires { requires is_function_pointer<decltype(&F::wide)>; };
}

/// Whether F, called with Args, has no function `narrow`, or one as evaluate calls it.
template <class F, class... Args>
constexpr bool narrow_is_as_expected() {
  if constexpr (HasNarrow<F, Args...>)
    return std::is_same_v<decltype(std::declval<const F&>().narrow(Args()...)), float>;
  else
    return !(std::is_same_v<Args, float> && ...) || !requires { requires is_function_pointer<decltype(&F::narrow)>; };
}

}  // namespace kachel
