// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operands that are not whole aligned Views of one type: misaligned, in rows, strided, of two types. Each against a
/// copy of the same bytes.
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

  std::int64_t span() const { return offset + std::max(rows * pitch, (rows - 1) * pitch + (length - 1) * stride + 1); }

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
        sum += !same_value(static_cast<Y>(f(value)), y(i / length, i % length));
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
  register_row("views/" + name, row);
}

/// Kachel's hardtanh.
struct Ours {
  template <class Y, class X>
  void operator()(const Space& space, const Matrix<Y>& y, const Matrix<X>& x) const {
    kachel::map(space, y, kachel::HardTanh{}, x);
  }
};

/// Kokkos' own parallel_for over both dimensions, or the one there is.
struct PlainKokkos {
  template <class Y, class X>
  void operator()(const Space& space, const Matrix<Y>& y, const Matrix<X>& x) const {
    using Element = std::remove_const_t<X>;
    if (y.extent(0) == 1)
      Kokkos::parallel_for(
          "plain", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, y.extent(1)),
          KOKKOS_LAMBDA(std::int64_t j) {
            y(0, j) = static_cast<Y>(HardTanh{}(static_cast<kachel::compute_type<Element>>(x(0, j))));
          });
    else
      Kokkos::parallel_for(
          "plain", Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(space, {0, 0}, {y.extent(0), y.extent(1)}),
          KOKKOS_LAMBDA(std::int64_t i, std::int64_t j) {
            y(i, j) = static_cast<Y>(HardTanh{}(static_cast<kachel::compute_type<Element>>(x(i, j))));
          });
  }
};

/// The same with a row a work item, as is usual where rows are short.
struct PlainRows {
  template <class Y, class X>
  void operator()(const Space& space, const Matrix<Y>& y, const Matrix<X>& x) const {
    using Element = std::remove_const_t<X>;
    Kokkos::parallel_for(
        "plain", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, y.extent(0)),
        KOKKOS_LAMBDA(std::int64_t i) {
          for (std::size_t j = 0; j < y.extent(1); ++j)
            y(i, j) = static_cast<Y>(HardTanh{}(static_cast<kachel::compute_type<Element>>(x(i, j))));
        });
  }
};

#if defined(KOKKOS_ENABLE_CUDA)

struct CudaMisaligned {
  template <class T>
  void operator()(const Space& space, const Matrix<T>& y, const Matrix<const T>& x) const {
    peers::cuda_misaligned(space, HardTanh{}, y.data(), x.data(), y.extent(1));
  }
};

#endif

/// The rows of what most users would write, too.
template <class Y, class X, class Baseline>
void add_both(const std::string& name, const Rows& to, const Rows& from, const Baseline& baseline) {
  add<Y, X>(name + "/kachel", to, from, Ours{}, baseline);
  add<Y, X>(name + "/kokkos", to, from, PlainKokkos{}, baseline);
}

template <class T>
void add_misaligned(int y_offset, int x_offset) {
  const std::int64_t n = options.rows * options.columns - 64;
  const Rows to{1, n, n, 1, y_offset}, from{1, n, n, 1, x_offset};
  const std::string name = "misaligned/" + std::string(kachel::detail::type_name<T>()) + "/y+" +
                           std::to_string(y_offset) + ",x+" + std::to_string(x_offset);
  const auto baseline = [=](const Space& space, T* y, const T* x) { copy(space, y, x, n * sizeof(T)); };
  add_both<T, T>(name, to, from, baseline);
#if defined(KOKKOS_ENABLE_CUDA)
  add<T, T>(name + "/cuda", to, from, CudaMisaligned{}, baseline);
#endif
}

template <class T>
void add_pitched(std::int64_t length, std::int64_t y_pitch, std::int64_t x_pitch) {
  const std::int64_t rows = std::max<std::int64_t>(1, options.rows * options.columns / std::max(y_pitch, x_pitch));
  const Rows to{rows, length, y_pitch}, from{rows, length, x_pitch};
  add_both<T, T>("rows/" + std::string(kachel::detail::type_name<T>()) + "/" + std::to_string(length) + " of " +
                     std::to_string(y_pitch) + " and " + std::to_string(x_pitch),
                 to, from, [=](const Space& space, T* y, const T* x) { copy_rows(space, y, to, x, from); });
}

