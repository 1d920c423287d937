// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kachel::map of inputs that repeat, along a dimension of the output's, and of indices, held to a plain loop.
#include <kachel/activations/gelu.hpp>
#include <kachel/activations/prelu.hpp>
#include <kachel/explain.hpp>
#include <kachel/map.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/rejection.hpp>
#include <support/shape.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace kachel_test {
namespace {

/// a in the halves of b, and of its sign: what differs where either is another element.
struct Mixed {
  template <class T>
  KOKKOS_FUNCTION T operator()(T a, T b) const {
    return kachel::fma(a, T(0.5), b);
  }
};

/// The same of high cost, so that it may be staged.
struct CostlyMixed : Mixed {
  static constexpr kachel::Cost cost = kachel::Cost::high;
};

/// The same of low cost, so that long rows on a host may take turns.
struct CheapMixed : Mixed {
  static constexpr kachel::Cost cost = kachel::Cost::low;
};

template <class T>
T mixed(T a, T b) {
  return std::fma(a, static_cast<T>(0.5), b);
}

template <class Space>
class MapBroadcast : public testing::Test {};
TYPED_TEST_SUITE(MapBroadcast, Spaces, Names);

/// Runs run(), which makes a call and checks it, by every kernel that the call has, and by the chosen one.
template <class Run>
void by_every_kernel(const Run& run) {
  for (const kachel::Kernel kernel : {kachel::Kernel::direct, kachel::Kernel::staged, kachel::Kernel::rows}) {
    SCOPED_TRACE(to_string(kernel));
    const kachel::ScheduleOverride forced([&](kachel::Schedule& schedule) { schedule.kernel = kernel; });
    try {
      run();
    } catch (const std::invalid_argument&) {  // it has not this kernel
    }
  }
  SCOPED_TRACE("by the chosen kernel");
  run();
}

/// y = f(x, w) of an x of `like`, which y is like too, and of a w that repeats as `of_w` says, a shape with strides of
/// 0. call(y, x, data) makes the call, with the memory of w. By every kernel that the call has.
template <class Space, class T, class Call>
void check(const Shape& like, const Shape& of_w, const Call& call, int offset = 0) {
  SCOPED_TRACE(testing::PrintToString(like.extents) + " w " + testing::PrintToString(of_w.strides));
  const std::vector<T> x = varied<T>(like.span()), w = varied<T>(of_w.span(), 7);
  std::vector<T> expected(like.span());
  for (std::size_t i = 0; i < like.count(); ++i)
    expected[like.place(i)] = static_cast<T>(mixed(static_cast<kachel::compute_type<T>>(x[like.place(i)]),
                                                   static_cast<kachel::compute_type<T>>(w[of_w.place(i)])));
  const Guarded<Space, T> input(x, offset), weights(w, offset);
  by_every_kernel([&] {
    const Guarded<Space, T> output(std::vector<T>(like.span()), offset);
    call(output.data(), input.data(), weights.data());
    EXPECT_TRUE(all_same(expected, output.values()));
    EXPECT_TRUE(output.untouched_around() && input.untouched() && weights.untouched());
  });
}

template <class Space, class T, class Layout>
using Matrix = Kokkos::View<T**, Layout, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class Space, class T>
using Line = Kokkos::View<T*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class Space, class T, class F>
void check_matrix(std::size_t rows, std::size_t columns, int offset = 0) {
  const auto with_layout = [&]<class Layout>(Layout) {
    constexpr bool right = std::is_same_v<Layout, Kokkos::LayoutRight>;
    const Shape like{{rows, columns}, right ? std::vector<std::size_t>{columns, 1} : std::vector<std::size_t>{1, rows}};
    using Array = Matrix<Space, T, Layout>;
    const auto call_with = [&](const auto& weights) {
      return [&, weights](T* y, T* x, T* w) {
        kachel::map(Space{}, Array(y, rows, columns), F{}, Array(x, rows, columns), weights(w));
      };
    };
    const Shape row{like.extents, {0, 1}}, column{like.extents, {1, 0}}, one{like.extents, {0, 0}};
    check<Space, T>(like, row, call_with([&](T* w) { return Line<Space, T>(w, columns); }), offset);
    check<Space, T>(like, row, call_with([&](T* w) { return kachel::along(Line<Space, T>(w, columns), 1); }), offset);
    check<Space, T>(like, row, call_with([&](T* w) { return Array(w, 1, columns); }), offset);
    check<Space, T>(like, column, call_with([&](T* w) { return kachel::along(Line<Space, T>(w, rows), 0); }), offset);
    check<Space, T>(like, column, call_with([&](T* w) { return Array(w, rows, 1); }), offset);
    check<Space, T>(like, column, call_with([&](T* w) {
                      return Kokkos::View<T* [1], Layout, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(w, rows);
                    }),
                    offset);
    check<Space, T>(like, one, call_with([&](T* w) { return Line<Space, T>(w, 1); }), offset);
    check<Space, T>(like, one, call_with([&](T* w) { return kachel::along(Line<Space, T>(w, 1), 0); }), offset);
    check<Space, T>(like, one,
                    call_with([&](T* w) { return Kokkos::View<T, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(w); }),
                    offset);
  };
  with_layout(Kokkos::LayoutRight{});
  with_layout(Kokkos::LayoutLeft{});
}

TYPED_TEST(MapBroadcast, RowsAndColumns) {
  check_matrix<TypeParam, float, Mixed>(64, 256);
  check_matrix<TypeParam, float, CostlyMixed>(48, 1024);
  check_matrix<TypeParam, float, Mixed>(3, 5);
  check_matrix<TypeParam, float, Mixed>(1, 37);
  check_matrix<TypeParam, float, Mixed>(37, 1);
  check_matrix<TypeParam, float, Mixed>(200, 33);
  check_matrix<TypeParam, float, CostlyMixed>(37, 300, 1);
  check_matrix<TypeParam, double, CostlyMixed>(40, 96);
  check_matrix<TypeParam, float, CostlyMixed>(23, 1032);  // rows of no whole blocks, and some in no whole turn
}

TYPED_TEST(MapBroadcast, RowsAndColumnsOfSixteenBits) {
  check_matrix<TypeParam, kachel::bfloat16, Mixed>(64, 256);
  check_matrix<TypeParam, kachel::bfloat16, CostlyMixed>(48, 2048);
  check_matrix<TypeParam, kachel::half, CostlyMixed>(31, 77);
  check_matrix<TypeParam, kachel::bfloat16, CostlyMixed>(27, 1000);
}

TYPED_TEST(MapBroadcast, RowsTooLongForTurnsOnADevice) {
  const std::size_t rows = 11, columns = 220'000;
  const Shape like{{rows, columns}, {columns, 1}};
  using Array = Matrix<TypeParam, float, Kokkos::LayoutRight>;
  check<TypeParam, float>(like, {like.extents, {0, 1}}, [=](float* y, float* x, float* w) {
    kachel::map(TypeParam{}, Array(y, rows, columns), CostlyMixed{}, Array(x, rows, columns),
                Line<TypeParam, float>(w, columns));
  });
}

TYPED_TEST(MapBroadcast, LongRows) {
  for (const bool streams : {false, true}) {
    const kachel::ScheduleOverride forced([&](kachel::Schedule& schedule) { schedule.streams = streams; });
    for (const std::size_t rows : {2, 4, 11}) {
      check_matrix<TypeParam, float, CheapMixed>(rows, 4096 + 48);
      check_matrix<TypeParam, kachel::bfloat16, CheapMixed>(rows, 8192 + 32);
    }
    check_matrix<TypeParam, float, CheapMixed>(5, 20 * 1024);  // more than a block
    check_matrix<TypeParam, float, CheapMixed>(6, 4103);       // rows that begin anywhere
    check_matrix<TypeParam, double, CheapMixed>(7, 2048, 1);
    check_matrix<TypeParam, kachel::half, CheapMixed>(9, 8192, 3);
  }
}

TYPED_TEST(MapBroadcast, Channels) {
  using Images = Kokkos::View<float****, Kokkos::LayoutRight, TypeParam, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const auto check_images = [](std::size_t n, std::size_t c, std::size_t h, std::size_t w) {
    const Shape like{{n, c, h, w}, {c * h * w, h * w, w, 1}};
    check<TypeParam, float>(like, {like.extents, {0, 1, 0, 0}}, [=](float* y, float* x, float* b) {
      kachel::map(TypeParam{}, Images(y, n, c, h, w), CostlyMixed{}, Images(x, n, c, h, w),
                  kachel::along(Line<TypeParam, float>(b, c), 1));
    });
    check<TypeParam, float>(like, {like.extents, {0, w, 0, 1}}, [=](float* y, float* x, float* b) {
      kachel::map(TypeParam{}, Images(y, n, c, h, w), Mixed{}, Images(x, n, c, h, w), Images(b, 1, c, 1, w));
    });
  };
  check_images(3, 4, 8, 16);
  check_images(2, 3, 5, 7);
}

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t limit) { return random() % limit; }

