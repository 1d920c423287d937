// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Time against a copy of the same bytes, at the target shape: Kachel and its peers.
#include "measure.hpp"
#include "peers/peers.hpp"
#include "workloads.hpp"

namespace bench {
namespace {

template <class T, class F>
void add_case(const F& f) {
  const std::int64_t rows = options.rows, columns = options.columns, n = rows * columns;
  const std::string prefix = std::string("bandwidth/") + std::string(F::Kachel::name) + "/" +
                             std::string(kachel::detail::type_name<T>()) + "/" + std::to_string(rows) + "x" +
                             std::to_string(columns) + "/";
  const auto add = [&](const std::string& candidate, const auto& run, bool in_place = false) {
    add_row<T>(prefix + candidate, f, n, 1, run, in_place);
  };
  const auto ours = [=](const Space& space, T* y, const T* x) {
    using Output = Kokkos::View<T**, Kokkos::LayoutRight, Space, Kokkos::MemoryUnmanaged>;
    using Input = Kokkos::View<const T**, Kokkos::LayoutRight, Space, Kokkos::MemoryUnmanaged>;
    kachel::map(space, Output(y, rows, columns), typename F::Kachel{}, Input(x, rows, columns));
  };
  add("kachel", ours);
  add("kachel_in_place", ours, true);
#if defined(KOKKOS_ENABLE_CUDA)
  add("cuda_scalar", [=](const Space& space, T* y, const T* x) { peers::cuda_scalar(space, f, y, x, n); });
  add("cuda_strided", [=](const Space& space, T* y, const T* x) { peers::cuda_strided(space, f, y, x, n); });
  add("cuda_float4", [=](const Space& space, T* y, const T* x) { peers::cuda_float4(space, f, y, x, n); });
  add(
      "cuda_float4_in_place", [=](const Space& space, T* y, const T* x) { peers::cuda_float4(space, f, y, x, n); },
      true);
  add("cub_transform", [=](const Space& space, T* y, const T* x) { peers::cub_transform(space, f, y, x, n); });
#else
  add("simd_loop", [=](const Space& space, T* y, const T* x) { peers::simd_loop(space, f, y, x, n); });
#endif
  add("kokkos_range", [=](const Space& space, T* y, const T* x) { peers::kokkos_range(space, f, y, x, n); });
  add("kokkos_mdrange",
      [=](const Space& space, T* y, const T* x) { peers::kokkos_mdrange(space, f, y, x, rows, columns); });
  add("kokkos_transform", [=](const Space& space, T* y, const T* x) { peers::kokkos_transform(space, f, y, x, n); });
  add("kokkos_packs", [=](const Space& space, T* y, const T* x) { peers::kokkos_packs(space, f, y, x, n); });
}

}  // namespace

void add_bandwidth() {
  for_each_case([](auto f, auto type) { add_case<decltype(type)>(f); });
}

}  // namespace bench
