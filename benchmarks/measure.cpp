// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

extern "C" void parallel_copy(char* to, const char* from, std::size_t bytes, int threads, int calls);

namespace bench {
namespace {

#if defined(KOKKOS_ENABLE_CUDA)

void check_cuda(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// Seconds of baseline and candidate in turn, all enqueued before the first is waited for.
std::vector<std::pair<double, double>> time_pairs(int calls, const Work& candidate, const Work& baseline,
                                                  const Work& before_candidate, const Work& before_baseline) {
  const int pairs = options.pairs;
  cudaStream_t stream;
  check_cuda(cudaStreamCreate(&stream));
  const Space space(stream, Kokkos::Impl::ManageStream::yes);
  const auto repeated = [&](const Work& work) -> Work {
    if (calls == 1) return work;
    work(space);  // what a first call sets up is not captured
    space.fence();
    return captured(space, [&](const Space& on) {
      for (int i = 0; i < calls; ++i) work(on);
    });
  };
  const Work works[] = {repeated(baseline), repeated(candidate)}, before[] = {before_baseline, before_candidate};
  for (int i = 0; i < 3; ++i)
    for (const Work& work : works) work(space);

  std::vector<cudaEvent_t> begins(2 * pairs), ends(2 * pairs);
  for (auto* events : {&begins, &ends})
    for (auto& event : *events) check_cuda(cudaEventCreate(&event));
  for (int i = 0; i < 2 * pairs; ++i) {
    if (before[i % 2]) before[i % 2](space);
    check_cuda(cudaEventRecord(begins[i], stream));
    works[i % 2](space);
    check_cuda(cudaEventRecord(ends[i], stream));
  }
  space.fence();
  const auto seconds = [&](int i) {
    float milliseconds;
    check_cuda(cudaEventElapsedTime(&milliseconds, begins[i], ends[i]));
    return milliseconds * 1e-3;
  };
  std::vector<std::pair<double, double>> times;
  for (int i = 0; i < pairs; ++i) times.emplace_back(seconds(2 * i), seconds(2 * i + 1));
  for (auto* events : {&begins, &ends})
    for (auto& event : *events) check_cuda(cudaEventDestroy(event));
  return times;
}

#else

/// Seconds of baseline and candidate in turn; fewer pairs where a candidate would take too long.
std::vector<std::pair<double, double>> time_pairs(int calls, const Work& candidate, const Work& baseline, const Work&,
                                                  const Work&) {
  constexpr double budget = 0.8;
  constexpr std::size_t fewest_pairs = 5;
  const Space space;
  const auto seconds = [&](const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) work(space);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  seconds(baseline), seconds(candidate);
  std::vector<std::pair<double, double>> times;
  double total = 0;
  for (int i = 0; i < options.pairs && (total < budget || times.size() < fewest_pairs); ++i) {
    const double of_baseline = seconds(baseline), of_candidate = seconds(candidate);
    times.emplace_back(of_baseline, of_candidate);
    total += of_baseline + of_candidate;
  }
  return times;
}

#endif

}  // namespace

Spread spread(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double q) { return values[static_cast<std::size_t>(q * (values.size() - 1) + 0.5)]; };
  return {quantile(0.5), quantile(0.25), quantile(0.75)};
}

#if defined(KOKKOS_ENABLE_CUDA)
Work captured(const Space& space, const Work& work) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  check_cuda(cudaStreamBeginCapture(space.cuda_stream(), cudaStreamCaptureModeRelaxed));
  work(space);
  check_cuda(cudaStreamEndCapture(space.cuda_stream(), &graph));
  check_cuda(cudaGraphInstantiate(&executable, graph, 0));
  check_cuda(cudaGraphDestroy(graph));
  return [=](const Space& on) { check_cuda(cudaGraphLaunch(executable, on.cuda_stream())); };
}
#endif

void copy(const Space& space, void* to, const void* from, std::size_t bytes) {
#if defined(KOKKOS_ENABLE_CUDA)
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, space.cuda_stream()));
#else
  parallel_copy(static_cast<char*>(to), static_cast<const char*>(from), bytes, space.concurrency(), 1);
#endif
}

Buffers& buffers(std::size_t bytes_each) {
  static Buffers shared;
  if (bytes_each > shared.x.size()) {
    if (shared.x.size() == 0) Kokkos::push_finalize_hook([] { shared = {}; });
    shared = {};
    shared.x = Kokkos::View<char*, Space>("x", bytes_each);
    shared.y = Kokkos::View<char*, Space>("y", bytes_each);
  }
  return shared;
}

void register_row(const std::string& name, const std::function<void(benchmark::State&)>& run, int iterations) {
  const auto row = [=](benchmark::State& state) {
    row_begins(name);
    run(state);
  };
  benchmark::RegisterBenchmark(name.c_str(), row)->UseManualTime()->Iterations(iterations);
}

void measure(benchmark::State& state, double bytes, int calls, const Work& candidate, const Work& baseline,
             const Work& before_candidate, const Work& before_baseline) {
  std::vector<double> ratios, candidate_times, baseline_times;
  for (const auto& [of_baseline, of_candidate] :
       time_pairs(calls, candidate, baseline, before_candidate, before_baseline)) {
    ratios.push_back(of_candidate / of_baseline);
    candidate_times.push_back(of_candidate / calls);
    baseline_times.push_back(of_baseline / calls);
  }
  const Spread ratio = spread(ratios);
  const double median = spread(candidate_times).median;
  for (auto _ : state) state.SetIterationTime(median);
  state.counters["median_us"] = median * 1e6;
  state.counters["copy_us"] = spread(baseline_times).median * 1e6;
  state.counters["GB/s"] = bytes / median * 1e-9;
  state.counters["x_copy"] = ratio.median;
  state.counters["x_copy_q1"] = ratio.lower_quartile;
  state.counters["x_copy_q3"] = ratio.upper_quartile;
  state.counters["pairs"] = static_cast<double>(ratios.size());
}

}  // namespace bench