/// Of given extents, in any order, some with gaps.
Shape random_shape(Random& random, const std::vector<std::size_t>& extents) {
  std::vector<std::size_t> order(extents.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
  const bool gaps = below(random, 3) == 0;
  if (below(random, 3) == 0) std::shuffle(order.begin(), order.end(), random);
  Shape shape{extents, std::vector<std::size_t>(extents.size())};
  std::size_t step = gaps ? 1 + below(random, 2) : 1;
  for (const std::size_t dimension : order) {
    shape.strides[dimension] = step;
    step = step * std::max<std::size_t>(1, extents[dimension]) + (gaps ? below(random, 3) : 0);
  }
  return shape;
}

/// An input that repeats to extents: its own shape, and that of how it repeats.
struct Repeating {
  Shape own, repeated;
};

Repeating random_repeating(Random& random, const std::vector<std::size_t>& to) {
  const std::size_t missing = below(random, 2) == 0 ? 0 : below(random, to.size() + 1);
  std::vector<std::size_t> extents(to.begin() + static_cast<std::ptrdiff_t>(missing), to.end());
  for (std::size_t& extent : extents)
    if (below(random, 3) == 0) extent = 1;
  Repeating input{random_shape(random, extents), {to, std::vector<std::size_t>(to.size())}};
  for (std::size_t i = missing; i < to.size(); ++i)
    if (extents[i - missing] != 1) input.repeated.strides[i] = input.own.strides[i - missing];
  return input;
}

struct Sum {
  template <class T>
  KOKKOS_FUNCTION T operator()(T a, T b, T c, std::int64_t i) const {
    return kachel::fma(a, T(0.5), kachel::fma(b, T(2), c)) + T(i);
  }
};

template <class Space, class Y, class A, class B>
void check_random(Random& random) {
  using T = std::conditional_t<std::is_same_v<A, double> || std::is_same_v<B, double>, double, float>;
  std::vector<std::size_t> extents(1 + below(random, 7));
  std::size_t left = 4096;
  for (std::size_t& extent : extents) {
    extent = 1 + below(random, std::min<std::size_t>(left, 70));
    left = std::max<std::size_t>(1, left / extent);
  }
  std::shuffle(extents.begin(), extents.end(), random);
  const Shape to = random_shape(random, extents);
  const Repeating of_a = random_repeating(random, extents), of_b = random_repeating(random, extents),
                  of_c = random_repeating(random, extents);
  const std::size_t dimension = below(random, extents.size());
  Shape of_index{extents, std::vector<std::size_t>(extents.size())};
  of_index.strides[dimension] = 1;
  SCOPED_TRACE(testing::PrintToString(extents) + " y " + testing::PrintToString(to.strides) + " a " +
               testing::PrintToString(of_a.repeated.strides) + " b " + testing::PrintToString(of_b.repeated.strides) +
               " c " + testing::PrintToString(of_c.repeated.strides) + " index " + std::to_string(dimension));
  const std::vector<A> a = varied<A>(of_a.own.span(), random());
  const std::vector<B> b = varied<B>(of_b.own.span(), random());
  const std::vector<float> c = varied<float>(of_c.own.span(), random());
  std::vector<Y> expected(to.span(), Y(111.0f));
  const Guarded<Space, Y> output(expected, static_cast<int>(below(random, 16)));
  const Guarded<Space, A> input_a(a, static_cast<int>(below(random, 16)));
  const Guarded<Space, B> input_b(b, static_cast<int>(below(random, 16)));
  const Guarded<Space, float> input_c(c);
  for (std::size_t i = 0; i < to.count(); ++i)
    expected[to.place(i)] =
        static_cast<Y>(Sum{}(static_cast<T>(a[of_a.repeated.place(i)]), static_cast<T>(b[of_b.repeated.place(i)]),
                             static_cast<T>(c[of_c.repeated.place(i)]), static_cast<std::int64_t>(of_index.place(i))));

  kachel::map(Space{}, array<Space>(output.data(), to), Sum{}, array<Space, const A>(input_a.data(), of_a.own),
              array<Space, const B>(input_b.data(), of_b.own), array<Space, const float>(input_c.data(), of_c.own),
              kachel::index(static_cast<int>(dimension)));
  ASSERT_TRUE(all_same(expected, output.values()));
  ASSERT_TRUE(output.untouched_around() && input_a.untouched() && input_b.untouched() && input_c.untouched());
}

/// 300 calls a case, the same ones in every run, unless KACHEL_RANDOM_SEED names others.
template <class Space, class Y, class A, class B>
void check_random_calls() {
  const char* const seed = std::getenv("KACHEL_RANDOM_SEED");
  Random random(seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10));
  for (int i = 0; i < 300 && !testing::Test::HasFatalFailure(); ++i) {
    SCOPED_TRACE("call " + std::to_string(i));
    check_random<Space, Y, A, B>(random);
  }
}

