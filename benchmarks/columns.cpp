// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// On the CPU, short rows and changes of layout of every number of columns: hardtanh against plain loops that know
/// which strides are 1. The baseline is such a loop, no copy.
#include "measure.hpp"
#include "workloads.hpp"

#include <algorithm>
#include <string>

namespace bench {

#if defined(KOKKOS_ENABLE_CUDA)

void add_columns() {}

#else

namespace {

/// A matrix in memory: a row's elements are neighbours, or a column's. `pitch` elements lie from each row, or column,
/// to the next.
struct Place {
  bool in_rows;
  std::int64_t pitch;

  std::int64_t row() const { return in_rows ? pitch : 1; }
  std::int64_t column() const { return in_rows ? 1 : pitch; }
};

struct Case {
  std::int64_t rows, columns;
  Place y, x;
  bool in_place = false;

  std::int64_t span() const {
    const auto ends = [&](const Place& place) { return (rows - 1) * place.row() + (columns - 1) * place.column() + 1; };
    return std::max(ends(y), ends(x));
  }
};

enum class Outer { rows, columns };

/// As most would write it. NaN is not passed on. Where GCC makes no vectors of it, it makes a branch.
template <class T>
T clamped(T x) {
  return std::max(T{-1}, std::min(x, T{1}));
}

/// The rows [first, last) by the loop that most would write, compiled for any number of columns.
template <Outer outer, bool y_in_rows, bool x_in_rows, class T>
void loop(T* __restrict y, const T* __restrict x, const Case& of, std::int64_t first, std::int64_t last) {
  const Place to{y_in_rows, of.y.pitch}, from{x_in_rows, of.x.pitch};
  const std::int64_t columns = of.columns;
  if constexpr (outer == Outer::rows) {
    for (std::int64_t i = first; i < last; ++i)
      for (std::int64_t j = 0; j < columns; ++j)
        y[i * to.row() + j * to.column()] = clamped(x[i * from.row() + j * from.column()]);
  } else {
    for (std::int64_t j = 0; j < columns; ++j)
      for (std::int64_t i = first; i < last; ++i)
        y[i * to.row() + j * to.column()] = clamped(x[i * from.row() + j * from.column()]);
  }
}

/// The same in place, in rows.
template <class T>
void loop_in_place(T* y, const Case& of, std::int64_t first, std::int64_t last) {
  const std::int64_t columns = of.columns, pitch = of.y.pitch;
  for (std::int64_t i = first; i < last; ++i)
    for (std::int64_t j = 0; j < columns; ++j) y[i * pitch + j] = clamped(y[i * pitch + j]);
}

template <Outer outer, class T>
void run_plain(const Space& space, const Case& of, T* y, const T* x) {
  const std::int64_t threads = space.concurrency();
  Kokkos::parallel_for("plain", Kokkos::RangePolicy<Space>(space, 0, threads), [=](std::int64_t thread) {
    const std::int64_t first = of.rows * thread / threads, last = of.rows * (thread + 1) / threads;
    if (of.in_place)
      loop_in_place(y, of, first, last);
    else if (of.y.in_rows && of.x.in_rows)
      loop<outer, true, true>(y, x, of, first, last);
    else if (of.y.in_rows)
      loop<outer, true, false>(y, x, of, first, last);
    else
      loop<outer, false, true>(y, x, of, first, last);
  });
}

template <Outer outer, class T>
void add_against(const std::string& name, const Case& of) {
  const auto row = [=](benchmark::State& state) {
    auto& [xs, ys] = buffers(of.span() * sizeof(T));
    auto* const y = reinterpret_cast<T*>(ys.data());
    auto* const x = of.in_place ? y : reinterpret_cast<T*>(xs.data());
    const auto view = [&](T* data, const Place& place) {
      return Kokkos::View<T**, Kokkos::LayoutStride, Space, Kokkos::MemoryUnmanaged>(
          data, Kokkos::LayoutStride(of.rows, place.row(), of.columns, place.column()));
    };
    const auto to = view(y, of.y), from = view(x, of.x);
    fill(y, of.span(), first_dy);
    fill(x, of.span());
    kachel::map(Space{}, to, kachel::HardTanh{}, from);
    Kokkos::fence();
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < of.rows; ++i)
      for (std::int64_t j = 0; j < of.columns; ++j) {
        const T given = input_value<T>(i * of.x.row() + j * of.x.column());
        wrong += !same_value(apply(HardTanh{}, given), to(i, j));
      }
    if (wrong > 0)
      state.SkipWithError((std::to_string(wrong) + " results are wrong").c_str());
    else
      measure(
          state, 2.0 * sizeof(T) * static_cast<double>(of.rows * of.columns), 1,
          [=](const Space& space) { kachel::map(space, to, kachel::HardTanh{}, from); },
          [=](const Space& space) { run_plain<outer>(space, of, y, x); });
  };
  register_row("columns/" + std::string(kachel::detail::type_name<T>()) + "/" + name + "/" +
                   std::to_string(of.columns) + "/against " + (outer == Outer::rows ? "rows" : "columns") + " outside",
               row);
}

template <class T>
void add_type() {
  const std::int64_t n = options.rows * options.columns;
  for (std::int64_t columns = 2; columns < 32; ++columns) {
    const Place window{true, columns + 1};
    const Case rows{n / (columns + 1), columns, window, window};
    add_against<Outer::rows, T>("rows", rows);
    Case in_place = rows;
    in_place.in_place = true;
    add_against<Outer::rows, T>("rows in place", in_place);
  }
  for (std::int64_t columns = 3; columns <= 64; ++columns) {
    const std::int64_t rows = n / columns;
    const Place right{true, columns}, left{false, rows};
    for (const auto& [name, to, from] : {std::tuple("to LayoutRight", right, left), {"to LayoutLeft", left, right}}) {
      const Case change{rows, columns, to, from};
      add_against<Outer::rows, T>(name, change);
      add_against<Outer::columns, T>(name, change);
    }
  }
}

}  // namespace

void add_columns() {
  add_type<float>();
  add_type<double>();
}

#endif

}  // namespace bench
