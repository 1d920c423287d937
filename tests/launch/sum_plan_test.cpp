// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How elements are cut into sums, from plain data.
#include <kachel/detail/reduce/sum_plan.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace kachel_test {
namespace {

using kachel::detail::Array;
using kachel::detail::SumPlan;

Array strided(const std::vector<std::size_t>& extents, const std::vector<std::size_t>& strides) {
  Array result{"x", nullptr, 4, static_cast<int>(extents.size()), {}, {}};
  std::copy(extents.begin(), extents.end(), result.extents);
  std::copy(strides.begin(), strides.end(), result.strides);
  return result;
}

/// Extents of the dimensions and strides of one operand.
std::vector<std::vector<std::int64_t>> walk(const SumPlan& plan) {
  return {{plan.extents, plan.extents + plan.rank}, {plan.strides[0], plan.strides[0] + plan.rank}};
}
using Walk = std::vector<std::vector<std::int64_t>>;

SumPlan plan(const Array& operand, int channel) { return kachel::detail::plan_sums({&operand, 1}, channel); }

TEST(SumPlan, JoinsWhatIsWalkedInTheOrderOfTheIndices) {
  const Array dense = strided({2, 3, 4, 5}, {60, 20, 5, 1});
  const SumPlan all = plan(dense, -1), channels = plan(dense, 1);
  EXPECT_EQ(all.channels, 1);
  EXPECT_EQ(all.size, 120);
  EXPECT_EQ(walk(all), (Walk{{120}, {1}}));
  EXPECT_EQ(channels.channels, 3);
  EXPECT_EQ(channels.size, 40);
  EXPECT_EQ(channels.channel_strides[0], 20);
  EXPECT_EQ(walk(channels), (Walk{{20, 2}, {1, 60}}));
  EXPECT_EQ(walk(plan(strided({2, 3, 4}, {1, 2, 6}), -1)), (Walk{{4, 3, 2}, {6, 2, 1}}));
}

TEST(SumPlan, GoesAcrossChannelsThatAreNeighbours) {
  EXPECT_TRUE(plan(strided({9, 8}, {8, 1}), 1).across);
  EXPECT_TRUE(plan(strided({1, 8}, {8, 1}), 1).across);
  EXPECT_TRUE(plan(strided({9, 8, 4}, {32, 1, 8}), 1).across);
  EXPECT_FALSE(plan(strided({9, 7}, {7, 1}), 1).across);
  EXPECT_FALSE(plan(strided({9, 8}, {1, 9}), 1).across);
  EXPECT_FALSE(plan(strided({9, 8, 4}, {32, 4, 1}), 1).across);
  EXPECT_FALSE(plan(strided({9, 8}, {8, 1}), -1).across);
}

TEST(SumPlan, HasADimensionWhereThereIsOneElement) {
  EXPECT_EQ(walk(plan(strided({}, {}), -1)), (Walk{{1}, {0}}));
  EXPECT_EQ(plan(strided({0, 3}, {3, 1}), 1).size, 0);
}

}  // namespace
}  // namespace kachel_test