TYPED_TEST(MapBroadcast, RandomShapes) { check_random_calls<TypeParam, float, float, float>(); }
TYPED_TEST(MapBroadcast, RandomShapesOfMixedTypes) {
  check_random_calls<TypeParam, kachel::half, double, kachel::bfloat16>();
}

/// An element's indices in one number, beside floats alone: indices leave float what it is.
struct Indices {
  KOKKOS_FUNCTION float operator()(float x, std::int64_t i, std::int64_t j) const {
    return x + static_cast<float>(1000 * i + j);
  }
  float operator()(double, std::int64_t, std::int64_t) const = delete;
};

TYPED_TEST(MapBroadcast, IndicesAlongDimensions) {
  for (const auto& [rows, columns] : {std::pair(33, 64), std::pair(5, 7), std::pair(1, 40), std::pair(64, 1),
                                      std::pair(500, 33), std::pair(9000, 3)}) {
    const auto with_layout = [&, rows = rows, columns = columns]<class Layout>(Layout) {
      const Kokkos::View<float**, Layout, TypeParam> x("x", rows, columns), y("y", rows, columns);
      kachel::map(TypeParam{}, y, Indices{}, x, kachel::index(0), kachel::index(1));
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, y);
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) ASSERT_EQ(host(i, j), 1000 * i + j);
    };
    with_layout(Kokkos::LayoutRight{});
    with_layout(Kokkos::LayoutLeft{});
  }
}

