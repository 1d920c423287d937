// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kachel's functions of one number in a user's own loops on the CPU, by one thread and in cache: against the standard
/// library's formula in the same loop, with an index of 64 bits and with an int. The baseline is that loop, no copy.
#include "formulas.hpp"
#include "measure.hpp"
#include "measured.hpp"
#include "workloads.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace bench {

#if defined(KOKKOS_ENABLE_CUDA)

void add_loops() {}

#else

namespace {

constexpr std::int64_t n = 1 << 14;
constexpr int calls = 50;

/// A name's first words: how a loop is compiled is the compiler's choice.
template <class T>
std::string row_prefix(const std::string& what) {
#if defined(__clang__)
  const std::string compiler = "clang";
#else
  const std::string compiler = "gcc";
#endif
  return "loops/" + compiler + "/" + what + "/" + std::string(kachel::detail::type_name<T>()) + "/" +
         std::to_string(n) + "/";
}

/// The indices of a loop, by one thread of the space that Kokkos takes by default on the CPU.
Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace> indices() {
#if defined(KOKKOS_ENABLE_OPENMP)
  return {Kokkos::OpenMP(1), 0, n};
#else
  return {0, n};
#endif
}

template <class T>
constexpr T tolerance = 64 * std::numeric_limits<T>::epsilon();

/// Whether a formula's value may stand for y: it has about as much accuracy as its largest terms.
template <class T>
bool is_close(T value, T y) {
  return same_value(value, y) || std::abs(value - y) <= tolerance<T> * (1 + std::abs(y));
}

/// How many of the n values of `holds` are false.
template <class Predicate>
std::int64_t count_failures(const Predicate& holds) {
  std::int64_t failures = 0;
  for (std::int64_t i = 0; i < n; ++i) failures += !holds(i);
  return failures;
}

/// Times a candidate against its baseline, unless results of one of them are wrong.
void measure_unless_wrong(benchmark::State& state, std::int64_t wrong, double bytes, const Work& candidate,
                          const Work& baseline) {
  if (wrong > 0)
    state.SkipWithError((std::to_string(wrong) + " of " + std::to_string(n) + " results are wrong").c_str());
  else
    measure(state, bytes, calls, candidate, baseline);
}

/// The parameters that an activation is measured with; those of Clamp are the formula's.
template <class F>
constexpr F parameters{};
template <>
constexpr kachel::Clamp parameters<kachel::Clamp>{.min = 0, .max = 1};

template <class F>
struct ByKachel {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T x) const {
    return kachel::Pointwise<F>{}(x, parameters<F>);
  }
};

template <class F>
struct ByFormula {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T x) const {
    return formula(parameters<F>, x);
  }
};

/// The user's loop: y(i) = f(x(i)).
template <class Index, class F, class T>
Work loop(const F& f, const Span<T>& y, const Span<T>& x) {
  return
      [=, policy = indices()](const Space&) { Kokkos::parallel_for("loop", policy, [=](Index i) { y(i) = f(x(i)); }); };
}

/// Where the formula is far from Kachel's y, it is counted: finite inputs must have about the formula's value.
template <class F, class T, class Index>
void measure_activation(benchmark::State& state) {
  const auto& [xs, ys] = buffers(n * sizeof(T));
  const Span<T> x(reinterpret_cast<T*>(xs.data()), n), y(reinterpret_cast<T*>(ys.data()), n);
  fill(x.data(), n);
  if constexpr (std::is_same_v<F, kachel::Log>)  // the standard library takes long for what has no logarithm
    for (std::int64_t i = 0; i < n; ++i) x(i) = std::abs(x(i));
  const Work by_kachel = loop<Index>(ByKachel<F>{}, y, x), by_formula = loop<Index>(ByFormula<F>{}, y, x);

  Kokkos::deep_copy(y, T(12345));
  by_kachel(Space{});
  std::int64_t wrong = count_wrong(ByKachel<F>{}, x.data(), y.data(), n);
  by_formula(Space{});
  const auto right = [&](std::int64_t i) { return ByKachel<F>{}(x(i)); };
  wrong += count_failures([&](std::int64_t i) { return !std::isfinite(x(i)) || is_close(y(i), right(i)); });
  const std::int64_t far = count_failures([&](std::int64_t i) {
    return same_value(y(i), right(i)) || std::abs(y(i) - right(i)) <= tolerance<T> * std::abs(right(i));
  });
  measure_unless_wrong(state, wrong, 2.0 * n * sizeof(T), by_kachel, by_formula);
  state.counters["formula_far"] = static_cast<double>(far);
}

