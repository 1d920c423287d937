// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What from_16_bits.hpp computes by approximations, with the greatest errors that those may have, and whether those of
// a space are within them.
#include <kachel/activations/sigmoid.hpp>
#include <kachel/activations/silu.hpp>
#include <kachel/activations/softsign.hpp>
#include <kachel/activations/tanh.hpp>

#include <gtest/gtest.h>
#include <support/bits.hpp>
#include <support/inputs.hpp>
#include <support/typed_lists.hpp>
#include <support/ulp.hpp>

#include <cmath>
#include <cstdlib>
#include <vector>

namespace kachel_test {
namespace {

/// 1 / x, some units of the last place off.
struct ReciprocalOff {
  int units;
  KOKKOS_FUNCTION float operator()(float x) const {
    const float nearest = 1 / x, magnitude = Kokkos::abs(nearest);
    const bool is_normal = magnitude >= 0x1p-126f && magnitude <= 0x1.fffffep127f;
    return is_normal ? kachel::detail::bit_cast<float>(kachel::detail::bit_cast<int>(nearest) + units) : nearest;
  }
};

/// 2^x, `error` of it off.
struct Exp2Off {
  double error;
  KOKKOS_FUNCTION float operator()(float x) const { return static_cast<float>(Kokkos::exp2(double{x}) * (1 + error)); }
};

/// Expects that approximate(x) is rounded to what F gives by float and double, for every x of type T.
template <class F, class T, class Approximate>
void expect_rounded_right(const Approximate& approximate) {
  int wrong = 0;
  for (const T x : all_inputs<T>()) {
    const auto of_x = static_cast<float>(x);
    const T expected = kachel::detail::evaluate<T>(F{}, of_x), given = static_cast<T>(approximate(of_x));
    if (is_nan(expected) ? !is_nan(given) : expected.bits() != given.bits())
      if (++wrong == 1) ADD_FAILURE() << F::name << " of " << show(x) << " gives " << show(given);
  }
  EXPECT_EQ(wrong, 0) << F::name;
}

TEST(From16Bits, ReciprocalsAUnitOffGiveTheSameResults) {
  using namespace kachel::detail;
  using kachel::bfloat16, kachel::half;
  for (const ReciprocalOff inverse : {ReciprocalOff{-1}, ReciprocalOff{0}, ReciprocalOff{1}}) {
    expect_rounded_right<kachel::Tanh, half>(
        [&](float x) { return tanh_from_16_bits<11>(x, tanh_constants<11>(), inverse); });
    expect_rounded_right<kachel::Tanh, bfloat16>(
        [&](float x) { return tanh_from_16_bits<8>(x, tanh_constants<8>(), inverse); });
    expect_rounded_right<kachel::Softsign, half>([&](float x) { return softsign_from_16_bits<11>(x, inverse); });
    expect_rounded_right<kachel::Softsign, bfloat16>([&](float x) { return softsign_from_16_bits<8>(x, inverse); });
    for (const Exp2Off exp2 : {Exp2Off{-0x1p-22}, Exp2Off{0}, Exp2Off{0x1p-22}}) {
      expect_rounded_right<kachel::Sigmoid, bfloat16>(
          [&](float x) { return sigmoid_from_bfloat16(x, sigmoid_scale, exp2, inverse); });
      expect_rounded_right<kachel::SiLU, bfloat16>(
          [&](float x) { return silu_from_bfloat16(x, silu_scale, exp2, inverse); });
    }
  }
}

TEST(From16Bits, ANaNOfAnyBitsStaysOne) {
  using namespace kachel::detail;
  for (const std::uint32_t bits : {0x7fffffffu, 0xffffffffu, 0x7f800001u, 0x7fc00000u}) {
    const auto nan = kachel::detail::bit_cast<float>(bits);
    for (const float y :
         {sigmoid_from_half(nan), sigmoid_from_bfloat16(nan), silu_from_half(nan), silu_from_bfloat16(nan),
          tanh_from_16_bits<11>(nan), tanh_from_16_bits<8>(nan), softsign_from_16_bits<11>(nan),
          softsign_from_16_bits<8>(nan), hardswish_from_16_bits<11>(nan), hardswish_from_16_bits<8>(nan),
          slope_from_16_bits(nan, 0.25f, 0x1p-149f)})
      EXPECT_TRUE(is_nan(y)) << std::hex << bits << " gives " << y;
  }
}

template <class Space>
class ApproximationsOn : public testing::Test {};
TYPED_TEST_SUITE(ApproximationsOn, Spaces, Names);

TYPED_TEST(ApproximationsOn, Exp2IsAsNearAsItSays) {
  const std::vector<float> x = varied<float>(1000003), y = map_over<TypeParam>(kachel::detail::NearExp2{}, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool is_right = x[i] < -126  ? y[i] >= 0 && y[i] <= 0x1p-126
                          : x[i] > 127 ? y[i] >= 0x1p127
                                       : is_nan(x[i]) || std::abs(y[i] / std::exp2(double{x[i]}) - 1) <= 0x1p-22;
    EXPECT_TRUE(is_right) << x[i] << " gives " << y[i];
    EXPECT_EQ(is_nan(y[i]), is_nan(x[i])) << x[i];
  }
}

TYPED_TEST(ApproximationsOn, ReciprocalIsAsNearAsItSays) {
  const std::vector<float> x = every_fraction(), y = map_over<TypeParam>(kachel::detail::NearReciprocal{}, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int off = kachel::detail::bit_cast<int>(y[i]) - kachel::detail::bit_cast<int>(1 / x[i]);
    EXPECT_LE(std::abs(off), 1) << x[i] << " gives " << y[i];
  }
}

}  // namespace
}  // namespace kachel_test