/// An element's index in x's place, of high cost, so that it may be staged.
struct CostlyIndex {
  static constexpr kachel::Cost cost = kachel::Cost::high;
  KOKKOS_FUNCTION float operator()(float x, std::int64_t i) const { return x + static_cast<float>(i); }
};

// Of as many rows that several tiles of a thread have the same indices.
TYPED_TEST(MapBroadcast, IndicesBesideInputsByEveryKernel) {
  for (const std::size_t columns : {8, 12, 1024}) {
    const std::size_t rows = 20000 / columns;
    const Shape like{{rows, columns}, {columns, 1}};
    const std::vector<float> x = varied<float>(like.span());
    for (const int dimension : {0, 1}) {
      std::vector<float> expected;
      for (std::size_t i = 0; i < x.size(); ++i)
        expected.push_back(CostlyIndex{}(x[i], static_cast<std::int64_t>(dimension == 0 ? i / columns : i % columns)));
      const Guarded<TypeParam, float> input(x);
      by_every_kernel([&] {
        const Guarded<TypeParam, float> output(std::vector<float>(x.size()));
        kachel::map(TypeParam{}, array<TypeParam>(output.data(), like), CostlyIndex{},
                    array<TypeParam, const float>(input.data(), like), kachel::index(dimension));
        EXPECT_TRUE(all_same(expected, output.values()));
      });
    }
  }
}

/// Reads table[i] of an i that is there, and notes any other.
struct Looked {
  const int* table;
  std::int64_t count;
  int* beyond;
  KOKKOS_FUNCTION int operator()(std::int64_t i) const {
    if (i >= 0 && i < count) return table[i];
    *beyond = 1;
    return -1;
  }
};

TYPED_TEST(MapBroadcast, AnIndexIsAlwaysThatOfAnElement) {
  for (const int count : {1, 3, 37, 1000}) {
    std::vector<int> values;
    for (int i = 0; i < count; ++i) values.push_back(3 * i);
    const Guarded<TypeParam, int> table(values), output(std::vector<int>(values.size()), 1);
    const Guarded<TypeParam, int> beyond({0});
    kachel::map(TypeParam{}, output.span(), Looked{table.data(), count, beyond.data()}, kachel::index(0));
    EXPECT_EQ(output.values(), values);
    EXPECT_EQ(beyond.values()[0], 0);
  }
}

