// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The derivatives at the kinks as in PyTorch 2.15; NaN, infinities, in place, errors.
#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/kinds.hpp>
#include <support/reference.hpp>
#include <support/rejection.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

namespace kachel_test {
namespace {

template <class C>
class BackwardOf : public testing::Test {
 public:
  using T = typename C::Element;
  using Space = typename C::Space;
};
TYPED_TEST_SUITE(BackwardOf, SpacesAndElements, Names);

/// Expects +0 of every gradient at each x, and NaN where x is NaN.
template <class T, class F>
void expect_zero(const F& f, std::initializer_list<double> x) {
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  constexpr kachel::PointwiseBackward<F> backward;
  for (const T dy : {static_cast<T>(1.0f), static_cast<T>(-0.0f), infinity, nan})
    for (const double value : x)
      EXPECT_EQ(to_bits(backward(dy, static_cast<T>(value), f)), 0u) << show_case(f) << " at " << value;
  EXPECT_TRUE(is_nan(backward(static_cast<T>(1.0f), nan, f))) << show_case(f);
}

TYPED_TEST(BackwardOf, IsZeroAtTheKinksWhateverTheGradient) {
  using T = typename TestFixture::T;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  expect_zero<T>(kachel::HardTanh{}, {-1, 1, -7, 7, -infinity, infinity});
  expect_zero<T>(kachel::HardSigmoid{}, {-3, 3, -8, 8, -infinity, infinity});
  expect_zero<T>(kachel::HardSigmoidAffine{.alpha = 0.25, .beta = 0.625}, {-2.5, 1.5, -8, 8, -infinity, infinity});
  expect_zero<T>(kachel::ReLU{}, {-0.0, 0, -1, -infinity});
  expect_zero<T>(kachel::ReLU6{}, {-0.0, 0, 6, -1, 7, -infinity, infinity});
  expect_zero<T>(kachel::Clamp{.min = -1, .max = 0.5}, {-1, 0.5, -7, 7, -infinity, infinity});
  expect_zero<T>(kachel::Clamp{.min = 1, .max = -1}, {-1, 0, 1, -7, 7, -infinity, infinity});
  expect_zero<T>(kachel::Clamp{.min = 0}, {-0.0, 0, -7, -infinity});
  expect_zero<T>(kachel::Clamp{.max = 0}, {-0.0, 0, 7, infinity});
  expect_zero<T>(kachel::HardShrink{}, {-0.5, -0.0, 0, 0.25, 0.5});
  expect_zero<T>(kachel::SoftShrink{}, {-0.5, -0.0, 0, 0.25, 0.5});
  expect_zero<T>(kachel::Threshold{.threshold = 0.25, .value = 7}, {0.25, 0, -7, -infinity});
  expect_zero<T>(kachel::ReLUSquared{}, {-0.0, 0, -1, -infinity});
  expect_zero<T>(kachel::HardSwish{}, {-3, -4, -infinity});
}

TYPED_TEST(BackwardOf, OfASlopeOfZeroIsZeroWhateverTheGradient) {
  using T = typename TestFixture::T;
  expect_zero<T>(kachel::HardSigmoidAffine{.alpha = 0}, {0.5, -7});
  expect_zero<T>(kachel::LeakyReLU{.negative_slope = 0}, {-0.0, 0, -7});
  expect_zero<T>(kachel::ELU{.alpha = 0}, {-0.0, 0, -7});
  expect_zero<T>(kachel::RReLU{.lower = -0.5, .upper = 0.5}, {-0.0, 0, -7});
}

TYPED_TEST(BackwardOf, IsPyTorchsWhereAKinkPasses) {
  using T = typename TestFixture::T;
  const T zero = static_cast<T>(0.0f), one = static_cast<T>(1.0f), infinity = std::numeric_limits<T>::infinity();
  for (const T dy : {one, static_cast<T>(-3.0f), infinity}) {
    EXPECT_EQ(kachel::leaky_relu_backward(dy, zero, {.negative_slope = -0.25}), -dy / static_cast<T>(4.0f));
    EXPECT_EQ(kachel::rrelu_backward(dy, zero, {.lower = 0, .upper = 1}), dy / static_cast<T>(2.0f));
    EXPECT_EQ(kachel::hardswish_backward(dy, static_cast<T>(3.0f)), dy);
    EXPECT_EQ(kachel::hardswish_backward(dy, infinity), dy);
    EXPECT_EQ(kachel::relu_backward(dy, infinity), dy);
    EXPECT_EQ(kachel::clamp_backward(dy, infinity, {.min = 0}), dy);
    EXPECT_EQ(kachel::clamp_backward(dy, static_cast<T>(-infinity), {.max = 0}), dy);
    EXPECT_EQ(kachel::hardshrink_backward(dy, zero, {.lambd = -1}), dy);
  }
}

TYPED_TEST(BackwardOf, DoesNotOverflowOnItsWay) {
  using T = typename TestFixture::T;
  const T largest = std::numeric_limits<T>::max(), zero = static_cast<T>(0.0f);
  EXPECT_EQ(kachel::tanh_backward(largest, zero), largest);
  EXPECT_EQ(kachel::hardswish_backward(largest, zero), largest / static_cast<T>(2.0f));
}

TYPED_TEST(BackwardOf, MayBeInPlaceOfTheGradientOrTheInput) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  const std::vector<T> x = varied<T>(1000), dy = varied<T>(1000, 5);
  for_each_type(kachel::Kinds{}, [&]<class F>() {
    const kachel::PointwiseBackward<F> backward;
    const Guarded<Space, T> input(x), gradient(dy), output(dy), both(x);
    backward(Space{}, output.span(), gradient.span(), input.span());
    backward(both.span(), gradient.span(), both.span());
    EXPECT_TRUE(all_same(output.values(), both.values())) << F::name;
    backward(Space{}, gradient.span(), gradient.span(), input.span());
    EXPECT_TRUE(all_same(output.values(), gradient.values())) << F::name;
  });
}

TYPED_TEST(BackwardOf, FromItsOutputMayBeInPlaceToo) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  const std::vector<T> y = map_over<Space>(kachel::Sigmoid{}, varied<T>(1000)), dy = varied<T>(1000, 5);
  const Guarded<Space, T> output_of_f(y), gradient(dy), output(dy);
  kachel::sigmoid_backward_from_output(Space{}, output.span(), gradient.span(), output_of_f.span());
  kachel::sigmoid_backward_from_output(output_of_f.span(), gradient.span(), output_of_f.span());
  EXPECT_TRUE(all_same(output.values(), output_of_f.values()));
  for (std::size_t i = 0; i < y.size(); ++i)
    EXPECT_TRUE(same(kachel::sigmoid_backward_from_output(dy[i], y[i]), output.values()[i])) << show(y[i]);
}

