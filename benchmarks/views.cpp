// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operands that are not whole aligned Views of one type: misaligned, in rows, strided, of two types; and the backward
/// pass. Each against a copy of the same bytes, or against a kernel by hand that moves them.
#include "measure.hpp"
#include "peers/peers.hpp"
#include "workloads.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace bench {
namespace {

template <class T>
using Matrix = Kokkos::View<T**, Kokkos::LayoutStride, Space, Kokkos::MemoryUnmanaged>;

/// Where elements lie: rows of `length`, `pitch` apart, elements `stride` apart.
struct Rows {
  std::int64_t rows, length, pitch, stride = 1, offset = 0;

  std::int64_t span() const { return offset + rows * pitch; }

  template <class T>
  Matrix<T> view(T* data) const {
    return Matrix<T>(data + offset, Kokkos::LayoutStride(rows, pitch, length, stride));
  }
};

/// How many elements of y are not f of x's, bit by bit, any NaN being as good as another.
template <class F, class Y, class X>
std::int64_t count_wrong_in_rows(const F& f, const Matrix<Y>& y, const Matrix<X>& x) {
  std::int64_t wrong = 0;
  const std::int64_t length = y.extent(1), n = y.size();
  Kokkos::parallel_reduce(
      "check", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, n),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) {
        const auto value = static_cast<kachel::compute_type<std::remove_const_t<X>>>(x(i / length, i % length));
        const double expected = static_cast<Y>(f(value)), given = y(i / length, i % length);
        const bool same = expected == given && Kokkos::signbit(expected) == Kokkos::signbit(given);
        sum += !(same || (expected != expected && given != given));
      },
      wrong);
  return wrong;
}

/// A copy between rows as the platform's own tool does it.
template <class T>
void copy_rows(const Space& space, T* y, const Rows& to, const T* x, const Rows& from) {
#if defined(KOKKOS_ENABLE_CUDA)
  cudaMemcpy2DAsync(y + to.offset, to.pitch * sizeof(T), x + from.offset, from.pitch * sizeof(T), to.length * sizeof(T),
                    to.rows, cudaMemcpyDeviceToDevice, space.cuda_stream());
#else
  Kokkos::parallel_for("copy_rows", Kokkos::RangePolicy<Space>(space, 0, to.rows), [=](std::int64_t row) {
    std::memcpy(y + to.offset + row * to.pitch, x + from.offset + row * from.pitch, to.length * sizeof(T));
  });
#endif
}

/// A row of hardtanh from x's places to y's. `baseline(space, y, x)` moves as many bytes.
template <class Y, class X, class Run, class Baseline>
void add(const std::string& name, const Rows& to, const Rows& from, const Run& run, const Baseline& baseline) {
  const auto row = [=](benchmark::State& state) {
    auto& [xs, ys] = buffers(std::max(to.span() * sizeof(Y), from.span() * sizeof(X)));
    auto* const x = reinterpret_cast<X*>(xs.data());
    auto* const y = reinterpret_cast<Y*>(ys.data());
    fill(x, from.span());
    Kokkos::deep_copy(Kokkos::View<Y*, Space, Kokkos::MemoryUnmanaged>(y, to.span()), static_cast<Y>(12345.0f));
    run(Space{}, to.view(y), from.view<const X>(x));
    Kokkos::fence();
    const double n = static_cast<double>(to.rows) * static_cast<double>(to.length);
    if (const std::int64_t wrong = count_wrong_in_rows(HardTanh{}, to.view(y), from.view<const X>(x)); wrong > 0)
      state.SkipWithError((std::to_string(wrong) + " results are wrong").c_str());
    else
      measure(
          state, n * (sizeof(Y) + sizeof(X)), 1,
          [=](const Space& space) { run(space, to.view(y), from.view<const X>(x)); },
          [=](const Space& space) { baseline(space, y, x); });
  };
  benchmark::RegisterBenchmark(("views/" + name).c_str(), row)->UseManualTime()->Iterations(1);
}

/// Kachel's hardtanh.
struct Ours {
  template <class Y, class X>
  void operator()(const Space& space, const Matrix<Y>& y, const Matrix<X>& x) const {
    kachel::map(space, y, kachel::HardTanh{}, x);
  }
};

/// Kokkos' own parallel_for over both dimensions.
struct Plain {
  template <class Y, class X>
  void operator()(const Space& space, const Matrix<Y>& y, const Matrix<X>& x) const {
    Kokkos::parallel_for(
        "plain", Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(space, {0, 0}, {y.extent(0), y.extent(1)}),
        KOKKOS_LAMBDA(std::int64_t i, std::int64_t j) {
          y(i, j) = static_cast<Y>(HardTanh{}(static_cast<kachel::compute_type<std::remove_const_t<X>>>(x(i, j))));
        });
  }
};

template <class T>
void add_misaligned(int y_offset, int x_offset) {
  const std::int64_t n = options.rows * options.columns - 64;
  const Rows to{1, n, n, 1, y_offset}, from{1, n, n, 1, x_offset};
  add<T, T>("misaligned/" + std::string(kachel::type_name<T>()) + "/y+" + std::to_string(y_offset) + ",x+" +
                std::to_string(x_offset),
            to, from, Ours{}, [=](const Space& space, T* y, const T* x) { copy(space, y, x, n * sizeof(T)); });
}

