// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A call of contiguous arrays beside a mask.
#pragma once

#include <kachel/detail/body/mask.hpp>
#include <kachel/detail/call.hpp>

namespace kachel::detail {

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

/// Runs Body, a ToMask or a FromMask of F, over dense arrays.
/// \param output, mask, input  described
/// \throws std::invalid_argument  as plan_masked_call says
template <template <class, class, class> class Body, class Space, class F, class Y, class X>
void launch_masked(const Space& space, const F& f, const Array& output, const Array& mask, const Array& input, Y* y,
                   const X* x) {
  // Eight elements on a device: a byte of the mask. On a host GCC leaves fewer than 64 scalar.
  using T = std::conditional_t<is_host_space<Space>, std::uint8_t, std::uint16_t>;
  using Bodies = Body<F, Y, X>;
  const std::string& label = kernel_label<F, Y>();
  const Plan plan = plan_masked_call(operation_label<F>(), tile_shape<T, Space>, output, input, mask);
  if (plan.size == 0) return;
  using Bytes = decltype(Bodies::mask);
  const Bodies body{{f, {y}, {x}, static_cast<Bytes>(const_cast<void*>(mask.data))}};
  const Schedule schedule =
      choose_schedule(label, plan, {.element_bytes = sizeof(Y), .cost = cost_of<F>(), .rows = false}, tuning(space));
  detail::launch_body<T, Layouts{.rows = false}, 0, 0>(label, space, plan, schedule, body);
}

/// The same over whole Views of the right types.
/// \throws std::logic_error  Kokkos is not initialised
/// \throws std::invalid_argument  also as F's own check
template <template <class, class, class> class Body, class Space, class F, class Y, class Mask, class X>
void map_masked(const Space& space, const F& f, const Y& y, const Mask& mask, const X& x) {
  const std::string& operation = operation_label<F>();
  check_initialized(operation);
  detail::check_parameters(f, operation);
  Array output, input, bits;
  detail::describe(output, operation, *output_names<F, 1>(), y);
  detail::describe(input, operation, *input_names<F, 1>(), x);
  detail::describe(bits, operation, "mask", mask);
  detail::launch_masked<Body>(space, f, output, bits, input, detail::output_cursor<0>(y).data,
                              detail::input_cursor<void, 1, Repeats::never>(x).data);
}

}  // namespace kachel::detail
