// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How it is measured: candidate and copy in turn, in one run, each result checked before it is timed.
#pragma once

#include "cases.hpp"

#include <kachel/schedule.hpp>

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

namespace bench {

/// Work to be timed: enqueues one call on a space instance.
using Work = std::function<void(const Space&)>;

struct Spread {
  double median, lower_quartile, upper_quartile;
};
Spread spread(std::vector<double> values);

/// A copy of `bytes` bytes as the platform's own tool does it: cudaMemcpyAsync, or memcpy on every thread.
void copy(const Space& space, void* to, const void* from, std::size_t bytes);

#if defined(KOKKOS_ENABLE_CUDA)
/// Work that replays, on any instance, what `work` enqueues on this one.
Work captured(const Space& space, const Work& work);
#endif

template <class T>
using Span = Kokkos::View<T*, Space, Kokkos::MemoryUnmanaged>;

/// Memory that all measurements share, so that each sees the same pages; never smaller than asked for before.
struct Buffers {
  Kokkos::View<char*, Space> x, y;
};
Buffers& buffers(std::size_t bytes_each);

/// Times `candidate` against `baseline`, which moves `bytes` bytes: up to options.pairs times in turn, after warming
/// up. With several calls a measurement, a device replays them as a graph. Reports the candidate's median time a call,
/// its rate, and the median and quartiles of candidate / baseline over the pairs. What runs before each of them on a
/// device is not timed.
void measure(benchmark::State& state, double bytes, int calls, const Work& candidate, const Work& baseline,
             const Work& before_candidate = {}, const Work& before_baseline = {});

/// Number i of those that inputs are filled with: they vary over the operations' ranges, with NaN, infinities and -0
/// among them.
template <class T>
KOKKOS_INLINE_FUNCTION T input_value(std::int64_t i) {
  auto hash = static_cast<std::uint32_t>(i ^ (i >> 32)) * 2654435761u;
  hash = (hash ^ (hash >> 15)) * 2246822519u;
  hash ^= hash >> 13;
  float value = static_cast<float>(hash >> 8) * 0x1p-24f * 12.0f - 6.0f;
  if (hash % 4096 == 0) value = Kokkos::Experimental::quiet_NaN_v<float>;
  if (hash % 4096 == 1) value = Kokkos::Experimental::infinity_v<float>;
  if (hash % 4096 == 2) value = -Kokkos::Experimental::infinity_v<float>;
  if (hash % 4096 == 3) value = -0.0f;
  return static_cast<T>(value);
}

/// x[i] = input_value(first + i) for n elements. Static, as all functions in headers that hold lambdas: nvcc sets up a
/// lambda's copying in each source, while the linker keeps the kernel's launch of one.
template <class T>
static void fill(T* x, std::int64_t n, std::int64_t first = 0) {
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, n),
      KOKKOS_LAMBDA(std::int64_t i) { x[i] = input_value<T>(first + i); });
}

/// Whether two numbers are the same bit by bit, any NaN being as good as another.
KOKKOS_INLINE_FUNCTION bool same_value(double a, double b) {
  return (a == b && Kokkos::signbit(a) == Kokkos::signbit(b)) || (a != a && b != b);
}

/// How many of n elements of y are not f of x's.
template <class T, class F>
static std::int64_t count_wrong(const F& f, const T* x, const T* y, std::int64_t n) {
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce(
      "check", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, n),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) { sum += !same_value(apply(f, x[i]), y[i]); }, wrong);
  return wrong;
}

/// The number of the input_value that the first dy is: that of the first x is 0.
inline constexpr std::int64_t first_dy = 12345;

/// How many of n elements of dx are not what f's derivative makes of dy and x.
template <class F, class T>
static std::int64_t count_wrong_gradients(const F& f, const T* dx, const T* x, std::int64_t n) {
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce(
      "check", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, n),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) {
        sum += !same_value(apply_backward(f, input_value<T>(first_dy + i), x[i]), dx[i]);
      },
      wrong);
  return wrong;
}

