// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// kachel_bench_readme: the rows of the README's tables, which are compiled and measured in minutes.
#include "workloads.hpp"

void bench::add_rows() { add_bandwidth(); }
