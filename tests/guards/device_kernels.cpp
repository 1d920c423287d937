// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Calls whose CUDA kernels device_code.py looks at: direct, staged, shifted and rows of each.
#include <support/kinds.hpp>

namespace kachel {

template <class T>
using Matrix = Kokkos::View<T**, Kokkos::CudaSpace>;

template <class F, class... T>
void forward(TypeList<T...>) {
  (kachel::map(Matrix<T>(), F{}, Matrix<T>()), ...);
}

template <class... F>
void call_each(TypeList<F...>) {
  (forward<F>(TypeList<float, double, half, bfloat16>{}), ...);
  (kachel::map(Matrix<float>(), Backward<F>{}, Matrix<float>(), Matrix<float>()), ...);
}

void call_all() { call_each(Kinds{}); }

}  // namespace kachel
