// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A call of kachel::map in five steps: its arrays and its op, checked; the plan; what stands in for the op; the
/// schedule; the launch of a body.
#pragma once

#include <kachel/detail/array.hpp>
#include <kachel/detail/backend/launch_body.hpp>
#include <kachel/detail/body/table.hpp>
#include <kachel/detail/op.hpp>

#include <bit>
#include <limits>
#include <tuple>

namespace kachel::detail {

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

/// Whether Result, which a functor returns, is a number for one output of type Y, a Kokkos::Array of one an output for
/// several.
template <class Result, class... Y>
constexpr bool gives_results() {
  if constexpr (sizeof...(Y) == 1)
    return (is_result_for<Y, Result> && ...);
  else
    return requires {
      requires Result::size() == sizeof...(Y);
      requires(is_result_for<Y, typename Result::value_type> && ...);
    };
}

/// Whether no operand is a container of arrays instead of an array, else a sentence what to pass.
template <class... A>
constexpr bool check_containers() {
  constexpr bool offset = (OffsetArray<A> || ...), dual = (DualArray<A> || ...);
  static_assert(!offset,
                "kachel: y or an input is an OffsetView, whose first indices would not be heeded, expected its view()");
  static_assert(!dual, "kachel: y or an input is a DualView, expected one side of it, view_device() or view_host()");
  return !offset && !dual;
}

/// Whether a call's arguments are in their places and of the kinds that map takes, else a sentence why not.
template <class Y, class F, class... X>
constexpr bool check_kinds() {
  constexpr bool in_order = !ArrayOperand<F>;
  static_assert(in_order, "kachel::map: f is an array, expected y first, then f, then the inputs");
  constexpr bool arrays = detail::check_containers<Y, X...>();
  static_assert(!NumberOperand<Y>, "kachel::map: y is written to and cannot be a number");
  static_assert(!in_order || OutputOperand<Y> || OffsetArray<Y> || DualArray<Y> || NumberOperand<Y>,
                "kachel::map: y is expected to be a View, a DynRankView, an mdspan, or a std::tuple of several");
  static_assert(!in_order || ((InputOperand<X> || OffsetArray<X> || DualArray<X>) && ...),
                "kachel::map: every input is expected to be a View, a DynRankView, an mdspan, kachel::along of one of "
                "them, or a number");
  return in_order && arrays && OutputOperand<Y> && (InputOperand<X> && ...);
}

/// Whether a functor suits outputs of types Y and what it is called with, else a sentence why not.
template <class F, class... Args, class... Y>
constexpr bool check_functor_type(Tuple<Y...>*) {
  static_assert(std::is_class_v<F>, "kachel::map: f is expected to be a function object, not a function");
  constexpr bool callable = std::is_class_v<F> && std::is_invocable_v<const F&, Args...>;
  static_assert(
      callable || !std::is_class_v<F>,
      "kachel::map: f cannot be called with its inputs, which come as the types Args that the compiler names: 16-bit "
      "numbers as float, or as double beside doubles, an index as std::int64_t. Expected an operator() that is const "
      "and "
      "takes as many numbers; an activation takes floating-point inputs");
  if constexpr (callable) {
    constexpr bool results = gives_results<std::remove_cvref_t<std::invoke_result_t<const F&, Args...>>, Y...>();
    static_assert(results,
                  "kachel::map: f returns what is no result for y, expected a number, or for several outputs a "
                  "Kokkos::Array of as many numbers");
    // Kachel's own function objects refuse calls in sentences of their own.
    constexpr bool own = requires { typename F::Activation; };
    constexpr bool wide = HasWide<F, Args...> ? sizeof...(Y) == 1
                                              : own || !requires { requires is_function_pointer<decltype(&F::wide)>; };
    static_assert(wide,
                  "kachel::map: f.wide is expected to be callable, when const, with a double an input, and to return a "
                  "double for the one output");
    constexpr bool narrow = HasNarrow<F, Args...> || own || !(std::is_same_v<Args, float> && ...) ||
                            !requires { requires is_function_pointer<decltype(&F::narrow)>; };
    static_assert(
        narrow,
        "kachel::map: f.narrow is expected to be callable, when const, with a float an input, and to return a "
        "float");
    return results && wide && narrow;
  }
  return false;
}

/// Whether an input of type X may fit beside an output of type Y, else a sentence why not. Compilers name the arguments
/// of a template: which input it is, from 1, and both types, which have the static extents.
template <Extents extents, std::size_t input, class X, class Y>
constexpr bool check_input_shape() {
  constexpr bool fits = input_shape_can_fit<extents, Y, X>(), repeats = extents == Extents::repeating;
  static_assert(fits || repeats,
                "kachel: an operand has not y's rank and static extents, as is expected. The compiler names it: number "
                "`input` after y, of type X, and y of type Y. kachel::map alone repeats inputs");
  static_assert(fits || !repeats || !is_along<X>,
                "kachel::map: the array of an along has an extent that no dimension of y has. The compiler names it: "
                "number `input`, from 1, of type X, and y of type Y. Expected y's extent at the dimension, or 1");
  constexpr bool deeper = ArrayOperand<X> && static_rank<array_of<X>>() > static_rank<Y>();
  static_assert(fits || !repeats || !deeper,
                "kachel::map: an input has more dimensions than y. The compiler names it: number `input`, from 1, of "
                "type X, and y of type Y. Expected as many as y or fewer, as Kokkos::subview gives");
  static_assert(fits || !repeats || deeper || is_along<X>,
                "kachel::map: an input's extents do not repeat to y's. The compiler names it: number `input`, from 1, "
                "of type X, and y of type Y. Expected, from the last dimension on, y's extent, or 1, or none; "
                "kachel::along(x, d) puts an array of one dimension at dimension d of y");
  return fits;
}
template <Extents extents, class Y, class... X, std::size_t... k>
constexpr bool check_input_shapes(std::index_sequence<k...>) {
  return (check_input_shape<extents, k + 1, X, Y>() && ...);
}

/// Whether the operands of a call are of types that map takes, else a sentence why not.
template <Extents extents, class Space, class... Y, class... X>
constexpr bool check_operand_types(std::tuple<const Y&...>*, std::tuple<const X&...>*) {
  using First = std::tuple_element_t<0, std::tuple<Y...>>;
  constexpr bool counts = sizeof...(X) >= 1 && sizeof...(X) <= 8 && sizeof...(Y) <= 4;
  static_assert(sizeof...(X) >= 1 && sizeof...(X) <= 8, "kachel::map: expected 1 to 8 inputs after the functor");
  static_assert(sizeof...(Y) <= 4, "kachel::map: expected 1 to 4 outputs");
  constexpr bool ranks = ((static_rank<Y>() <= max_rank) && ...) && ((static_rank<X>() <= max_rank) && ...);
  static_assert(ranks, "kachel: expected arrays of at most 8 dimensions");
  constexpr bool repeated[] = {false, (is_along<X> || std::is_same_v<X, Index>)...};
  constexpr int repeats = (0 + ... + (is_along<X> || std::is_same_v<X, Index>));
  constexpr int weights = extents == Extents::weighted ? repeated[sizeof...(X)] : 0;
  constexpr bool apart = extents == Extents::repeating || repeats == weights;
  static_assert(apart, "kachel: along and index are for inputs of kachel::map alone, expected an array of y's extents");
  constexpr bool lines = (is_line<X>() && ...);
  static_assert(lines, "kachel::map: along expects an array of one dimension");
  constexpr bool plain = (has_plain_elements<Y>() && ...) && (has_plain_elements<array_of<X>>() && ...);
  static_assert(plain, "kachel: an mdspan is expected to have the default accessor, or to be that of a View");
  constexpr bool strided = (has_strides<Y> && ...) && (has_strides<array_of<X>> && ...);
  static_assert(strided, "kachel: an mdspan is expected to have a layout of strides");
  constexpr bool elements = (is_element<stored_element<Y>> && ...) && (is_element<stored_element<X>> && ...);
  static_assert(elements,
                "kachel: every element type is expected to be float, double, a 16-bit floating-point type or an "
                "integer");
  constexpr bool writable = !(is_const_array<Y> || ...);
  static_assert(writable,
                "kachel: y is written to and cannot have const elements, expected a View of elements that are not "
                "const");
  constexpr bool output_shapes = (shapes_can_agree<First, Y>() && ...);
  static_assert(output_shapes,
                "kachel::map: every output is expected to have the rank and the static extents of the first");
  constexpr bool input_shapes = check_input_shapes<extents, First, X...>(std::index_sequence_for<X...>());
  constexpr bool shapes = output_shapes && input_shapes;
  constexpr bool reached = (can_reach<Space, Y>() && ...) && (can_reach<Space, array_of<X>>() && ...);
  static_assert(reached, "kachel: the execution space cannot reach the memory of every operand");
  constexpr bool atomic = (is_atomic_array<Y> || ...) || (is_atomic_array<array_of<X>> || ...);
  static_assert(!atomic, "kachel: atomic Views are not supported");
  return counts && ranks && apart && lines && plain && strided && elements && writable && shapes && reached && !atomic;
}

/// Whether the operands and the functor of a call are of types that map takes, else a sentence why not.
template <Extents extents, class Space, class F, class... Y, class... X>
constexpr bool check_types(std::tuple<const Y&...>*, std::tuple<const X&...>*) {
  constexpr std::tuple<const Y&...>* outputs = nullptr;
  constexpr std::tuple<const X&...>* inputs = nullptr;
  if constexpr (detail::check_operand_types<extents, Space>(outputs, inputs)) {
    using Common = common_type_of<X...>;
    return check_functor_type<F, argument_type<Common, stored_element<X>>...>(
        static_cast<Tuple<stored_element<Y>...>*>(nullptr));
  }
  return false;
}

/// The tiles of a call, as its plan needs to know them.
template <class T, class Space>
inline constexpr TileShape tile_shape = {Tile<T, Space>::width, is_host_space<Space> ? host_line : widest_access};

/// How a body is staged: of no blocks where it is not. It is on CUDA, if its op is not of low cost, its arrays are of
/// one size, and a thread has two tiles or more. An op with a `wide` needs more registers than there are then, and is
/// looked up in most calls.
template <class T, class Space, class Body>
struct StagingOf {
  static constexpr int tiles = 0, blocks = 0;
};
#if defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ARCH_TURING75)  // which has no copies in the background
template <class T, class F, class Y, class... X>
  requires(cost_of<F>() != Cost::low && !needs_wide<element_of<Y>, F, argument_of<X, X...>...> &&
           sizeof(element_of<Y>) == sizeof(T) && (is_array<X> || ...) &&
           ((!is_array<X> || sizeof(element_of<X>) == sizeof(T)) && ...))
struct StagingOf<T, Kokkos::Cuda, Map<F, Tuple<Y>, Tuple<X...>>> {
  using Body = Map<F, Tuple<Y>, Tuple<X...>>;
  static constexpr Staging staging =
      staging_of(cost_of<F>(), Body::inputs, Body::cyclic_inputs, sizeof(T), HasNarrow<F, argument_of<X, X...>...>);
  static constexpr int tiles = staging.tiles, blocks = tiles >= 2 ? staging.blocks : 0;
};
#endif

/// The last two steps: chooses the schedule of a body, and launches it.
/// \tparam layouts  how the arrays may lie
/// \param explanation  where the call is to be explained instead of launched; else null
template <class T, Layouts layouts, class Space, class F, class Y, class X>
void schedule_and_launch(const std::string& label, const Space& space, const Plan& plan, const Map<F, Y, X>& body,
                         std::string* explanation) {
  using Body = Map<F, Y, X>;
  using Staging = StagingOf<T, ThreadSpace<Space>, Body>;
  constexpr bool has_table =
      layouts.contiguous && requires(Schedule schedule) { detail::run_by_table(label, space, plan, schedule, body); };
  Kernels kernels{.element_bytes = sizeof(T),
                  .cost = cost_of<F>(),
                  .staged_blocks = Staging::blocks,
                  .table = has_table,
                  .own_table = has_table && !detail::is_default(body.f),
                  .rows = layouts.rows,
                  .shifted = layouts.misaligned};
  const auto& tuned = tuning(space);
  Schedule schedule = choose_schedule(label, plan, kernels, tuned);
  if (explanation != nullptr) {
    *explanation = explain_call(label, plan, Body::arrays, kernels, schedule, is_host_space<Space>);
    return;
  }
  if constexpr (has_table)
    if (schedule.kernel == Kernel::table) {
      if (detail::run_by_table(label, space, plan, schedule, body)) return;
      kernels.table = false;
      schedule = choose_schedule(label, plan, kernels, tuned);
    }
  detail::launch_body<T, layouts, Staging::tiles, Staging::blocks>(label, space, plan, schedule, body);
}

/// An input as it is beside contiguous arrays on a device: an array that repeats is cyclic, another is the array of
/// place `place`.
/// \param fits  made false if tiles do not fit the operand's cycle
template <int width, int place, class X>
auto cyclic_input(const Plan& plan, const X& x, bool& fits) {
  if constexpr (is_repeated<X>) {
    const Cycle cycle = cycle_of(plan, X::index);
    const bool by_tile = cycle.elements > 1 && cycle.run % width != 0;
    fits &= by_tile ? cycle.run == 1 && cycle.elements % width == 0 : cycle.run > 0;
    const auto divisor = [](std::int64_t elements) {
      return ShortDivisor(static_cast<std::int32_t>(std::max<std::int64_t>(elements, 1)));
    };
    const Cycles cycles{divisor((by_tile ? cycle.elements : cycle.run) / width), divisor(by_tile ? 1 : cycle.elements),
                        by_tile};
    if constexpr (is_array<X>)
      return Cyclic<element_of<X>>{x.data, cycles};
    else
      return CyclicIndex{cycles};
  } else if constexpr (is_array<X>) {
    fits &= is_whole(plan, X::index);
    return Cursor<const element_of<X>, place>{x.data};
  } else {
    return x;
  }
}

/// Runs a body with inputs that repeat on a device as one of contiguous arrays, where each tile needs one element of
/// theirs or a tile's worth.
/// \return whether it was run
template <class T, class Space, class F, class... Y, class... X>
bool launch_cyclic(const std::string& label, const Space& space, const Plan& plan,
                   const Map<F, Tuple<Y...>, Tuple<X...>>& body, std::string* explanation) {
  constexpr int width = Tile<T, Space>::width, outputs = sizeof...(Y);
  if (!plan.contiguous_but_broadcast || !plan.aligned || plan.shift != 0) return false;
  if (plan.size / width >= std::numeric_limits<std::int32_t>::max()) return false;  // tiles are counted so
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    bool fits = true;
    constexpr bool is_cursor[] = {(is_array<X> && !is_repeated<X>)...};
    const auto cyclic = map_of(
        body.f, body.y,
        tuple_of(detail::cyclic_input<width, place_among<outputs, k>(is_cursor)>(plan, get<k>(body.x), fits)...));
    if (!fits) return false;
    Plan contiguous(plan);
    contiguous.layout = Layout::contiguous;
    detail::schedule_and_launch<T, Layouts{.misaligned = false, .rows = false}>(label, space, contiguous, cyclic,
                                                                                explanation);
    return true;
  }(std::index_sequence_for<X...>{});
}

