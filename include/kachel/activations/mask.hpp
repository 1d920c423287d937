// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Activations of two slopes: their derivative needs a bit an element, which the forward pass writes beside y.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/detail/masked_call.hpp>

namespace kachel {

/// The derivative of an activation of two slopes: where x passes, and elsewhere.
template <math::RealNumber T>
struct Slopes {
  T passing = 1;  ///< where f.passes(x)
  T other = 0;    ///< elsewhere
};

/// Whether F has two slopes: a member passes(x), a template of Real T, that tells which. They are 1 and 0, or what a
/// member Slopes<T> slopes() const, a template of T, says.
template <class F>
concept HasTwoSlopes = requires(const F& f) { f.passes(1.0f); };

/// \cond
inline constexpr std::string_view with_mask_suffix = "_with_mask", from_mask_suffix = "_backward_from_mask";

/// f and the bit of its derivative, as functor of x.
template <HasTwoSlopes F>
struct WithMask : F {
  using Activation = F;
  static constexpr std::string_view name = NameWith<F, with_mask_suffix>::value;

  /// Also of a NaN, so that dy passes there: y says already that x was one.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool bit(T x) const {
    return this->passes(x) | (x != x);
  }
};

/// Whether they are others than 1 and 0.
template <class F, class T>
concept HasOwnSlopes = requires(const F& f) { f.template slopes<T>(); };

/// The derivative of f as a functor of dy and of the bit of x.
template <HasTwoSlopes F>
struct BackwardFromMask {
  using Activation = F;
  static constexpr std::string_view name = NameWith<F, from_mask_suffix>::value;
  static constexpr std::string_view output_names[1] = {"dx"};
  static constexpr std::string_view input_names[1] = {"dy"};

  F f;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T dy, std::uint8_t bit) const {
    Slopes<T> of_f;
    if constexpr (HasOwnSlopes<F, T>) of_f = f.template slopes<T>();
    return select(bit != 0, times(of_f.passing, dy), times(of_f.other, dy));
  }

  void check(std::string_view operation) const { detail::check_parameters(f, operation); }

 private:
  /// A slope of 0 gives 0, whatever dy.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T times(T slope, T dy) {
    return select(slope != T(0), slope * dy, T(0));
  }
};
/// \endcond

/// The callable form of an activation of two slopes that leaves a mask for its derivative. The mask has a bit an
/// element, that of element i, counted in the order of memory, in bit i % 8 of byte i / 8: whether x passes, or is NaN.
/// Bits beyond the last element are 0.
template <class F>
struct PointwiseWithMask : Refusing<F, 3, 0> {
  using Refusing<F, 3, 0>::operator();
  /// y[i] = f(x[i]) as by Pointwise, and the mask.
  /// \param space  the execution space instance
  /// \param y      an array, dense, of floating-point elements; may be x
  /// \param mask   a View of rank 1 of std::uint8_t, of a byte for every eight elements; those beyond are not touched
  /// \param x      an array of y's extents and strides
  /// \param f      the activation
  /// \throws std::logic_error, std::invalid_argument  as kachel::map says; also: y is not dense, or x's strides are not
  ///         y's; the mask has too few bytes, is not contiguous, or shares memory with y or x
  template <class Space, class Y, class Mask, class X>
    requires Kokkos::is_execution_space_v<Space>
  void operator()(const Space& space, const Y& y, const Mask& mask, const X& x, const F& f = {}) const {
    static_assert(!detail::is_const_array<Mask>, "kachel: the mask is written to and cannot have const elements");
    if constexpr (!detail::is_const_array<Mask> && detail::check_masked_types<Space, WithMask<F>, Y, Mask, X>())
      detail::map_masked<detail::ToMask>(space, WithMask<F>{f}, y, mask, x);
  }

  /// The same on the default instance of y's execution space.
  template <class Y, class Mask, class X>
    requires(!Kokkos::is_execution_space_v<Y>)
  void operator()(const Y& y, const Mask& mask, const X& x, const F& f = {}) const {
    detail::on_default_instance<WithMask<F>, Y>([&](const auto& space) { (*this)(space, y, mask, x, f); });
  }
};

/// The callable form of the derivative of an activation of two slopes, from the mask that PointwiseWithMask wrote.
template <class F>
struct PointwiseBackwardFromMask : Refusing<F, 3, 0> {
  using Refusing<F, 3, 0>::operator();
  /// dx[i] = dy[i] times f's derivative: what PointwiseBackward gives, but dy passes where x is NaN.
  /// \param space  the execution space instance
  /// \param dx     an array, dense, of floating-point elements; may be dy
  /// \param dy     an array of dx's extents and strides
  /// \param mask   what PointwiseWithMask wrote
  /// \param f      the activation, of the same parameters
  /// \throws std::logic_error, std::invalid_argument  as there
  template <class Space, class DX, class DY, class Mask>
    requires Kokkos::is_execution_space_v<Space>
  void operator()(const Space& space, const DX& dx, const DY& dy, const Mask& mask, const F& f = {}) const {
    if constexpr (detail::check_masked_types<Space, BackwardFromMask<F>, DX, Mask, DY>())
      detail::map_masked<detail::FromMask>(space, BackwardFromMask<F>{f}, dx, mask, dy);
  }

  /// The same on the default instance of dx's execution space.
  template <class DX, class DY, class Mask>
    requires(!Kokkos::is_execution_space_v<DX>)
  void operator()(const DX& dx, const DY& dy, const Mask& mask, const F& f = {}) const {
    detail::on_default_instance<BackwardFromMask<F>, DX>([&](const auto& space) { (*this)(space, dx, dy, mask, f); });
  }
};

}  // namespace kachel