TYPED_TEST(BackwardOf, FromAnOutputThatIsABoundIsZero) {
  using T = typename TestFixture::T;
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const kachel::HardTanh f{.min_val = -0.1, .max_val = 0.1};  // which 16 bits round inwards, and outwards
  for (const T dy : {infinity, nan, static_cast<T>(-1.0f)}) {
    for (const float x : {-1.0f, 1.0f})
      EXPECT_EQ(to_bits(kachel::hardtanh_backward_from_output(dy, kachel::hardtanh(static_cast<T>(x), f), f)), 0u);
    EXPECT_TRUE(same(kachel::hardtanh_backward_from_output(dy, static_cast<T>(0.05f), f), dy));
    EXPECT_TRUE(is_nan(kachel::hardtanh_backward_from_output(dy, nan, f)));
    EXPECT_EQ(to_bits(kachel::relu_backward_from_output(dy, static_cast<T>(-0.0f))), 0u);
    EXPECT_TRUE(same(kachel::clamp_backward_from_output(dy, infinity, {.min = 0}), dy));
  }
}

TYPED_TEST(BackwardOf, OfPacksEqualsThatOfNumbers) {
  using T = typename TestFixture::T;
  const kachel::Pack<T, 2> dy(static_cast<T>(0.7f)), x(static_cast<T>(0.3f));
  const auto dx = kachel::hardsigmoid_backward(dy, x);
  EXPECT_EQ(to_bits(dx[1]), to_bits(kachel::hardsigmoid_backward(dy[1], x[1])));
  const auto from_output = kachel::hardsigmoid_backward_from_output(dy, x);
  EXPECT_EQ(to_bits(from_output[1]), to_bits(kachel::hardsigmoid_backward_from_output(dy[1], x[1])));
}

template <class Space>
class BackwardErrors : public testing::Test {};
TYPED_TEST_SUITE(BackwardErrors, Spaces, Names);

