// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// memcpy on every thread: what candidates on a host are compared with, those from Python too, of which each script
/// compiles this for itself.
#include <algorithm>
#include <cstddef>
#include <cstring>

extern "C" void parallel_copy(char* to, const char* from, std::size_t bytes, int threads, int calls) {
  const std::size_t part = (bytes / threads + 63) / 64 * 64;
  for (int call = 0; call < calls; ++call) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int thread = 0; thread < threads; ++thread) {
      const std::size_t begin = std::min(bytes, thread * part), end = std::min(bytes, begin + part);
      std::memcpy(to + begin, from + begin, end - begin);
    }
  }
}
