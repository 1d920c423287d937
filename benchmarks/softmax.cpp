// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// softmax of rows of each length, each against a copy of as many bytes, beside what a user writes with Kokkos.
#include "measure.hpp"
#include "workloads.hpp"

#include <kachel/softmax.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace bench {

namespace {

template <class T, class Layout>
using RowsOf = Kokkos::View<T**, Layout, Space, Kokkos::MemoryUnmanaged>;

/// Element i of what rows are filled with: finite, and different from row to row.
template <class T>
KOKKOS_INLINE_FUNCTION T finite_value(std::int64_t i) {
  const auto value = input_value<float>(i);
  return static_cast<T>(value - value == 0 ? value : 1.0f);
}

template <class T>
void fill_finite(T* x, std::int64_t n) {
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, n),
      KOKKOS_LAMBDA(std::int64_t i) { x[i] = finite_value<T>(i); });
}

/// How many elements of the first rows, of the middle ones and of the last are farther from the exact result than
/// rounding explains, of a sum that adds one element after the other.
template <class T, class Layout>
std::int64_t count_wrong_softmax(const RowsOf<T, Layout>& y, const RowsOf<T, Layout>& x) {
  const double rounding = sizeof(T) == 4                    ? 0x1p-21
                          : std::is_same_v<T, kachel::half> ? 0x1p-9
                                                            : 0x1p-6,
               tolerance = rounding + static_cast<double>(y.extent(1)) * 0x1p-25;
  const double smallest = std::is_same_v<T, kachel::half> ? 0x1p-23 : 0;
  std::int64_t wrong = 0;
  for (const std::size_t first :
       {std::size_t{0}, y.extent(0) / 2, y.extent(0) - std::min<std::size_t>(y.extent(0), 4)}) {
    const auto part = std::pair(first, std::min(first + 4, y.extent(0)));
    const auto on_host = [&](const RowsOf<T, Layout>& all) {
      const Kokkos::View<T**, Kokkos::LayoutRight, Space> rows("rows", part.second - part.first, all.extent(1));
      Kokkos::deep_copy(Space(), rows, Kokkos::subview(all, part, Kokkos::ALL));
      return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rows);
    };
    const auto of_y = on_host(y), of_x = on_host(x);
    for (std::size_t row = 0; row < of_x.extent(0); ++row) {
      double sum = 0;
      for (std::size_t i = 0; i < of_x.extent(1); ++i)
        sum += std::exp(static_cast<double>(static_cast<float>(of_x(row, i))));
      for (std::size_t i = 0; i < of_x.extent(1); ++i) {
        const double exact = std::exp(static_cast<double>(static_cast<float>(of_x(row, i)))) / sum;
        wrong += !(std::abs(static_cast<float>(of_y(row, i)) - exact) <= tolerance * exact + smallest);
      }
    }
  }
  return wrong;
}

/// A row of matrices of `length` columns, in a layout: run(space, y, x) calls Kachel or a rival.
template <class T, class Layout, class Run>
void add_rows_of(std::int64_t rows, std::int64_t length, const std::string& candidate, const Run& run) {
  const auto row = [=](benchmark::State& state) {
    const std::int64_t n = rows * length;
    const std::size_t bytes = n * sizeof(T);
    auto& [xs, ys] = buffers(bytes);
    const RowsOf<T, Layout> x(reinterpret_cast<T*>(xs.data()), rows, length),
        y(reinterpret_cast<T*>(ys.data()), rows, length);
    fill_finite(x.data(), n);
    Kokkos::deep_copy(y, static_cast<T>(12345.0f));
    const Work call = [=](const Space& space) { run(space, y, x); };
    call(Space{});
    Kokkos::fence();
    if (const std::int64_t wrong = count_wrong_softmax<T, Layout>(y, x); wrong > 0)
      state.SkipWithError((std::to_string(wrong) + " results are wrong").c_str());
    else
      measure(state, 2.0 * bytes, 1, call, [=](const Space& space) { copy(space, y.data(), x.data(), bytes); });
  };
  register_row("softmax/" + std::string(kachel::detail::type_name<T>()) + "/" + std::to_string(rows) + "x" +
                   std::to_string(length) + (std::is_same_v<Layout, Kokkos::LayoutLeft> ? ",left/" : "/") + candidate,
               row);
}

/// A row by a team of threads: its maximum, its sum, its results, each from memory.
template <class T, class Layout>
struct SoftmaxByTeam {
  RowsOf<T, Layout> y, x;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Space>::member_type& team) const {
    const auto row = team.league_rank();
    const auto length = static_cast<int>(x.extent(1));
    const auto value = [&](int i) { return static_cast<float>(x(row, i)); };
    float most = 0, sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, length), [&](int i, float& own) { own = Kokkos::fmax(own, value(i)); },
        Kokkos::Max<float>(most));
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, length), [&](int i, float& own) { own += Kokkos::exp(value(i) - most); }, sum);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, length),
                         [&](int i) { y(row, i) = static_cast<T>(Kokkos::exp(value(i) - most) / sum); });
  }
};

template <class T, class Layout>
void add_row_lengths(const std::vector<std::int64_t>& lengths) {
  constexpr int log2_most = kachel::detail::is_host_space<Space> ? 25 : 28;
  const std::int64_t n = std::min<std::int64_t>(options.rows * options.columns, std::int64_t{1} << log2_most);
  using Rows = RowsOf<T, Layout>;
  for (const std::int64_t length : lengths) {
    const std::int64_t rows =
        std::max<std::int64_t>(1, n / static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(length))));
    add_rows_of<T, Layout>(rows, length, "kachel",
                           [](const Space& space, const Rows& y, const Rows& x) { kachel::softmax(space, y, x); });
    add_rows_of<T, Layout>(rows, length, "kokkos", [](const Space& space, const Rows& y, const Rows& x) {
      Kokkos::parallel_for("softmax", Kokkos::TeamPolicy<Space>(space, static_cast<int>(x.extent(0)), Kokkos::AUTO),
                           SoftmaxByTeam<T, Layout>{y, x});
    });
  }
}

template <class T>
void add_rows_of_type() {
  add_row_lengths<T, Kokkos::LayoutRight>(
      {10, 40, 49, 256, 577, 768, 1000, 1001, 1024, 2048, 8192, 12288, 32768, 50257, 128256});
  add_row_lengths<T, Kokkos::LayoutLeft>({10, 40, 256, 1000, 4096});
}

}  // namespace

void add_softmax() {
  add_rows_of_type<float>();
  add_rows_of_type<kachel::half>();
  add_rows_of_type<kachel::bfloat16>();
}

}  // namespace bench
