// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/math/square_root.hpp>

#include <gtest/gtest.h>
#include <support/bits.hpp>
#include <support/inputs.hpp>
#include <support/typed_lists.hpp>

#include <cmath>
#include <vector>

namespace kachel_test {
namespace {

struct RootOfEach {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return kachel::math::square_root(x);
  }
};

template <class Space, class T>
void check_square_root(const std::vector<T>& x) {
  std::vector<T> expected;
  for (const T value : x) expected.push_back(std::sqrt(value));
  EXPECT_TRUE(all_same(expected, map_over<Space>(RootOfEach{}, x), x));
}

template <class Space>
class SquareRootOn : public testing::Test {};
TYPED_TEST_SUITE(SquareRootOn, Spaces, Names);

// Of x and 4 x the iteration has the same fractions.
TYPED_TEST(SquareRootOn, IsCorrectlyRoundedForEveryFractionAndParityOfExponents) {
  std::vector<float> x;
  for (std::uint32_t lower = 0; lower < 1u << 24; ++lower)
    x.push_back(from_bits<float>(((27 + 2 * (lower % 114)) << 23) + lower));
  check_square_root<TypeParam>(x);
}

TYPED_TEST(SquareRootOn, IsCorrectlyRoundedForEveryExponent) {
  std::vector<float> x;
  for (std::uint32_t exponent = 27; exponent < 255; ++exponent)
    for (std::uint32_t fraction = 0; fraction < 1u << 23; fraction += 1021)
      x.push_back(from_bits<float>(exponent << 23 | fraction));
  check_square_root<TypeParam>(x);
}

TYPED_TEST(SquareRootOn, IsThatOfIEEE754ForEveryNumber) {
  check_square_root<TypeParam>(all_inputs<float>());
  check_square_root<TypeParam>(all_inputs<double>());
}

TYPED_TEST(SquareRootOn, IsCorrectlyRoundedInDouble) {
  std::vector<double> x;
  std::uint64_t random = 1;
  for (int i = 0; i < 1 << 18; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    x.push_back(from_bits<double>((923 + (random >> 20) % 1124) << 52 | random >> 12));
  }
  check_square_root<TypeParam>(x);
}

// Where the root is nearly a number of as many digits, or half way between two.
TYPED_TEST(SquareRootOn, IsCorrectlyRoundedBesideSquaresOfDoubles) {
  std::vector<double> x;
  std::uint64_t random = 1;
  for (int i = 0; i < 1 << 16; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const auto root = from_bits<double>((random >> 63 ? 1023ull : 1024ull) << 52 | random >> 12);
    const double square = root * root, beyond = std::fma(root, 0x1p-52, square);  // of what lies half way to the next
    for (const double near : {square, beyond})
      for (const double value : {std::nextafter(near, 0.0), near, std::nextafter(near, 9.0)}) x.push_back(value);
  }
  check_square_root<TypeParam>(x);
}

}  // namespace
}  // namespace kachel_test
