// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/activations/hardswish.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/reference.hpp>
#include <support/typed_lists.hpp>
#include <support/ulp.hpp>

#include <algorithm>
#include <limits>

namespace kachel_test {
namespace {

template <class Space>
class HardSwish : public testing::Test {};
TYPED_TEST_SUITE(HardSwish, Spaces, Names);

TYPED_TEST(HardSwish, IsExactWhereTheLimitsBegin) {
  const float infinity = std::numeric_limits<float>::infinity(), largest = std::numeric_limits<float>::max();
  const std::vector<float> x = {-infinity, -largest, -3.0f, -0.0f, 0.0f, 3.0f, largest, infinity};
  const std::vector<float> y = {-0.0f, -0.0f, -0.0f, -0.0f, 0.0f, 3.0f, largest, infinity};
  EXPECT_TRUE(all_same(y, map_over<TypeParam>(kachel::HardSwish{}, x), x));
}

// Where x + 3 rounds, and by more than a hair: the errors of x + 3, of its sixth and of the product come together.
TEST(HardSwishFunctor, IsWithinItsContractForAThirdOfTheFloats) {
  constexpr std::uint32_t steps = 1 << 21;
  const std::uint32_t begin = to_bits(0x1p-12f), end = to_bits(3.0f);
  double largest = 0;
  for (const float sign : {-1.0f, 1.0f})
    for (std::uint32_t first = begin; first < end; first += 3 * steps) {
      std::vector<float> x;
      for (std::uint32_t i = 0; i < steps; ++i) x.push_back(sign * from_bits<float>(first + 3 * i));
      const std::vector<float> y = map_over<FirstHostSpace>(kachel::HardSwish{}, x);
      for (std::size_t i = 0; i < x.size(); ++i)
        largest = std::max(largest, ulp_error(y[i], Reference<kachel::HardSwish>{}.value(static_cast<double>(x[i]))));
    }
  EXPECT_LE(largest, kachel::HardSwish::contract.ulp);
}

// x / 2 and a little more, the square of the smallest bfloat16.
TEST(HardSwishFunctor, RoundsAHalfWayCaseByWhatFloatDrops) {
  using kachel::bfloat16;
  const std::pair<int, int> cases[] = {{0x0001, 0x0001}, {0x8001, 0x8000}};  // above half way, below it
  for (const auto& [x, y] : cases) {
    const auto number = bfloat16::from_bits(static_cast<std::uint16_t>(x));
    EXPECT_EQ(kachel::hardswish(number).bits(), y);
    EXPECT_EQ(kachel::detail::evaluate<bfloat16>(kachel::HardSwish{}, static_cast<float>(number)).bits(), y);
  }
}

}  // namespace
}  // namespace kachel_test
