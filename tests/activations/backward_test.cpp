// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The derivatives at the kinks as in PyTorch 2.15; NaN, infinities, in place, errors.
#include <kachel/activations/list.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/rejection.hpp>
#include <support/typed_lists.hpp>

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

TYPED_TEST(BackwardOf, IsZeroAtTheKinksWhateverTheGradient) {
  using T = typename TestFixture::T;
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  for (const T dy : {static_cast<T>(1.0f), infinity, nan}) {
    for (const float x : {-1.0f, 1.0f, -7.0f, 7.0f})
      EXPECT_EQ(to_bits(kachel::hardtanh_backward(dy, static_cast<T>(x))), 0u);
    for (const float x : {-3.0f, 3.0f, -8.0f, 8.0f})
      EXPECT_EQ(to_bits(kachel::hardsigmoid_backward(dy, static_cast<T>(x))), 0u);
    for (const float x : {-2.5f, 1.5f, -8.0f, 8.0f})
      EXPECT_EQ(to_bits(kachel::hardsigmoid_affine_backward(dy, static_cast<T>(x), {.alpha = 0.25, .beta = 0.625})),
                0u);
    EXPECT_EQ(to_bits(kachel::hardtanh_backward(dy, infinity)), 0u);
  }
  EXPECT_TRUE(kachel::hardtanh_backward(static_cast<T>(1.0f), nan) !=
              kachel::hardtanh_backward(static_cast<T>(1.0f), nan));
}

TYPED_TEST(BackwardOf, MayBeInPlaceOfTheGradientOrTheInput) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  const std::vector<T> x = varied<T>(1000), dy = varied<T>(1000, 5);
  for_each_type(kachel::Activations{}, [&]<class F>() {
    const kachel::PointwiseBackward<F> backward;
    const Guarded<Space, T> input(x), gradient(dy), output(dy), both(x);
    backward(Space{}, output.span(), gradient.span(), input.span());
    backward(both.span(), gradient.span(), both.span());
    EXPECT_TRUE(all_same(output.values(), both.values())) << F::name;
    backward(Space{}, gradient.span(), gradient.span(), input.span());
    EXPECT_TRUE(all_same(output.values(), gradient.values())) << F::name;
  });
}

TYPED_TEST(BackwardOf, OfASlopeOfZeroIsZeroWhateverTheGradient) {
  using T = typename TestFixture::T;
  for (const T dy : {static_cast<T>(-1.0f), std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN()})
    EXPECT_EQ(to_bits(kachel::hardsigmoid_affine_backward(dy, static_cast<T>(0.5f), {.alpha = 0})), 0u);
}

TYPED_TEST(BackwardOf, OfPacksEqualsThatOfNumbers) {
  using T = typename TestFixture::T;
  const kachel::Pack<T, 2> dy(static_cast<T>(0.7f)), x(static_cast<T>(0.3f));
  const auto dx = kachel::hardsigmoid_backward(dy, x);
  EXPECT_EQ(to_bits(dx[1]), to_bits(kachel::hardsigmoid_backward(dy[1], x[1])));
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
}

}  // namespace
}  // namespace kachel_test
