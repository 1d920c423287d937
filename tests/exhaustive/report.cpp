// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

namespace kachel_test {
namespace {

/// The rows of a machine, by what stands in their first two columns.
using Record = std::map<std::string, std::string>;

constexpr const char* header = "function | direction | hash | NaNs | ulp | at\n";

template <class... A>
std::string format(const char* text, A... values) {
  char buffer[256];
  std::snprintf(buffer, sizeof(buffer), text, values...);
  return buffer;
}

Record read(const std::filesystem::path& path) {
  Record record;
  std::ifstream file(path);
  std::string line;
  for (std::getline(file, line); std::getline(file, line);) {
    const std::size_t key_end = line.find(" | ", line.find(" | ") + 1);
    record[line.substr(0, key_end)] = line.substr(key_end + 3);
  }
  return record;
}

/// Every machine's, by its file's name.
const std::map<std::string, Record>& records() {
  static const auto all = [] {
    std::map<std::string, Record> found;
    for (const auto& entry : std::filesystem::directory_iterator(KACHEL_EXHAUSTIVE_RESULTS))
      if (entry.path().extension() == ".txt") found[entry.path().filename()] = read(entry.path());
    return found;
  }();
  return all;
}

/// The rows of this run.
Record& outcomes() {
  static Record record;
  return record;
}

}  // namespace

Options& options() {
  static Options values;
  return values;
}

void report(const std::string& function, const std::string& direction, const Outcome& outcome, double bound) {
  const std::string key = function + " | " + direction, hash = format("%016" PRIx64, outcome.hash);
  const std::string error = outcome.error < 0 ? "" : format("%.3f ulp at %a", outcome.error, outcome.at);
  std::printf("%s | %s | %" PRId64 " NaNs | %s\n", key.c_str(), hash.c_str(), outcome.nans, error.c_str());
  EXPECT_LE(outcome.error, bound) << key << ": off by more units in the last place than promised, at "
                                  << format("%a", outcome.at);
  EXPECT_EQ(outcome.nans_lost, 0) << key << ": NaNs that gave a number";
  if (options().sample != 1) return;
  const bool whole = outcome.error >= 0 && options().stride == 1;
  outcomes()[key] = hash + format(" | %" PRId64, outcome.nans) +
                    (whole ? format(" | %.3f | %a", outcome.error, outcome.at) : " | - | -");
  if (!options().record.empty()) return;
  const std::string command = "kachel_exhaustive --write=<its file> --gtest_filter='" +
                              std::string(testing::UnitTest::GetInstance()->current_test_suite()->name()) + ".*'";
  int hosts = 0, gpus = 0;
  for (const auto& [name, record] : records()) {
    const auto row = record.find(key);
    if (row == record.end()) continue;
    ++(name.ends_with("-cores.txt") ? hosts : gpus);
    EXPECT_EQ(row->second.substr(0, hash.size()), hash)
        << key << ": " << name << " in tests/exhaustive/results has another hash than this run. Where the function has "
        << "changed since, record it anew on that machine, or take its rows out: " << command;
  }
  EXPECT_TRUE(hosts > 0 && gpus > 0) << key << ": expected a record of a machine with a GPU and of a host in "
                                     << "tests/exhaustive/results: " << command;
}

void write_record() {
  Record record = read(options().record);
  for (const auto& [key, row] : outcomes()) record[key] = row;
  std::ofstream file(options().record);
  file << header;
  for (const auto& [key, row] : record) file << key << " | " << row << "\n";
}

}  // namespace kachel_test
