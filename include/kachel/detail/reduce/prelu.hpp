// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The slopes of PReLU as an operand, and both its derivatives in one pass.
#pragma once

#include <kachel/detail/call.hpp>
#include <kachel/detail/reduce/device.hpp>
#include <kachel/detail/reduce/host.hpp>

namespace kachel::detail {

/// w as an input of map: a number as it is, an integer as a double, an array of rank 1 for each channel.
template <class W>
auto weight_operand(const W& w) {
  constexpr int rank = static_rank<W>();
  static_assert(NumberOperand<W> || (ArrayOperand<W> && (rank == -1 || rank == 1)),
                "kachel::prelu: w is expected to be a number or an array of one dimension");
  if constexpr (ArrayOperand<W>)
    return kachel::along(w, 1);
  else if constexpr (std::is_integral_v<W>)
    return static_cast<double>(w);
  else
    return w;
}

/// The slopes of PReLU in a kernel of sums: one for each channel, `stride` apart, or one for all, 0 apart.
template <class W>
struct Slopes {
  const W* data;
  std::int64_t stride;
};

/// Both derivatives in one pass: a body of launch_sums, which writes dx and sums dw. W is Slopes or a Number, F the op
/// that gives dx.
template <class F, class S, class DX, class DY, class X, class W>
struct PReLUGradients {
  using Sum = S;
  static constexpr int arrays = 3;

  Cursor<DX, 0> dx;
  Cursor<const DY, 1> dy;
  Cursor<const X, 2> x;
  W w;
  std::int64_t channels;

  /// Whether the arrays begin where accesses to tiles of so many elements are aligned.
  template <int width>
  bool is_aligned() const {
    const auto is_aligned_for = []<class T>(const T* data) { return detail::is_aligned(data, access_bytes<T, width>); };
    return is_aligned_for(dx.data) && is_aligned_for(dy.data) && is_aligned_for(x.data);
  }

  /// Runs visit(cursor) for each input that is an array; `visit` may be of a host alone.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_input(const Visit& visit) const {
    visit(dy);
    visit(x);
  }

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION auto read(const Tile& tile) const {
    return Tuple<decltype(tile.load(dy)), decltype(tile.load(x))>{{{tile.load(dy)}, {tile.load(x)}}};
  }

  /// The slopes of `count` channels; beyond the last those of any.
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION Pack<Sum, count> constants(std::int64_t channel) const {
    if constexpr (requires { w.value; }) {
      return Pack<Sum, count>(static_cast<Sum>(w.value));
    } else {
      Pack<Sum, count> slopes;
      if (w.stride == 1 && channel + count <= channels)
        convert<count>(w.data + channel, slopes.values);
      else
        for (int i = 0; i < count; ++i)
          slopes[i] = convert_to<Sum>(w.data[Kokkos::min<std::int64_t>(channel + i, channels - 1) * w.stride]);
      return slopes;
    }
  }

  template <class Tile, class Read, int slopes>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Tile& tile, const Read& read, const Pack<Sum, slopes>& slope,
                                       Pack<Sum, Tile::width>& sums) const {
    const auto gradient = detail::converted<Sum>(get<0>(read)), input = detail::converted<Sum>(get<1>(read));
    Pack<compute_type<DX>, Tile::width> results;
    kachel::for_each_place<Tile::width, Sum>([&](int i) {
      results[i] = InComputeType<DX, F>{F{}}(gradient[i], input[i], slope[slopes == 1 ? 0 : i]);
      const bool adds = !(input[i] > Sum(0)) && i < tile.count();
      sums[i] = select(adds, fma(input[i], gradient[i], sums[i]), sums[i]);
    });
    tile.store(dx, results);
  }
};

