// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Maps of dense operands beside a mask: a bit an element, in the order of memory, which one call writes and another
/// reads.
#pragma once

#include <kachel/detail/call.hpp>
#include <kachel/detail/tile/bits.hpp>

namespace kachel {

/// y[i] = f(x[i]), and f.bit(x[i]) in the mask.
template <class F, class Y, class X>
struct MapToMask {
  static constexpr bool is_short = !may_be_long<typename F::Activation>;

  F f;
  Dense<Y> y;
  Dense<const X> x;
  std::uint8_t* mask;

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile) const {
    const auto values = tile.load_repeating(x);
    kachel::store_mask(tile, mask, apply([this](auto value) { return this->f.bit(value); }, values));
    tile.store(y, kachel::evaluate<Y>(f, values));
  }
};

/// y[i] = f(x[i], bit), with the bit from the mask.
template <class F, class Y, class X>
struct MapFromMask {
  static constexpr bool is_short = !may_be_long<typename F::Activation>;

  F f;
  Dense<Y> y;
  Dense<const X> x;
  const std::uint8_t* mask;

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile) const {
    const auto bits = kachel::load_mask(tile, mask);
    tile.store(y, kachel::evaluate<Y>(f, tile.load_repeating(x), bits));
  }
};

/// A program on such operands as launch_map's kernels call it.
template <class Program>
struct MapMasked {
  static constexpr int input_bytes = sizeof(element_of<decltype(Program::x)>);

  Program program;

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile) const {
    program(tile.assume_aligned());
  }
  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void run(const Tile& tile, Whole) const {
    program(tile);
  }
  KOKKOS_FORCEINLINE_FUNCTION void restore(std::int64_t first, int count) const {
    restore_input(program.x.data, first, count);
  }
};

/// The plan of a call, which depends on the arrays alone: compiled once for all functors.
template <class Y, class Mask, class X>
AccessPlan plan_masked_call(const std::string& operation, const TileShape& shape, std::string_view output_name,
                            const Y& y, const Mask& mask, std::string_view input_name, const X& x) {
  Operand output, input, bits;
  kachel::describe(output, operation, output_name, y);
  kachel::describe(input, operation, input_name, x);
  kachel::describe(bits, operation, "mask", mask);
  return plan_masked_access(operation, shape, output, input, bits);
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
           kachel::check_types<Space, typename F::Activation, std::tuple<const Y&>, std::tuple<const X&>>();
  } else {
    return false;
  }
}

/// Runs Program, a MapToMask or a MapFromMask of F, over whole Views of the right types.
/// \throws std::logic_error, std::invalid_argument  as plan_masked_access says, and F's own check
template <template <class, class, class> class Program, class Space, class F, class Y, class Mask, class X>
void map_masked(const Space& space, const F& f, const Y& y, const Mask& mask, const X& x) {
  using To = stored_element<Y>;
  // Eight elements on a device: a byte of the mask.
  using T = std::conditional_t<is_host_space<Space>, To, std::uint16_t>;
  const std::string &operation = operation_label<F>(), &label = kernel_label<F, To>();

  kachel::check_parameters(f, operation);
  const AccessPlan plan = kachel::plan_masked_call(operation, tile_shape<T, Space>, *output_names<F, 1>(), y, mask,
                                                   *input_names<F, 1>(), x);
  if (plan.size == 0) return;

  const Program<F, To, stored_element<X>> program{f, kernel_output(y), kernel_input<void>(x), mask.data()};
  if constexpr (!is_host_space<Space>)
    if (plan.aligned && plan.shift == 0)
      return kachel::launch_aligned_map<T>(label, space, plan.size,
                                           MapMasked<Program<F, To, stored_element<X>>>{program}, plan.in_place);
  kachel::launch_tiles(label, space, SpanTiling<T, ThreadSpace<Space>>{plan.size}, program, plan.in_place);
}

}  // namespace kachel