template <class T>
void add_strided(const std::string& name, const Rows& to, const Rows& from) {
  const std::int64_t bytes = to.rows * to.length * sizeof(T);
  const auto baseline = [=](const Space& space, T* y, const T* x) { copy(space, y, x, bytes); };
  const std::string row = "strided/" + std::string(kachel::detail::type_name<T>()) + "/" + name;
  add_both<T, T>(row, to, from, baseline);
  if (to.length < 32) add<T, T>(row + "/kokkos_rows", to, from, PlainRows{}, baseline);
}

template <class Y, class X>
void add_conversion() {
  const std::int64_t n = options.rows * options.columns;
  const Rows all{1, n, n};
  add_both<Y, X>("conversion/" + std::string(kachel::detail::type_name<X>()) + " to " +
                     std::string(kachel::detail::type_name<Y>()),
                 all, all,
                 [=](const Space& space, Y* y, const X* x) { copy(space, y, x, n * (sizeof(X) + sizeof(Y)) / 2); });
}

template <class T>
void add_type() {
  constexpr int half = 8 / sizeof(T), last = 16 / sizeof(T) - 1;
  for (const auto& [y, x] : {std::pair(0, 0), {1, 1}, {0, 1}, {1, 0}, {0, half}, {half, 0}, {1, last}, {last, 1}})
    add_misaligned<T>(y, x);
  for (int x = 2; x < last; ++x)
    if (x != half) add_misaligned<T>(0, x);
  for (const std::int64_t length : {4096 / sizeof(T), std::size_t{8191}, std::size_t{100003}}) {
    add_pitched<T>(length, length, length + 32);
    add_pitched<T>(length, length + 5, length + 3);
  }
  const std::int64_t rows = options.rows, columns = options.columns / 2;
  add_strided<T>("every second element", {rows, columns, 2 * columns, 2}, {rows, columns, 2 * columns, 2});
  add_strided<T>("input every second element", {rows, columns, columns}, {rows, columns, 2 * columns, 2});
  const std::int64_t n = options.rows * options.columns / 4;
  add_strided<T>("3 of 4 columns", {n, 3, 4}, {n, 3, 4});
  add_strided<T>("3 columns, input by columns", {n, 3, 3}, {n, 3, 1, n});
  add_strided<T>("8 of 16 columns", {n / 4, 8, 16}, {n / 4, 8, 16});
}

/// Beside what most users would write for short rows.
template <class T>
void add_beside_rows(const std::string& name, const Rows& to, const Rows& from) {
  const std::int64_t bytes = to.rows * to.length * sizeof(T);
  const auto baseline = [=](const Space& space, T* y, const T* x) { copy(space, y, x, bytes); };
  add<T, T>(name + "/kachel", to, from, Ours{}, baseline);
  add<T, T>(name + "/kokkos_rows", to, from, PlainRows{}, baseline);
}

/// Short rows of wider matrices, and matrices of few columns between both layouts.
template <class T>
void add_short_rows() {
  const std::int64_t n = options.rows * options.columns / 2;
  const std::string type = std::string(kachel::detail::type_name<T>()) + "/";
  for (const int length : {2, 3, 4, 6, 8, 12, 16, 24, 31}) {
    const Rows window{n / (length + 1), length, length + 1};
    add_beside_rows<T>("windows/" + type + std::to_string(length) + " of " + std::to_string(length + 1), window,
                       window);
  }
  for (const int columns : {3, 8, 24, 64}) {
    const std::int64_t rows = n / columns;
    const Rows right{rows, columns, columns}, left{rows, columns, 1, rows};
    const std::string name = "layouts/" + type + std::to_string(columns) + " columns, ";
    add_beside_rows<T>(name + "to LayoutRight", right, left);
    add_beside_rows<T>(name + "to LayoutLeft", left, right);
  }
}

}  // namespace

void add_views() {
  add_type<float>();
  add_type<kachel::bfloat16>();
  add_short_rows<float>();
  add_short_rows<double>();
  add_short_rows<kachel::half>();
  add_conversion<kachel::bfloat16, float>();
  add_conversion<float, kachel::bfloat16>();
  add_conversion<kachel::half, double>();
}

}  // namespace bench
