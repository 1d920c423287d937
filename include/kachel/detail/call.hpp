// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A call of kachel::map: its name, its checks, its plan, its launch.
#pragma once

#include <kachel/detail/array.hpp>
#include <kachel/detail/backend/cuda/launch_lookup.hpp>
#include <kachel/detail/backend/cuda/launch_pipelined.hpp>
#include <kachel/detail/backend/host/launch_lookup.hpp>
#include <kachel/detail/body/map.hpp>
#include <kachel/detail/op.hpp>
#include <kachel/detail/specialize.hpp>
#include <kachel/for_tiles.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace kachel {

/// The name of an element type in kernel labels.
template <class T>
constexpr std::string_view type_name() {
  if constexpr (std::is_same_v<T, float>) return "float";
  if constexpr (std::is_same_v<T, double>) return "double";
  if constexpr (std::is_same_v<T, half>) return "half";
  if constexpr (std::is_same_v<T, bfloat16>) return "bfloat16";
  if constexpr (std::is_same_v<T, bool>) return "bool";
  if constexpr (is_element<T> && std::is_integral_v<T>) {
    constexpr std::string_view names[][2] = {
        {"uint8", "int8"}, {"uint16", "int16"}, {"uint32", "int32"}, {"uint64", "int64"}};
    return names[std::bit_width(sizeof(T)) - 1][std::is_signed_v<T>];
  }
  return "";
}

/// The label of a functor's kernels, with the type of the first output's elements.
template <class F, class T>
const std::string& kernel_label() {
  static const std::string label = operation_label<F>() + "<" + std::string(type_name<T>()) + ">";
  return label;
}

/// The element type that decides the width of tiles, from the types of the operands' elements: 16 bytes of the
/// narrowest, but no more than 32 of the widest, and no more than 16 of an output.
template <class Outputs, class Inputs>
struct TileElement;
template <class... Y, class... X>
struct TileElement<Tuple<Y...>, Tuple<X...>> {
  static constexpr std::size_t narrowest = std::min({sizeof(Y)..., sizeof(X)...}),
                               widest = std::max({sizeof(Y)..., sizeof(X)...});
  static constexpr std::size_t bytes = std::max({narrowest, widest / 2, sizeof(Y)...});
  using type = std::conditional_t<
      bytes == 1, std::uint8_t,
      std::conditional_t<bytes == 2, std::uint16_t, std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>>>;
};

/// Whether a result is a number that can be stored as Y. A long double has digits that rounding by way of double loses.
template <class Y, class Result>
inline constexpr bool is_result_for = std::is_constructible_v<compute_type<Y>, Result> && !std::is_pointer_v<Result> &&
                                      !std::is_same_v<Result, long double>;

/// Whether what F returns for these arguments is a number for one output of type Y, a Kokkos::Array of one an output
/// for several. True where F cannot be called, of which check_types says so.
template <class F, class Outputs, class... Args>
inline constexpr bool gives_results = false;
template <class F, class... Y, class... Args>
  requires(!std::is_invocable_v<const F&, Args...>)
inline constexpr bool gives_results<F, Tuple<Y...>, Args...> = true;
template <class F, class Y, class... Args>
  requires std::is_invocable_v<const F&, Args...>
inline constexpr bool gives_results<F, Tuple<Y>, Args...> =
    is_result_for<Y, std::remove_cvref_t<std::invoke_result_t<const F&, Args...>>>;
template <class F, class Y1, class Y2, class... Y, class... Args>
  requires requires {
    requires std::remove_cvref_t<std::invoke_result_t<const F&, Args...>>::size() == 2 + sizeof...(Y);
  }
inline constexpr bool gives_results<F, Tuple<Y1, Y2, Y...>, Args...> = [] {
  using Result = typename std::remove_cvref_t<std::invoke_result_t<const F&, Args...>>::value_type;
  return is_result_for<Y1, Result> && is_result_for<Y2, Result> && (is_result_for<Y, Result> && ...);
}();

