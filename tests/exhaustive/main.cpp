// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// kachel_exhaustive: GoogleTest's flags, of which --gtest_filter='*/gelu.*' chooses a function, and
///   --space=NAME    where to compute, as Kokkos names it; else the default execution space
///   --stride=N      measures the error of every N-th result; without it of all
///   --sample=N      walks through every N-th input alone, and compares with no record
///   --errors        prints the greatest error of each binade
///   --write=PATH    puts the outcomes into the record of this machine, and compares with no other
#include "report.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// The spaces that functions are compiled for.
std::vector<std::string> spaces() {
  std::vector<std::string> names;
  kachel_test::for_each_type(kachel_test::WalkedSpaces{}, [&]<class Space>() { names.emplace_back(Space::name()); });
  return names;
}

/// Takes the program's own flags out of the command line.
bool parse(int argc, char** argv) {
  auto& o = kachel_test::options();
  o.space = Kokkos::DefaultExecutionSpace::name();
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    long long number = 0;
    if (std::sscanf(argv[i], "--stride=%lld", &number) == 1)
      o.stride = number;
    else if (std::sscanf(argv[i], "--sample=%lld", &number) == 1)
      o.sample = number;
    else if (flag.starts_with("--space="))
      o.space = flag.substr(8);
    else if (flag.starts_with("--write="))
      o.record = flag.substr(8);
    else if (flag == "--errors")
      o.errors = true;
    else
      return false;
  }
  const auto names = spaces();
  if (std::find(names.begin(), names.end(), o.space) == names.end()) return false;
  return o.stride > 0 && o.sample > 0 && (o.sample == 1 || o.record.empty());
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (!parse(argc, argv)) {
    std::string names;
    for (const std::string& name : spaces()) names += (names.empty() ? "" : " or ") + name;
    std::fprintf(
        stderr,
        "kachel_exhaustive: expected --space=NAME, --stride=N, --sample=N, --errors, --write=PATH, with a NAME "
        "of %s, N above 0, and no --write of a sample\n",
        names.c_str());
    return EXIT_FAILURE;
  }
  const int result = RUN_ALL_TESTS();
  if (!kachel_test::options().record.empty()) kachel_test::write_record();
  return result;
}
