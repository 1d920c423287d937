// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// kachel::map: y[i] = f(x[i]...) over whole Views.
#pragma once

#include <kachel/detail/call.hpp>

namespace kachel {

/// y[i] = f(x[i]...) for every element. f receives the compute type of the inputs: double if one of them has double
/// elements, else float for floating-point types; integers come as they are. Results are rounded once to y's type. An
/// x may be y. Asynchronous on a device, blocking on a host.
/// \param space  the execution space instance
/// \param y      the output: a View, DynRankView or mdspan, of rank 0 to 8 and any layout of strides; or a std::tuple
///               of up to four, where f gives several results, by index
/// \param f      callable on Space with one value an x; an extended lambda names its types: (float a, float b). It is
///               called with values that the inputs have, for some of them more than once. A class may have members
///               beside operator(), each of which is optional:
///               - static constexpr std::string_view name: the operation's name in errors and kernel labels
///               - static constexpr std::string_view input_names[], output_names[]: the operands' names in errors, at
///                 least one an input and one an output
///               - void check(std::string_view operation) const: throws where its parameters are wrong, a message that
///                 begins with `operation`; called on the host before each launch
///               - double wide(double...) const: the same result, as close as a double comes, from the inputs as
///                 doubles, for the one output of a call. It decides 16-bit results where that in float lies a unit of
///                 its last place, or contract.ulp of them, from half way between two of them, or nearer. Such a
///                 functor of one 16-bit input may be called with any 16-bit number, and results of F{} are kept for
///                 later calls: they are expected to depend on the argument and the functor's members alone
///               - float from_16_bits(float) const, a template of T: for F{} and x and y of one 16-bit type T, a result
///                 whose rounding to T is right for every T
///               - struct AtDefaults: a functor that gives the same bits as F{}, and is called instead
///               docs/architecture.md has all members that are read, such as cost. Member types Activation and Factor
///               are those of Kachel's derivatives; an activation has a contract and may have backward, which Contract
///               and Backward describe.
/// \param x      the inputs: up to eight, each an array, a number, along(w, d) or index(d); element types float,
///               double, kachel's, Kokkos' and CUDA's 16-bit types, and integers. An array that has not y's extents
///               repeats to them by the rule of NumPy: dimensions match from the last, and one that is missing or has a
///               single element repeats
/// \throws std::logic_error  Kokkos is not initialised
/// \throws std::invalid_argument  before anything is launched: an input's extents do not repeat to y's, or outputs'
///         differ; an operand is null, or its address no multiple of its element's size; two elements of an output lie
///         at one address; an output shares memory with another operand without being the same elements; strides are so
///         irregular that a search of bounded length cannot tell; the functor's own check fails
template <class Space, class Y, class F, class... X>
  requires Kokkos::is_execution_space_v<Space>
void map(const Space& space, const Y& y, const F& f, const X&... x) {
  detail::map_or_explain<detail::Extents::repeating>(space, y, f, nullptr, x...);
}

/// The same on the default instance of y's execution space; an mdspan has none.
/// \param y, f, x  as above
/// \throws std::logic_error, std::invalid_argument  as above
template <class Y, class F, class... X>
  requires(!Kokkos::is_execution_space_v<Y>)
void map(const Y& y, const F& f, const X&... x) {
  detail::map_on_default_instance<detail::Extents::repeating>(y, f, x...);
}

}  // namespace kachel
