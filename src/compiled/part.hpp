// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The operations of a part of the list of activations, compiled for a kind of instance. They are the calls of
/// kachel::map and of those with a mask, but for arrays that are known at run time alone.
#pragma once

#include "operation.hpp"

#include <kachel/activations/list.hpp>
#include <kachel/activations/prelu.hpp>
#include <kachel/softmax.hpp>

#include <array>
#include <utility>

namespace kachel::detail {

/// In the order of the C++ calls.
inline constexpr const char *prelu_arrays[] = {"y", "x", "w"}, *prelu_backward_arrays[] = {"dx", "dw", "dy", "x", "w"};

/// A functor, an activation or what is made of one, from the activation's parameters.
template <class Functor, class F>
Functor functor_of(const double* parameters) {
  const auto f = [&]<std::size_t... k>(std::index_sequence<k...>) {
    return F{parameters[k]...};
  }(std::make_index_sequence<parameter_count<F>>());
  if constexpr (std::is_same_v<Functor, F>)
    return f;
  else
    return {f};
}

/// Where an array of Ts begins.
template <class T>
const T* data_of(const Array& array) {
  return static_cast<const T*>(array.data);
}

/// Runs f over arrays of Ts that are described: one output, then the inputs, which `x` has too, as map_of takes them.
template <class T, class Instance, class Functor, class X>
void run_described(const Instance& on, const Functor& f, std::span<Array> arrays, const X& x) {
  using Element = typename TileElement<Tuple<T>, Tuple<T>>::type;
  const Plan plan = plan_call(operation_label<Functor>(), tile_shape<Element, Instance>, arrays, 1);
  if (plan.size == 0) return;
  const Cursor<T, 0> y{const_cast<T*>(data_of<T>(arrays[0]))};
  detail::specialize_and_launch<Element, Layouts{}>(kernel_label<Functor, T>(), on, plan,
                                                    detail::map_of(f, tuple_of(y), x), nullptr);
}

/// Runs Functor, made of the activation F, over arrays of Ts: one output, then the inputs.
template <class Functor, class F, class T, std::size_t inputs, class Instance>
void run_map(const Instance& on, std::span<Array> arrays, const double* parameters) {
  const auto f = detail::functor_of<Functor, F>(parameters);
  detail::check_parameters(f, operation_label<Functor>());
  arrays[0].name = *output_names<Functor, 1>();
  for (std::size_t k = 0; k < inputs; ++k) arrays[1 + k].name = input_names<Functor, inputs>()[k];
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    detail::run_described<T>(on, f, arrays,
                             tuple_of(Cursor<const T, static_cast<int>(k) + 1>{data_of<T>(arrays[1 + k])}...));
  }(std::make_index_sequence<inputs>());
}

/// The same of a call with a mask, the array of place `mask`.
template <template <class, class, class> class Body, class Functor, class F, class T, std::size_t mask, class Instance>
void run_masked(const Instance& on, std::span<Array> arrays, const double* parameters) {
  const std::string& operation = operation_label<Functor>();
  const auto f = detail::functor_of<Functor, F>(parameters);
  detail::check_parameters(f, operation);
  Array &output = arrays[0], &input = arrays[3 - mask];
  output.name = *output_names<Functor, 1>();
  input.name = *input_names<Functor, 1>();
  arrays[mask].name = "mask";
  detail::launch_masked<Body>(on, f, output, arrays[mask], input, const_cast<T*>(data_of<T>(output)),
                              data_of<T>(input));
}

/// The same of prelu.
template <class T, class Instance>
void run_prelu(const Instance& on, std::span<Array> arrays, const double*) {
  for (std::size_t k = 0; k < 3; ++k) arrays[k].name = prelu_arrays[k];
  repeat_along(operation_label<PReLU>(), arrays[2], 1, arrays[0]);
  detail::run_described<T>(
      on, PReLU{}, arrays,
      tuple_of(Cursor<const T, 1>{data_of<T>(arrays[1])}, Broadcast<const T, 2, true>{{data_of<T>(arrays[2])}}));
}
template <class T, class Instance>
void run_prelu_backward(const Instance& on, std::span<Array> arrays, const double*) {
  using Element = typename TileElement<Tuple<T>, Tuple<T>>::type;
  for (std::size_t k = 0; k < 5; ++k) arrays[k].name = prelu_backward_arrays[k];
  Array operands[] = {arrays[0], arrays[2], arrays[3], arrays[4]};
  const std::size_t weights = arrays[4].rank == 1 ? arrays[4].extents[0] : 0;
  repeat_along(operation_label<PReLUBackward>(), operands[3], 1, operands[0]);
  detail::launch_prelu_gradients<PReLUBackward, Element, compute_type<T>>(
      on, operands, arrays[1], weights, const_cast<T*>(data_of<T>(arrays[0])), const_cast<T*>(data_of<T>(arrays[1])),
      data_of<T>(arrays[2]), data_of<T>(arrays[3]), detail::slopes_of(operands[3], data_of<T>(arrays[4]), weights));
}

