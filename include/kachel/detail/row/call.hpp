// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A call of a row function: its arrays, checked; how their rows lie; the schedule; the launch.
#pragma once

#include <kachel/detail/call.hpp>
#include <kachel/detail/row/cuda.hpp>
#include <kachel/detail/row/host_lanes.hpp>

namespace kachel::detail {

/// Whether the operands of a call are of types that a row function takes, else a sentence why not.
template <class Space, class Y, class X>
constexpr bool check_row_types() {
  constexpr bool spaces = is_host_space<Space> || is_cuda<Space>;
  static_assert(spaces, "kachel: softmax and other functions of rows run on the execution spaces of hosts and on CUDA");
  constexpr bool contained = detail::check_containers<Y, X>(), arrays = ArrayOperand<Y> && ArrayOperand<X>;
  static_assert(arrays || !contained,
                "kachel: softmax and other functions of rows expect y and x to be Views, DynRankViews or mdspans");
  if constexpr (spaces && arrays) {
    constexpr bool ranks = static_rank<Y>() != 0 && static_rank<X>() != 0;
    static_assert(ranks, "kachel: softmax and other functions of rows expect arrays of one dimension or more");
    using T = stored_element<Y>;
    constexpr bool elements = std::is_same_v<T, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
    static_assert(elements, "kachel: softmax and other functions of rows expect elements of float, half or bfloat16");
    constexpr bool alike = std::is_same_v<T, stored_element<X>>;
    static_assert(alike, "kachel: softmax and other functions of rows expect y and x to have elements of one type");
    constexpr std::tuple<const Y&>* outputs = nullptr;
    constexpr std::tuple<const X&>* inputs = nullptr;
    return ranks && elements && alike && detail::check_operand_types<Extents::equal, Space>(outputs, inputs);
  }
  return false;
}

/// y = f(x), row by row, of arrays that are described.
/// \throws std::invalid_argument  as plan_call and plan_rows say
template <class Space, class F, class T>
void launch_row_call(const Space& space, const F& f, std::span<Array> arrays, T* y, const T* x) {
  const std::string& operation = operation_label<F>();
  const Plan plan = plan_call(operation, tile_shape<T, Space>, arrays, 1);
  if (plan.size == 0) return;
  const RowPlan rows = plan_rows(operation, arrays);
  const Schedule schedule = detail::schedule_rows<T>(operation, rows, plan.in_place, tuning(space));
  detail::launch_rows(kernel_label<F, T>(), space, schedule, rows, f, y, x);
}

/// y = f(x), row by row: rows lie along the last dimension. f is called with a row, which reduces values and keeps
/// them, and with the row's values of x; it returns those of y.
template <class Space, class F, class Y, class X>
void map_rows(const Space& space, const Y& y, const F& f, const X& x) {
  if constexpr (detail::check_row_types<Space, Y, X>()) {
    const std::string& operation = operation_label<F>();
    check_initialized(operation);
    Array arrays[2];
    detail::describe(arrays[0], operation, "y", y);
    detail::describe(arrays[1], operation, "x", x);
    detail::launch_row_call(space, f, arrays, detail::output_cursor<0>(y).data,
                            detail::input_cursor<float, 1, Repeats::never>(x).data);
  }
}

}  // namespace kachel::detail
