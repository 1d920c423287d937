// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a call costs the thread that makes it, where its work is negligible: hardtanh of 64 floats.
#include "measure.hpp"
#include "peers/peers.hpp"
#include "workloads.hpp"

#include <chrono>
#include <vector>

namespace bench {
namespace {

constexpr std::int64_t n = 64;
constexpr int batch = 100;  // calls between two fences, fewer than a device's queue holds

template <class S>
using Call = std::function<void(const S&, float*, const float*)>;

template <class S>
double seconds_a_call(const S& space, const Call<S>& call, float* y, const float* x) {
  space.fence();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < batch; ++i) call(space, y, x);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  space.fence();
  return elapsed.count() / batch;
}

/// A row that reports the time of a call and, measured in turn, how much longer it is than Kokkos' own parallel_for.
template <class S>
void add(const std::string& candidate, const Call<S>& call) {
  const auto row = [=](benchmark::State& state) {
    const S space;
    const Kokkos::View<float*, S> x("x", n), y("y", n);
    const Call<S> baseline = [](const S& s, float* to, const float* from) {
      peers::kokkos_packs(s, HardTanh{}, to, from, n);
    };
    seconds_a_call(space, baseline, y.data(), x.data()), seconds_a_call(space, call, y.data(), x.data());
    std::vector<double> times, above;
    for (auto _ : state) {
      const double base = seconds_a_call(space, baseline, y.data(), x.data());
      const double seconds = seconds_a_call(space, call, y.data(), x.data());
      times.push_back(seconds);
      above.push_back(seconds - base);
      state.SetIterationTime(seconds);
    }
    state.counters["median_us"] = spread(times).median * 1e6;
    const Spread difference = spread(above);
    state.counters["above_ns"] = difference.median * 1e9;
    state.counters["above_ns_q1"] = difference.lower_quartile * 1e9;
    state.counters["above_ns_q3"] = difference.upper_quartile * 1e9;
  };
  const std::string name = "calls/hardtanh/float/" + std::string(S::name()) + "/" + candidate;
  register_row(name, row, 501);
}

template <class S>
void add_space() {
  add<S>("kachel", [](const S& space, float* y, const float* x) {
    kachel::hardtanh(space, Kokkos::View<float*, S, Kokkos::MemoryUnmanaged>(y, n),
                     Kokkos::View<const float*, S, Kokkos::MemoryUnmanaged>(x, n));
  });
  add<S>("kokkos_packs",
         [](const S& space, float* y, const float* x) { peers::kokkos_packs(space, HardTanh{}, y, x, n); });
}

}  // namespace

void add_calls() {
  add_space<Kokkos::Serial>();
  if constexpr (!std::is_same_v<Space, Kokkos::Serial>) add_space<Space>();
#if defined(KOKKOS_ENABLE_CUDA)
  add<Space>("cuda_float4",
             [](const Space& space, float* y, const float* x) { peers::cuda_float4(space, HardTanh{}, y, x, n); });
  add<Space>("cub_transform",
             [](const Space& space, float* y, const float* x) { peers::cub_transform(space, HardTanh{}, y, x, n); });
#endif
}

}  // namespace bench