TYPED_TEST(BackwardErrors, NameTheArguments) {
  const Guarded<TypeParam, float> x(std::vector<float>(8)), y(std::vector<float>(8));
  const Span<TypeParam, float> short_one(x.data(), 7);
  const auto message = [&](const auto& dx, const auto& dy, const auto& in, const kachel::HardTanh& f = {}) {
    return rejection_of([&] { kachel::hardtanh_backward(TypeParam{}, dx, dy, in, f); });
  };
  EXPECT_EQ(message(y.span(), short_one, x.span()),
            "kachel::hardtanh_backward: dy has extents (7), expected (8) as dx has");
  EXPECT_EQ(message(y.span(), y.span(), short_one),
            "kachel::hardtanh_backward: x has extents (7), expected (8) as dx has");
  EXPECT_EQ(message(y.span(), y.span(), x.span(), {.min_val = 2}),
            "kachel::hardtanh_backward: min_val is 2 and max_val is 1, expected min_val <= max_val");
  EXPECT_EQ(
      rejection_of([&] { kachel::hardtanh_backward_from_output(y.span(), y.span(), short_one, {.min_val = -2}); }),
      "kachel::hardtanh_backward_from_output: y has extents (7), expected (8) as dx has");
}

template <class Space>
class BackwardFromOutput : public testing::Test {};
TYPED_TEST_SUITE(BackwardFromOutput, Spaces, Names);

TYPED_TEST(BackwardFromOutput, HeedsTheTypeOfTheOutputBesideAnother) {
  using T = kachel::bfloat16;
  const kachel::HardTanh f{.min_val = -1, .max_val = 0.3};
  const std::vector<T> y = {kachel::hardtanh(static_cast<T>(7.0f), f), static_cast<T>(0.25f)};
  const Guarded<TypeParam, T> output_of_f(y);
  const Guarded<TypeParam, double> dx(std::vector<double>{1, 2});
  kachel::hardtanh_backward_from_output(TypeParam{}, dx.span(), dx.span(), output_of_f.span(), f);
  EXPECT_EQ(dx.values(), (std::vector<double>{0, 2}));
}

/// A derivative for 16 bits is near enough at numbers of 16 bits alone: at others next to where it vanishes only
/// float's is.
template <class Space>
struct RoundsThatOfFloats {
  template <class F>
  void operator()() const {
    constexpr int count = 4096;
    std::vector<float> x(count);
    for (int i = 0; i < count; ++i) x[static_cast<std::size_t>(i)] = -3.0f + 6.0f * (static_cast<float>(i) / count);
    x.insert(x.end(), {-0x1.80f68p-1f, -0x1.817d9p-1f, -0x1.474974p+0f, -0x1.314b54p+0f});
    const std::vector<float> ones(x.size(), 1.0f);
    const Guarded<Space, float> input(x), gradient(ones);
    const Guarded<Space, kachel::bfloat16> output(std::vector<kachel::bfloat16>(x.size()));
    kachel::PointwiseBackward<F>{}(Space{}, output.span(), gradient.span(), input.span());
    std::vector<kachel::bfloat16> expected(x.size());
    std::transform(x.begin(), x.end(), expected.begin(),
                   [](float value) { return static_cast<kachel::bfloat16>(F{}.backward(1.0f, value)); });
    EXPECT_TRUE(all_same(expected, output.values())) << F::name;
  }
};

template <class Space>
class BackwardTo16Bits : public testing::Test {};
TYPED_TEST_SUITE(BackwardTo16Bits, Spaces, Names);

TYPED_TEST(BackwardTo16Bits, OfFloatsIsRoundedOnceTo16Bits) {
  for_each_type(kachel::Activations{}, RoundsThatOfFloats<TypeParam>{});
}

using FromOutput = TypeList<kachel::HardTanh, kachel::HardSigmoid, kachel::HardSigmoidAffine, kachel::ReLU,
                            kachel::ReLU6, kachel::Clamp, kachel::LeakyReLU, kachel::RReLU, kachel::Sigmoid,
                            kachel::Tanh, kachel::Exp, kachel::Log, kachel::ELU, kachel::SELU, kachel::CELU>;

TEST(ActivationsFromOutput, AreThoseAloneWhoseOutputSuffices) {
  for_each_type(kachel::Activations{},
                [&]<class F>() { EXPECT_EQ(kachel::HasBackwardFromOutput<F>, is_among<F>(FromOutput{})) << F::name; });
}

}  // namespace
}  // namespace kachel_test
