// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "table.hpp"

#include <string_view>

namespace bench {
namespace {

double value(const benchmark::BenchmarkReporter::Run& run, const char* counter) {
  return run.counters.at(counter).value;
}

/// Minutes and seconds: 75:04.
std::string clock_time(double seconds) {
  char text[32];
  const auto whole = static_cast<long long>(seconds + 0.5);
  std::snprintf(text, sizeof text, "%lld:%02lld", whole / 60, whole % 60);
  return text;
}

}  // namespace

Table::Table(std::size_t rows, benchmark::BenchmarkReporter* format)
    : file_(format ? stderr : stdout), format_(format), rows_(rows) {}

bool Table::ReportContext(const Context& context) {
  PrintBasicContext(&GetErrorStream(), context);
  // Google Benchmark appends this, or as much, to the name of each row; it is not printed.
  constexpr std::string_view appended = "/iterations:1/manual_time";
  name_width_ = static_cast<int>(context.name_field_width - appended.size());
  std::fprintf(
      file_,
      "\nx copy is the time of a row divided by the time of a copy of the same bytes: the median of pairs that "
      "are measured in turn.\n\n%9s  %6s  %-*s %12s %9s %8s  %s\n",
      "row", "left", name_width_, "name", "median us", "GB/s", "x copy", "quartiles");
  std::fflush(file_);
  start_ = Clock::now();
  return !format_ || format_->ReportContext(context);
}

/// From the rows done, each of which counts the same; nothing before the first is done.
std::string Table::time_left() const {
  if (done_ == 0) return {};
  const std::chrono::duration<double> passed = Clock::now() - start_;
  return clock_time(passed.count() / static_cast<double>(done_) * static_cast<double>(rows_ - done_));
}

void Table::begin_line(std::size_t number, const std::string& name) {
  if (!unfinished_.empty()) std::fprintf(file_, "\n");
  const std::string of_all = std::to_string(number) + "/" + std::to_string(rows_);
  std::fprintf(file_, "%9s  %6s  %-*s", of_all.c_str(), time_left().c_str(), name_width_, name.c_str());
  std::fflush(file_);
  unfinished_ = name;
}

void Table::begin_row(const std::string& name) {
  if (name != unfinished_) begin_line(done_ + 1, name);  // else it is a repetition
}

void Table::ReportRuns(const std::vector<Run>& runs) {
  if (format_) format_->ReportRuns(runs);
  if (runs.front().family_index != last_family_) ++done_;  // else these are statistics of the row's repetitions
  last_family_ = runs.front().family_index;
  for (const Run& run : runs) {
    std::string name = run.run_name.function_name;
    if (!run.aggregate_name.empty()) name.append("_").append(run.aggregate_name);
    if (name != unfinished_) begin_line(done_, name);
    print_result(run);
    std::fflush(file_);
    unfinished_.clear();
    if (run.error_occurred) errors_.push_back(name.append(": ").append(run.error_message));
  }
}

void Table::print_result(const Run& run) {
  if (run.error_occurred) {
    std::fprintf(file_, " error: %s\n", run.error_message.c_str());
  } else if (run.counters.contains("x_copy")) {
    std::fprintf(file_, " %12.2f %9.1f %8.3f  %.3f-%.3f\n", value(run, "median_us"), value(run, "GB/s"),
                 value(run, "x_copy"), value(run, "x_copy_q1"), value(run, "x_copy_q3"));
  } else {
    std::fprintf(file_, " %12.3f  %+.0f ns over kokkos_packs (%+.0f to %+.0f)\n", value(run, "median_us"),
                 value(run, "above_ns"), value(run, "above_ns_q1"), value(run, "above_ns_q3"));
  }
}

/// Errors once more, which hundreds of rows may stand below.
void Table::Finalize() {
  if (format_) format_->Finalize();
  const std::chrono::duration<double> passed = Clock::now() - start_;
  std::fprintf(file_, "\n%zu of %zu rows in %s, errors: %zu\n", done_, rows_, clock_time(passed.count()).c_str(),
               errors_.size());
  for (const std::string& error : errors_) std::fprintf(file_, "%s\n", error.c_str());
  std::fflush(file_);
}

}  // namespace bench