struct Identity {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x;
  }
};

TYPED_TEST(MapBroadcast, OfOneInput) {
  const std::vector<float> values = varied<float>(48);
  const Guarded<TypeParam, float> input(values);
  const Kokkos::View<float**, Kokkos::LayoutRight, TypeParam> y("y", 9, 48);
  const auto check_rows = [&](const auto& element) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, y);
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j < 48; ++j) ASSERT_EQ(to_bits(host(i, j)), to_bits(values[element(i, j)]));
  };
  kachel::map(y, Identity{}, input.span());
  check_rows([](int, int j) { return j; });
  kachel::map(y, Identity{}, Matrix<TypeParam, float, Kokkos::LayoutRight>(input.data(), 9, 1));
  check_rows([](int i, int) { return i; });
  const std::string plan =
      kachel::explain(TypeParam{}, y, Identity{}, Matrix<TypeParam, float, Kokkos::LayoutRight>(input.data(), 9, 1));
  EXPECT_NE(plan.find("strided rows"), std::string::npos) << plan;
  kachel::map(y, Identity{}, kachel::along(Line<TypeParam, float>(input.data(), 9), 0));
  check_rows([](int i, int) { return i; });
  kachel::map(Kokkos::subview(y, 3, Kokkos::ALL), Identity{}, Line<TypeParam, float>(input.data(), 1));
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, y);
  for (int j = 0; j < 48; ++j) EXPECT_EQ(to_bits(host(3, j)), to_bits(values[0]));
}

TYPED_TEST(MapBroadcast, OfEmptyArraysAndOfRank0) {
  const Kokkos::View<float**, TypeParam> empty("empty", 0, 5);
  kachel::map(empty, Mixed{}, empty, Kokkos::View<float*, TypeParam>("w", 5));
  kachel::map(empty, Mixed{}, empty, Kokkos::View<float**, TypeParam>("w", 1, 1));
  const Kokkos::View<float, TypeParam> y("y"), x("x");
  Kokkos::deep_copy(x, 3.0f);
  kachel::map(y, Mixed{}, x, x);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, y);
  EXPECT_EQ(host(), 4.5f);
}

/// Of x, a matrix, and of three rows: one tile each would not fit a block's shared memory as often as x's alone.
struct CostlySum {
  static constexpr kachel::Cost cost = kachel::Cost::high;
  template <class T>
  KOKKOS_FUNCTION T operator()(T x, T a, T b, T c) const {
    return x + (a + (b + c));
  }
};

TYPED_TEST(MapBroadcast, OfSeveralRowsAtOnce) {
  const std::vector<double> x = varied<double>(64 * 96), w = varied<double>(3 * 96, 5);
  std::vector<double> expected;
  for (std::size_t i = 0; i < x.size(); ++i)
    expected.push_back(CostlySum{}(x[i], w[i % 96], w[96 + i % 96], w[192 + i % 96]));
  const Guarded<TypeParam, double> input(x), weights(w);
  const auto row = [&](std::size_t k) { return view<TypeParam, const double>(weights.data() + k * 96, {{96}, {1}}); };
  by_every_kernel([&] {
    const Guarded<TypeParam, double> output(std::vector<double>(x.size()));
    kachel::map(TypeParam{}, view<TypeParam>(output.data(), {{64, 96}, {96, 1}}), CostlySum{},
                view<TypeParam, const double>(input.data(), {{64, 96}, {96, 1}}), row(0), row(1), row(2));
    EXPECT_TRUE(all_same(expected, output.values()));
  });
}

TEST(CyclicInput, CountsBeyond32Bits) {
  kachel::detail::Plan plan;
  plan.size = std::int64_t{1} << 32;
  plan.rank = 1;
  plan.extents[0] = plan.size;
  plan.strides[0][0] = plan.strides[1][0] = 1;
  bool fits = true;
  const auto index = kachel::detail::cyclic_input<8, 1>(plan, kachel::detail::IndexCursor<1>{}, fits);
  EXPECT_TRUE(fits && index.cycles.by_tile);
  EXPECT_EQ(index.cycles.place_of((1 << 29) - 1), (1 << 29) - 1);
}

