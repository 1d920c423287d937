// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/math/select.hpp>

#include <gtest/gtest.h>
#include <support/bits.hpp>
#include <support/memory.hpp>
#include <support/typed_lists.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace kachel_test {
namespace {

static_assert(kachel::select(true, 1.0f, 2.0f) == 1.0f && kachel::select(false, 1, 2) == 2);
static_assert(kachel::min(1.0, 2.0) == 1.0 && kachel::max(1.0, 2.0) == 2.0);
static_assert(kachel::clamp(5, 0, 3) == 3 && kachel::clamp(-5, 0, 3) == 0 && kachel::clamp(2, 0, 3) == 2);

template <class T>
struct AllPairs {
  const T* x;
  T* results;
  int count;

  KOKKOS_FUNCTION void operator()(int i) const {
    const T a = x[i / count], b = x[i % count];
    results[8 * i] = kachel::select(i % 3 == 0, a, b);
    results[8 * i + 1] = kachel::min(a, b);
    results[8 * i + 2] = kachel::max(a, b);
    results[8 * i + 3] = kachel::clamp(a, -1, 2);
    results[8 * i + 4] = kachel::clamp(b, T(0), T(0));
    results[8 * i + 5] = kachel::at_least(a, T(-0.0));
    results[8 * i + 6] = kachel::at_most(a, T(2));
    results[8 * i + 7] = kachel::magnitude_at_most(Kokkos::abs(a), T(2));
  }
};

template <class T, class Bound>
concept CanBeClamped = requires(T x, Bound bound) { kachel::clamp(x, bound, bound); };
static_assert(CanBeClamped<float, int> && CanBeClamped<float, double> && CanBeClamped<int, int>);
static_assert(!CanBeClamped<int, double> && !CanBeClamped<unsigned, int>, "bounds would be cut");

template <class Space>
class Select : public testing::Test {};
TYPED_TEST_SUITE(Select, Spaces, Names);

template <class Space, class T>
void check_all_pairs() {
  using Limits = std::numeric_limits<T>;
  const T nan = Limits::quiet_NaN(), infinity = Limits::infinity();
  const std::vector<T> x = {T(-0.0),
                            T(0),
                            T(1),
                            T(-1),
                            T(2),
                            T(2.5),
                            -infinity,
                            infinity,
                            nan,
                            -nan,
                            Limits::denorm_min(),
                            -Limits::denorm_min(),
                            Limits::max(),
                            Limits::lowest()};
  const int count = static_cast<int>(x.size());
  std::vector<T> expected;
  for (int i = 0; i < count * count; ++i) {
    const T a = x[i / count], b = x[i % count];
    expected.push_back(i % 3 == 0 ? a : b);
    // Where a and b are zeros of different sign, the first, as std::min and std::max have it.
    expected.push_back(is_nan(a) || is_nan(b) ? nan : b < a ? b : a);
    expected.push_back(is_nan(a) || is_nan(b) ? nan : b > a ? b : a);
    expected.push_back(a < -1 ? T(-1) : a > 2 ? T(2) : a);
    expected.push_back(b < 0 || b > 0 ? T(0) : b);
    // By the sign: where a comparison chose, Clang 14 would take its zeros for the same (a maximum).
    expected.push_back(std::signbit(a) && !is_nan(a) ? T(-0.0) : a);
    expected.push_back(a > 2 ? T(2) : a);
    expected.push_back(std::abs(a) < 2 ? std::abs(a) : T(2));
  }
  const Guarded<Space, T> input(x), results(std::vector<T>(expected.size()));
  Kokkos::parallel_for("all pairs", Kokkos::RangePolicy<Space>(0, count * count),
                       AllPairs<T>{input.data(), results.data(), count});
  EXPECT_TRUE(all_same(expected, results.values()));
}

TYPED_TEST(Select, MinMaxAndClampOfEverySpecialPair) {
  check_all_pairs<TypeParam, float>();
  check_all_pairs<TypeParam, double>();
}

}  // namespace
}  // namespace kachel_test