/// Appends prelu and its derivative.
template <class Instance, class... T>
void append_prelu(CompiledOperations<Instance>& operations, TypeList<T...>) {
  const auto append = [&](std::string_view name, const auto& arrays, int outputs,
                          const std::array<RunCompiled<Instance>, compiled_types>& run) {
    operations.push_back({std::string(name), {std::begin(arrays), std::end(arrays)}, outputs, {}, {}, run});
  };
  append(PReLU::name, prelu_arrays, 1, {run_prelu<T, Instance>...});
  append(PReLUBackward::name, prelu_backward_arrays, 2, {run_prelu_backward<T, Instance>...});
}

/// The same of a row function.
template <class F, class T, class Instance>
void run_rows(const Instance& on, std::span<Array> arrays, const double*) {
  arrays[0].name = "y";
  arrays[1].name = "x";
  detail::launch_row_call(on, F{}, arrays, const_cast<T*>(data_of<T>(arrays[0])), data_of<T>(arrays[1]));
}

/// Appends a row function, which has no double.
template <class F, class Instance>
void append_row_function(CompiledOperations<Instance>& operations) {
  operations.push_back(
      {std::string(F::name),
       {"y", "x"},
       1,
       {},
       {},
       {run_rows<F, float, Instance>, nullptr, run_rows<F, half, Instance>, run_rows<F, bfloat16, Instance>}});
}

/// Appends the operations of an activation.
template <class F, class Instance, class... T>
void append_operations(CompiledOperations<Instance>& operations, TypeList<T...>) {
  const auto append = [&](std::string_view name, std::vector<const char*> arrays, int outputs,
                          const std::array<RunCompiled<Instance>, compiled_types>& run) {
    const auto defaults = detail::parameter_values(F{});
    const char* const* const names = F::contract.parameters;
    operations.push_back({std::string(name),
                          std::move(arrays),
                          outputs,
                          {names, names + defaults.size()},
                          {defaults.begin(), defaults.end()},
                          run});
  };
  append(F::name, {"y", "x"}, 1, {run_map<F, F, T, 1, Instance>...});
  append(Backward<F>::name, {"dx", "dy", "x"}, 1, {run_map<Backward<F, T>, F, T, 2, Instance>...});
  if constexpr (HasBackwardFromOutput<F>)
    append(BackwardFromOutput<F>::name, {"dx", "dy", "y"}, 1,
           {run_map<BackwardFromOutput<F, T>, F, T, 2, Instance>...});
  if constexpr (HasTwoSlopes<F>) {
    append(WithMask<F>::name, {"y", "mask", "x"}, 2, {run_masked<ToMask, WithMask<F>, F, T, 1, Instance>...});
    append(BackwardFromMask<F>::name, {"dx", "dy", "mask"}, 1,
           {run_masked<FromMask, BackwardFromMask<F>, F, T, 2, Instance>...});
  }
}

/// Those of every `parts`-th activation from number `part` on, beside the first ones prelu, beside the last ones the
/// row functions.
template <int part, int parts, class Instance, class... F>
void append_part(CompiledOperations<Instance>& operations, TypeList<F...>) {
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    const auto append = [&]<std::size_t number, class Activation>() {
      if constexpr (number % parts == part)
        detail::append_operations<Activation>(operations, TypeList<float, double, half, bfloat16>());
    };
    (append.template operator()<k, F>(), ...);
  }(std::index_sequence_for<F...>());
  if constexpr (part == 0) detail::append_prelu(operations, TypeList<float, double, half, bfloat16>());
  if constexpr (part == parts - 1) detail::append_row_function<Softmax>(operations);
}

}  // namespace kachel::detail
