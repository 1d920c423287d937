// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a host's thread runs of a call, of dense operands full tiles alone: a function a kernel, whose instructions
/// packed_instructions.py counts.
#include <kachel/activations/prelu.hpp>

#include <support/kinds.hpp>

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

/// Of rows, beside an operand that may be the same for all of a row's elements; flattened as HostShare is.
template <class F, class T>
[[gnu::flatten]] void rows(const RowTiling<T, HostSpace, 3>& tiling,
                           const MapRows<Map<F, Tuple<Dense<T>>, Tuple<Dense<const T>, Broadcast<const T>>>>& program,
                           std::int64_t tiles, Caching caching) {
  tiling.run_range(program, 0, tiles, caching);
}

/// By default Clamp has no bounds.
template <class F>
constexpr F parameters{};
template <>
constexpr Clamp parameters<Clamp>{.min = 0, .max = 1};

/// What a user gives to Kokkos' parallel_for, inlined as compilers do with a lambda that is called once. In place: of
/// two Views compilers keep a scalar loop too, for some that overlap.
template <class F, class T>
struct Body {
  Kokkos::View<T*, HostSpace> y;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::size_t i) const { y(i) = Pointwise<F>{}(y(i), parameters<F>); }
};

/// A user's own loop, as Kokkos runs it on a thread, over whole vectors alone.
template <class F, class T>
void user_loop(const Body<F, T>& body, std::size_t vectors) {
  for (std::size_t i = 0; i < 64 * vectors; ++i) body(i);
}

template <class... F>
constexpr auto user_loops_of(TypeList<F...>) {
  return std::tuple(std::tuple(&user_loop<F, float>, &user_loop<F, double>)...);
}

/// The piecewise linear activations, and curves: of a quotient of exponentials, the longest, of a square root.
using InUserLoops = TypeList<HardTanh, HardSigmoid, HardSigmoidAffine, ReLU, ReLU6, Clamp, HardShrink, SoftShrink,
                             Threshold, LeakyReLU, RReLU, Tanh, GELU, Softplus, Squareplus>;

template <class... F>
constexpr auto kernels_of(TypeList<F...>) {
  return std::tuple(std::tuple(&forward<F, float>, &forward<F, double>, &forward<F, bfloat16>, &backward<F, float>)...);
}

template <class... F>
constexpr auto half_kernels_of(TypeList<F...>) {
  return std::tuple(&forward<F, half>...);
}

// Clang 14 compares halves one by one, where the results of a comparison are chosen between: in the others of Kinds,
// and in every backward, of which there is float alone.
#if defined(__clang__)
using KindsOfHalf = TypeList<HardTanh, HardSigmoid, HardSigmoidAffine, ReLU>;
#else
using KindsOfHalf = Kinds;
#endif

/// Keeps them all in the object.
extern const decltype(kernels_of(Kinds{})) kernels = kernels_of(Kinds{});
extern const decltype(user_loops_of(InUserLoops{})) user_loops = user_loops_of(InUserLoops{});
extern const auto row_kernel = &rows<PReLU, double>;
extern const decltype(half_kernels_of(KindsOfHalf{})) half_kernels = half_kernels_of(KindsOfHalf{});

}  // namespace kachel