/// Whether dw is of a type that it may have, else a sentence why not.
template <class Space, class DW>
constexpr bool check_weight_gradient() {
  constexpr bool array = ArrayOperand<DW> && (static_rank<DW>() == -1 || static_rank<DW>() == 1);
  static_assert(array, "kachel::prelu_backward: dw is expected to be an array of one dimension");
  if constexpr (array) {
    constexpr bool elements = is_floating<stored_element<DW>> && !is_const_array<DW>;
    static_assert(elements,
                  "kachel::prelu_backward: dw is expected to have floating-point elements that are not const");
    constexpr bool output =
        has_plain_elements<DW>() && has_strides<DW> && !is_atomic_array<DW> && can_reach<Space, DW>();
    static_assert(output, "kachel::prelu_backward: dw is expected to be as map expects an output");
    return elements && output;
  } else {
    return false;
  }
}

/// prelu_backward of arrays that are described: dx, dy, x and, where it is an array, w as repeat_along leaves it. dw is
/// described by `sums`, and has an element for each of `weights` slopes.
/// \tparam Element  that decides a tile's width
/// \tparam Common   the type that is computed in
/// \param slope     Slopes, or a Number
template <class F, class Element, class Common, class Space, class DX, class DW, class DY, class X, class W>
void launch_prelu_gradients(const Space& space, std::span<Array> operands, const Array& sums, std::size_t weights,
                            DX* dx, DW* dw, const DY* dy, const X* x, const W& slope) {
  constexpr bool stored = requires { slope.stride; };
  const std::string &operation = operation_label<F>(), &label = kernel_label<F, DX>();
  const Plan plan = plan_call(operation, tile_shape<Element, Space>, operands, 1);
  check_sums(operation, sums, weights, stored ? "w" : "", operands.first(3));
  const SumPlan sum_plan = plan_sums(operands.first(3), weights == 1 ? -1 : 1);
  const PReLUGradients<F, Common, DX, DY, X, W> body{{dx}, {dy}, {x}, slope, sum_plan.channels};
  const auto launch = [&]<bool across>(std::bool_constant<across>) {
    detail::launch_sums<Element, across>(label, space, sum_plan, body, dw, static_cast<std::int64_t>(sums.strides[0]),
                                         plan.in_place);
  };
  if constexpr (stored)
    if (sum_plan.across) return launch(std::true_type{});
  launch(std::false_type{});
}

/// The slopes of w, which is described as repeat_along leaves it, for an element of each of `weights` channels.
template <class W>
Slopes<W> slopes_of(const Array& operand, const W* data, std::size_t weights) {
  return {data, weights == 1 ? 0 : static_cast<std::int64_t>(operand.strides[1])};
}

/// prelu_backward of arrays that are of the right types; w as weight_operand gives it.
template <class F, class Space, class DX, class DW, class DY, class X, class W>
void launch_prelu_backward(const Space& space, const DX& dx, const DW& dw, const DY& dy, const X& x, const W& w) {
  using Common = common_type_of<DY, X, W>;
  using Element = typename TileElement<Tuple<stored_element<DX>>, Tuple<stored_element<DY>, stored_element<X>>>::type;
  const std::string& operation = operation_label<F>();

  check_initialized(operation);
  std::array<Array, 4> operands;  // dx, dy, x, w
  Array sums;
  detail::describe(operands[0], operation, "dx", dx);
  detail::describe(operands[1], operation, "dy", dy);
  detail::describe(operands[2], operation, "x", x);
  const auto launch = [&](std::size_t count, std::size_t weights, const auto& slope) {
    detail::describe(sums, operation, "dw", dw);
    detail::launch_prelu_gradients<F, Element, Common>(
        space, std::span(operands).first(count), sums, weights, detail::output_cursor<0>(dx).data,
        detail::output_cursor<0>(dw).data, detail::input_cursor<Common, 1, Repeats::never>(dy).data,
        detail::input_cursor<Common, 2, Repeats::never>(x).data, slope);
  };
  if constexpr (StoredOperand<W>) {
    detail::describe_input<Extents::weighted>(operands[3], operation, "w", w, operands[0]);
    const auto weights = static_cast<std::size_t>(w.array.extent(0));
    launch(4, weights,
           detail::slopes_of(operands[3], detail::input_cursor<Common, 3, Repeats::always>(w).data, weights));
  } else {
    launch(3, 1, detail::input_cursor<Common, 3, Repeats::never>(w));
  }
}

}  // namespace kachel::detail
