// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// PReLU, whose slope below 0 is an operand.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/reduce/launch_sums.hpp>

namespace kachel {

/// ReLU with a learned slope below 0.  torch.nn.functional.prelu; ONNX PRelu; oneDNN prelu.
struct PReLU {
  static constexpr std::string_view name = "prelu";               ///< in messages and labels
  static constexpr std::string_view input_names[2] = {"x", "w"};  ///< in messages
  /// What y is held to.
  static constexpr Contract contract{.formula = "x where x > 0, else w x", .kinks = {0}, .ulp = 0.5};

  /// y: x where x > 0, else w x.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x, T w) const {
    return select(x > T(0), x, w * x);
  }
};

/// \cond
/// w as an input of map: a number as it is, an integer as a double, an array of rank 1 for each channel.
template <class W>
auto weight_operand(const W& w) {
  if constexpr (ArrayOperand<W>) {
    static_assert(static_rank<W>() == -1 || static_rank<W>() == 1,
                  "kachel::prelu: w is expected to be a number or an array of one dimension");
    return PerChannel<W>{w};
  } else {
    static_assert(NumberOperand<W>, "kachel::prelu: w is expected to be a number or an array of one dimension");
    if constexpr (std::is_integral_v<W>)
      return static_cast<double>(w);
    else
      return w;
  }
}
/// \endcond

/// PReLU of arrays, of numbers, of packs.
struct PReLUFunction {
  /// y[i] = x[i] where x[i] > 0, else w x[i], on an execution space instance; y may be x. w is a number; or an array of
  /// rank 1, of one element or of x.extent(1) elements, one a channel (an x of rank 0 or 1 has one channel). 16-bit
  /// results are those of float32, rounded once. Checks and errors are those of kachel::map.
  /// \throws std::invalid_argument  w is an array of other extents, too
  template <class Space, class Y, class X, class W>
    requires Kokkos::is_execution_space_v<Space>
  void operator()(const Space& space, const Y& y, const X& x, const W& w) const {
    kachel::map(space, y, PReLU{}, x, weight_operand(w));
  }

  /// The same on the default instance of y's execution space.
  template <class Y, class X, class W>
    requires CallOfArrays<Y, X>
  void operator()(const Y& y, const X& x, const W& w) const {
    kachel::map(y, PReLU{}, x, weight_operand(w));
  }

  /// The same of numbers, for use in any kernel; w is converted to the type that x is computed in.
  template <class T, NumberOperand W>
    requires is_floating<storage_type<T>>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x, W w) const {
    using Compute = compute_type<storage_type<T>>;
    if constexpr (is_floating<T>)
      return kachel::evaluate<T>(PReLU{}, static_cast<Compute>(x), static_cast<Compute>(bit_cast<storage_type<W>>(w)));
    else
      return bit_cast<T>((*this)(bit_cast<storage_type<T>>(x), w));
  }

  /// The same of packs; w is a pack like x, or a number.
  template <class T, int width, class W>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto operator()(const Pack<T, width>& x, const W& w) const {
    using Values = Pack<compute_type<T>, width>;
    return kachel::evaluate<T>(PReLU{}, Values(x), Values(w));
  }
};

/// The derivative of PReLU by x, times dy.
struct PReLUBackward {
  static constexpr std::string_view name = "prelu_backward";            ///< in messages and labels
  static constexpr std::string_view output_names[1] = {"dx"};           ///< in messages
  static constexpr std::string_view input_names[3] = {"dy", "x", "w"};  ///< in messages

  /// dx: dy where x > 0, else w dy; NaN where x is.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T dy, T x, T w) const {
    return select(x > T(0), dy, select(x == x, w * dy, x));
  }
};

/// \cond
/// sum and x dy, where x is not above 0.
struct AddToWeightGradient {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T sum, T dy, T x) const {
    return select(x > T(0), sum, fma(x, dy, sum));
  }
};

/// Both derivatives in one pass: a program of launch_sums, which writes dx and sums dw. W is an operand of a kernel.
template <class S, class DX, class DY, class X, class W>
struct PReLUGradients {
  using Sum = S;
  static constexpr int arrays = 3, operands = is_scalar<W> ? 3 : 4;