/// The third step and those after it, of a body: what stands in for its op where that is at default parameters, if it
/// has them.
template <class T, Layouts layouts, class Space, class F, class... Y, class... X>
void specialize_and_launch(const std::string& label, const Space& space, const Plan& plan,
                           const Map<F, Tuple<Y...>, Tuple<X...>>& body, std::string* explanation) {
  using Special = specialized<F, Tuple<element_of<Y>...>, Tuple<element_of<X>...>>;
  if constexpr (!std::is_same_v<Special, F>)
    if (detail::is_default(body.f))
      return detail::specialize_and_launch<T, layouts>(label, space, plan, map_of(Special{}, body.y, body.x),
                                                       explanation);
  if constexpr (std::is_same_v<Special, F> || !std::is_empty_v<F>) {
    if constexpr (!is_host_space<Space> && (is_repeated<X> || ...)) {
      if (detail::launch_cyclic<T>(label, space, plan, body, explanation)) return;
      Plan in_rows(plan);
      if (plan.layout == Layout::contiguous) in_rows.layout = Layout::rows;
      detail::schedule_and_launch<T, Layouts{.contiguous = false}>(label, space, in_rows, body, explanation);
    } else {
      detail::schedule_and_launch<T, layouts>(label, space, plan, body, explanation);
    }
  }
}

