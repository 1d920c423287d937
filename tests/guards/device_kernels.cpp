// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Calls whose CUDA kernels device_code.py looks at: direct, staged, shifted and rows of each.
#include <support/kinds.hpp>

namespace kachel {

/// As activations call map: a user's call of several inputs may have one that repeats, and has another kernel of rows.
template <class F, class Y, class... X>
void call(const Y& y, const X&... x) {
  detail::map_on_default_instance<detail::Extents::equal>(y, F{}, x...);
}

template <class T>
using Matrix = Kokkos::View<T**, Kokkos::CudaSpace>;

template <class F, class... T>
void forward(TypeList<T...>) {
  (call<F>(Matrix<T>(), Matrix<T>()), ...);
}

template <class... F>
void call_each(TypeList<F...>) {
  (forward<F>(TypeList<float, double, half, bfloat16>{}), ...);
  (call<Backward<F>>(Matrix<float>(), Matrix<float>(), Matrix<float>()), ...);
}

void call_all() { call_each(Kinds{}); }

}  // namespace kachel