  DX* dx;
  const DY* dy;
  const X* x;
  W w;

  /// Whether the arrays begin where accesses to tiles of so many elements are aligned.
  template <int width>
  bool is_aligned() const {
    const auto is_aligned_for = []<class T>(const T* data) { return kachel::is_aligned(data, access_bytes<T, width>); };
    return is_aligned_for(dx) && is_aligned_for(dy) && is_aligned_for(x);
  }

  template <class Gradient, class Input>
  struct Inputs {
    Gradient gradient;
    Input input;
  };

  template <class Part>
  KOKKOS_FORCEINLINE_FUNCTION auto load(const Part& part) const {
    const auto gradient = part.load(1, dy, static_cast<DY>(0.0f));
    const auto input = part.load(2, x, static_cast<X>(1.0f));
    return Inputs<std::remove_const_t<decltype(gradient)>, std::remove_const_t<decltype(input)>>{gradient, input};
  }

  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_input(const Visit& visit) const {
    visit(1, dy);
    visit(2, x);
  }

  /// The slopes, one for all where the part is of one element.
  template <class Part>
  KOKKOS_FORCEINLINE_FUNCTION auto load_constants(const Part& part) const {
    return to_argument<Sum>(part.load(3, w));
  }

  template <class Part, class Read, int slopes>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Part& part, const Read& read, const Pack<Sum, slopes>& slope,
                                       Pack<Sum, Part::width>& sums) const {
    Pack<compute_type<DX>, Part::width> results;
    for (int first = 0; first < Part::width; first += Part::at_once) {
      const auto gradient = kachel::values_as<Sum, Part::at_once>(read.gradient, first);
      const auto input = kachel::values_as<Sum, Part::at_once>(read.input, first);
      kachel::for_each_place<Part::at_once>([&](int i) {
        const int place = first + i;
        results[place] =
            InComputeType<DX, PReLUBackward>{PReLUBackward{}}(gradient[i], input[i], slope[slopes == 1 ? 0 : place]);
        sums[place] = AddToWeightGradient{}(sums[place], gradient[i], input[i]);
      });
    }
    part.store(0, dx, results);
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
        has_plain_elements<DW>() && has_strides<DW>() && !is_atomic_array<DW>() && can_reach<Space, DW>();
    static_assert(output, "kachel::prelu_backward: dw is expected to be as map expects an output");
    return elements && output;
  } else {
    return false;
  }
}

/// prelu_backward of arrays that are of the right types; w as weight_operand gives it.
template <class Space, class DX, class DW, class DY, class X, class W>
void launch_prelu_backward(const Space& space, const DX& dx, const DW& dw, const DY& dy, const X& x, const W& w) {
  using F = PReLUBackward;
  using Common = typename CommonComputeType<stored_element<DY>, stored_element<X>,
                                            std::conditional_t<StoredOperand<W>, stored_element<W>, void>>::type;
  using Element = typename TileElement<Tuple<stored_element<DX>>, Tuple<stored_element<DY>, stored_element<X>>>::type;
  const std::string &operation = operation_label<F>(), &label = kernel_label<F, stored_element<DX>>();

  std::array<Operand, 4> operands;  // dx, dy, x, w
  kachel::describe(operands[0], operation, "dx", dx);
  kachel::describe(operands[1], operation, "dy", dy);
  kachel::describe(operands[2], operation, "x", x);
  std::size_t weights = 1, count = 3;
  if constexpr (StoredOperand<W>) {
    kachel::describe_input(operands[count++], operation, "w", w, operands[0]);
    weights = static_cast<std::size_t>(w.array.extent(0));
  }
  const AccessPlan plan =
      plan_access(operation, tile_shape<Element, Space>, {operands.data(), 1}, {operands.data() + 1, count - 1});
  Operand sums;
  kachel::describe(sums, operation, "dw", dw);
  check_sums(operation, sums, weights, StoredOperand<W> ? "w" : "", {operands.data(), 3});

  const SumPlan sum_plan = plan_sums({operands.data(), count}, weights == 1 ? -1 : 1);
  const auto slope = kernel_input<Common>(w);
  const PReLUGradients<Common, stored_element<DX>, stored_element<DY>, stored_element<X>,
                       std::remove_const_t<decltype(slope)>>
      program{kernel_output(dx).data, kernel_input<Common>(dy).data, kernel_input<Common>(x).data, slope};
  const auto launch = [&]<bool across>(std::bool_constant<across>) {
    kachel::launch_sums<Element, across>(label, space, sum_plan, program, kernel_output(dw).data,
                                         static_cast<std::int64_t>(sums.strides[0]), plan.in_place);
  };
  if constexpr (StoredOperand<W>)
    if (sum_plan.across) return launch(std::true_type{});
  launch(std::false_type{});
}
/// \endcond

