// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/pack_math.hpp>

#include <gtest/gtest.h>
#include <support/bits.hpp>
#include <support/inputs.hpp>
#include <support/typed_lists.hpp>

#include <vector>

namespace kachel_test {
namespace {

struct Reciprocal {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return kachel::math::reciprocal(x);
  }
};

template <class Space, class T>
void check_reciprocal(const std::vector<T>& x) {
  std::vector<T> expected;
  for (const T value : x) expected.push_back(T(1) / value);
  EXPECT_TRUE(all_same(expected, map_over<Space>(Reciprocal{}, x), x));
}

template <class Space>
class ReciprocalOn : public testing::Test {};
TYPED_TEST_SUITE(ReciprocalOn, Spaces, Names);

TYPED_TEST(ReciprocalOn, IsCorrectlyRoundedForEveryFraction) { check_reciprocal<TypeParam>(every_fraction()); }

TYPED_TEST(ReciprocalOn, IsCorrectlyRoundedInDouble) {
  std::vector<double> x;
  std::uint64_t random = 1;
  for (int i = 0; i < 1 << 20; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t exponent = 2 + (random >> 20) % 2042, near_a_power = std::uint64_t{1} << (i % 53);
    const std::uint64_t fraction = i % 3 == 0 ? near_a_power - 1 : i % 3 == 1 ? ~near_a_power : random >> 8;
    x.push_back(from_bits<double>(exponent << 52 | (fraction & 0xfffffffffffffu)));
  }
  check_reciprocal<TypeParam>(x);
}

TEST(Reciprocal, OfAPackIsThatOfItsElements) {
  kachel::Pack<float, 4> pack;
  for (int i = 0; i < 4; ++i) pack[i] = static_cast<float>(3 - 2 * i);
  const kachel::Pack<float, 4> inverse = kachel::math::reciprocal(pack);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(inverse[i], 1 / pack[i]);
}

}  // namespace
}  // namespace kachel_test
