// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What parameters the activations reject, and which of the unusual ones they accept.
#include <kachel/activations/list.hpp>

#include <gtest/gtest.h>
#include <support/rejection.hpp>

#include <limits>

namespace kachel_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

template <class F>
std::string rejection(const F& f) {
  return rejection_of([&] { f.check(F::name); });
}

TEST(Parameters, OfHardShrink) {
  EXPECT_EQ(rejection(kachel::HardShrink{.lambd = nan}), "hardshrink: lambd is nan, expected a number that is not NaN");
  for (const double lambd : {-1.0, 0.0, infinity}) EXPECT_EQ(rejection(kachel::HardShrink{lambd}), "accepted");
}

TEST(Parameters, OfSoftShrink) {
  EXPECT_EQ(rejection(kachel::SoftShrink{.lambd = nan}), "softshrink: lambd is nan, expected lambd >= 0");
  EXPECT_EQ(rejection(kachel::SoftShrink{.lambd = -0.5}), "softshrink: lambd is -0.5, expected lambd >= 0");
  for (const double lambd : {-0.0, 0.0, infinity}) EXPECT_EQ(rejection(kachel::SoftShrink{lambd}), "accepted");
}

TEST(Parameters, OfThreshold) {
  EXPECT_EQ(rejection(kachel::Threshold{.threshold = nan}),
            "threshold: threshold is nan and value is 0, expected a threshold that is not NaN");
  for (const double value : {-infinity, nan})
    EXPECT_EQ(rejection(kachel::Threshold{.threshold = -infinity, .value = value}), "accepted");
}

TEST(Parameters, OfLeakyReLU) {
  EXPECT_EQ(rejection(kachel::LeakyReLU{.negative_slope = nan}),
            "leaky_relu: negative_slope is nan, expected a finite number");
  EXPECT_EQ(rejection(kachel::LeakyReLU{.negative_slope = -infinity}),
            "leaky_relu: negative_slope is -inf, expected a finite number");
  for (const double slope : {-1.0, 0.0, 2.0}) EXPECT_EQ(rejection(kachel::LeakyReLU{slope}), "accepted");
}

TEST(Parameters, OfRReLU) {
  EXPECT_EQ(rejection(kachel::RReLU{.lower = 0.5, .upper = 0.25}),
            "rrelu: lower is 0.5 and upper is 0.25, expected lower <= upper, both finite");
  EXPECT_EQ(rejection(kachel::RReLU{.lower = 0, .upper = infinity}),
            "rrelu: lower is 0 and upper is inf, expected lower <= upper, both finite");
  EXPECT_EQ(rejection(kachel::RReLU{.lower = -infinity, .upper = 0}),
            "rrelu: lower is -inf and upper is 0, expected lower <= upper, both finite");
  EXPECT_EQ(rejection(kachel::RReLU{.lower = nan, .upper = 0.25}),
            "rrelu: lower is nan and upper is 0.25, expected lower <= upper, both finite");
  EXPECT_EQ(rejection(kachel::RReLU{.lower = -1, .upper = -1}), "accepted");
}

TEST(Parameters, RReLUHasTheMeanOfSlopesOfAnySize) {
  constexpr double largest = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(kachel::rrelu(-1.0, {.lower = largest, .upper = largest}), -largest);
  EXPECT_EQ(kachel::rrelu(-1.0, {.lower = -largest, .upper = -largest / 2}), 0.75 * largest);
  EXPECT_EQ(kachel::rrelu(-1.0, {.lower = -largest, .upper = largest}), 0);
  EXPECT_EQ(kachel::rrelu(-1.0, {.lower = least, .upper = least}), -least);
  EXPECT_EQ(kachel::rrelu(-1.0, {.lower = least, .upper = 3 * least}), -2 * least);
}

TEST(Parameters, OfDerivativesFromTheOutput) {
  const auto of_slope = [](double slope) {
    return rejection_of([&] { kachel::BackwardFromOutput<kachel::LeakyReLU>{{slope}}.check("leaky_relu"); });
  };
  EXPECT_EQ(of_slope(0), "leaky_relu: negative_slope is 0, expected negative_slope > 0");
  EXPECT_EQ(of_slope(-1), "leaky_relu: negative_slope is -1, expected negative_slope > 0");
  EXPECT_EQ(of_slope(nan), "leaky_relu: negative_slope is nan, expected a finite number");
  EXPECT_EQ(of_slope(0.01), "accepted");
  const auto of_slopes = [](double lower, double upper) {
    return rejection_of([&] { kachel::BackwardFromOutput<kachel::RReLU>{{lower, upper}}.check("rrelu"); });
  };
  EXPECT_EQ(of_slopes(-0.5, 0.5), "rrelu: lower is -0.5 and upper is 0.5, expected lower + upper > 0");
  EXPECT_EQ(of_slopes(-0.25, 0.5), "accepted");
  const auto of_alpha = [](double alpha) {
    return rejection_of([&] { kachel::BackwardFromOutput<kachel::ELU>{{alpha}}.check("elu"); });
  };
  EXPECT_EQ(of_alpha(-0.5), "elu: alpha is -0.5, expected alpha >= 0");
  EXPECT_EQ(of_alpha(0), "accepted");
}

}  // namespace
}  // namespace kachel_test
