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

template <class C>
class MapPaths : public testing::Test {
 public:
  static void check(const Shape& y, const Shape& x, int step = 1) {
    SCOPED_TRACE(testing::PrintToString(y.extents) + " y " + testing::PrintToString(y.strides) + " x " +
                 testing::PrintToString(x.strides));
    kachel_test::check<typename C::Space, typename C::Element>(kachel::HardSigmoid{}, y, x, step);
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

TYPED_TEST(MapPaths, InputsThatRepeatElements) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  const std::vector<T> row = varied<T>(50);
  const Guarded<Space, T> input(row), output(std::vector<T>(20 * 50));
  kachel::map(Space{}, view<Space>(output.data(), {{20, 50}, {50, 1}}), kachel::HardTanh{},
              view<Space, const T>(input.data(), {{20, 50}, {0, 1}}));
  std::vector<T> expected;
  for (int i = 0; i < 20; ++i)
    for (const T value : row)
      expected.push_back(kachel::detail::evaluate<T>(kachel::HardTanh{}, static_cast<kachel::compute_type<T>>(value)));
  EXPECT_TRUE(all_same(expected, output.values()));
}

}  // namespace
}  // namespace kachel_test
