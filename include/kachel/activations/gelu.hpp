// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// GELU and its derivative.
#pragma once

#include <kachel/activations/pointwise.hpp>
#include <kachel/math/normal_cdf.hpp>

namespace kachel {

/// The number times the probability that a normally distributed one is below it.  torch.nn.functional.gelu; ONNX Gelu;
/// oneDNN gelu_erf.
struct GELU {
  static constexpr std::string_view name = "gelu";  ///< in messages and labels
  /// What y is held to.
  static constexpr Contract contract{.formula = "x Phi(x)", .ulp = 2};

  /// y: max(x, 0) - |x| Phi(-|x|).
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x) const {
    return math::gelu(x);
  }
};

}  // namespace kachel
