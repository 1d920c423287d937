// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The derivatives in double against differences of the activations themselves, not of their references.
#include <kachel/activations/prelu.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/reference.hpp>
#include <support/rejection.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace kachel_test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon(), dy = -1.75;

/// Of either sign, 2^-8 to 2^8 in magnitude; uneven, so that kinks lie elsewhere. As floats they have digits to spare.
std::vector<double> points() {
  std::vector<double> x;
  for (double magnitude = 0x1.1p-8; magnitude < 256; magnitude *= 1.0127)
    for (const double sign : {-1.0, 1.0}) x.push_back(sign * static_cast<double>(static_cast<float>(magnitude)));
  return x;
}

struct Difference {
  double slope, error;  ///< and its greatest error
};

/// The central difference at x of f, whose results err by `ulp` units of the last place.
template <class Function>
Difference difference(const Function& f, double x, double ulp) {
  // The power of two next to cbrt(epsilon) max(1, |x|), where the formula's error is about that of the results; x + h
  // and x - h are exact.
  const double h = std::ldexp(0x1p-17, std::max(0, std::ilogb(x)));
  const double below = f(x - h), above = f(x + h), slope = (above - below) / (2 * h);
  const double of_twice = (f(x + 2 * h) - f(x - 2 * h)) / (4 * h);
  // The formula's error, h^2 f'''(x) / 6, is a third of what twice the step adds.
  const double of_formula = std::abs(of_twice - slope);
  const double unit =
      std::max(epsilon * std::max(std::abs(below), std::abs(above)), std::numeric_limits<double>::denorm_min());
  const double of_results = ulp * unit / h;
  return {slope, of_formula + 2 * of_results + 2 * epsilon * std::abs(slope)};
}

/// Expects dx(x) to be dy times the slope of f at every point around which f is finite, and counts these.
template <class Function, class Gradient>
std::size_t expect_slopes(const Function& f, const Gradient& dx, double ulp, double gradient_ulp,
                          const std::string& what) {
  std::size_t wrong = 0, compared = 0;
  std::string first;
  for (const double x : points()) {
    const auto [slope, error] = difference(f, x, ulp);
    if (!std::isfinite(error)) continue;
    ++compared;
    const double actual = dx(x), expected = dy * slope;
    const double bound = std::abs(dy) * error + gradient_ulp * epsilon * std::abs(expected);
    if (!(std::abs(actual - expected) <= bound) && wrong++ == 0)
      first = show(x) + " gives " + show(actual) + ", expected " + show(expected) + " within " + show(bound);
  }
  EXPECT_EQ(wrong, 0u) << what << ", first of " << first;
  return compared;
}

struct DerivativesAreDifferences {
  template <class F>
  void operator()() const {
    std::size_t compared = 0;
    for (const F& f : parameter_cases<F>()) compared += check(f);
    EXPECT_GE(compared, points().size() / 3) << F::name << " is hardly ever finite";
  }

  template <class F>
  static std::size_t check(const F& f) {
    const auto value = [&f](double x) { return kachel::Pointwise<F>{}(x, f); };
    const auto from_input = [&f](double x) { return kachel::PointwiseBackward<F>{}(dy, x, f); };
    std::size_t compared = expect_slopes(value, from_input, F::contract.ulp, F::contract.gradient_ulp, show_case(f));
    if constexpr (kachel::HasBackwardFromOutput<F>)
      if (rejection_of([&] { kachel::BackwardFromOutput<F>{f}.check(""); }) == "accepted") {
        const auto from_output = [&](double x) {
          return kachel::PointwiseBackward<F, kachel::Saved::output>{}(dy, value(x), f);
        };
        compared += expect_slopes(value, from_output, F::contract.ulp, 3, show_case(f) + ", from y");
      }
    return compared;
  }
};

TEST(Differences, AreTheDerivativesOfEveryActivation) {
  for_each_type(kachel::Activations{}, DerivativesAreDifferences{});
}

TEST(Differences, AreTheDerivativesOfPReLU) {
  constexpr double ulp = kachel::PReLU::contract.ulp, gradient_ulp = kachel::PReLU::contract.gradient_ulp;
  for (const double w : {0.25, -0.3, 0.0, 1.7}) {
    const auto value = [w](double x) { return kachel::prelu(x, w); };
    const auto gradient = [w](double x) { return kachel::prelu_backward(dy, x, w); };
    expect_slopes(value, gradient, ulp, gradient_ulp, "prelu, w " + show(w));
  }
}

TEST(Differences, AreTheDerivativeOfPReLUByItsSlope) {
  const std::vector<double> x = points();
  const Guarded<FirstHostSpace, double> input(x), gradient(std::vector<double>(x.size(), dy)), output(x),
      sum(std::vector<double>(1));
  for (const double w : {0.25, -0.3, 1.7}) {
    const auto total = [&x](double slope) {
      double sum_of_y = 0;
      for (const double v : x) sum_of_y += kachel::prelu(v, slope);
      return sum_of_y;
    };
    kachel::prelu_backward(output.span(), sum.span(), gradient.span(), input.span(), w);
    // An addition errs by half a unit of a sum that is at most four times the total.
    const auto [slope, error] = difference(total, w, 2.0 * static_cast<double>(x.size()));
    EXPECT_NEAR(sum.values()[0], dy * slope, std::abs(dy) * error) << "w " << w;
  }
}

}  // namespace
}  // namespace kachel_test