/// The derivatives of PReLU, times dy, of arrays; that by x of numbers and of packs.
struct PReLUBackwardFunction {
  /// dx[i] = dy[i] where x[i] > 0, else w dy[i], NaN where x[i] is; dw, for each element of w, the sum of x[i] dy[i]
  /// over the elements of which that is the slope and where x[i] is not above 0, in an order that x's extents alone
  /// decide. On an execution space instance; dx may be dy or x, dw may be w. 16-bit results are those of float32,
  /// rounded once. w is as in prelu, dw an array of as many elements as it has, of one for a number. Checks and errors
  /// are those of kachel::map.
  /// \throws std::invalid_argument  dw has other extents than w, shares elements with dx, dy or x, or is null
  /// \throws std::runtime_error  on CUDA, the device has no memory for the parts of the sums; the text is CUDA's
  template <class Space, class DX, class DW, class DY, class X, class W>
    requires Kokkos::is_execution_space_v<Space>
  void operator()(const Space& space, const DX& dx, const DW& dw, const DY& dy, const X& x, const W& w) const {
    const auto weight = weight_operand(w);
    using Weight = std::remove_const_t<decltype(weight)>;
    if constexpr (check_kinds<DX, PReLUBackward, DY, X, Weight>())
      if constexpr (check_types<Space, PReLUBackward, std::tuple<const DX&>,
                                std::tuple<const DY&, const X&, const Weight&>>() &&
                    check_weight_gradient<Space, DW>())
        kachel::launch_prelu_backward(space, dx, dw, dy, x, weight);
  }

  /// The same on the default instance of dx's execution space.
  template <class DX, class DW, class DY, class X, class W>
    requires CallOfArrays<DX, DW, DY, X>
  void operator()(const DX& dx, const DW& dw, const DY& dy, const X& x, const W& w) const {
    static_assert(has_execution_space<DX>,
                  "kachel::prelu_backward: dx has no execution space, expected one as the first argument");
    if constexpr (has_execution_space<DX>) {
      check_initialized(operation_label<PReLUBackward>());
      (*this)(typename ExecutionSpaceOf<DX>::type{}, dx, dw, dy, x, w);
    }
  }

  /// dx of numbers, for use in any kernel; w is converted to the type that x is computed in.
  template <class T, NumberOperand W>
    requires is_floating<storage_type<T>>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T dy, T x, W w) const {
    using Compute = compute_type<storage_type<T>>;
    if constexpr (is_floating<T>)
      return kachel::evaluate<T>(PReLUBackward{}, static_cast<Compute>(dy), static_cast<Compute>(x),
                                 static_cast<Compute>(bit_cast<storage_type<W>>(w)));
    else
      return bit_cast<T>((*this)(bit_cast<storage_type<T>>(dy), bit_cast<storage_type<T>>(x), w));
  }

  /// dx of packs; w is a pack like x, or a number.
  template <class T, int width, class W>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto operator()(const Pack<T, width>& dy, const Pack<T, width>& x,
                                                        const W& w) const {
    using Values = Pack<compute_type<T>, width>;
    return kachel::evaluate<T>(PReLUBackward{}, Values(dy), Values(x), Values(w));
  }
};

/// PReLU of arrays, of numbers, of packs.
KACHEL_FUNCTION_OBJECT PReLUFunction prelu;

/// The derivatives of PReLU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PReLUBackwardFunction prelu_backward;

}  // namespace kachel
