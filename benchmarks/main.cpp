// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What every program of rows runs: it has Google Benchmark's flags, and --shape=ROWSxCOLUMNS, --pairs=N,
/// --largest_size=EXPONENT. Which rows there are, says the program's add_rows.
#include "commit.hpp"
#include "measure.hpp"
#include "table.hpp"
#include "workloads.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

/// Lets Google Benchmark count or list the rows that its flags choose, and run none: it stops where a reporter refuses.
class Refusal : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override {
    happened_ = true;
    return false;
  }
  void ReportRuns(const std::vector<Run>&) override {}
  bool happened() const { return happened_; }

 private:
  bool happened_ = false;
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
  benchmark::AddCustomContext("tuning", kachel::to_string(kachel::tuning(bench::Space{})));
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
  bench::add_rows();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;

  Refusal refusal;
  const std::size_t rows = benchmark::RunSpecifiedBenchmarks(&refusal);
  if (!refusal.happened()) return rows > 0 ? EXIT_SUCCESS : EXIT_FAILURE;  // they are listed, or there are none

  auto* const format = benchmark::CreateDefaultDisplayReporter();
  const bool for_people = dynamic_cast<benchmark::ConsoleReporter*>(format) != nullptr;
  bench::Table table(rows, for_people ? nullptr : format);
  bench::row_begins = [&](const std::string& name) { table.begin_row(name); };
  benchmark::RunSpecifiedBenchmarks(&table);
  benchmark::Shutdown();
  return table.has_errors() ? EXIT_FAILURE : EXIT_SUCCESS;
}
