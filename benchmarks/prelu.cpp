// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// PReLU and its derivatives against a copy of the same bytes, at the target size: with one slope, with one for each of
/// up to 64 planes of rows, and with one for each column. The sums for the slopes are held to their bits by the tests.
#include "measure.hpp"
#include "workloads.hpp"

#include <numeric>

namespace bench {
namespace {

constexpr double slope = 0.25;

/// Of one number, with the slope that every channel has.
struct OfSlope {};
template <class T>
KOKKOS_FUNCTION T apply(const OfSlope&, T x) {
  return kachel::prelu(x, slope);
}
template <class T>
KOKKOS_FUNCTION T apply_backward(const OfSlope&, T dy, T x) {
  return kachel::prelu_backward(dy, x, slope);
}

/// Calls run(array, w) with what makes arrays of the target size out of memory, and with their slopes.
template <class T, class Visit>
void with_slopes(const std::string& kind, const Visit& run) {
  const std::int64_t planes = std::gcd(options.rows, std::int64_t{64});
  const auto weights = [](std::int64_t count) {
    const Kokkos::View<T*, Space> w("w", count);
    Kokkos::deep_copy(w, static_cast<T>(static_cast<float>(slope)));
    return w;
  };
  const auto rows = [](auto* data) {
    return Kokkos::View<decltype(data)*, Kokkos::LayoutRight, Space, Kokkos::MemoryUnmanaged>(data, options.rows,
                                                                                              options.columns);
  };
  const auto blocks = [=](auto* data) {
    return Kokkos::View<decltype(data)**, Kokkos::LayoutRight, Space, Kokkos::MemoryUnmanaged>(
        data, options.rows / planes, planes, options.columns);
  };
  if (kind == "prelu")
    run(rows, weights(1), slope);
  else if (kind == "prelu of planes")
    run(blocks, weights(planes), weights(planes));
  else
    run(rows, weights(options.columns), weights(options.columns));
}

template <class T>
void add_kind(const std::string& kind) {
  const std::int64_t n = options.rows * options.columns;
  const std::string prefix =
      "activations/" + kind + "/" + std::string(kachel::detail::type_name<T>()) + "/" + std::to_string(n) + "/";
  const auto forward = [=](benchmark::State& state) {
    const std::size_t bytes = n * sizeof(T);
    auto& [xs, ys] = buffers(bytes);
    auto* const x = reinterpret_cast<T*>(xs.data());
    auto* const y = reinterpret_cast<T*>(ys.data());
    fill(x, n);
    with_slopes<T>(kind, [&](const auto& array, const auto&, const auto& w) {
      const Work candidate = [=](const Space& space) { kachel::prelu(space, array(y), array(x), w); };
      const Work baseline = [=](const Space& space) { copy(space, y, x, bytes); };
      candidate(Space{});
      if (const std::int64_t wrong = count_wrong(OfSlope{}, x, y, n); wrong > 0)
        state.SkipWithError((std::to_string(wrong) + " results are wrong").c_str());
      else
        measure(state, 2.0 * bytes, 1, candidate, baseline);
    });
  };
  const auto backward = [=](benchmark::State& state) {
    const std::size_t bytes = n * sizeof(T);
    auto& [xs, ys] = buffers(bytes / 2 * 3);
    const Kokkos::View<T*, Space> gradient(Kokkos::view_alloc("dy", Kokkos::WithoutInitializing), n);
    auto* const dy = gradient.data();
    auto* const x = reinterpret_cast<T*>(xs.data());
    auto* const dx = reinterpret_cast<T*>(ys.data());
    fill(x, n);
    fill(dy, n, first_dy);
    with_slopes<T>(kind, [&](const auto& array, const auto& dw, const auto& w) {
      const Work candidate = [=](const Space& space) {
        kachel::prelu_backward(space, array(dx), dw, array(dy), array(x), w);
      };
      const Work baseline = [=](const Space& space) { copy(space, dx, x, bytes / 2 * 3); };
      candidate(Space{});
      if (const std::int64_t wrong = count_wrong_gradients(OfSlope{}, dx, x, n); wrong > 0)
        state.SkipWithError((std::to_string(wrong) + " results are wrong").c_str());
      else
        measure(state, 3.0 * bytes, 1, candidate, baseline);
    });
  };
  register_row(prefix + "forward", forward);
  register_row(prefix + "backward", backward);
}

/// The sizes in a host's caches that PyTorch is measured at.
template <class T>
void add_cache_sizes() {
  for (const std::int64_t n : {1 << 14, 1 << 16})
    add_row<T>(
        "activations/prelu/" + std::string(kachel::detail::type_name<T>()) + "/" + std::to_string(n) + "/forward",
        OfSlope{}, n, 200,
        [=](const Space& space, T* y, const T* x) { kachel::prelu(space, Span<T>(y, n), Span<const T>(x, n), slope); });
}

}  // namespace

void add_prelu() {
  for (const char* const kind : {"prelu", "prelu of planes", "prelu of columns"}) {
    add_kind<float>(kind);
    add_kind<double>(kind);
    add_kind<kachel::half>(kind);
    add_kind<kachel::bfloat16>(kind);
  }
  if constexpr (on_host) {
    add_cache_sizes<float>();
    add_cache_sizes<kachel::half>();
    add_cache_sizes<kachel::bfloat16>();
  }
}

}  // namespace bench
