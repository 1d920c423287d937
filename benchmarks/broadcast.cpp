// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of an array and a small one that repeats along it: a row, a column, a channel of images, or the index of a
/// column. Each against a copy of the large arrays' bytes, beside the same function of a number.
#include "measure.hpp"
#include "workloads.hpp"

namespace bench {
namespace {

/// w[i] = i.
template <class T>
void count_up(T* w, std::int64_t count) {
  Kokkos::parallel_for(
      "count_up", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, count),
      KOKKOS_LAMBDA(std::int64_t i) { w[i] = static_cast<T>(i); });
}

/// What small arrays hold.
struct AnyWeights {
  template <class T>
  static void fill_weights(T* w, std::int64_t count) {
    fill(w, count, first_dy);
  }
};

/// Of low cost, and of high cost as a user writes it: that of kachel::gelu, which his functor calls, is not known.
struct Scale : AnyWeights {
  static constexpr std::string_view name = "scale";
  static constexpr kachel::Cost cost = kachel::Cost::low;
  template <class T>
  KOKKOS_FUNCTION T operator()(T x, T w) const {
    return w * x;
  }
};
struct BiasGELU : AnyWeights {
  static constexpr std::string_view name = "bias_gelu";
  static constexpr kachel::Cost cost = kachel::Cost::high;
  template <class T>
  KOKKOS_FUNCTION T operator()(T x, T w) const {
    return kachel::gelu(x + w);
  }
};

/// The same with results of 16 bits in fewer instructions.
struct NarrowBiasGELU : BiasGELU {
  static constexpr std::string_view name = "narrow_bias_gelu";
  KOKKOS_FUNCTION float narrow(float x, float w) const { return kachel::math::narrow_gelu(x + w); }
};

/// Of low cost too, with an index for w.
struct Ramp {
  static constexpr std::string_view name = "ramp";
  static constexpr kachel::Cost cost = kachel::Cost::low;
  template <class T, class Index>
  KOKKOS_FUNCTION T operator()(T x, Index w) const {
    return kachel::fma(T(0.5), static_cast<T>(w), x);
  }
  template <class T>
  static void fill_weights(T* w, std::int64_t count) {
    count_up(w, count);
  }
};

/// f(x, w), computed as a result of type T is.
template <class F, class T>
KOKKOS_FUNCTION T value_of(T x, T w) {
  return kachel::detail::evaluate<T>(F{}, static_cast<kachel::compute_type<T>>(x),
                                     static_cast<kachel::compute_type<T>>(w));
}

/// The element of a small array that stands beside element i of a large one: one for each `run`, `count` in a cycle.
struct Repetition {
  std::int64_t run, count;
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t i) const { return i / run % count; }
};

template <class F, class T>
std::int64_t count_wrong_repeated(const Repetition& place, const T* y, const T* x, const T* w, std::int64_t n) {
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce(
      "check", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, n),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) { sum += !same_value(value_of<F>(x[i], w[place(i)]), y[i]); },
      wrong);
  return wrong;
}

/// A row of f over n elements: run(space, y, x, w) calls Kachel or a rival, with the small array w.
template <class F, class T, class Run>
void add(const std::string& kind, std::int64_t n, const Repetition& place, const Run& run) {
  const auto row = [=](benchmark::State& state) {
    const std::size_t bytes = n * sizeof(T);
    auto& [xs, ys] = buffers(bytes);
    auto* const x = reinterpret_cast<T*>(xs.data());
    auto* const y = reinterpret_cast<T*>(ys.data());
    const Kokkos::View<T*, Space> weights("w", place.count);
    const T* const w = weights.data();
    fill(x, n);
    F::fill_weights(weights.data(), place.count);
    Kokkos::deep_copy(Kokkos::View<T*, Space, Kokkos::MemoryUnmanaged>(y, n), static_cast<T>(12345.0f));
    const Work candidate = [=](const Space& space) { run(space, y, x, w); };
    candidate(Space{});
    Kokkos::fence();
    if (const std::int64_t wrong = count_wrong_repeated<F>(place, y, x, w, n); wrong > 0)
      state.SkipWithError((std::to_string(wrong) + " results are wrong").c_str());
    else
      measure(state, 2.0 * bytes, 1, candidate, [=](const Space& space) { copy(space, y, x, bytes); });
  };
  register_row("broadcast/" + std::string(F::name) + "/" + std::string(kachel::detail::type_name<T>()) + "/" + kind,
               row);
}