/// Whether a call's arguments are in their places and of the kinds that map takes, else a sentence why not.
template <class Y, class F, class... X>
constexpr bool check_kinds() {
  constexpr bool in_order = !ArrayOperand<F>;
  static_assert(in_order, "kachel::map: f is an array, expected y first, then f, then the inputs");
  static_assert(
      !OffsetArray<Y> && !(OffsetArray<X> || ...),
      "kachel::map: y or an input is an OffsetView, whose first indices would not be heeded, expected its view()");
  static_assert(!DualArray<Y> && !(DualArray<X> || ...),
                "kachel::map: y or an input is a DualView, expected one side of it, view_device() or view_host()");
  static_assert(!NumberOperand<Y>, "kachel::map: y is written to and cannot be a number");
  static_assert(!in_order || OutputOperand<Y> || OffsetArray<Y> || DualArray<Y> || NumberOperand<Y>,
                "kachel::map: y is expected to be a View, a DynRankView, an mdspan, or a std::tuple of several");
  static_assert(!in_order || ((InputOperand<X> || OffsetArray<X> || DualArray<X>) && ...),
                "kachel::map: every input is expected to be a View, a DynRankView, an mdspan or a number");
  return in_order && OutputOperand<Y> && (InputOperand<X> && ...);
}

/// Whether the operands of a call are of types that map takes, else a sentence why not.
template <class Space, class... Y, class... X>
constexpr bool check_operand_types(std::tuple<const Y&...>*, std::tuple<const X&...>*) {
  using First = std::tuple_element_t<0, std::tuple<Y...>>;
  constexpr bool counts = sizeof...(X) >= 1 && sizeof...(X) <= 8 && sizeof...(Y) <= 4;
  static_assert(sizeof...(X) >= 1 && sizeof...(X) <= 8, "kachel::map: expected 1 to 8 inputs after the functor");
  static_assert(sizeof...(Y) <= 4, "kachel::map: expected 1 to 4 outputs");
  constexpr bool ranks = ((static_rank_or_0<Y>() <= max_rank) && ...) && ((static_rank_or_0<X>() <= max_rank) && ...);
  static_assert(ranks, "kachel::map: expected arrays of at most 8 dimensions");
  constexpr bool plain = (has_plain_elements<Y>() && ...) && (has_plain_elements<array_of<X>>() && ...);
  static_assert(plain, "kachel::map: an mdspan is expected to have the default accessor, or to be that of a View");
  constexpr bool strided = (has_strides<Y>() && ...) && (has_strides<array_of<X>>() && ...);
  static_assert(strided, "kachel::map: an mdspan is expected to have a layout of strides");
  constexpr bool elements = (is_element<stored_element<Y>> && ...) && (is_element<stored_element<X>> && ...);
  static_assert(elements,
                "kachel::map: every element type is expected to be float, double, a 16-bit floating-point type or an "
                "integer");
  constexpr bool writable = !(is_const_array<Y> || ...);
  static_assert(writable,
                "kachel::map: y is written to and cannot have const elements, expected a View of elements that are not "
                "const");
  constexpr bool shapes = (shapes_can_agree<First, Y>() && ...) && (shapes_can_agree<First, X>() && ...);
  static_assert(shapes, "kachel::map: every operand is expected to have the rank and the static extents of y");
  constexpr bool reached = (can_reach<Space, Y>() && ...) && (can_reach<Space, array_of<X>>() && ...);
  static_assert(reached, "kachel::map: the execution space cannot reach the memory of every operand");
  constexpr bool atomic = (is_atomic_array<Y>() || ...) || (is_atomic_array<array_of<X>>() || ...);
  static_assert(!atomic, "kachel::map: atomic Views are not supported");
  return counts && ranks && plain && strided && elements && writable && shapes && reached && !atomic;
}

