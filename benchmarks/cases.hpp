// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is measured with peers: shapes, element types, operations, with the operations' plain definitions for them.
#pragma once

#include <kachel/kachel.hpp>

#include <cstdint>
#include <string>

namespace bench {

using Space = Kokkos::DefaultExecutionSpace;
inline constexpr bool on_host = kachel::detail::is_host_space<Space>;

/// What the command line sets.
struct Options {
  // KernelBench level 1, problems 28 and 32; a host gets the same rows, fewer of them.
  std::int64_t rows = on_host ? 128 : 4096;
  std::int64_t columns = 393216;
  int pairs = 31;                        ///< interleaved measurements of copy and candidate
  int largest_size = on_host ? 28 : 30;  ///< the size sweep ends at 2^largest_size elements
};
inline Options options;

/// The operations as any user would write them, for the peers: the same numbers, NaN included.
struct HardTanh {
  using Kachel = kachel::HardTanh;
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x < T(-1) ? T(-1) : (x > T(1) ? T(1) : x);
  }
  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    return x > T(-1) && x < T(1) ? dy : (x != x ? x : T(0));
  }
};

struct HardSigmoid {
  using Kachel = kachel::HardSigmoid;
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    const T t = x + T(3);
    return (t < T(0) ? T(0) : (t > T(6) ? T(6) : t)) / T(6);
  }
  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    return x > T(-3) && x < T(3) ? dy * T(1.0 / 6) : (x != x ? x : T(0));
  }
};

/// f on one stored element: through float for the 16-bit types.
template <class T, class F>
KOKKOS_FUNCTION T apply(const F& f, T x) {
  return static_cast<T>(f(static_cast<kachel::compute_type<T>>(x)));
}

/// The same of a gradient and an input.
template <class T, class F>
KOKKOS_FUNCTION T apply_backward(const F& f, T dy, T x) {
  using Compute = kachel::compute_type<T>;
  return static_cast<T>(f.backward(static_cast<Compute>(dy), static_cast<Compute>(x)));
}

/// Calls visit(f, T{}) for every operation and element type.
template <class Visitor>
void for_each_case(const Visitor& visit) {
  const auto types = [&](auto f) {
    visit(f, float{});
    visit(f, kachel::half{});
    visit(f, kachel::bfloat16{});
    visit(f, double{});
  };
  types(HardTanh{});
  types(HardSigmoid{});
}

/// An activation of one number, as tests hold it to its definition.
template <class F>
struct OfNumber {};
template <class F, class T>
KOKKOS_FUNCTION T apply(const OfNumber<F>&, T x) {
  return kachel::Pointwise<F>{}(x);
}

template <class F, class T>
KOKKOS_FUNCTION T apply_backward(const OfNumber<F>&, T dy, T x) {
  return kachel::PointwiseBackward<F>{}(dy, x);
}

}  // namespace bench