/// The same of what a user writes: Kokkos' own parallel_for over all elements.
template <class F, class T>
void add_plain(const std::string& kind, std::int64_t n, const Repetition& place) {
  add<F, T>(kind + "/kokkos", n, place, [=](const Space& space, T* y, const T* x, const T* w) {
    Kokkos::parallel_for(
        "plain", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, n),
        KOKKOS_LAMBDA(std::int64_t i) { y[i] = value_of<F>(x[i], w[place(i)]); });
  });
}

template <class T>
auto matrix(T* data) {
  return Kokkos::View<T**, Kokkos::LayoutRight, Space, Kokkos::MemoryUnmanaged>(data, options.rows, options.columns);
}

template <class F, class T>
void add_kinds() {
  const std::int64_t rows = options.rows, columns = options.columns, n = rows * columns;
  // Images of 64 channels, about as many elements: (112, 64, 512, 512) beside (4096, 393216).
  const std::int64_t side = n >= 1 << 28 ? 512 : 32, plane = side * side,
                     images = std::max<std::int64_t>(1, n / 6 * 7 / (64 * plane));
  const auto batch = [=](auto* data) {
    return Kokkos::View<decltype(data)***, Kokkos::LayoutRight, Space, Kokkos::MemoryUnmanaged>(data, images, 64, side,
                                                                                                side);
  };
  // Its only number is that of the first weight.
  add<F, T>("number/kachel", n, {n, 1}, [=](const Space& space, T* y, const T* x, const T*) {
    kachel::map(space, Span<T>(y, n), F{}, Span<const T>(x, n), input_value<T>(first_dy));
  });
  add<F, T>("row/kachel", n, {1, columns}, [=](const Space& space, T* y, const T* x, const T* w) {
    kachel::map(space, matrix(y), F{}, matrix(x), Span<const T>(w, columns));
  });
  add<F, T>("column/kachel", n, {columns, rows}, [=](const Space& space, T* y, const T* x, const T* w) {
    kachel::map(space, matrix(y), F{}, matrix(x), kachel::along(Span<const T>(w, rows), 0));
  });
  add_plain<F, T>("row", n, {1, columns});
  add_plain<F, T>("column", n, {columns, rows});
  // After rows that draw less: a fourth that draws more than a GPU's limit of power would meet a lower clock.
  add<F, T>("channel/kachel", images * 64 * plane, {plane, 64}, [=](const Space& space, T* y, const T* x, const T* w) {
    kachel::map(space, batch(y), F{}, batch(x), kachel::along(Span<const T>(w, 64), 1));
  });
  add_plain<F, T>("channel", images * 64 * plane, {plane, 64});
}

/// A column whose extent of 1 is known when it runs.
template <class F, class T>
void add_single_extent() {
  const std::int64_t rows = options.rows, columns = options.columns;
  add<F, T>("single extent/kachel", rows * columns, {columns, rows},
            [=](const Space& space, T* y, const T* x, const T* w) {
              kachel::map(space, matrix(y), F{}, matrix(x),
                          Kokkos::View<const T**, Kokkos::LayoutRight, Space, Kokkos::MemoryUnmanaged>(w, rows, 1));
            });
}

/// The index of a column. As a float it is exact up to 2^24.
void add_index() {
  const std::int64_t rows = options.rows, columns = options.columns;
  add<Ramp, float>("index/kachel", rows * columns, {1, columns},
                   [](const Space& space, float* y, const float* x, const float*) {
                     kachel::map(space, matrix(y), Ramp{}, matrix(x), kachel::index(1));
                   });
  add<Ramp, float>("index/kokkos", rows * columns, {1, columns},
                   [=](const Space& space, float* y, const float* x, const float*) {
                     Kokkos::parallel_for(
                         "plain", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, rows * columns),
                         KOKKOS_LAMBDA(std::int64_t i) { y[i] = Ramp{}(x[i], i % columns); });
                   });
}

}  // namespace

void add_broadcast() {
  add_kinds<Scale, float>();
  add_kinds<Scale, kachel::bfloat16>();
  add_kinds<BiasGELU, float>();
  add_kinds<BiasGELU, kachel::bfloat16>();
  add_kinds<NarrowBiasGELU, kachel::bfloat16>();
  add_index();
  // Last, since the longest of them leave a GPU at its limit of power.
  add_single_extent<Scale, float>();
  add_single_extent<Scale, kachel::bfloat16>();
  add_single_extent<BiasGELU, float>();
  add_single_extent<BiasGELU, kachel::bfloat16>();
  add_single_extent<NarrowBiasGELU, kachel::bfloat16>();
}

}  // namespace bench
