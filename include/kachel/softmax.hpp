// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// softmax along the last dimension.
#pragma once

#include <kachel/detail/row/call.hpp>
#include <kachel/detail/row/weight.hpp>

namespace kachel {

namespace detail {

/// w / sum, from 1 / sum: of floats rounded right (P. W. Markstein, Computation of elementary functions on the IBM
/// RISC System/6000 processor, 1990), of 16 bits near enough.
/// \tparam V  float, or a pack of sums of different rows
template <class T, class V>
struct Share {
  V sum, inverse;

  KOKKOS_FORCEINLINE_FUNCTION explicit Share(const V& of) : sum(of), inverse(1.0f / of) {}

  KOKKOS_FORCEINLINE_FUNCTION V operator()(const V& weight) const {
    const auto of_one = [](float own, float own_sum, float own_inverse) {
      const float share = own * own_inverse;
      if constexpr (sizeof(T) == 2)
        return share;
      else
        return fma(fma(-share, own_sum, own), own_inverse, share);
    };
    return apply(of_one, weight, sum, inverse);
  }
};

/// softmax as a row function.
struct Softmax {
  static constexpr std::string_view name = "softmax";

  template <class Row, class V>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Row& row, const V& x) const {
    using T = typename Row::Element;
    const auto m = row.max(x);  // a float, or a pack of those of different rows
    using Value = std::remove_const_t<decltype(m)>;
    const auto weights = row.keep(detail::each(Weight<T, Value>(m), x));
    // NaN where m is not finite, whatever the weights are there; else the sum.
    return detail::each(Share<T, Value>(fma(m, 0.0f, row.sum(weights))), weights);
  }
};

}  // namespace detail

/// y[i, j] = e^x[i, j] / (the sum of e^x[i, k] over k): the softmax of each row of x, which is what lies along its last
/// dimension. The bits of a row depend on its elements alone: not on the other rows, the layout, the space, or the
/// device; only NaNs may differ in theirs. As torch.nn.functional.softmax: a row that holds NaN or +inf, or only -inf,
/// becomes NaN; an element of -inf beside others 0. A result below 2^-124 may be 0. docs/numerics.md has the error
/// bound.
/// Asynchronous on a device, blocking on a host; needs no other memory than y on a device.
/// \param space  the execution space instance: of a host, or CUDA
/// \param y      the output: a View, DynRankView or mdspan, of rank 1 to 8 and any layout of strides; it may be x
/// \param x      the input, of y's extents and element type: float, half or bfloat16
/// \throws std::logic_error  Kokkos is not initialised
/// \throws std::invalid_argument  before anything is launched: extents differ; an array has no dimension or is null, or
///         its address no multiple of its element's size; two elements of y lie at one address; y shares memory with x
///         without being the same elements
/// \throws std::bad_alloc  on a host there is no memory for a row in each thread; y is written in part
template <class Space, class Y, class X>
  requires Kokkos::is_execution_space_v<Space>
void softmax(const Space& space, const Y& y, const X& x) {
  detail::map_rows(space, y, detail::Softmax{}, x);
}

/// The same on the default instance of y's execution space; an mdspan has none.
template <class Y, class X>
  requires(!Kokkos::is_execution_space_v<Y>)
void softmax(const Y& y, const X& x) {
  detail::on_default_instance<detail::Softmax, Y>([&](const auto& space) { softmax(space, y, x); });
}

}  // namespace kachel