/// The name of a row of an activation: group/activation/type/size/way.
template <class F, class T>
std::string row_of(const std::string& group, const std::string& size, const std::string& way) {
  return group + "/" + std::string(F::name) + "/" + std::string(kachel::detail::type_name<T>()) + "/" + size + "/" +
         way;
}

/// Called with the name of each row that begins.
inline std::function<void(const std::string&)> row_begins;

/// Registers the row `name` with Google Benchmark: run(state) measures it.
void register_row(const std::string& name, const std::function<void(benchmark::State&)>& run, int iterations = 1);

/// Registers the row `name`: run(space, y, x) gives y[i] = f(x[i]) for n elements. It is run once on poisoned output,
/// and timed only if every element is right. In place, x is y.
/// \param against  the baseline, called as run is
template <class T, class F, class Run, class Against>
void add_row_against(const Against& against, const std::string& name, const F& f, std::int64_t n, int calls,
                     const Run& run, bool in_place = false) {
  const auto row = [=](benchmark::State& state) {
    const std::size_t bytes = n * sizeof(T);
    auto& [xs, ys] = buffers(bytes);
    auto* const x = reinterpret_cast<T*>(xs.data());
    auto* const y = reinterpret_cast<T*>(ys.data());
    const Work baseline = [=](const Space& space) { against(space, y, x); };
    const Work candidate = [=](const Space& space) { run(space, y, in_place ? y : x); };
    fill(x, n);
    Kokkos::deep_copy(Kokkos::View<T*, Space, Kokkos::MemoryUnmanaged>(y, n), static_cast<T>(12345.0f));
    if (in_place) baseline(Space{});
    candidate(Space{});
    Kokkos::fence();
    if (const std::int64_t wrong = count_wrong(f, x, y, n); wrong > 0)
      state.SkipWithError((std::to_string(wrong) + " of " + std::to_string(n) + " results are wrong").c_str());
    else
      measure(state, 2.0 * bytes, calls, candidate, baseline);
  };
  register_row(name, row);
}

/// The same against a copy.
template <class T, class F, class Run>
void add_row(const std::string& name, const F& f, std::int64_t n, int calls, const Run& run, bool in_place = false) {
  const auto copy_all = [=](const Space& space, T* y, const T* x) { copy(space, y, x, n * sizeof(T)); };
  add_row_against<T>(copy_all, name, f, n, calls, run, in_place);
}

/// The same of derivatives: run(space, dx, dy, x) gives dx[i] = dy[i] f'(x[i]) for n elements.
template <class T, class F, class Run>
void add_gradient_row(const std::string& name, const F& f, std::int64_t n, int calls, const Run& run) {
  const auto row = [=](benchmark::State& state) {
    const std::size_t bytes = n * sizeof(T);
    auto& [xs, ys] = buffers(bytes / 2 * 3);
    const Kokkos::View<T*, Space> gradient(Kokkos::view_alloc("dy", Kokkos::WithoutInitializing), n);
    auto* const x = reinterpret_cast<T*>(xs.data());
    auto* const dx = reinterpret_cast<T*>(ys.data());
    const T* const dy = gradient.data();
    fill(x, n);
    fill(gradient.data(), n, first_dy);
    Kokkos::deep_copy(Kokkos::View<T*, Space, Kokkos::MemoryUnmanaged>(dx, n), static_cast<T>(12345.0f));
    const Work candidate = [=](const Space& space) { run(space, dx, dy, static_cast<const T*>(x)); };
    const Work baseline = [=](const Space& space) { copy(space, dx, x, bytes / 2 * 3); };
    candidate(Space{});
    Kokkos::fence();
    if (const std::int64_t wrong = count_wrong_gradients(f, dx, x, n); wrong > 0)
      state.SkipWithError((std::to_string(wrong) + " of " + std::to_string(n) + " results are wrong").c_str());
    else
      measure(state, 3.0 * bytes, calls, candidate, baseline);
  };
  register_row(name, row);
}

}  // namespace bench
