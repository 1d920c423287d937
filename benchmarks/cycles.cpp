// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every activation of the list on the CPU: its arithmetic, by one thread in cache, in cycles; and out of cache against
/// the plain loop that calls the same function.
#include "measure.hpp"
#include "measured.hpp"
#include "workloads.hpp"

#include <string>

namespace bench {

#if defined(KOKKOS_ENABLE_CUDA)

void add_cycles() {}

#else

namespace {

/// A chain of `length` operations, each of which waits for the one before it for a cycle: what cycles are counted by,
/// since the clock that a program can read is not the processor's.
void wait_cycles(std::int64_t length) {
  std::uint64_t value = 1;
  const auto key = static_cast<std::uint64_t>(length);
  for (std::int64_t i = 0; i < length; i += 8)
    for (int k = 0; k < 8; ++k) {
      value ^= key;
      asm volatile("" : "+r"(value));  // the compiler cannot know what two of them give
    }
}

/// Time / that of as many cycles as there are elements.
template <class F, class T>
void add_cycles_row() {
  constexpr std::int64_t n = 1 << 14;
  const auto chain = [](const Space&, T*, const T*) { wait_cycles(n); };
  add_row_against<T>(chain, row_of<F, T>("cycles", std::to_string(n), "forward"), OfNumber<F>{}, n, 50,
                     [](const Space& space, T* y, const T* x) {
                       const kachel::ScheduleOverride by_one([](kachel::Schedule& schedule) { schedule.threads = 1; });
                       kachel::Pointwise<F>{}(space, Span<T>(y, n), Span<const T>(x, n));
                     });
}

/// Time / that of the plain loop.
template <class F, class T>
void add_loop_row() {
  const std::int64_t n = options.rows * options.columns;
  const auto loop = [=](const Space& space, T* y, const T* x) {
    Kokkos::parallel_for("plain", Kokkos::RangePolicy<Space>(space, 0, n),
                         [=](std::size_t i) { y[i] = kachel::Pointwise<F>{}(x[i]); });
  };
  add_row_against<T>(
      loop, row_of<F, T>("plain_loop", std::to_string(n), "forward"), OfNumber<F>{}, n, 1,
      [=](const Space& space, T* y, const T* x) { kachel::Pointwise<F>{}(space, Span<T>(y, n), Span<const T>(x, n)); });
}

template <class... F>
void add_each(kachel::TypeList<F...>) {
  (add_cycles_row<F, float>(), ...);
  (add_cycles_row<F, double>(), ...);
  (add_cycles_row<F, kachel::half>(), ...);
  (add_cycles_row<F, kachel::bfloat16>(), ...);
  (add_loop_row<F, float>(), ...);
  (add_loop_row<F, double>(), ...);
}

}  // namespace

void add_cycles() { add_each(MeasuredActivations{}); }

#endif

}  // namespace bench