/// What is known of whether an input repeats. An input that alone is an array is not asked at run time: the kernels of
/// its call are those of any other, which take a stride of 0 as any stride.
template <Extents extents, class First, class X, class... All>
constexpr Repeats repeats() {
  if constexpr (is_along<X>) return Repeats::always;
  if constexpr (extents != Extents::repeating) return Repeats::never;
  if constexpr (is_known_to_repeat<First, X>()) return Repeats::always;
  return (0 + ... + PlacedOperand<All>) > 1 ? Repeats::perhaps : Repeats::never;
}

/// The plan of a call, which depends on the arrays alone: compiled once for all functors.
/// \param output_names, input_names  the first one's each
template <Extents extents, class... Y, class... X>
Plan plan_arrays(const std::string& operation, const TileShape& shape, const std::string_view* output_names,
                 const std::string_view* input_names, const std::tuple<const Y&...>& y,
                 const std::tuple<const X&...>& x) {
  std::array<Array, sizeof...(Y) + sizeof...(X)> arrays;
  std::size_t count = 0;
  std::apply([&](const Y&... array) { (detail::describe(arrays[count++], operation, *output_names++, array), ...); },
             y);
  using First = std::tuple_element_t<0, std::tuple<Y...>>;
  const auto describe_input = [&]<class A>(const A& input) {
    if constexpr (PlacedOperand<A>) {
      Array& array = arrays[count++];
      detail::describe_input<extents>(array, operation, *input_names, input, arrays[0]);
      array.broadcast &= repeats<extents, First, A, X...>() != Repeats::never;
    }
    ++input_names;
  };
  std::apply([&](const X&... input) { (describe_input(input), ...); }, x);
  return plan_call(operation, shape, {arrays.data(), count}, sizeof...(Y));
}

