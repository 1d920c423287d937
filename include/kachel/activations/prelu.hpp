// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// PReLU, whose slope below 0 is an operand.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/reduce/prelu.hpp>

namespace kachel {

/// ReLU with a learned slope below 0.  torch.nn.functional.prelu; ONNX PRelu; oneDNN prelu.
struct PReLU {
  static constexpr std::string_view name = "prelu";               ///< in messages and labels
  static constexpr std::string_view input_names[2] = {"x", "w"};  ///< in messages
  /// What y is held to.
  static constexpr Contract contract{
      .formula = "x where x > 0, else w x", .kinks = {0}, .ulp = 0.5, .cost = Cost::low, .gradient_cost = Cost::low};

  /// y: x where x > 0, else w x.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x, T w) const {
    return select(x > T(0), x, w * x);
  }
};

/// PReLU of arrays, of numbers, of packs.
struct PReLUFunction {
  /// y[i] = x[i] where x[i] > 0, else w x[i], on an execution space instance; y may be x. w is a number; or an array of
  /// rank 1, of one element or of x.extent(1) elements, one a channel (an x of rank 0 or 1 has one channel). 16-bit
  /// results are those of float32, rounded once. Checks and errors are those of kachel::map.
  /// \throws std::invalid_argument  w is an array of other extents, too
  template <class Space, class Y, class X, class W>
    requires Kokkos::is_execution_space_v<Space>
  void operator()(const Space& space, const Y& y, const X& x, const W& w) const {
    detail::map_or_explain<detail::Extents::weighted>(space, y, PReLU{}, nullptr, x, detail::weight_operand(w));
  }

  /// The same on the default instance of y's execution space.
  template <class Y, class X, class W>
    requires CallOfArrays<Y, X>
  void operator()(const Y& y, const X& x, const W& w) const {
    detail::map_on_default_instance<detail::Extents::weighted>(y, PReLU{}, x, detail::weight_operand(w));
  }

  /// The same of numbers, for use in any kernel; w is converted to the type that x is computed in.
  template <class T, detail::NumberOperand W>
    requires is_floating<detail::storage_type<T>>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x, W w) const {
    return of_numbers<T>(PReLU{}, PReLU{}, x, w);
  }

  /// The same of packs; w is a pack like x, or a number.
  template <class T, int width, class W>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto operator()(const Pack<T, width>& x, const W& w) const {
    using Values = Pack<compute_type<T>, width>;
    return detail::evaluate<T>(PReLU{}, Values(x), Values(w));
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
    const auto weight = detail::weight_operand(w);
    using Weight = std::remove_const_t<decltype(weight)>;
    if constexpr (detail::check_kinds<DX, PReLUBackward, DY, X, Weight>())
      if constexpr (detail::check_types<detail::Extents::weighted, Space, PReLUBackward>(
                        static_cast<std::tuple<const DX&>*>(nullptr),
                        static_cast<std::tuple<const DY&, const X&, const Weight&>*>(nullptr)) &&
                    detail::check_weight_gradient<Space, DW>())
        detail::launch_prelu_backward<PReLUBackward>(space, dx, dw, dy, x, weight);
  }

  /// The same on the default instance of dx's execution space.
  template <class DX, class DW, class DY, class X, class W>
    requires CallOfArrays<DX, DW, DY, X>
  void operator()(const DX& dx, const DW& dw, const DY& dy, const X& x, const W& w) const {
    detail::on_default_instance<PReLUBackward, DX>([&](const auto& space) { (*this)(space, dx, dw, dy, x, w); });
  }

  /// dx of numbers, for use in any kernel; w is converted to the type that x is computed in.
  template <class T, detail::NumberOperand W>
    requires is_floating<detail::storage_type<T>>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T dy, T x, W w) const {
    return of_numbers<T>(PReLUBackward{}, PReLUBackward{}, dy, x, w);
  }

  /// dx of packs; w is a pack like x, or a number.
  template <class T, int width, class W>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto operator()(const Pack<T, width>& dy, const Pack<T, width>& x,
                                                        const W& w) const {
    using Values = Pack<compute_type<T>, width>;
    return detail::evaluate<T>(PReLUBackward{}, Values(dy), Values(x), Values(w));
  }
};

/// PReLU of arrays, of numbers, of packs.
KACHEL_FUNCTION_OBJECT PReLUFunction prelu;

/// The derivatives of PReLU, times dy, of the same.
KACHEL_FUNCTION_OBJECT PReLUBackwardFunction prelu_backward;

}  // namespace kachel
