// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion of short arrays: the same bits as conversion of single numbers, for vectorised and other counts.
#include <kachel/detail/types/convert.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/typed_lists.hpp>

#include <vector>

namespace kachel_test {
namespace {

template <int count, class From, class To>
struct ConvertArrays {
  const From* from;
  To* to;
  KOKKOS_FUNCTION void operator()(int i) const { kachel::detail::convert<count>(from + i * count, to + i * count); }
};

template <class Space, int count, class From, class To>
void check_convert(const std::vector<From>& all) {
  const std::vector<From> x(all.begin(), all.begin() + all.size() / count * count);
  std::vector<To> expected;
  for (const From value : x) expected.push_back(static_cast<To>(value));
  // One element off any alignment, as a tile of a misaligned span is.
  const Guarded<Space, From> from(x, 1);
  const Guarded<Space, To> to(std::vector<To>(x.size()), 1);
  Kokkos::parallel_for("convert", Kokkos::RangePolicy<Space>(0, static_cast<int>(x.size() / count)),
                       ConvertArrays<count, From, To>{from.data(), to.data()});
  EXPECT_TRUE(all_same(expected, to.values())) << count << " at a time";
  EXPECT_TRUE(to.untouched_around());
}

template <class Space, class From, class To>
void check_counts(const std::vector<From>& all) {
  check_convert<Space, 1, From, To>(all);
  check_convert<Space, 4, From, To>(all);
  check_convert<Space, 8, From, To>(all);
  check_convert<Space, 64, From, To>(all);
}

template <class C>
class Convert : public testing::Test {};
TYPED_TEST_SUITE(Convert, SpacesAndFloat16, Names);

TYPED_TEST(Convert, EveryPatternToFloatAndDouble) {
  using T = typename TypeParam::Element;
  check_counts<typename TypeParam::Space, T, float>(all_inputs<T>());
  check_counts<typename TypeParam::Space, T, double>(all_inputs<T>());
}

TYPED_TEST(Convert, FloatsAndDoublesOfEverySize) {
  using T = typename TypeParam::Element;
  check_counts<typename TypeParam::Space, float, T>(varied<float>(65539));
  check_counts<typename TypeParam::Space, double, T>(varied<double>(65539));
}

}  // namespace
}  // namespace kachel_test