/// Whether a call's functor suits its operands, else a sentence why not.
template <class F, class... Y, class... X>
constexpr bool check_functor_type(std::tuple<const Y&...>*, std::tuple<const X&...>*) {
  using Common = typename CommonComputeType<std::conditional_t<StoredOperand<X>, stored_element<X>, void>...>::type;
  constexpr bool callable =
      std::is_class_v<F> && std::is_invocable_v<const F&, argument_type<Common, stored_element<X>>...>;
  static_assert(std::is_class_v<F>, "kachel::map: f is expected to be a function object, not a function");
  static_assert(
      callable || !std::is_class_v<F>,
      "kachel::map: f cannot be called so, expected a function that takes a number for each input and is const; "
      "an activation takes floating-point inputs");
  constexpr bool results = gives_results<F, Tuple<stored_element<Y>...>, argument_type<Common, stored_element<X>>...>;
  static_assert(
      results,
      "kachel::map: f returns something else, expected a number, or for several outputs a Kokkos::Array of as "
      "many numbers");
  constexpr bool wide = wide_is_as_expected<F, sizeof...(Y), argument_type<Common, stored_element<X>>...>();
  static_assert(wide,
                "kachel::map: f.wide is expected to be callable, when const, with a double an input, and to return a "
                "double for the one output");
  constexpr bool narrow = narrow_is_as_expected<F, argument_type<Common, stored_element<X>>...>();
  static_assert(narrow,
                "kachel::map: f.narrow is expected to be callable, when const, with a float an input, and to return a "
                "float");
  return callable && results && wide && narrow;
}

/// Both: a call is not compiled any further if it is false, so that the sentence stands alone.
template <class Space, class F, class Outputs, class Inputs>
constexpr bool check_types() {
  constexpr Outputs* outputs = nullptr;
  constexpr Inputs* inputs = nullptr;
  if constexpr (kachel::check_operand_types<Space>(outputs, inputs))
    return kachel::check_functor_type<F>(outputs, inputs);
  else
    return false;
}

/// Whether a host looks results of type Y of a 16-bit number up, where the span is large enough.
template <class Y, class F>
inline constexpr bool is_looked_up_on_hosts = needs_wide<Y, F, float>;
template <class F, class T>
inline constexpr bool is_looked_up_on_hosts<T, Of16Bits<F, T>> = may_be_long<F>;

/// Runs a Map of dense operands by a table of its results, where its function is one of a single 16-bit number that
/// `wide` makes long.
/// \return whether it was run
template <class Space, class Program>
bool launch_lookup_map(const std::string&, const Space&, const AccessPlan&, const Program&) {
  return false;
}
template <class Space, class F, class Y, class X>
  requires(is_host_space<Space> && is_float16<X> && is_looked_up_on_hosts<Y, F>)
bool launch_lookup_map(const std::string& label, const Space& space, const AccessPlan& plan,
                       const Map<F, Tuple<Dense<Y>>, Tuple<Dense<const X>>>& program) {
  return kachel::launch_lookup(label, space, program.f, get<0>(program.y).data, get<0>(program.x).data, plan.size,
                               plan.shift, plan.in_place);
}

/// The same where a function of a 16-bit number is what a second one is multiplied by.
template <class Space, class F, class Y, class A, class X>
  requires(is_host_space<Space> && is_float16<Y> && is_float16<A> && is_float16<X> && HasFactor<F>)
bool launch_lookup_map(const std::string& label, const Space& space, const AccessPlan& plan,
                       const Map<F, Tuple<Dense<Y>>, Tuple<Dense<const A>, Dense<const X>>>& program) {
  return kachel::with_results<float, X>(label, space, Factor<F>(program.f), plan.size, [&](const float* factors) {
    using Multiply = Map<Product, Tuple<Dense<Y>>, Tuple<Dense<const A>, LookedUp<const X>>>;
    const Multiply multiply{{}, program.y, {{{get<0>(program.x)}, {{get<1>(program.x).data, factors}}}}};
    kachel::launch_tiles(label, space, ShiftedTiling<Y, ThreadSpace<Space>>{plan.size, plan.shift},
                         MapMisaligned<Multiply>{multiply, plan.aligned}, plan.in_place);
  });
}
#if defined(KOKKOS_ENABLE_CUDA)
template <class F, class Y, class X>
  requires(is_float16<X> && needs_wide<Y, F, float>)