/// The body of a call.
template <Extents extents, class F, class... Y, std::size_t... j, class... X, std::size_t... k>
auto body_of(const F& f, const std::tuple<const Y&...>& y, std::index_sequence<j...>, const std::tuple<const X&...>& x,
             std::index_sequence<k...>) {
  using Common = common_type_of<X...>;
  using First = std::tuple_element_t<0, std::tuple<Y...>>;
  constexpr int outputs = sizeof...(Y);
  constexpr bool is_placed[] = {PlacedOperand<X>...};
  return map_of(
      f, tuple_of(detail::output_cursor<static_cast<int>(j)>(std::get<j>(y))...),
      tuple_of(detail::input_cursor<Common, place_among<outputs, k>(is_placed), repeats<extents, First, X, X...>()>(
          std::get<k>(x))...));
}

/// kachel::map of operands and a functor of the right types.
template <Extents extents, class Space, class F, class... Y, class... X>
void map_checked(const Space& space, const F& f, const std::tuple<const Y&...>& y, const std::tuple<const X&...>& x,
                 std::string* explanation) {
  using First = std::tuple_element_t<0, std::tuple<Y...>>;
  using T = typename TileElement<Tuple<stored_element<Y>...>,
                                 Tuple<stored_element<std::conditional_t<StoredOperand<X>, X, First>>...>>::type;
  const std::string& operation = operation_label<F>();

  check_initialized(operation);
  detail::check_parameters(f, operation);
  const Plan plan = detail::plan_arrays<extents>(operation, tile_shape<T, Space>, output_names<F, sizeof...(Y)>(),
                                                 input_names<F, sizeof...(X)>(), y, x);
  if (plan.size == 0) return;
  // Of an array of one dimension too may one element repeat.
  constexpr bool one_row =
      extents != Extents::repeating && (is_always_contiguous<Y>() && ...) && (is_always_contiguous<X>() && ...);
  detail::specialize_and_launch<T, Layouts{.rows = !one_row}>(
      kernel_label<F, stored_element<First>>(), space, plan,
      detail::body_of<extents>(f, y, std::index_sequence_for<Y...>(), x, std::index_sequence_for<X...>()), explanation);
}

