// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Time against a copy from 2^10 elements on: hardtanh of float. Small sizes run many calls a measurement.
#include "measure.hpp"
#include "peers/peers.hpp"
#include "workloads.hpp"

namespace bench {
namespace {

void add_size(int exponent) {
  using T = float;
  const std::int64_t n = std::int64_t{1} << exponent;
  const int calls = exponent < 22 ? 200 : exponent < 26 ? 20 : 1;
  const HardTanh f;
  const std::string prefix = "sizes/hardtanh/float/2^" + std::to_string(exponent) + "/";
  const auto add = [&](const std::string& candidate, const auto& run) {
    add_row<T>(prefix + candidate, f, n, calls, run);
  };
  add("kachel", [=](const Space& space, T* y, const T* x) {
    kachel::hardtanh(space, Kokkos::View<T*, Space, Kokkos::MemoryUnmanaged>(y, n),
                     Kokkos::View<const T*, Space, Kokkos::MemoryUnmanaged>(x, n));
  });
  add("kokkos_packs", [=](const Space& space, T* y, const T* x) { peers::kokkos_packs(space, f, y, x, n); });
#if defined(KOKKOS_ENABLE_CUDA)
  add("cuda_float4", [=](const Space& space, T* y, const T* x) { peers::cuda_float4(space, f, y, x, n); });
  add("cub_transform", [=](const Space& space, T* y, const T* x) { peers::cub_transform(space, f, y, x, n); });
#else
  add("simd_loop", [=](const Space& space, T* y, const T* x) { peers::simd_loop(space, f, y, x, n); });
#endif
}

}  // namespace

void add_sizes() {
  for (int exponent = 10; exponent <= options.largest_size; exponent += 2) add_size(exponent);
}

}  // namespace bench