bool launch_lookup_map(const std::string& label, const Kokkos::Cuda& space, const AccessPlan& plan,
                       const Map<F, Tuple<Dense<Y>>, Tuple<Dense<const X>>>& program) {
  constexpr auto tuned = tuning<Kokkos::Cuda>;
  return plan.aligned && plan.shift == 0 && takes_at_least(tuned.lookup_bytes, plan.size, sizeof(Y)) &&
         kachel::launch_lookup(label, space, program.f, get<0>(program.y).data, get<0>(program.x).data, plan.size,
                               tuned.evicts_last(plan.size, sizeof(Y), plan.in_place));
}

/// How a function is run by launch_pipelined, where tiles have elements of type T; `brief` tells whether the span is
/// shorter than pipelined_longest_bytes.
template <class T, class F, int inputs, bool brief = false>
constexpr auto pipeline_of() {
  constexpr const auto& tuned = tuning<Kokkos::Cuda>;
  constexpr Pipelining pipelining = [] {
    constexpr bool longest = is_very_long<F>;
    if (sizeof(T) == 8) return longest ? tuned.pipelined_longest_doubles : tuned.pipelined_doubles;
    if (inputs > 1) return longest ? tuned.pipelined_longest : tuned.pipelined;
    if (sizeof(T) == 2) return longest ? tuned.pipelined_narrow_long : tuned.pipelined_narrow;
    if (!longest) return tuned.pipelined_unary;
    return brief ? tuned.pipelined_brief : tuned.pipelined_longest_unary;
  }();
  return Pipeline<pipelining.accesses / std::max(inputs, 1), tuned.pipelined_block_size, pipelining.blocks>();
}

template <class Tiling, class F, class Y, class X>
void launch_pipelined_map(const std::string& label, const Kokkos::Cuda& space, const Tiling& tiling,
                          const Map<F, Y, X>& program) {
  using T = typename Tiling::Element;
  constexpr int inputs = Map<F, Y, X>::inputs;
  if (takes_at_least(tuning<Kokkos::Cuda>.pipelined_longest_bytes, tiling.size, sizeof(T)))
    kachel::launch_pipelined<decltype(pipeline_of<T, F, inputs>())>(label, space, tiling, program);
  else
    kachel::launch_pipelined<decltype(pipeline_of<T, F, inputs, true>())>(label, space, tiling, program);
}
#endif

/// Whether a Map is run by launch_pipelined where its span is large: on CUDA, if its function may be long, its operands
/// are of one size, and the tuning leaves a tile what an access stages. One with a `wide` needs more registers than
/// there are then, and is looked up in most calls.
template <class T, class Space, class Program>
inline constexpr bool is_pipelined = false;
#if defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ARCH_TURING75)  // which has no copies in the background
template <class T, class F, class Y, class... X>
inline constexpr bool is_pipelined<T, Kokkos::Cuda, Map<F, Tuple<Dense<Y>>, Tuple<X...>>> = [] {
  using Program = Map<F, Tuple<Dense<Y>>, Tuple<X...>>;
  return tuning<Kokkos::Cuda>.tile_bytes == sizeof(StagedAccess) && may_be_long<F> &&
         !needs_wide<Y, F, argument_of<X, X...>...> && sizeof(Y) == sizeof(T) &&
         ((is_repeated<X> || (is_dense<X> && sizeof(element_of<X>) == sizeof(T))) && ...) && Program::inputs >= 1 &&
         pipeline_of<T, F, Program::inputs>().tiles >= 2;
}();
#endif

/// Runs a Map on a device over a span of dense, aligned operands.
template <class T, class Space, class Program>
void launch_aligned_map(const std::string& label, const Space& space, std::int64_t size, const Program& program,
                        bool in_place) {
  constexpr auto tuned = tuning<Space>;
  [[maybe_unused]] const bool restores = tuned.evicts_last(size, sizeof(T), in_place);
  // A kernel of its own, since spans that fit the cache are slower by them.
  if constexpr (is_pipelined<T, Space, Program>) {
    if (tuned.is_large(size, sizeof(T)))
      return launch_pipelined_map(
          label, space, RestoringTiling<T, Space>(size, restores ? tuned.restored_bytes / Program::input_bytes : 0),
          program);
  } else if constexpr (tuned.restored_bytes > 0 && Program::input_bytes > 0) {
    if (restores)
      return kachel::launch_tiles(label, space,
                                  RestoringTiling<T, Space>(size, tuned.restored_bytes / Program::input_bytes),
                                  MapEvictingLast<Program>{program}, in_place);
  }
  kachel::launch_tiles(label, space, SpanTiling<T, Space>{size}, program, in_place);
}

