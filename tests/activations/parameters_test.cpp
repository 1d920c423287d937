// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What parameters the activations reject, and which of the unusual ones they accept.
#include <kachel/activations/list.hpp>

#include <gtest/gtest.h>
#include <support/rejection.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace kachel_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

/// Whether every form of one number gives NaN.
template <class T, class F>
bool gives_nan(const F& f) {
  const T x(0.75f);
  const kachel::Pack<T, 4> pack(x);
  const auto is_nan = [](T y) { return std::isnan(static_cast<float>(y)); };
  const T results[] = {kachel::Pointwise<F>{}(x, f), kachel::Pointwise<F>{}(pack, f)[3],
                       kachel::PointwiseBackward<F>{}(x, x, f), kachel::PointwiseBackward<F>{}(pack, pack, f)[3]};
  const bool first = is_nan(results[0]);
  for (const T& y : results) EXPECT_EQ(is_nan(y), first);
  return first;
}

/// What a call of arrays throws; one of numbers gives NaN instead.
template <class F>
std::string rejection(const F& f) {
  const std::string said = rejection_of([&] { kachel::detail::check_parameters(f, F::name); });
  const bool rejected = said != "accepted";
  EXPECT_EQ(gives_nan<float>(f), rejected) << said;
  EXPECT_EQ(gives_nan<double>(f), rejected) << said;
  EXPECT_EQ(gives_nan<kachel::half>(f), rejected) << said;
  EXPECT_EQ(gives_nan<kachel::bfloat16>(f), rejected) << said;
  return said;
}

/// The same of the derivative from the output.
template <class F>
std::string rejection_from_output(const F& f) {
  const std::string said =
      rejection_of([&] { kachel::detail::check_parameters(kachel::BackwardFromOutput<F>{f}, F::name); });
  const bool rejected = said != "accepted";
  const kachel::PointwiseBackward<F, kachel::Saved::output> backward;
  const kachel::half x(0.75f);
  EXPECT_EQ(std::isnan(backward(0.75f, 0.75f, f)), rejected) << said;
  EXPECT_EQ(std::isnan(backward(0.75, 0.75, f)), rejected) << said;
  EXPECT_EQ(std::isnan(static_cast<float>(backward(x, x, f))), rejected) << said;
  EXPECT_EQ(std::isnan(backward(kachel::Pack<float, 4>(0.75f), kachel::Pack<float, 4>(0.75f), f)[3]), rejected) << said;
  return said;
}

TEST(Parameters, OfCELU) {
  for (const double alpha : {-0.5, 0.0, 0x1p-101, 0x1p101, infinity, nan})
    EXPECT_NE(rejection(kachel::CELU{alpha}), "accepted") << alpha;
  for (const double alpha : {0x1p-100, 1.0, 0x1p100}) EXPECT_EQ(rejection(kachel::CELU{alpha}), "accepted");
  EXPECT_TRUE(std::isnan(kachel::celu(-0.49682534, {.alpha = -0.5})));
}

TEST(Parameters, OfELU) {
  for (const double alpha : {0x1p-61, -0x1p31, infinity, nan})
    EXPECT_NE(rejection(kachel::ELU{alpha}), "accepted") << alpha;
  for (const double alpha : {0.0, -0x1p-60, 0x1p30}) EXPECT_EQ(rejection(kachel::ELU{alpha}), "accepted");
}

TEST(Parameters, OfSiLU) {
  for (const double beta : {0.0, 0x1p-21, -0x1p21, infinity, nan})
    EXPECT_NE(rejection(kachel::SiLU{beta}), "accepted") << beta;
  for (const double beta : {-1.0, 0x1p-20, 0x1p20}) EXPECT_EQ(rejection(kachel::SiLU{beta}), "accepted");
}

TEST(Parameters, OfSoftplus) {
  for (const double beta : {-1.0, 0.0, 0x1p-31, 0x1p61, nan})
    EXPECT_NE(rejection(kachel::Softplus{.beta = beta}), "accepted") << beta;
  EXPECT_NE(rejection(kachel::Softplus{.threshold = nan}), "accepted");
  for (const double beta : {0x1p-30, 2.0, 0x1p60}) EXPECT_EQ(rejection(kachel::Softplus{.beta = beta}), "accepted");
  EXPECT_EQ(rejection(kachel::Softplus{.threshold = infinity}), "accepted");
}

TEST(Parameters, OfSquareplus) {
  for (const double b : {-1.0, 0.0, 0x1p101, nan}) EXPECT_NE(rejection(kachel::Squareplus{b}), "accepted") << b;
  for (const double b : {0x1p-100, 0x1p100}) EXPECT_EQ(rejection(kachel::Squareplus{b}), "accepted");
}

TEST(Parameters, OfIntervals) {
  EXPECT_NE(rejection(kachel::HardTanh{.min_val = 2, .max_val = 1}), "accepted");
  EXPECT_NE(rejection(kachel::HardTanh{.min_val = nan}), "accepted");
  EXPECT_EQ(rejection(kachel::HardTanh{.min_val = 1, .max_val = 1}), "accepted");
  EXPECT_NE(rejection(kachel::Clamp{.min = nan}), "accepted");
  EXPECT_NE(rejection(kachel::Clamp{.max = nan}), "accepted");
  EXPECT_EQ(rejection(kachel::Clamp{.min = 2, .max = 1}), "accepted");
}

TEST(Parameters, OfHardSigmoidAffine) {
  EXPECT_NE(rejection(kachel::HardSigmoidAffine{.alpha = infinity}), "accepted");
  EXPECT_NE(rejection(kachel::HardSigmoidAffine{.beta = nan}), "accepted");
  EXPECT_EQ(rejection(kachel::HardSigmoidAffine{.alpha = -1, .beta = 2}), "accepted");
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
  const auto of_slope = [](double slope) { return rejection_from_output(kachel::LeakyReLU{slope}); };
  EXPECT_EQ(of_slope(0), "leaky_relu: negative_slope is 0, expected negative_slope > 0");
  EXPECT_EQ(of_slope(-1), "leaky_relu: negative_slope is -1, expected negative_slope > 0");
  EXPECT_EQ(of_slope(nan), "leaky_relu: negative_slope is nan, expected a finite number");
  EXPECT_EQ(of_slope(0.01), "accepted");
  const auto of_slopes = [](double lower, double upper) { return rejection_from_output(kachel::RReLU{lower, upper}); };
  EXPECT_EQ(of_slopes(-0.5, 0.5), "rrelu: lower is -0.5 and upper is 0.5, expected lower + upper > 0");
  EXPECT_EQ(of_slopes(-0.25, 0.5), "accepted");
  const auto of_alpha = [](double alpha) { return rejection_from_output(kachel::ELU{alpha}); };
  EXPECT_EQ(of_alpha(-0.5), "elu: alpha is -0.5, expected alpha >= 0");
  EXPECT_EQ(of_alpha(0), "accepted");
}

}  // namespace
}  // namespace kachel_test
