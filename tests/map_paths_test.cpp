// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kachel::map over operands that are not dense, not aligned, or not of one order: every path of the access plan, each
// held to a plain loop, with sentinels around and between the elements.
#include <kachel/activations/hardsigmoid.hpp>
#include <kachel/activations/hardtanh.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/shape.hpp>
#include <support/typed_lists.hpp>

#include <string>
#include <vector>

namespace kachel_test {
namespace {

/// y = f(x) for one shape of each, at every misalignment of both that a 16-byte access can have, then in place.
template <class Space, class T, class F>
void check(const F& f, const Shape& y, const Shape& x, int step = 1) {
  const std::vector<T> values = varied<T>(x.span()), before = varied<T>(y.span(), 7);
  const int offsets = kachel::detail::is_host_space<Space> ? 2 : 16 / static_cast<int>(sizeof(T));
  for (int y_offset = 0; y_offset < offsets; y_offset += step)
    for (int x_offset = 0; x_offset < offsets; x_offset += step) {
      const Guarded<Space, T> input(values, x_offset), output(before, y_offset);
      kachel::map(Space{}, view<Space>(output.data(), y), f, view<Space, const T>(input.data(), x));
      std::vector<T> expected = before;
      for (std::size_t i = 0; i < x.count(); ++i)
        expected[y.place(i)] = kachel::detail::evaluate<T>(f, static_cast<kachel::compute_type<T>>(values[x.place(i)]));
      ASSERT_TRUE(all_same(expected, output.values())) << "misaligned by " << y_offset << " and " << x_offset;
      ASSERT_TRUE(output.untouched_around() && input.untouched());
    }
  const Guarded<Space, T> both(values, 1);
  kachel::map(Space{}, view<Space>(both.data(), x), f, view<Space>(both.data(), x));
  std::vector<T> expected = values;
  for (std::size_t i = 0; i < x.count(); ++i)
    expected[x.place(i)] = kachel::detail::evaluate<T>(f, static_cast<kachel::compute_type<T>>(values[x.place(i)]));
  ASSERT_TRUE(all_same(expected, both.values())) << "in place";
}

/// A functor whose short rows a host copies.
struct Costly {
  static constexpr kachel::Cost cost = kachel::Cost::high;
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return kachel::HardTanh{}(x);
  }
};

template <class C>
class MapPaths : public testing::Test {
 public:
  static void check(const Shape& y, const Shape& x, int step = 1) {
    SCOPED_TRACE(testing::PrintToString(y.extents) + " y " + testing::PrintToString(y.strides) + " x " +
                 testing::PrintToString(x.strides));
    kachel_test::check<typename C::Space, typename C::Element>(kachel::HardSigmoid{}, y, x, step);
    kachel_test::check<typename C::Space, typename C::Element>(Costly{}, y, x, step);
  }
};
TYPED_TEST_SUITE(MapPaths, SpacesAndElements, Names);

TYPED_TEST(MapPaths, DenseAtEveryMisalignment) {
  for (const std::size_t n : {1, 2, 7, 15, 16, 17, 31, 33, 64, 127, 129, 1000}) this->check({{n}, {1}}, {{n}, {1}});
}

TYPED_TEST(MapPaths, RowsOfOnePitchEach) {
  for (const std::size_t n : {1, 3, 16, 63, 65, 130}) {
    this->check({{5, n}, {n, 1}}, {{5, n}, {n + 1, 1}}, 3);
    this->check({{5, n}, {n + 3, 1}}, {{5, n}, {n + 3, 1}}, 3);
    this->check({{5, n}, {n + 32, 1}}, {{5, n}, {n + 17, 1}}, 3);
  }
}

TYPED_TEST(MapPaths, RowsInSeveralDimensions) {
  this->check({{3, 4, 33}, {4 * 40, 40, 1}}, {{3, 4, 33}, {4 * 37 + 5, 37, 1}}, 3);
  this->check({{2, 3, 4, 9}, {400, 120, 11, 1}}, {{2, 3, 4, 9}, {9, 18, 54, 1}}, 3);
}

TYPED_TEST(MapPaths, ManyShortRows) {
  this->check({{200, 3}, {4, 1}}, {{200, 3}, {1, 200}}, 5);
  this->check({{7, 11, 3}, {50, 4, 1}}, {{7, 11, 3}, {1, 7, 77}}, 5);
  this->check({{3, 5, 7, 2}, {213, 35, 5, 2}}, {{3, 5, 7, 2}, {70, 14, 2, 1}}, 5);
  this->check({{30, 20}, {60, 3}}, {{30, 20}, {20, 1}}, 5);
}

TYPED_TEST(MapPaths, EightDimensions) {
  const std::vector<std::size_t> extents = {2, 3, 2, 2, 3, 2, 2, 3};
  this->check({extents, {706, 235, 117, 58, 19, 9, 4, 1}}, {extents, {1, 2, 6, 12, 24, 72, 144, 288}}, 5);
}

TYPED_TEST(MapPaths, StridedElements) {
  for (const std::size_t n : {1, 5, 64, 100}) {
    this->check({{n}, {2}}, {{n}, {1}}, 5);
    this->check({{n}, {1}}, {{n}, {3}}, 5);
    this->check({{n, 3}, {10, 3}}, {{n, 3}, {7, 2}}, 5);
  }
}

TYPED_TEST(MapPaths, MixedLayouts) {
  this->check({{37, 19}, {19, 1}}, {{37, 19}, {1, 37}}, 5);
  this->check({{5, 6, 7}, {1, 5, 30}}, {{5, 6, 7}, {42, 7, 1}}, 5);
}

TYPED_TEST(MapPaths, RowsOfEveryShortLength) {
  for (std::size_t n = 1; n <= 40; ++n) {
    this->check({{61, n}, {n + 1, 1}}, {{61, n}, {n + 2, 1}}, 11);
    this->check({{5, 13, n}, {14 * (n + 1) + 3, n + 1, 1}}, {{5, 13, n}, {13 * n, n, 1}}, 11);
  }
}

TYPED_TEST(MapPaths, LongRowsThatEndWithinATile) {
  for (const std::size_t n : {511, 1025, 1100, 5000}) this->check({{4, n}, {n + 7, 1}}, {{4, n}, {n + 1, 1}}, 11);
}

TYPED_TEST(MapPaths, ChangesOfLayout) {
  for (const std::size_t columns : {2, 3, 4, 5, 7, 8, 9, 16, 17, 24, 33, 64, 70}) {
    this->check({{203, columns}, {columns, 1}}, {{203, columns}, {1, 203}}, 11);
    this->check({{203, columns}, {1, 203}}, {{203, columns}, {columns, 1}}, 11);
    this->check({{203, columns}, {columns + 1, 1}}, {{203, columns}, {1, 207}}, 11);
    this->check({{61, columns}, {1, 67}}, {{61, columns}, {columns + 5, 1}}, 11);
  }
}

TYPED_TEST(MapPaths, BlocksInSeveralDimensions) {
  this->check({{3, 700, 5}, {3500, 5, 1}}, {{3, 700, 5}, {3500, 1, 700}}, 11);
  this->check({{3, 700, 5}, {3500, 1, 700}}, {{3, 700, 5}, {3500, 5, 1}}, 11);
  this->check({{150, 170}, {170, 1}}, {{150, 170}, {1, 150}}, 11);
  this->check({{40, 30, 20}, {600, 20, 1}}, {{40, 30, 20}, {1, 40, 1200}}, 11);
  this->check({{40, 30, 20}, {600, 20, 1}}, {{40, 30, 20}, {20, 800, 1}}, 11);
  this->check({{25, 30, 20}, {1300, 42, 2}}, {{25, 30, 20}, {1, 29, 900}}, 11);
}

TYPED_TEST(MapPaths, InputsThatRepeatElements) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  for (const std::vector<std::size_t>& extents : {std::vector<std::size_t>{20, 50}, {90, 140}, {300, 3}, {3, 300}})
    for (const std::vector<std::size_t>& strides : {std::vector<std::size_t>{0, 1}, {1, 0}, {0, 0}, {1, 1}, {0, 2}})
      for (const bool by_rows : {true, false}) {
        const Shape x{extents, strides};
        const Shape y{extents,
                      by_rows ? std::vector{extents[1], std::size_t{1}} : std::vector{std::size_t{1}, extents[0]}};
        const std::vector<T> values = varied<T>(x.span());
        const Guarded<Space, T> input(values), output(std::vector<T>(y.count()));
        kachel::map(Space{}, view<Space>(output.data(), y), kachel::HardTanh{}, view<Space, const T>(input.data(), x));
        std::vector<T> expected(y.count());
        for (std::size_t i = 0; i < y.count(); ++i)
          expected[y.place(i)] =
              kachel::detail::evaluate<T>(kachel::HardTanh{}, static_cast<kachel::compute_type<T>>(values[x.place(i)]));
        EXPECT_TRUE(all_same(expected, output.values()))
            << testing::PrintToString(extents) << testing::PrintToString(strides) << by_rows;
      }
}