/// An input of a kernel whose other operands are dense: Cyclic if it is broadcast.
template <class X>
using AsCyclic = std::conditional_t<is_broadcast<X>, Cyclic<const element_of<X>>, X>;

/// \param fits  made false if tiles do not fit the operand's cycle
template <int width, class X>
AsCyclic<X> cyclic_input(const AccessPlan& plan, int operand, const X& x, bool& fits) {
  if constexpr (is_broadcast<X>) {
    const Cycle cycle = cycle_of(plan, operand);
    const bool by_tile = cycle.elements > 1 && cycle.run % width != 0;
    fits &= by_tile ? cycle.run == 1 && cycle.elements % width == 0 : cycle.run > 0;
    const auto divisor = [](std::int64_t elements) { return Divisor(std::max<std::int64_t>(elements, 1)); };
    return {x.data, divisor(cycle.run / width), divisor(by_tile ? cycle.elements / width : cycle.elements), by_tile};
  } else {
    return x;
  }
}

/// Runs a Map on a device if its operands are dense and aligned, of those that are broadcast if each tile needs one
/// element or a tile's worth.
/// \return whether it was run
template <class T, class Space, class Program>
bool launch_if_aligned(const std::string& label, const Space& space, const AccessPlan& plan, const Program& program) {
  const bool aligned = plan.dense && plan.aligned && plan.shift == 0;
  if (aligned) kachel::launch_aligned_map<T>(label, space, plan.size, program, plan.in_place);
  return aligned;
}
template <class T, class Space, class F, class... Y, class... X>
  requires(is_broadcast<X> || ...)
bool launch_if_aligned(const std::string& label, const Space& space, const AccessPlan& plan,
                       const Map<F, Tuple<Y...>, Tuple<X...>>& program) {
  constexpr int width = Tile<T, Space>::width;
  if (!plan.dense_but_broadcast || !plan.aligned || plan.shift != 0) return false;
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    bool fits = true;
    const Map<F, Tuple<Y...>, Tuple<AsCyclic<X>...>> cyclic{
        program.f,
        program.y,
        {{{kachel::cyclic_input<width>(plan, sizeof...(Y) + arrays_among<k, X...>, get<k>(program.x), fits)}...}}};
    if (fits) kachel::launch_aligned_map<T>(label, space, plan.size, cyclic, plan.in_place);
    return fits;
  }(std::index_sequence_for<X...>{});
}

/// Runs a Map as its plan says, which is dense if `always_dense`.
template <class T, bool always_dense, class Space, class Program>
void launch_planned(const std::string& label, const Space& space, const AccessPlan& plan, const Program& program) {
  if (plan.dense && kachel::launch_lookup_map(label, space, plan, program)) return;
  // A kernel of its own, since a device feels every instruction; a host would only compile for longer.
  if constexpr (!is_host_space<Space>)
    if (kachel::launch_if_aligned<T>(label, space, plan, program)) return;
  if constexpr (!always_dense)
    if (!plan.dense) {
      MapRows<Program> rows{program, plan.aligned, {}};
      for (std::size_t k = 0; k < Program::operands; ++k) rows.strides[k] = plan.strides[k][0];
      return kachel::launch_tiles(label, space, RowTiling<T, ThreadSpace<Space>, Program::operands>(plan), rows,
                                  plan.in_place);
    }
  kachel::launch_tiles(label, space, ShiftedTiling<T, ThreadSpace<Space>>{plan.size, plan.shift},
                       MapMisaligned<Program>{program, plan.aligned}, plan.in_place);
}

