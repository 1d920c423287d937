// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a run of rows prints while it goes on. It knows no row: main tells it when one begins, Google Benchmark what
/// came out.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace bench {

/// Prints a line for each row: number, time left and name as soon as the row begins, the result when it is there. No
/// line is written over, so that a log file holds what a terminal shows.
class Table : public benchmark::BenchmarkReporter {
 public:
  /// Prints on the standard output that `rows` rows follow. Where `format` is given, which is a reporter for programs,
  /// that one has the standard output, and the table goes to the standard error.
  explicit Table(std::size_t rows, benchmark::BenchmarkReporter* format = nullptr);

  void begin_row(const std::string& name);
  bool has_errors() const { return !errors_.empty(); }

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  using Clock = std::chrono::steady_clock;

  void begin_line(std::size_t number, const std::string& name);
  void print_result(const Run& run);
  std::string time_left() const;

  std::FILE* file_;
  benchmark::BenchmarkReporter* format_;
  std::size_t rows_, done_ = 0;
  int name_width_ = 0;
  std::int64_t last_family_ = -1;
  std::string unfinished_;  // the name on the line that has no result yet
  std::vector<std::string> errors_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace bench