/// An output, or each of several.
template <ArrayOperand Y>
std::tuple<const Y&> outputs_of(const Y& y) {
  return {y};
}
template <class... Y>
std::tuple<const std::remove_cvref_t<Y>&...> outputs_of(const std::tuple<Y...>& y) {
  return y;
}

/// kachel::map, or its explanation.
/// \tparam extents  whether inputs may repeat
template <Extents extents, class Space, class Y, class F, class... X>
void map_or_explain(const Space& space, const Y& y, const F& f, std::string* explanation, const X&... x) {
  if constexpr (detail::check_kinds<Y, F, X...>()) {
    constexpr decltype(outputs_of(y))* outputs = nullptr;
    constexpr std::tuple<const X&...>* inputs = nullptr;
    if constexpr (detail::check_types<extents, Space, F>(outputs, inputs))
      detail::map_checked<extents>(space, f, outputs_of(y), std::tuple<const X&...>(x...), explanation);
  }
}

/// Runs run(space) on the default instance of the execution space of Y, an output.
template <class F, class Y, class Run>
void on_default_instance(const Run& run) {
  constexpr bool has_space = requires { typename Y::execution_space; };
  static_assert(has_space, "kachel: the first output has no execution space, expected one as the first argument");
  if constexpr (has_space) {
    check_initialized(operation_label<F>());
    run(typename Y::execution_space{});
  }
}

/// kachel::map on the default instance of the execution space of the first output.
template <Extents extents, class Y, class F, class... X>
void map_on_default_instance(const Y& y, const F& f, const X&... x) {
  if constexpr (detail::check_kinds<Y, F, X...>()) {
    using First = std::remove_cvref_t<std::tuple_element_t<0, decltype(outputs_of(y))>>;
    detail::on_default_instance<F, First>(
        [&](const auto& space) { detail::map_or_explain<extents>(space, y, f, nullptr, x...); });
  }
}

}  // namespace kachel::detail
