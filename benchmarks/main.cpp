// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// kachel_bench: Google Benchmark's flags, and --shape=ROWSxCOLUMNS, --pairs=N, --largest_size=EXPONENT.
#include "commit.hpp"
#include "measure.hpp"
#include "workloads.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace {

/// Prints each row as it comes, and all of them once more as a table when the run ends.
class TableReporter : public benchmark::ConsoleReporter {
 public:
  TableReporter() : ConsoleReporter(OO_None) {}

  bool ReportContext(const Context& context) override {
    PrintBasicContext(&GetErrorStream(), context);
    return true;
  }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      std::fprintf(stderr, "%s\n", run.benchmark_name().c_str());
      rows_.push_back(run);
    }
  }

  bool has_errors() const { return std::ranges::any_of(rows_, &Run::error_occurred); }

  void Finalize() override {
    std::printf("\n%-62s %12s %9s %8s  %s\n", "", "median us", "GB/s", "x copy", "quartiles");
    for (const Run& run : rows_) {
      std::string name = run.run_name.function_name;
      if (run.error_occurred) {
        std::printf("%-62s %s\n", name.c_str(), run.error_message.c_str());
      } else if (run.counters.contains("x_copy")) {
        std::printf("%-62s %12.2f %9.1f %8.3f  %.3f-%.3f\n", name.c_str(), value(run, "median_us"), value(run, "GB/s"),
                    value(run, "x_copy"), value(run, "x_copy_q1"), value(run, "x_copy_q3"));
      } else {
        std::printf("%-62s %12.3f   %+.0f ns over kokkos_packs (%+.0f to %+.0f)\n", name.c_str(),
                    value(run, "median_us"), value(run, "above_ns"), value(run, "above_ns_q1"),
                    value(run, "above_ns_q3"));
      }
    }
  }

 private:
  static double value(const Run& run, const char* counter) { return run.counters.at(counter).value; }

  std::vector<Run> rows_;
};

/// Takes the project's own flags out of the command line.
bool parse(int& argc, char** argv) {
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    auto& o = bench::options;
    long long rows, columns;
    if (std::sscanf(argv[i], "--shape=%lldx%lld", &rows, &columns) == 2)
      o.rows = rows, o.columns = columns;
    else if (std::sscanf(argv[i], "--pairs=%d", &o.pairs) != 1 &&
             std::sscanf(argv[i], "--largest_size=%d", &o.largest_size) != 1)
      argv[kept++] = argv[i];
  }
  argc = kept;
  return bench::options.pairs > 0 && bench::options.rows > 0 && bench::options.columns > 0 &&
         bench::options.columns % 8 == 0;
}

/// What follows `key` and a colon on its line in a file of /proc; nothing if there is no such line.
std::string read_proc(const char* file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with(key)) return line.substr(line.find(':') + 2);
  return {};
}

/// The processor that is measured, and its driver's version.
std::string machine() {
#if defined(KOKKOS_ENABLE_CUDA)
  std::string name = Kokkos::Cuda{}.cuda_device_prop().name;
  std::istringstream words(read_proc("/proc/driver/nvidia/version", "NVRM version"));
  for (std::string word; words >> word;)
    if (word.find_first_not_of("0123456789.") == std::string::npos) return name.append(", driver ").append(word);
  return name;
#else
  return read_proc("/proc/cpuinfo", "model name")
      .append(", threads: ")
      .append(std::to_string(bench::Space{}.concurrency()));
#endif
}

std::string version(int major, int minor, int patch) {
  return std::to_string(major).append(".").append(std::to_string(minor)).append(".").append(std::to_string(patch));
}

void add_context(int argc, char** argv) {
  std::string command = std::filesystem::path(argv[0]).filename();
  for (int i = 1; i < argc; ++i) command.append(" ").append(argv[i]);
  benchmark::AddCustomContext("command", command);
  benchmark::AddCustomContext("kachel_commit", bench::commit);
  benchmark::AddCustomContext("machine", machine());
  benchmark::AddCustomContext("execution_space", bench::Space::name());
  benchmark::AddCustomContext("tuning", kachel::to_string(kachel::tuning<bench::Space>));
#if defined(__clang__)
  benchmark::AddCustomContext("compiler", "Clang " + version(__clang_major__, __clang_minor__, __clang_patchlevel__));
#elif defined(__GNUC__)
  benchmark::AddCustomContext("compiler", "GCC " + version(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__));
#endif
  benchmark::AddCustomContext("kokkos", version(KOKKOS_VERSION_MAJOR, KOKKOS_VERSION_MINOR, KOKKOS_VERSION_PATCH));
#if defined(KOKKOS_ENABLE_CUDA)
  benchmark::AddCustomContext("cuda_runtime", std::to_string(CUDART_VERSION));
#endif
#if defined(__NVCC__)
  benchmark::AddCustomContext("nvcc", version(__CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__));
#endif
}

}  // namespace

int main(int argc, char** argv) {
#if !defined(__OPTIMIZE__)
  std::fprintf(stderr, "kachel_bench: built without optimisation, expected a Release build\n");
  return EXIT_FAILURE;
#endif
  const Kokkos::ScopeGuard guard(argc, argv);
  add_context(argc, argv);
  if (!parse(argc, argv)) {
    std::fprintf(stderr,
                 "kachel_bench: expected --shape=ROWSxCOLUMNS with COLUMNS a multiple of 8, and --pairs above 0\n");
    return EXIT_FAILURE;
  }
  bench::add_bandwidth();
  []<int... part>(std::integer_sequence<int, part...>) {
    (bench::add_activations<part>(), ...);
  }(std::make_integer_sequence<int, KACHEL_PARTS>{});
  bench::add_prelu();
  bench::add_sizes();
  bench::add_calls();
  bench::add_views();
  bench::add_backward();
  bench::add_saved();
  bench::add_levers();
  bench::add_lookups();
  bench::add_eviction();
  bench::add_pipelining();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
  TableReporter table;
  benchmark::RunSpecifiedBenchmarks(&table);
  benchmark::Shutdown();
  return table.has_errors() ? EXIT_FAILURE : EXIT_SUCCESS;
}
