// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of every kind, compiled with the warnings of a strict project that has Kachel's sources: headers that are not
// the system's give theirs to it.
#include <kachel/activations/list.hpp>
#include <kachel/kachel.hpp>

#include <cstdint>
#include <tuple>

using Space = Kokkos::DefaultExecutionSpace;
template <class T>
using Dense = Kokkos::View<T*, Space>;
template <class T>
using Strided = Kokkos::View<T**, Kokkos::LayoutStride, Space>;

struct Sum {
  template <class A, class B>
  KOKKOS_FUNCTION float operator()(A a, B b) const {
    return static_cast<float>(a) + static_cast<float>(b);
  }
};

struct BothSigns {
  template <class T>
  KOKKOS_FUNCTION Kokkos::Array<T, 2> operator()(T x) const {
    return {x, -x};
  }
};

template <class T>
struct Program {
  Dense<T> y, x;

  KOKKOS_FUNCTION void operator()(const kachel::Tile<T, Space>& tile) const {
    const auto v = tile.load(x, 1);
    tile.store(y, kachel::select(tile.mask(), kachel::hardtanh(kachel::fma(v, 2, v)), 0));
  }
};

template <class T>
void call_each(const Dense<T>& y, const Dense<T>& x, const Strided<T>& rows) {
  kachel::hardtanh(y, x);
  kachel::hardsigmoid(rows, rows);
  kachel::hardsigmoid_affine(y, x);
  kachel::hardtanh_backward(y, x, x);
  kachel::hardsigmoid_backward(rows, rows, rows);
  kachel::hardsigmoid_affine_backward(y, x, x);
  kachel::prelu(rows, rows, x);
  kachel::prelu_backward(rows, y, rows, rows, x);
  kachel::prelu_backward(y, y, x, x, 0.5);
  kachel::map(y, Sum{}, x, Dense<int>());
  kachel::map(Dense<std::int8_t>(), Sum{}, x, Dense<double>());
  kachel::map(Dense<std::uint16_t>(), Sum{}, x, 3u);
  kachel::map(Dense<std::int64_t>(), Sum{}, Dense<bool>(), x);
  kachel::map(std::tuple(y, Dense<float>()), BothSigns{}, x);
  kachel::for_tiles<T>(Space{}, y.extent_int(0), Program<T>{y, x});
}

template void call_each(const Dense<float>&, const Dense<float>&, const Strided<float>&);
template void call_each(const Dense<double>&, const Dense<double>&, const Strided<double>&);
template void call_each(const Dense<kachel::half>&, const Dense<kachel::half>&, const Strided<kachel::half>&);
template void call_each(const Dense<kachel::bfloat16>&, const Dense<kachel::bfloat16>&,
                        const Strided<kachel::bfloat16>&);

/// The arithmetic of an activation in float and double, 16-bit forms among it.
template <class F, class T>
T compute(const F& f, T x) {
  T y = f(x) + f.backward(x, x);
  if constexpr (kachel::HasBackwardFromOutput<F>) y += kachel::BackwardFromOutput<F, kachel::half>{f}(x, x);
  return y;
}

template <class... F>
double compute_all(kachel::TypeList<F...>, float x) {
  return ((static_cast<double>(compute(F{}, x)) + compute(F{}, static_cast<double>(x)) +
           static_cast<double>(static_cast<float>(kachel::Pointwise<F>{}(static_cast<kachel::half>(x)))) +
           static_cast<double>(static_cast<float>(kachel::Pointwise<F>{}(static_cast<kachel::bfloat16>(x))))) +
          ...);
}

template double compute_all(kachel::Activations, float);
