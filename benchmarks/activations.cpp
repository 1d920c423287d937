// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every activation of the list and its derivative against a copy of the same bytes, at the target size. Each time that
/// this is compiled it adds a part of the list: KACHEL_PART of KACHEL_PARTS.
#include "measure.hpp"
#include "measured.hpp"
#include "workloads.hpp"

#include <utility>

namespace bench {
namespace {

template <class F, class T>
void add_forward(std::int64_t n, int calls) {
  add_row<T>(
      row_of<F, T>("activations", std::to_string(n), "forward"), OfNumber<F>{}, n, calls,
      [=](const Space& space, T* y, const T* x) { kachel::Pointwise<F>{}(space, Span<T>(y, n), Span<const T>(x, n)); });
}

template <class F, class T>
void add_backward(std::int64_t n) {
  add_gradient_row<T>(row_of<F, T>("activations", std::to_string(n), "backward"), OfNumber<F>{}, n, 1,
                      [=](const Space& space, T* dx, const T* dy, const T* x) {
                        kachel::PointwiseBackward<F>{}(space, Span<T>(dx, n), Span<const T>(dy, n),
                                                       Span<const T>(x, n));
                      });
}

template <class F, class T>
void add_activation() {
  const std::int64_t n = options.rows * options.columns;
  add_forward<F, T>(n, 1);
  add_backward<F, T>(n);
}

/// The other sizes that PyTorch is measured at: what a host's caches hold; of a device KernelBench level 1, problem 88.
template <class F, class T>
void add_other_sizes() {
  if constexpr (on_host)
    for (const std::int64_t n : {1 << 14, 1 << 16}) add_forward<F, T>(n, 200);
  else if constexpr (std::is_same_v<F, kachel::GELUTanh>)
    add_forward<F, T>(8192 * 8192, 1);
}

template <class F, bool in_part>
void add_types() {
  if constexpr (in_part) {
    add_activation<F, float>();
    add_activation<F, double>();
    add_activation<F, kachel::half>();
    add_activation<F, kachel::bfloat16>();
    add_other_sizes<F, float>();
    add_other_sizes<F, kachel::half>();
    add_other_sizes<F, kachel::bfloat16>();
  }
}

template <class... F, std::size_t... k>
void add_each(kachel::TypeList<F...>, std::index_sequence<k...>) {
  (add_types<F, k * KACHEL_PARTS / sizeof...(F) == KACHEL_PART>(), ...);
}

}  // namespace

template <>
void add_activations<KACHEL_PART>() {
  []<class... F>(kachel::TypeList<F...> list) {
    add_each(list, std::index_sequence_for<F...>{});
  }(MeasuredActivations{});
}

}  // namespace bench
