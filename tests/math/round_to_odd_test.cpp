// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/detail/math/round_to_odd.hpp>

#include <gtest/gtest.h>
#include <support/exact.hpp>
#include <support/inputs.hpp>
#include <support/typed_lists.hpp>

#include <cmath>
#include <vector>

namespace kachel_test {
namespace {

struct RoundToOdd {
  const double* x;
  float* y;
  KOKKOS_FUNCTION void operator()(int i) const { y[i] = kachel::detail::round_to_odd(x[i]); }
};

struct FmaToOdd {
  const float* x;
  double* y;
  KOKKOS_FUNCTION void operator()(int i) const {
    y[i] = kachel::detail::fma_to_odd(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
  }
};

/// The product and the sum of each number and the next.
struct FloatsToOdd {
  const float* x;
  float* products;
  float* sums;
  KOKKOS_FUNCTION void operator()(int i) const {
    products[i] = kachel::detail::product_to_odd(x[i], x[i + 1]);
    const bool ordered = Kokkos::abs(x[i]) >= Kokkos::abs(x[i + 1]);
    sums[i] = ordered ? kachel::detail::sum_to_odd(x[i], x[i + 1]) : kachel::detail::sum_to_odd(x[i + 1], x[i]);
  }
};

/// By the definition: the number itself, else of its two neighbours in T the one with an odd last bit.
/// \param near     a neighbour
/// \param compare  the sign of the exact number minus near
template <class T>
T odd_neighbour(T near, int compare) {
  if (compare == 0 || to_bits(near) % 2 == 1) return near;
  const T infinity = std::numeric_limits<T>::infinity();
  return std::nextafter(near, compare > 0 ? infinity : -infinity);
}

template <class Space>
class Odd : public testing::Test {};
TYPED_TEST_SUITE(Odd, Spaces, Names);

TYPED_TEST(Odd, FloatIsTheOddNeighbourOfADouble) {
  std::vector<double> x = varied<double>(200000);
  for (const float value : varied<float>(200000)) {  // numbers, midpoints and what is next to them, subnormal ones too
    const double centre = value, next = std::nextafter(value, std::numeric_limits<float>::infinity());
    const double middle = (centre + next) / 2;
    x.insert(x.end(), {centre, std::nextafter(centre, next), std::nextafter(centre, -next), middle,
                       std::nextafter(middle, next), std::nextafter(middle, centre)});
  }
  x.insert(x.end(), {0.0, -0.0, 0x1p-149, 0x1p-150, -0x1p-200, 0x1.fffffep127, 0x1.fffffe8p127, 0x1p128, -0x1p1000});
  std::vector<float> expected;
  for (const double value : x) {
    const auto rounded = static_cast<float>(value);
    // Beyond the largest float, which is odd, it is the neighbour towards 0.
    const float near = is_inf(rounded) && !is_inf(value) ? std::copysign(std::numeric_limits<float>::max(), rounded)
                                                         : std::copysign(rounded, static_cast<float>(value));
    const double back = near;
    expected.push_back(is_nan(value) ? near : odd_neighbour(near, (value > back) - (value < back)));
  }
  const Guarded<TypeParam, double> input(x);
  const Guarded<TypeParam, float> output(std::vector<float>(x.size()));
  Kokkos::parallel_for("round_to_odd", Kokkos::RangePolicy<TypeParam>(0, static_cast<int>(x.size())),
                       RoundToOdd{input.data(), output.data()});
  EXPECT_TRUE(all_same(expected, output.values(), std::vector<float>(x.begin(), x.end())));
}

TYPED_TEST(Odd, DoubleIsTheOddNeighbourOfASum) {
  std::vector<float> x;
  for (const float value : varied<float>(300000))
    x.push_back(std::abs(value) < 0x1p100f ? value : std::copysign(1.5f, value));
  for (int i = 0; i < 300; i += 3) {  // sums that are exact, and sums next to them
    x[i] = static_cast<float>(i - 150);
    x[i + 1] = i % 2 == 0 ? 0.25f : 0x1p-60f;
    x[i + 2] = 3;
  }
  std::vector<double> expected;
  for (std::size_t i = 0; i < x.size(); i += 3) {
    const double product = static_cast<double>(x[i]) * x[i + 1], c = x[i + 2];
    const double sum = product + c;
    expected.push_back(odd_neighbour(sum, sign_of_sum({product, c, -sum})));
  }
  const Guarded<TypeParam, float> input(x);
  const Guarded<TypeParam, double> output(std::vector<double>(expected.size()));
  Kokkos::parallel_for("fma_to_odd", Kokkos::RangePolicy<TypeParam>(0, static_cast<int>(expected.size())),
                       FmaToOdd{input.data(), output.data()});
  EXPECT_TRUE(all_same(expected, output.values()));
}

TYPED_TEST(Odd, FloatIsTheOddNeighbourOfAProductAndOfASum) {
  std::vector<float> x;
  for (const float value : varied<float>(200000)) {
    const float finite = std::abs(value) < std::numeric_limits<float>::infinity() ? value : 3;
    // Numbers of few digits, whose products and sums are exact or half way; products that underflow; any.
    for (const float next : {finite, -0.01f, std::ldexp(std::trunc(std::ldexp(finite, 20)), -20), 0x1.5p-120f, 0.75f})
      x.push_back(std::abs(next) < 0x1p120f ? next : std::copysign(1.0f, next));
  }
  const int count = static_cast<int>(x.size()) - 1;
  std::vector<float> products, sums;
  for (int i = 0; i < count; ++i) {
    const double a = x[i], b = x[i + 1];
    const float nearest = x[i] * x[i + 1], sum = x[i] + x[i + 1];
    products.push_back(is_inf(nearest) ? std::copysign(std::numeric_limits<float>::max(), nearest)
                                       : odd_neighbour(nearest, (a * b > nearest) - (a * b < nearest)));
    sums.push_back(odd_neighbour(sum, sign_of_sum({a, b, -static_cast<double>(sum)})));
  }
  const std::vector<float> nothing(products.size());
  const Guarded<TypeParam, float> input(x), odd_products(nothing), odd_sums(nothing);
  Kokkos::parallel_for("to odd", Kokkos::RangePolicy<TypeParam>(0, count),
                       FloatsToOdd{input.data(), odd_products.data(), odd_sums.data()});
  EXPECT_TRUE(all_same(products, odd_products.values()));
  EXPECT_TRUE(all_same(sums, odd_sums.values()));
}

TEST(OddConstant, IsUsableInConstantExpressions) {
  static_assert(kachel::detail::round_to_odd(1.0) == 1.0f);
  static_assert(kachel::detail::round_to_odd(1 + 0x1p-40) == 1 + 0x1p-23f);
  static_assert(kachel::detail::round_to_odd(-1 - 0x1p-24) == -1 - 0x1p-23f);
}

}  // namespace
}  // namespace kachel_test
