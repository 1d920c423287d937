// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/math/fma.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/typed_lists.hpp>

#include <cmath>
#include <vector>

namespace kachel_test {
namespace {

template <class T>
struct Fma {
  const T* x;
  T* y;
  KOKKOS_FUNCTION void operator()(int i) const { y[i] = kachel::fma(x[3 * i], x[3 * i + 1], x[3 * i + 2]); }
};

template <class Space, class T>
void check_fma() {
  std::vector<T> x = varied<T>(300000);
  for (std::size_t i = 0; i < 30000; i += 3) {  // sums that cancel but for what a rounded product would lose
    x[i] = 1 + static_cast<T>(i + 1) * std::numeric_limits<T>::epsilon();
    x[i + 1] = 1 + static_cast<T>(i + 2) * std::numeric_limits<T>::epsilon();
    x[i + 2] = -x[i] * x[i + 1];
  }
  std::vector<T> expected;
  for (std::size_t i = 0; i < x.size(); i += 3) expected.push_back(std::fma(x[i], x[i + 1], x[i + 2]));
  const Guarded<Space, T> input(x), output(std::vector<T>(expected.size()));
  Kokkos::parallel_for("fma", Kokkos::RangePolicy<Space>(0, static_cast<int>(expected.size())),
                       Fma<T>{input.data(), output.data()});
  EXPECT_TRUE(all_same(expected, output.values()));
}

template <class Space>
class FusedMultiplyAdd : public testing::Test {};
TYPED_TEST_SUITE(FusedMultiplyAdd, Spaces, Names);

TYPED_TEST(FusedMultiplyAdd, RoundsOnce) {
  check_fma<TypeParam, float>();
  check_fma<TypeParam, double>();
}

}  // namespace
}  // namespace kachel_test