TYPED_TEST(MapBroadcast, OfRank8AndStaticExtents) {
  const Kokkos::View<float[2][3][2][3][2][1][3][2], TypeParam> x("x"), y("y");
  const Kokkos::View<float[3][1][1][3][1], TypeParam> w("w");
  Kokkos::deep_copy(x, 2.0f);
  const auto own = Kokkos::create_mirror_view(w);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) own(i, 0, 0, j, 0) = static_cast<float>(10 * i + j);
  Kokkos::deep_copy(w, own);
  kachel::map(y, Mixed{}, x, w);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, y);
  for (int a = 0; a < 2; ++a)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_EQ(host(a, 1, 1, i, 1, 0, j, a), 1 + 10 * i + j);
}

// As a View that was made to repeat before.
TYPED_TEST(MapBroadcast, OfViewsWithAStrideOf0) {
  const std::vector<float> values = varied<float>(96);
  const Guarded<TypeParam, float> x(values), w(values), y(values);
  const Shape like{{4, 24}, {24, 1}}, of_w{{4, 24}, {0, 1}};
  kachel::map(TypeParam{}, view<TypeParam>(y.data(), like), Mixed{}, view<TypeParam, const float>(x.data(), like),
              view<TypeParam, const float>(w.data(), of_w));
  std::vector<float> expected;
  for (std::size_t i = 0; i < 96; ++i) expected.push_back(mixed(values[i], values[i % 24]));
  EXPECT_TRUE(all_same(expected, y.values()));
}

struct FirstAlone {
  template <class T>
  KOKKOS_FUNCTION T operator()(T a, T) const {
    return a;
  }
};

TYPED_TEST(MapBroadcast, OfAnInputThatIsNotRead) {
  const std::vector<float> values = varied<float>(640);
  const Guarded<TypeParam, float> x(values), w(values), y(std::vector<float>(640));
  using Array = Matrix<TypeParam, float, Kokkos::LayoutRight>;
  kachel::map(TypeParam{}, Array(y.data(), 10, 64), FirstAlone{}, Array(x.data(), 10, 64),
              Line<TypeParam, float>(w.data(), 64));
  EXPECT_TRUE(all_same(values, y.values()));
}

TYPED_TEST(MapBroadcast, InPlace) {
  const std::vector<float> values = varied<float>(640), weights = varied<float>(64, 3);
  const Guarded<TypeParam, float> x(values), w(weights);
  using Array = Matrix<TypeParam, float, Kokkos::LayoutRight>;
  kachel::map(TypeParam{}, Array(x.data(), 10, 64), Mixed{}, Array(x.data(), 10, 64),
              Line<TypeParam, float>(w.data(), 64));
  std::vector<float> expected;
  for (std::size_t i = 0; i < 640; ++i) expected.push_back(mixed(values[i], weights[i % 64]));
  EXPECT_TRUE(all_same(expected, x.values()));
}

/// Both of Mixed's numbers in turn.
struct MixedBothWays {
  template <class T>
  KOKKOS_FUNCTION Kokkos::Array<T, 2> operator()(T a, T b) const {
    return {Mixed{}(a, b), Mixed{}(b, a)};
  }
};

// Of rows that are long, that fit a tile, and that do not.
TYPED_TEST(MapBroadcast, ToSeveralOutputs) {
  for (const std::size_t columns : {8, 33, 64, 1024}) {
    const Shape like{{10, columns}, {columns, 1}};
    const std::vector<float> x = varied<float>(like.span()), row = varied<float>(columns, 3),
                             column = varied<float>(10, 5);
    const Guarded<TypeParam, float> input(x), of_row(row), of_column(column);
    for (const bool by_row : {true, false}) {
      std::vector<float> first, second;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const float w = by_row ? row[i % columns] : column[i / columns];
        first.push_back(mixed(x[i], w));
        second.push_back(mixed(w, x[i]));
      }
      by_every_kernel([&] {
        const Guarded<TypeParam, float> a(std::vector<float>(x.size())), b(std::vector<float>(x.size()));
        const std::tuple outputs(array<TypeParam>(a.data(), like), array<TypeParam>(b.data(), like));
        const Shape of_w = by_row ? Shape{{columns}, {1}} : Shape{{10, 1}, {1, 1}};
        kachel::map(TypeParam{}, outputs, MixedBothWays{}, array<TypeParam, const float>(input.data(), like),
                    array<TypeParam, const float>(by_row ? of_row.data() : of_column.data(), of_w));
        EXPECT_TRUE(all_same(first, a.values()));
        EXPECT_TRUE(all_same(second, b.values()));
      });
    }
  }
}