/// The same by what stands in for the functor at its default parameters, if it has them.
template <class T, bool always_dense, class Space, class F, class... Y, class... X>
void launch_map(const std::string& label, const Space& space, const AccessPlan& plan,
                const Map<F, Tuple<Y...>, Tuple<X...>>& program) {
  using Default = at_defaults<F, Tuple<element_of<Y>...>, Tuple<element_of<X>...>>;
  if constexpr (!std::is_same_v<Default, F>)
    if (kachel::is_default(program.f))
      return kachel::launch_planned<T, always_dense>(
          label, space, plan, Map<Default, Tuple<Y...>, Tuple<X...>>{Default{}, program.y, program.x});
  if constexpr (std::is_same_v<Default, F> || !std::is_empty_v<F>)
    kachel::launch_planned<T, always_dense>(label, space, plan, program);
}

/// The plan of a call, which depends on the arrays alone: compiled once for all functors.
/// \param output_names, input_names  the first one's each
template <class... Y, class... X>
AccessPlan plan_call(const std::string& operation, const TileShape& shape, const std::string_view* output_names,
                     const std::string_view* input_names, const std::tuple<const Y&...>& y,
                     const std::tuple<const X&...>& x) {
  std::array<Operand, sizeof...(Y)> outputs;
  std::array<Operand, sizeof...(X)> inputs;
  std::size_t output_count = 0, input_count = 0;
  std::apply(
      [&](const Y&... array) { (kachel::describe(outputs[output_count++], operation, *output_names++, array), ...); },
      y);
  const auto describe_input = [&]<class A>(const A& input) {
    if constexpr (StoredOperand<A>)
      kachel::describe_input(inputs[input_count++], operation, *input_names, input, outputs[0]);
    ++input_names;
  };
  std::apply([&](const X&... input) { (describe_input(input), ...); }, x);
  return plan_access(operation, shape, outputs, std::span<const Operand>(inputs.data(), input_count));
}

/// kachel::map of operands and a functor of the right types.
template <class Space, class F, class... Y, class... X>
void map_checked(const Space& space, const F& f, const std::tuple<const Y&...>& y, const std::tuple<const X&...>& x) {
  using First = std::tuple_element_t<0, std::tuple<Y...>>;
  using Common = typename CommonComputeType<std::conditional_t<StoredOperand<X>, stored_element<X>, void>...>::type;
  using T = typename TileElement<Tuple<stored_element<Y>...>,
                                 Tuple<stored_element<std::conditional_t<StoredOperand<X>, X, First>>...>>::type;
  using Program = Map<F, Tuple<decltype(kernel_output(std::declval<const Y&>()))...>,
                      Tuple<decltype(kernel_input<Common>(std::declval<const X&>()))...>>;
  const std::string& operation = operation_label<F>();

  kachel::check_parameters(f, operation);
  const AccessPlan plan = kachel::plan_call(operation, tile_shape<T, Space>, output_names<F, sizeof...(Y)>(),
                                            input_names<F, sizeof...(X)>(), y, x);
  if (plan.size == 0) return;

  const Program program{
      f, std::apply([](const Y&... array) { return decltype(Program::y){{{kernel_output(array)}...}}; }, y),
      std::apply([](const X&... input) { return decltype(Program::x){{{kernel_input<Common>(input)}...}}; }, x)};
  constexpr bool always_dense =
      (is_always_dense<Y>() && ...) && (is_always_dense<std::conditional_t<StoredOperand<X>, X, First>>() && ...);
  kachel::launch_map<T, always_dense>(kernel_label<F, stored_element<First>>(), space, plan, program);
}

/// kachel::map of as many outputs as y holds.
template <class Space, class F, class Outputs, class Inputs>
void map_to_each(const Space& space, const F& f, const Outputs& y, const Inputs& x) {
  if constexpr (kachel::check_types<Space, F, Outputs, Inputs>()) kachel::map_checked(space, f, y, x);
}

/// The execution space of an output, where it has one.
template <class Y>
struct ExecutionSpaceOf {};
template <class Y>
  requires requires { typename Y::execution_space; }
struct ExecutionSpaceOf<Y> {
  using type = typename Y::execution_space;
};
template <class First, class... Rest>
struct ExecutionSpaceOf<std::tuple<First, Rest...>> : ExecutionSpaceOf<std::remove_cvref_t<First>> {};

/// Whether it has one.
template <class Y>
inline constexpr bool has_execution_space = requires { typename ExecutionSpaceOf<Y>::type; };

}  // namespace kachel
