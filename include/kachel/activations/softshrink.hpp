// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SoftShrink and its derivative.
#pragma once

#include <kachel/activations/mask.hpp>
#include <kachel/detail/activations/softshrink.hpp>

namespace kachel {

/// The distance to a band around 0, with the number's sign; 0 inside.  torch.nn.functional.softshrink; ONNX Shrink of a
/// bias equal to lambd.
struct SoftShrink {
  static constexpr std::string_view name = "softshrink";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x - lambd where x > lambd, x + lambd where x < -lambd, else 0",
                                     .parameters = {"lambd"},
                                     .expected = "lambd >= 0",
                                     .kinks = {-0.5, 0.5},
                                     .ulp = 0.5,
                                     .cost = Cost::low,
                                     .gradient_cost = Cost::low,
                                     .cost_from_16_bits = Cost::low};

  double lambd = 0.5;  ///< half the width of the band

  /// y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    const T bound = T(lambd);
    return pass_where(passes(x), x - clamp(x, -bound, bound), x);
  }

  /// dx: dy outside the band, 0 in it and at its bounds.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T backward(T dy, T x) const {
    return pass_where(passes(x), dy, x);
  }

  /// Whether x lies outside the band.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto passes(T x) const {
    return (x < -T(lambd)) | (x > T(lambd));
  }

  /// Whether lambd is 0 or more.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const { return lambd >= 0; }

  /// y, for 16 bits.
  KOKKOS_FORCEINLINE_FUNCTION float narrow(float x) const {
    return detail::narrow_softshrink(x, static_cast<float>(lambd));
  }

  /// y for an x of type T and the default band, near enough to be rounded to T.
  template <class T>
    requires is_float16<T>
  KOKKOS_FORCEINLINE_FUNCTION float from_16_bits(float x) const {
    return (*this)(x);
  }
};

/// SoftShrink of arrays, of a number, of a pack.
KACHEL_FUNCTION_OBJECT Pointwise<SoftShrink> softshrink;

/// The derivative of SoftShrink, times dy, of the same.
KACHEL_FUNCTION_OBJECT PointwiseBackward<SoftShrink> softshrink_backward;

/// SoftShrink of arrays that leaves a mask for its derivative, a bit an element.
KACHEL_FUNCTION_OBJECT PointwiseWithMask<SoftShrink> softshrink_with_mask;

/// The derivative from that mask, times dy.
KACHEL_FUNCTION_OBJECT PointwiseBackwardFromMask<SoftShrink> softshrink_backward_from_mask;

}  // namespace kachel
