// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/activations/hardsigmoid_affine.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/reference.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <utility>

namespace kachel_test {
namespace {

template <class C>
class HardSigmoidAffine : public testing::Test {};
TYPED_TEST_SUITE(HardSigmoidAffine, SpacesAndElements, Names);

// Float32 results are correctly rounded too: the reference is exact, not std::fma.
TYPED_TEST(HardSigmoidAffine, IsCorrectlyRoundedInFloat) {
  if constexpr (std::is_same_v<typename TypeParam::Element, float>) {
    const std::vector<float> x = varied<float>(20001);
    for (const kachel::HardSigmoidAffine& f : parameter_cases<kachel::HardSigmoidAffine>()) {
      std::vector<float> expected(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) expected[i] = correctly_rounded(f, x[i]);
      EXPECT_TRUE(all_same(expected, map_over<typename TypeParam::Space>(f, x), x)) << show_case(f);
    }
  }
}

// The result in double, rounded once: what float32 drops plays no part.
TYPED_TEST(HardSigmoidAffine, OfDoublesIsRoundedToAnyType) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  std::vector<double> x;
  for (int i = 0; i < 5000; ++i) x.push_back(-2.5 + 3e-9 * i), x.push_back(0x1.4p-10 * i);
  const kachel::HardSigmoidAffine f;
  std::vector<T> expected;
  for (const double value : x) expected.push_back(static_cast<T>(f(value)));
  const Guarded<Space, double> input(x);
  const Guarded<Space, T> output(std::vector<T>(x.size()));
  kachel::hardsigmoid_affine(Space{}, output.span(), input.span(), f);
  EXPECT_TRUE(all_same(expected, output.values()));
}

TYPED_TEST(HardSigmoidAffine, AsAFunctionObjectIsTheFunctor) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  const std::vector<T>& x = all_inputs<T>();
  const Guarded<Space, T> input(x), output(std::vector<T>(x.size()));
  kachel::map(Space{}, output.span(), kachel::Pointwise<kachel::HardSigmoidAffine>{}, input.span());
  EXPECT_TRUE(all_same(map_over<Space>(kachel::HardSigmoidAffine{}, x), output.values(), x));
}

// Elements that are computed again in double are read again, before anything is written. By parts that are too small
// for a table of results.
TYPED_TEST(HardSigmoidAffine, MayBeInPlace) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  const Guarded<Space, T> both(all_inputs<T>());
  for (std::size_t begin = 0; begin < both.span().extent(0); begin += 1000) {
    const auto part = Kokkos::subview(both.span(), std::pair(begin, std::min(begin + 1000, both.span().extent(0))));
    kachel::hardsigmoid_affine(Space{}, part, part);
  }
  EXPECT_TRUE(all_same(map_over<Space>(kachel::HardSigmoidAffine{}, all_inputs<T>()), both.values()));
}

TEST(HardSigmoidAffine16Bits, OfPacksRoundOnce) {
  const kachel::Pack<kachel::half, 2> x(kachel::half(0.3f));
  const auto y = kachel::hardsigmoid_affine(x);
  static_assert(std::is_same_v<decltype(y), const kachel::Pack<kachel::half, 2>>);
  EXPECT_EQ(y[1].bits(), kachel::hardsigmoid_affine(x[1]).bits());
}

TEST(HardSigmoidAffineFunctor, RoundsAHalfWayCaseByWhatFloatDrops) {
  constexpr kachel::HardSigmoidAffine f{.alpha = 1e-9, .beta = 0.5 + 0x1p-12};
  EXPECT_EQ(kachel::hardsigmoid_affine(kachel::half(1.0f), f).bits(), 0x3801);   // above half way
  EXPECT_EQ(kachel::hardsigmoid_affine(kachel::half(0.0f), f).bits(), 0x3800);   // half way, to even
  EXPECT_EQ(kachel::hardsigmoid_affine(kachel::half(-1.0f), f).bits(), 0x3800);  // below half way
}

}  // namespace
}  // namespace kachel_test
