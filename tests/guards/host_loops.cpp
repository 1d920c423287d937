// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a host's thread runs of a call with dense operands, full tiles alone: a function a kernel, whose instructions
/// packed_instructions.py counts.
#include <kachel/activations/list.hpp>

namespace kachel {

using HostSpace = Kokkos::DefaultHostExecutionSpace;

template <class F, class T, class... X>
using Program = MapMisaligned<Map<F, Tuple<Dense<T>>, Tuple<Dense<const X>...>>>;

template <class F, class T, class... X>
KOKKOS_FORCEINLINE_FUNCTION void full_tiles(const Program<F, T, X...>& program, std::int64_t tiles, Caching caching) {
  constexpr int width = Tile<T, HostSpace>::width;
  const Program<F, T, X...> own(program);  // as HostShare has
  for (std::int64_t tile = 0; tile < tiles; ++tile) own(Tile<T, HostSpace>(tile * width, width, false, caching));
}

template <class F, class T>
void forward(const Program<F, T, T>& program, std::int64_t tiles, Caching caching) {
  full_tiles<F, T, T>(program, tiles, caching);
}

template <class F, class T>
void backward(const Program<Backward<F>, T, T, T>& program, std::int64_t tiles, Caching caching) {
  full_tiles<Backward<F>, T, T, T>(program, tiles, caching);
}

// Clang 14 compares halves with NaN one by one in backward, which is why of that there is float alone.
template <class... F>
constexpr auto kernels_of(TypeList<F...>) {
  return std::tuple(std::tuple(&forward<F, float>, &forward<F, double>, &forward<F, half>, &forward<F, bfloat16>,
                               &backward<F, float>)...);
}

/// Keeps them all in the object.
extern const decltype(kernels_of(Activations{})) kernels = kernels_of(Activations{});

}  // namespace kachel