TYPED_TEST(MapBroadcast, RefusesWhatDoesNotRepeat) {
  const Kokkos::View<float**, Kokkos::LayoutRight, TypeParam> y("y", 4, 6), x("x", 4, 6);
  const auto message = [&](const auto& w) { return rejection_of([&] { kachel::map(y, Mixed{}, x, w); }); };
  const std::string expected = " as y has, expected each from the last on to be the same, or 1, or missing";
  EXPECT_EQ(message(Kokkos::View<float*, TypeParam>("w", 4)),
            "kachel::map: x2 has extents (4), which do not repeat to (4, 6)" + expected +
                "; kachel::along(x2, 0) puts it along dimension 0");
  EXPECT_EQ(message(Kokkos::View<float**, TypeParam>("w", 2, 6)),
            "kachel::map: x2 has extents (2, 6), which do not repeat to (4, 6)" + expected);
  EXPECT_EQ(message(Kokkos::View<float**, TypeParam>("w", 6, 4)),
            "kachel::map: x2 has extents (6, 4), which do not repeat to (4, 6)" + expected +
                "; with its dimensions in the order of y's it fits");
  EXPECT_EQ(
      message(Kokkos::View<float**, TypeParam>("w", 1, 4)),
      "kachel::map: x2 has extents (1, 4), which do not repeat to (4, 6)" + expected + "; with extents (4, 1) it fits");
  EXPECT_EQ(message(Kokkos::DynRankView<float, TypeParam>("w", 1, 4, 6)),
            "kachel::map: x2 has extents (1, 4, 6), more dimensions than (4, 6)" + expected +
                "; with extents (4, 6) it fits");
  EXPECT_EQ(message(Kokkos::DynRankView<float, TypeParam>("w", 4, 6, 2)),
            "kachel::map: x2 has extents (4, 6, 2), more dimensions than (4, 6)" + expected);
  EXPECT_EQ(message(Kokkos::View<float*, TypeParam>("w", 0)),
            "kachel::map: x2 has extents (0), which do not repeat to (4, 6)" + expected);
  EXPECT_EQ(
      message(kachel::along(Kokkos::View<float*, TypeParam>("w", 6), 0)),
      "kachel::map: x2 has extents (6), expected (1) or (4): it is along dimension 0 of y, whose extents are (4, 6)");
  EXPECT_EQ(message(kachel::along(Kokkos::View<float*, TypeParam>("w", 6), 2)),
            "kachel::map: x2 is along dimension 2, expected 0 or 1, counted from the first of (4, 6) as y has");
  EXPECT_EQ(message(kachel::along(Kokkos::View<float*, TypeParam>("w", 6), -1)),
            "kachel::map: x2 is along dimension -1, expected 0 or 1, counted from the first of (4, 6) as y has");
  EXPECT_EQ(message(Kokkos::View<float*, TypeParam>()),
            "kachel::map: x2 has extents (0), which do not repeat to (4, 6)" + expected);
  EXPECT_EQ(message(Line<TypeParam, float>(nullptr, 6)), "kachel::map: x2 is a null pointer, expected 6 elements");
  EXPECT_EQ(message(Line<TypeParam, float>(nullptr, 1)), "kachel::map: x2 is a null pointer, expected 1 element");
  EXPECT_EQ(rejection_of([&] { kachel::map(y, Indices{}, x, kachel::index(0), kachel::index(2)); }),
            "kachel::map: x3 is along dimension 2, expected 0 or 1, counted from the first of (4, 6) as y has");
  EXPECT_EQ(rejection_of([&] { kachel::map(y, Indices{}, x, kachel::index(-1), kachel::index(0)); }),
            "kachel::map: x2 is along dimension -1, expected 0 or 1, counted from the first of (4, 6) as y has");
}

