// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/activations/hardsigmoid.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/reference.hpp>
#include <support/typed_lists.hpp>

#include <cmath>
#include <limits>

namespace kachel_test {
namespace {

template <class Space>
class HardSigmoid : public testing::Test {};
TYPED_TEST_SUITE(HardSigmoid, Spaces, Names);

// The sums x + 3 of [0, 6] that a float32 addition can give are those of the multiples of 2^-23 in [-3, 3]: below 1 a
// sum is a multiple of 2^-22, above it of 2^-23 or more. So the formula without a division is proved for every float.
TYPED_TEST(HardSigmoid, EqualsTheDivisionForEveryFloatSum) {
  constexpr std::int64_t begin = -3 << 23, end = (3 << 23) + 1, chunk = 1 << 23;
  for (std::int64_t first = begin; first < end; first += chunk) {
    std::vector<float> x, expected;
    for (std::int64_t i = first; i < std::min(first + chunk, end); ++i) {
      x.push_back(static_cast<float>(i) * 0x1p-23f);
      expected.push_back(Reference<kachel::HardSigmoid>{}(x.back()));
    }
    ASSERT_TRUE(all_same(expected, map_over<TypeParam>(kachel::HardSigmoid{}, x), x));
  }
}

TYPED_TEST(HardSigmoid, IsExactWhereTheLimitsBegin) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> x = {
      -infinity, -3.0f, std::nextafter(-3.0f, 0.0f), -0.0f, 0.0f, std::nextafter(3.0f, 0.0f), 3.0f, infinity};
  const std::vector<float> y = {0.0f, 0.0f, 0x1p-22f / 6, 0.5f, 0.5f, 6 / 6.0f, 1.0f, 1.0f};
  EXPECT_TRUE(all_same(y, map_over<TypeParam>(kachel::HardSigmoid{}, x), x));
}

}  // namespace
}  // namespace kachel_test