template <class F, class T>
void add_activation() {
  if constexpr (requires { formula(parameters<F>, T{}); }) {
    register_row(row_prefix<T>(std::string(F::name)) + "kachel", measure_activation<F, T, std::size_t>);
    register_row(row_prefix<T>(std::string(F::name)) + "kachel_int", measure_activation<F, T, int>);
  }
}

struct Largest {
  static constexpr const char* name = "max";
  template <class T>
  using Reducer = Kokkos::Max<T, Kokkos::HostSpace>;
  static constexpr auto by_kachel = [](auto a, auto b) { return kachel::max(a, b); };
  static constexpr auto by_kokkos = [](auto a, auto b) { return Kokkos::max(a, b); };
};

struct Smallest {
  static constexpr const char* name = "min";
  template <class T>
  using Reducer = Kokkos::Min<T, Kokkos::HostSpace>;
  static constexpr auto by_kachel = [](auto a, auto b) { return kachel::min(a, b); };
  static constexpr auto by_kokkos = [](auto a, auto b) { return Kokkos::min(a, b); };
};

/// The largest or the smallest of n numbers, by Kachel against Kokkos, without NaN, which Kokkos loses.
template <class Extreme, class T>
void add_reduction() {
  const auto row = [](benchmark::State& state) {
    const auto& [xs, ys] = buffers(n * sizeof(T));
    const Span<T> x(reinterpret_cast<T*>(xs.data()), n);
    const Kokkos::View<T, Kokkos::HostSpace> extreme("extreme");
    fill(x.data(), n);
    for (std::int64_t i = 0; i < n; ++i)
      if (std::isnan(x(i))) x(i) = 0;
    const auto reduction = [=](auto better) -> Work {
      return [=, policy = indices()](const Space&) {
        Kokkos::parallel_reduce(
            "reduction", policy, [=](std::size_t i, T& m) { m = better(m, x(i)); },
            typename Extreme::template Reducer<T>(extreme));
      };
    };
    const Work by_kachel = reduction(Extreme::by_kachel), by_kokkos = reduction(Extreme::by_kokkos);
    std::int64_t wrong = 0;
    for (const Work& work : {by_kachel, by_kokkos}) {
      work(Space{});
      wrong += count_failures([&](std::int64_t i) { return Extreme::by_kokkos(extreme(), x(i)) == extreme(); });
    }
    measure_unless_wrong(state, wrong, 1.0 * n * sizeof(T), by_kachel, by_kokkos);
  };
  register_row(row_prefix<T>(Extreme::name) + "kachel", row);
}

/// A loop over as many Views as make a compiler wonder which of them overlap, by Kachel's tanh against Kokkos'.
template <class T>
void add_six_views() {
  const auto row = [](benchmark::State& state) {
    const auto& [xs, ys] = buffers(5 * n * sizeof(T));
    auto* const inputs = reinterpret_cast<T*>(xs.data());
    fill(inputs, 5 * n);
    const auto input = [&](std::int64_t k) { return Span<T>(inputs + k * n, n); };
    const Span<T> a = input(0), b = input(1), c = input(2), d = input(3), e = input(4);
    const Span<T> y(reinterpret_cast<T*>(ys.data()), n);
    const auto value = [=](auto tanh, std::size_t i) { return tanh(a(i) + b(i)) * c(i) + d(i) * e(i); };
    const auto loop_of = [=](auto tanh) -> Work {
      return [=, policy = indices()](const Space&) {
        Kokkos::parallel_for("six views", policy, [=](std::size_t i) { y(i) = value(tanh, i); });
      };
    };
    const Work by_kachel = loop_of(kachel::tanh), by_kokkos = loop_of([](T x) { return Kokkos::tanh(x); });
    std::int64_t wrong = 0;
    for (const Work& work : {by_kachel, by_kokkos}) {
      Kokkos::deep_copy(y, T(12345));
      work(Space{});
      wrong += count_failures([&](std::size_t i) { return is_close(y(i), value(kachel::tanh, i)); });
    }
    measure_unless_wrong(state, wrong, 6.0 * n * sizeof(T), by_kachel, by_kokkos);
  };
  register_row(row_prefix<T>("six_views") + "kachel", row);
}

template <class T>
void add_type() {
  []<class... F>(kachel::TypeList<F...>) { (add_activation<F, T>(), ...); }(MeasuredActivations{});
  add_reduction<Largest, T>();
  add_reduction<Smallest, T>();
  add_six_views<T>();
}

}  // namespace

void add_loops() {
  add_type<float>();
  add_type<double>();
}

#endif

}  // namespace bench