TYPED_TEST(MapBroadcast, RefusesWhatDoesNotRepeatToOtherRanks) {
  const Kokkos::View<float, TypeParam> number("y");
  const Kokkos::View<float*, TypeParam> line("y", 6), one("x", 1);
  const Kokkos::View<float***, Kokkos::LayoutRight, TypeParam> cube("y", 4, 6, 2);
  const Kokkos::View<float**, Kokkos::LayoutRight, TypeParam> plane("x", 4, 6), nowhere;
  const std::string expected = " as y has, expected each from the last on to be the same, or 1, or missing";
  EXPECT_EQ(rejection_of([&] { kachel::map(cube, Mixed{}, cube, plane); }),
            "kachel::map: x2 has extents (4, 6), which do not repeat to (4, 6, 2)" + expected +
                "; with extents (4, 6, 1) it fits");
  EXPECT_EQ(rejection_of([&] { kachel::map(cube, Mixed{}, cube, line); }),
            "kachel::map: x2 has extents (6), which do not repeat to (4, 6, 2)" + expected +
                "; kachel::along(x2, 1) puts it along dimension 1");
  EXPECT_EQ(rejection_of([&] { kachel::map(cube, Mixed{}, cube, kachel::along(one, 3)); }),
            "kachel::map: x2 is along dimension 3, expected 0 to 2, counted from the first of (4, 6, 2) as y has");
  EXPECT_EQ(rejection_of([&] { kachel::map(line, Mixed{}, line, kachel::along(one, 1)); }),
            "kachel::map: x2 is along dimension 1, expected 0, counted from the first of (6) as y has");
  EXPECT_EQ(rejection_of([&] { kachel::map(number, Mixed{}, number, kachel::along(one, 0)); }),
            "kachel::map: x2 is along dimension 0, expected a number, since y has no dimension");
  const Kokkos::DynRankView<float, TypeParam> single("x", 1), scalar("y");
  EXPECT_EQ(rejection_of([&] { kachel::map(scalar, Mixed{}, scalar, single); }),
            "kachel::map: x2 has extents (1), more dimensions than ()" + expected + "; with extents () it fits");
  EXPECT_EQ(rejection_of([&] { kachel::map(line, Mixed{}, line, Kokkos::DynRankView<float, TypeParam>("x", 4, 6)); }),
            "kachel::map: x2 has extents (4, 6), more dimensions than (6)" + expected + "; y does not repeat");
  EXPECT_EQ(rejection_of([&] { kachel::map(Kokkos::View<float**, TypeParam>("y", 1, 6), Mixed{}, plane, plane); }),
            "kachel::map: x1 has extents (4, 6), which do not repeat to (1, 6)" + expected + "; y does not repeat");
  EXPECT_EQ(rejection_of([&] { kachel::map(nowhere, Mixed{}, plane, plane); }),
            "kachel::map: x1 has extents (4, 6), which do not repeat to (0, 0) as y has, which is a null pointer, "
            "expected each from the last on to be the same, or 1, or missing");
}

TYPED_TEST(MapBroadcast, RefusesAnOutputsMemoryThatWouldRepeat) {
  const Kokkos::View<float**, Kokkos::LayoutRight, TypeParam> y("y", 4, 6), x("x", 4, 6);
  EXPECT_EQ(rejection_of([&] { kachel::map(y, Mixed{}, x, Kokkos::subview(y, 0, Kokkos::ALL)); }),
            "kachel::map: x2 overlaps y: both begin at one address, expected no element in common, since it repeats: "
            "pass a copy of it");
  EXPECT_EQ(rejection_of([&] { kachel::map(y, Mixed{}, x, Kokkos::subview(y, 1, std::pair(0, 1))); }),
            "kachel::map: x2 overlaps y: it begins 24 bytes after it, expected no element in common, since it repeats: "
            "pass a copy of it");
  EXPECT_EQ(rejection_of([&] { kachel::map(x, Mixed{}, y, kachel::along(Kokkos::subview(x, Kokkos::ALL, 0), 0)); }),
            "kachel::map: x2 overlaps y: both begin at one address, expected no element in common, since it repeats: "
            "pass a copy of it");
}

// What is refused without broadcasting stays refused.
TYPED_TEST(MapBroadcast, IsNotForActivations) {
  const Kokkos::View<float**, TypeParam> y("y", 4, 6), one("one", 1, 6);
  EXPECT_EQ(rejection_of([&] { kachel::gelu(TypeParam{}, y, one); }),
            "kachel::gelu: x has extents (1, 6), expected (4, 6) as y has");
  EXPECT_EQ(rejection_of([&] { kachel::gelu_backward(TypeParam{}, y, one, y); }),
            "kachel::gelu_backward: dy has extents (1, 6), expected (4, 6) as dx has");
  EXPECT_EQ(rejection_of([&] { kachel::prelu(TypeParam{}, y, one, 0.5); }),
            "kachel::prelu: x has extents (1, 6), expected (4, 6) as y has");
}

}  // namespace
}  // namespace kachel_test
