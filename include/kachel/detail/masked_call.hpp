// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A call of contiguous arrays beside a mask.
#pragma once

#include <kachel/detail/body/mask.hpp>
#include <kachel/detail/call.hpp>

namespace kachel::detail {

/// The plan of a call, which depends on the arrays alone: compiled once for all functors.
template <class Y, class Mask, class X>
Plan plan_masked_arrays(const std::string& operation, const TileShape& shape, std::string_view output_name, const Y& y,
                        const Mask& mask, std::string_view input_name, const X& x) {
  Array output, input, bits;
  detail::describe(output, operation, output_name, y);
  detail::describe(input, operation, input_name, x);
  detail::describe(bits, operation, "mask", mask);
  return plan_masked_call(operation, shape, output, input, bits);
}

/// Whether the mask and the operands of a call are of types that it takes, else a sentence why not.
template <class Space, class F, class Y, class Mask, class X>
constexpr bool check_masked_types() {
  constexpr bool arrays = ArrayOperand<Y> && ArrayOperand<X>;
  static_assert(arrays, "kachel: operands of a call with a mask are expected to be arrays");
  constexpr bool bytes = requires {
    requires Mask::rank() == 1;
    requires std::is_same_v<typename Mask::non_const_value_type, std::uint8_t>;
  };
  static_assert(bytes, "kachel: a mask is expected to be a View of rank 1 of std::uint8_t");
  if constexpr (arrays && bytes) {
    static_assert(can_reach<Space, Mask>(), "kachel: the execution space cannot reach the memory of the mask");
    return can_reach<Space, Mask>() &&
           detail::check_types<Extents::equal, Space, typename F::Activation>(
               static_cast<std::tuple<const Y&>*>(nullptr), static_cast<std::tuple<const X&>*>(nullptr));
  } else {
    return false;
  }
}

/// Runs Body, a ToMask or a FromMask of F, over whole Views of the right types.
/// \throws std::logic_error, std::invalid_argument  as plan_masked_call says, and F's own check
template <template <class, class, class> class Body, class Space, class F, class Y, class Mask, class X>
void map_masked(const Space& space, const F& f, const Y& y, const Mask& mask, const X& x) {
  using To = stored_element<Y>;
  // Eight elements on a device: a byte of the mask. On a host GCC leaves fewer than 64 scalar.
  using T = std::conditional_t<is_host_space<Space>, std::uint8_t, std::uint16_t>;
  const std::string &operation = operation_label<F>(), &label = kernel_label<F, To>();

  detail::check_parameters(f, operation);
  const Plan plan = detail::plan_masked_arrays(operation, tile_shape<T, Space>, *output_names<F, 1>(), y, mask,
                                               *input_names<F, 1>(), x);
  if (plan.size == 0) return;
  const Body<F, To, stored_element<X>> body{
      {f, detail::output_cursor<0>(y), detail::input_cursor<void, 1, Repeats::never>(x), mask.data()}};
  const Schedule schedule =
      choose_schedule(label, plan, {.element_bytes = sizeof(To), .cost = cost_of<F>(), .rows = false}, tuning(space));
  detail::launch_body<T, Layouts{.rows = false}, 0, 0>(label, space, plan, schedule, body);
}

}  // namespace kachel::detail
