// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Three rows: one is right, one is wrong, and one reads a line from the standard input before it is measured.
#include "../measure.hpp"
#include "../workloads.hpp"

#include <cstdio>

void bench::add_rows() {
  const std::int64_t n = options.rows * options.columns;
  const auto hardtanh = [=](const Space& space, float* y, const float* x) {
    kachel::hardtanh(space, Span<float>(y, n), Span<const float>(x, n));
  };
  const auto relu = [=](const Space& space, float* y, const float* x) {
    kachel::relu(space, Span<float>(y, n), Span<const float>(x, n));
  };
  add_row<float>("tests/right", HardTanh{}, n, 1, hardtanh);
  add_row<float>("tests/wrong", HardTanh{}, n, 1, relu);
  add_row<float>("tests/waits", HardTanh{}, n, 1, [=](const Space& space, float* y, const float* x) {
    for (static int read = 0; read != '\n' && read != EOF;) read = std::getchar();
    hardtanh(space, y, x);
  });
}
