// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kachel's kernel with ordinary loads and with loads that are evicted last: at which block sizes, at which sizes, and
/// what becomes of a kernel that lives in the L2 cache and runs next, by how much of the inputs gets its normal
/// priority back.
#include "measure.hpp"
#include "workloads.hpp"

namespace bench {

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

constexpr std::int64_t mebibyte = 1 << 20;

/// hardtanh by the direct kernel in blocks of a size of the caller's choice, with ordinary loads, or with such as stay
/// in the L2 cache longer, until `restored` bytes get their normal priority back.
template <class T>
void run(const Space& space, T* y, const T* x, std::int64_t n, int block_size, std::int64_t restored) {
  const kachel::ScheduleOverride direct([=](kachel::Schedule& schedule) {
    schedule.kernel = kachel::Kernel::direct;
    schedule.threads = block_size;
    schedule.restored_bytes = restored;
  });
  kachel::hardtanh(space, Span<T>(y, n), Span<const T>(x, n));
}

template <class T>
void run_plain(const Space& space, T* y, const T* x, std::int64_t n, int block_size) {
  run(space, y, x, n, block_size, 0);
}

template <class T>
void run_evicting_last(const Space& space, T* y, const T* x, std::int64_t n, int block_size, std::int64_t restored) {
  run(space, y, x, n, block_size, std::max<std::int64_t>(restored, 1024));  // 0 would be ordinary loads
}

const kachel::DeviceTuning tuned;
constexpr std::int64_t restored_bytes = 16 * mebibyte;

/// Rows with both kinds of loads, separate and in place.
template <class T>
void add_loads(const std::string& prefix, std::int64_t n, int calls, int block_size) {
  for (const bool in_place : {false, true}) {
    const auto add = [&](const std::string& loads, const auto& run) {
      add_row<T>(prefix + "/" + loads + (in_place ? "/in_place" : "/separate"), HardTanh{}, n, calls, run, in_place);
    };
    add("ordinary", [=](const Space& space, T* y, const T* x) { run_plain(space, y, x, n, block_size); });
    add("evicted last",
        [=](const Space& space, T* y, const T* x) { run_evicting_last(space, y, x, n, block_size, restored_bytes); });
  }
}

template <class T>
void add_block_size(std::int64_t n, int calls, int block_size) {
  add_loads<T>("blocks/" + std::string(kachel::detail::type_name<T>()) + "/" + std::to_string(n) + "/" +
                   std::to_string(block_size),
               n, calls, block_size);
}

/// Times `calls` calls of hardtanh over `bytes` bytes of input and output together, after a pass over large operands
/// whose loads are evicted last, against the same after a pass with ordinary loads.
void add_neighbour(std::int64_t bytes, int calls, std::int64_t restored, bool in_place) {
  const std::int64_t n = bytes / (2 * sizeof(float)), large = options.rows * options.columns;
  const auto row = [=](benchmark::State& state) {
    const Kokkos::View<float*, Space> x("x", n), y("y", n);
    fill(x.data(), n);
    auto& [large_x, large_y] = buffers(large * sizeof(float));
    auto* const to = reinterpret_cast<float*>(large_y.data());
    auto* const from = in_place ? to : reinterpret_cast<float*>(large_x.data());
    fill(from, large);
    const Work neighbour = [=](const Space& space) { run_plain(space, y.data(), x.data(), n, tuned.block_size); };
    measure(
        state, 2.0 * n * sizeof(float), calls, neighbour, neighbour,
        [=](const Space& space) { run_evicting_last(space, to, from, large, tuned.large_block_size, restored); },
        [=](const Space& space) { run_plain(space, to, from, large, tuned.large_block_size); });
  };
  const std::string name = "neighbour/" + std::to_string(bytes / mebibyte) + " MiB/" + std::to_string(calls) + "/" +
                           std::to_string(restored / mebibyte) + " MiB/" + (in_place ? "in_place" : "separate");
  register_row(name, row);
}

}  // namespace

void add_eviction() {
  const std::int64_t target = options.rows * options.columns;
  for (const int of : {64, 96, 128, 160, 192, 224, 256}) {
    add_block_size<float>(target, 1, of);
    add_block_size<kachel::half>(target, 1, of);
    add_block_size<double>(target, 1, of);
    add_block_size<float>(1 << 22, 20, of);
  }
  for (const int exponent : {20, 22, 23, 24, 26, 28})
    add_loads<float>("eviction/2^" + std::to_string(exponent), std::int64_t{1} << exponent, exponent < 26 ? 20 : 1,
                     tuned.large_block_size);
  for (const std::int64_t size : {16, 32, 40}) {
    for (const int calls : {2, 20}) {
      for (const std::int64_t restored : {0, 4, 8, 12, 16, 32})
        add_neighbour(size * mebibyte, calls, restored * mebibyte, false);
      for (const std::int64_t restored : {0, 16, 32}) add_neighbour(size * mebibyte, calls, restored * mebibyte, true);
    }
  }
}

#else

void add_eviction() {}

#endif

}  // namespace bench