struct ValueAndNegative {
  template <class T>
  KOKKOS_FUNCTION Kokkos::Array<T, 2> operator()(T a, T b) const {
    return {kachel::HardTanh{}(a), -b};
  }
};

// Blocks of several arrays, of which some are copied and some are not.
TYPED_TEST(MapPaths, ArraysOfSeveralLayouts) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  const std::vector<std::size_t> extents = {23, 600};
  const std::vector<std::size_t> layouts[] = {{600, 1}, {1, 23}, {609, 1}, {3, 70}}, repeated = {1, 0};
  for (const auto& y1_strides : layouts)
    for (const auto& y2_strides : layouts)
      for (const auto& a_strides : {layouts[0], layouts[1], layouts[3], repeated}) {
        const Shape y1{extents, y1_strides}, y2{extents, y2_strides}, a{extents, a_strides};
        const std::vector<T> values = varied<T>(a.span()), before = varied<T>(y2.span(), 7);
        std::vector<T> y1_expected = varied<T>(y1.span(), 5), y2_expected = before;
        // The second output is the second input.
        const Guarded<Space, T> input(values), first(y1_expected), second(before);
        // As an activation calls it: what repeats is copied too.
        kachel::detail::map_or_explain<kachel::detail::Extents::equal>(
            Space{}, std::tuple(view<Space>(first.data(), y1), view<Space>(second.data(), y2)), ValueAndNegative{},
            nullptr, view<Space, const T>(input.data(), a), view<Space>(second.data(), y2));
        for (std::size_t i = 0; i < y1.count(); ++i) {
          using Value = kachel::compute_type<T>;
          const auto results =
              ValueAndNegative{}(static_cast<Value>(values[a.place(i)]), static_cast<Value>(before[y2.place(i)]));
          y1_expected[y1.place(i)] = static_cast<T>(results[0]);
          y2_expected[y2.place(i)] = static_cast<T>(results[1]);
        }
        EXPECT_TRUE(all_same(y1_expected, first.values()) && all_same(y2_expected, second.values()));
      }
}

}  // namespace
}  // namespace kachel_test
