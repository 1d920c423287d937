// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a host's thread runs of a call, of dense operands full tiles alone: a function a kernel, whose instructions
/// packed_instructions.py counts.
#include <kachel/activations/prelu.hpp>

#include <support/kinds.hpp>

namespace kachel {

using HostSpace = Kokkos::DefaultHostExecutionSpace;
using namespace detail;

template <class F, class T>
using Unary = Map<F, Tuple<Cursor<T, 0>>, Tuple<Cursor<const T, 1>>>;
template <class F, class T>
using Binary = Map<F, Tuple<Cursor<T, 0>>, Tuple<Cursor<const T, 1>, Cursor<const T, 2>>>;

template <class T, class Body>
KOKKOS_FORCEINLINE_FUNCTION void full_tiles(const Body& body, std::int64_t tiles, Caching caching) {
  using Tile = SpanTile<T, AnyHost>;
  const Body own(body);  // as run_tiles has
  for (std::int64_t tile = 0; tile < tiles; ++tile) own(Tile(tile * Tile::width, Tile::width, false, caching));
}

template <class F, class T>
void forward(const Unary<F, T>& body, std::int64_t tiles, Caching caching) {
  full_tiles<T>(body, tiles, caching);
}

template <class F, class T>
void backward(const Binary<Backward<F>, T>& body, std::int64_t tiles, Caching caching) {
  full_tiles<T>(body, tiles, caching);
}

/// Of rows, beside an operand that may be the same for all of a row's elements; flattened as run_tiles is.
template <class F, class T>
[[gnu::flatten]] void rows(
    const HostFullRows<T, 3>& tiling,
    const Map<F, Tuple<Cursor<T, 0>>, Tuple<Cursor<const T, 1>, Broadcast<const T, 2, true>>>& body,
    std::int64_t count) {
  tiling.run_range(body, 0, count, Caching::cached);
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
