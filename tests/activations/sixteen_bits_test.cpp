// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 16-bit results at parameters that bring them where float, or double, has lost the digits that decide.
#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/reference.hpp>

namespace kachel_test {
namespace {

TEST(SixteenBits, EluNextToZeroIsNearerToItThanAlphaX) {
  using kachel::bfloat16;
  for (const kachel::ELU f : {kachel::ELU{0.75}, kachel::ELU{1.5}, kachel::ELU{100}})
    for (const bfloat16 x : all_inputs<bfloat16>()) {
      const bfloat16 expected = correctly_rounded(f, x), given = kachel::elu(x, f);
      if (is_nan(x)) continue;
      EXPECT_EQ(expected.bits(), given.bits()) << f.alpha << ", of " << show(x) << " gives " << show(given);
    }
}

template <class T>
void expect_silu_backward_at_its_minimum(float dy) {
  const kachel::SiLU f{1.2784645};
  const double slope = reference_of<float>(f).derivative(-1.0);
  const T expected = static_cast<T>(static_cast<float>(dy * slope));
  EXPECT_EQ(kachel::silu_backward(T(dy), T(-1.0f), f).bits(), expected.bits()) << slope;
}

TEST(SixteenBits, SiluKeepsTheDigitsOfItsDerivativeWhereBetaXNearsTheMinimum) {
  expect_silu_backward_at_its_minimum<kachel::half>(60000);
  expect_silu_backward_at_its_minimum<kachel::bfloat16>(1);
}

/// Of numbers so near 0, or so far below it, that y is next to a number half way between two of T, which no type of the
/// processor tells from y.
template <class T>
void expect_squareplus_beside_half_way(float half_of_root, float quarter_of_b) {
  const kachel::Squareplus at_0{4.0 * half_of_root * half_of_root}, far_below{4.0 * quarter_of_b};
  for (const T x : all_inputs<T>()) {
    const auto number = static_cast<float>(x);
    if (number != 0 && std::abs(number) < 0x1p-30f * half_of_root) {
      const float y = std::nextafter(half_of_root, number < 0 ? 0.0f : 2 * half_of_root);
      EXPECT_EQ(static_cast<T>(y).bits(), kachel::squareplus(x, at_0).bits()) << show(x);
    }
    const double quotient = -quarter_of_b / double{number}, y = quotient * (1 - 0x1p-30);
    if (number < -0x1p14f * std::sqrt(quarter_of_b) && quotient > 0x1p-125) {
      const auto expected = static_cast<T>(kachel::detail::round_to_odd(y));
      EXPECT_EQ(expected.bits(), kachel::squareplus(x, far_below).bits()) << show(x);
    }
  }
}

TEST(SixteenBits, SquareplusLiesBesideNumbersHalfWay) {
  expect_squareplus_beside_half_way<kachel::bfloat16>(128.5f, 64.25f);
  expect_squareplus_beside_half_way<kachel::bfloat16>(129.5f, 64.75f);
  expect_squareplus_beside_half_way<kachel::half>(1024.5f, 0x1.002p-20f);
  expect_squareplus_beside_half_way<kachel::half>(1025.5f, 0x1.006p-20f);
}

template <class T, class F>
void expect_gradients_from_saturated_outputs(const F& f) {
  const kachel::PointwiseBackward<F, kachel::Saved::output> backward;
  const T at_limit = kachel::Pointwise<F>{}(T(-100.0f), f);
  EXPECT_EQ(0, static_cast<float>(backward(T(1.0f), at_limit, f))) << show_case(f);
  for (const T x : all_inputs<T>()) {
    if (is_nan(x)) continue;
    EXPECT_GE(static_cast<float>(backward(T(1.0f), kachel::Pointwise<F>{}(x, f), f)), 0) << show_case(f) << show(x);
  }
}

template <class T>
void expect_gradients_of_limits() {
  expect_gradients_from_saturated_outputs<T>(kachel::SELU{});
  for (const double alpha : {0.3, 0.7, 1.0, 1.3}) {
    expect_gradients_from_saturated_outputs<T>(kachel::ELU{alpha});
    expect_gradients_from_saturated_outputs<T>(kachel::CELU{alpha});
  }
}

TEST(SixteenBits, NoGradientFromAnOutputAtItsLimit) {
  expect_gradients_of_limits<kachel::half>();
  expect_gradients_of_limits<kachel::bfloat16>();
}

TEST(SixteenBits, LimitsThatNoOutputReachesAreNotRounded) {
  using kachel::half;
  EXPECT_EQ(1, static_cast<float>(kachel::celu_backward_from_output(half(1.0f), half(-0.0f), {0x1p-60})));
  EXPECT_EQ(1, static_cast<float>(kachel::celu_backward_from_output(half(1.0f), half(-1.0f), {1e6})));
}

}  // namespace
}  // namespace kachel_test