template <class T>
void add_pitched(std::int64_t length, std::int64_t y_pitch, std::int64_t x_pitch) {
  const std::int64_t rows = std::max<std::int64_t>(1, options.rows * options.columns / std::max(y_pitch, x_pitch));
  const Rows to{rows, length, y_pitch}, from{rows, length, x_pitch};
  add<T, T>("rows/" + std::string(kachel::type_name<T>()) + "/" + std::to_string(length) + " of " +
                std::to_string(y_pitch) + " and " + std::to_string(x_pitch),
            to, from, Ours{}, [=](const Space& space, T* y, const T* x) { copy_rows(space, y, to, x, from); });
}

template <class T>
void add_strided(const std::string& name, const Rows& to, const Rows& from) {
  const std::string prefix = "strided/" + std::string(kachel::type_name<T>()) + "/" + name + "/";
  const auto baseline = [=](const Space& space, T* y, const T* x) {
    Plain{}(space, to.view(y), from.view<const T>(x));
  };
  add<T, T>(prefix + "kachel over plain Kokkos", to, from, Ours{}, baseline);
}

template <class Y, class X>
void add_conversion() {
  const std::int64_t rows = options.rows, n = rows * options.columns;
  const Rows all{1, n, n};
  add<Y, X>("conversion/" + std::string(kachel::type_name<X>()) + " to " + std::string(kachel::type_name<Y>()), all,
            all, Ours{},
            [=](const Space& space, Y* y, const X* x) { copy(space, y, x, n * (sizeof(X) + sizeof(Y)) / 2); });
}

#if defined(KOKKOS_ENABLE_CUDA)

/// By hand in CUDA: 16 bytes of dy and of x a thread, blocks of 256.
template <class T>
__global__ void backward_kernel(peers::SixteenBytes<T>* dx, const peers::SixteenBytes<T>* dy,
                                const peers::SixteenBytes<T>* x, std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  peers::SixteenBytes<T> gradient = dy[i];
  const peers::SixteenBytes<T> at = x[i];
  for (int k = 0; k < static_cast<int>(16 / sizeof(T)); ++k) {
    const float value = at.values[k];
    gradient.values[k] = value > -1 && value < 1 ? gradient.values[k] : static_cast<T>(value != value ? value : 0.0f);
  }
  dx[i] = gradient;
}

/// How many of n elements of dx are not what hardtanh's derivative makes of dy, which had the values of x.
template <class T>
std::int64_t count_wrong_gradients(const T* dx, const T* x, std::int64_t n) {
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce(
      "check", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, n),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) {
        const double at = x[i], passed = dx[i];
        const double expected = at > -1 && at < 1 ? at : at != at ? at : 0.0;
        sum += !(expected == passed || (expected != expected && passed != passed));
      },
      wrong);
  return wrong;
}

/// Backward against the kernel by hand; in place, dx is dy.
template <class T>
void add_backward(bool in_place) {
  const auto row = [=](benchmark::State& state) {
    const std::int64_t n = options.rows * options.columns, packs = n * sizeof(T) / 16;
    using Span = Kokkos::View<T*, Space, Kokkos::MemoryUnmanaged>;
    auto& [xs, ys] = buffers(n * sizeof(T));
    const Kokkos::View<T*, Space> gradient(Kokkos::view_alloc("dy", Kokkos::WithoutInitializing), n);
    auto* const x = reinterpret_cast<T*>(xs.data());
    auto* const dy = gradient.data();
    auto* const dx = in_place ? dy : reinterpret_cast<T*>(ys.data());
    fill(x, n);
    fill(dy, n);
    const Work candidate = [=](const Space& space) {
      kachel::hardtanh_backward(space, Span(dx, n), Span(dy, n), Span(x, n));
    };
    const Work baseline = [=](const Space& space) {
      using Pack = peers::SixteenBytes<T>;
      backward_kernel<T><<<static_cast<unsigned>((packs + 255) / 256), 256, 0, space.cuda_stream()>>>(
          reinterpret_cast<Pack*>(dx), reinterpret_cast<const Pack*>(dy), reinterpret_cast<const Pack*>(x), packs);
    };
    candidate(Space{});
    const std::int64_t wrong = count_wrong_gradients(dx, x, n);
    if (wrong > 0)
      state.SkipWithError((std::to_string(wrong) + " results are wrong").c_str());
    else
      measure(state, 3.0 * n * sizeof(T), 1, candidate, baseline);
  };
  const std::string name = "views/backward/" + std::string(kachel::type_name<T>()) + "/" +
                           (in_place ? "in place" : "separate") + ", over CUDA by hand";
  benchmark::RegisterBenchmark(name.c_str(), row)->UseManualTime()->Iterations(1);
}

#endif

template <class T>
void add_type() {
  for (const auto& [y, x] : {std::pair(0, 0), {1, 1}, {0, 1}, {1, 0}, {1, 2}, {3, 2}}) add_misaligned<T>(y, x);
  for (const std::int64_t length : {4096, 8191, 100003}) {
    add_pitched<T>(length, length, length + 32);
    add_pitched<T>(length, length + 5, length + 3);
  }
  const std::int64_t rows = options.rows, columns = options.columns / 2;
  add_strided<T>("every second element", {rows, columns, 2 * columns, 2}, {rows, columns, 2 * columns, 2});
  add_strided<T>("input every second element", {rows, columns, columns}, {rows, columns, 2 * columns, 2});
#if defined(KOKKOS_ENABLE_CUDA)
  add_backward<T>(false);
  add_backward<T>(true);
#endif
}

}  // namespace

void add_views() {
  add_type<float>();
  add_type<kachel::bfloat16>();
  add_conversion<kachel::bfloat16, float>();
  add_conversion<float, kachel::bfloat16>();
  add_conversion<kachel::half, double>();
}

}  // namespace bench
