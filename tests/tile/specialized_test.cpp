// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands in for a functor at its default parameters, and where: here with results of its own, which tell.
#include <kachel/map.hpp>

#include <gtest/gtest.h>
#include <support/memory.hpp>
#include <support/typed_lists.hpp>

#include <vector>

namespace kachel_test {
namespace {

struct WithFrom16Bits {
  double parameter = 0.5;

  template <class T>
  KOKKOS_FUNCTION T operator()(T) const {
    return T(1);
  }

  template <class T>
  KOKKOS_FUNCTION float from_16_bits(float) const {
    return std::is_same_v<T, kachel::half> ? 2 : 3;
  }
};

struct WithAtDefaults {
  double parameter = 0.5;

  struct AtDefaults {
    template <class... T>
    KOKKOS_FUNCTION double operator()(T...) const {
      return 4;
    }
  };

  template <class... T>
  KOKKOS_FUNCTION double operator()(T...) const {
    return 1;
  }
};

/// What f gives everywhere, of inputs and for outputs of `size` elements that are `stride` apart.
template <class Space, class Y, class X, class F>
float result_of(const F& f, int size, int stride = 1) {
  const Guarded<Space, X> input(std::vector<X>(static_cast<std::size_t>(size * stride), X(0.25f)));
  const Guarded<Space, Y> output(std::vector<Y>(static_cast<std::size_t>(size * stride), Y(0.0f)));
  const Kokkos::LayoutStride layout(size, stride);
  kachel::map(Space{}, Kokkos::View<Y*, Kokkos::LayoutStride, Space>(output.data(), layout), f,
              Kokkos::View<const X*, Kokkos::LayoutStride, Space>(input.data(), layout));
  const std::vector<Y> results = output.values();
  for (int i = 0; i < size * stride; ++i)
    EXPECT_EQ(static_cast<float>(results[i]), i % stride == 0 ? static_cast<float>(results[0]) : 0.0f) << i;
  return static_cast<float>(results[0]);
}

template <class Space>
class AtDefaults : public testing::Test {};
TYPED_TEST_SUITE(AtDefaults, Spaces, Names);

TYPED_TEST(AtDefaults, SixteenBitsStandInFromTheirTypeToItself) {
  using kachel::bfloat16, kachel::half;
  for (const int size : {1, 1000, 100003}) {
    EXPECT_EQ((result_of<TypeParam, half, half>(WithFrom16Bits{}, size)), 2);
    EXPECT_EQ((result_of<TypeParam, bfloat16, bfloat16>(WithFrom16Bits{}, size)), 3);
  }
  EXPECT_EQ((result_of<TypeParam, half, half>(WithFrom16Bits{}, 1000, 3)), 2);
}

TYPED_TEST(AtDefaults, SixteenBitsDoNotOtherwise) {
  using kachel::bfloat16, kachel::half;
  EXPECT_EQ((result_of<TypeParam, half, half>(WithFrom16Bits{0.25}, 1000)), 1);
  EXPECT_EQ((result_of<TypeParam, half, bfloat16>(WithFrom16Bits{}, 1000)), 1);
  EXPECT_EQ((result_of<TypeParam, bfloat16, half>(WithFrom16Bits{}, 1000)), 1);
  EXPECT_EQ((result_of<TypeParam, half, float>(WithFrom16Bits{}, 1000)), 1);
  EXPECT_EQ((result_of<TypeParam, float, half>(WithFrom16Bits{}, 1000)), 1);
  EXPECT_EQ((result_of<TypeParam, float, float>(WithFrom16Bits{}, 1000)), 1);
}

TYPED_TEST(AtDefaults, AMemberTypeStandsInForEveryType) {
  EXPECT_EQ((result_of<TypeParam, float, float>(WithAtDefaults{}, 1000)), 4);
  EXPECT_EQ((result_of<TypeParam, kachel::half, double>(WithAtDefaults{}, 1000, 3)), 4);
  EXPECT_EQ((result_of<TypeParam, float, float>(WithAtDefaults{0.25}, 1000)), 1);
  EXPECT_EQ((result_of<TypeParam, float, float>(WithAtDefaults{-0.5}, 1000, 3)), 1);
}

TEST(IsDefault, ComparesBits) {
  EXPECT_TRUE(kachel::detail::is_default(WithFrom16Bits{}));
  EXPECT_TRUE(kachel::detail::is_default(WithAtDefaults::AtDefaults{}));
  EXPECT_FALSE(kachel::detail::is_default(WithFrom16Bits{0.25}));
  EXPECT_FALSE(kachel::detail::is_default([parameter = 0.5](float x) { return x * static_cast<float>(parameter); }));
}

}  // namespace
}  // namespace kachel_test
