// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kachel::map over random shapes, strides, offsets, types and parameters, held to a plain loop.
#include <kachel/map.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/shape.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

namespace kachel_test {
namespace {

struct ClampedLine {
  double slope, lower, upper;

  template <class T>
  KOKKOS_FUNCTION T operator()(T a, T b) const {
    return kachel::clamp(kachel::fma(a, T(slope), b), T(lower), T(upper));
  }
};

/// The same of one number, by the standard library alone.
template <class T>
T clamped_line(const ClampedLine& f, T a, T b) {
  const T line = std::fma(a, static_cast<T>(f.slope), b);
  const T lower = static_cast<T>(f.lower), upper = static_cast<T>(f.upper);
  return line < lower ? lower : line > upper ? upper : line;
}

using Random = std::mt19937_64;

int below(Random& random, int limit) { return static_cast<int>(random() % limit); }

std::vector<std::size_t> random_extents(Random& random) {
  std::vector<std::size_t> extents(below(random, 9));
  std::size_t left = below(random, 8) == 0 ? 1 << 15 : 4096;  // with more than hosts run on one thread among them
  for (std::size_t& extent : extents) {
    extent = below(random, 40) == 0 ? 0 : 1 + below(random, static_cast<int>(std::min<std::size_t>(left, 200)));
    left = std::max<std::size_t>(1, left / std::max<std::size_t>(1, extent));
  }
  std::shuffle(extents.begin(), extents.end(), random);
  return extents;
}

/// Dense in either order, or in any order with gaps between elements and rows.
Shape random_shape(Random& random, const std::vector<std::size_t>& extents) {
  std::vector<std::size_t> order(extents.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const int kind = below(random, 4);
  if (kind == 1) std::reverse(order.begin(), order.end());
  if (kind == 3) std::shuffle(order.begin(), order.end(), random);
  Shape shape{extents, std::vector<std::size_t>(extents.size())};
  std::size_t step = kind == 3 ? 1 + below(random, 3) : 1;
  for (const std::size_t dimension : order) {
    shape.strides[dimension] = step;
    step *= std::max<std::size_t>(1, extents[dimension]);
    if (kind >= 2) step += below(random, 4);
  }
  return shape;
}

template <class Space, class Y, class A, class B>
void check(Random& random) {
  using T = std::conditional_t<std::is_same_v<A, double> || std::is_same_v<B, double>, double, float>;
  const std::vector<std::size_t> extents = random_extents(random);
  const Shape to = random_shape(random, extents), of_b = random_shape(random, extents);
  const bool in_place = std::is_same_v<Y, A> && below(random, 4) == 0;
  const Shape of_a = in_place ? to : random_shape(random, extents);
  SCOPED_TRACE(testing::PrintToString(extents) + " y " + testing::PrintToString(to.strides) + " a " +
               testing::PrintToString(of_a.strides) + " b " + testing::PrintToString(of_b.strides) +
               (in_place ? " in place" : ""));
  const double bound = below(random, 1000) / 100.0;
  const ClampedLine f{below(random, 1000) / 100.0 - 5, -bound, bound + below(random, 3)};
  const std::vector<A> a = varied<A>(of_a.span(), random());
  const std::vector<B> b = varied<B>(of_b.span(), random());
  std::vector<Y> expected(to.span(), Y(111.0f));
  if constexpr (std::is_same_v<Y, A>)
    if (in_place) expected = a;
  const Guarded<Space, Y> output(expected, below(random, 16));
  const Guarded<Space, A> input_a(a, below(random, 16));
  const Guarded<Space, B> input_b(b, below(random, 16));
  for (std::size_t i = 0; i < to.count(); ++i)
    expected[to.place(i)] =
        static_cast<Y>(clamped_line(f, static_cast<T>(a[of_a.place(i)]), static_cast<T>(b[of_b.place(i)])));

  const auto y = view<Space>(output.data(), to);
  const auto x1 = view<Space, const B>(input_b.data(), of_b);
  if constexpr (std::is_same_v<Y, A>)
    kachel::map(Space{}, y, f, view<Space, const A>(in_place ? output.data() : input_a.data(), of_a), x1);
  else
    kachel::map(Space{}, y, f, view<Space, const A>(input_a.data(), of_a), x1);
  ASSERT_TRUE(all_same(expected, output.values()));
  ASSERT_TRUE(output.untouched_around() && input_a.untouched() && input_b.untouched());
}

template <class Space>
class MapRandom : public testing::Test {};
TYPED_TEST_SUITE(MapRandom, Spaces, Names);

/// 200 calls a case, the same ones in every run, unless KACHEL_RANDOM_SEED names others.
template <class Space, class Y, class A, class B>
void check_all() {
  const char* const seed = std::getenv("KACHEL_RANDOM_SEED");
  Random random(seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10));
  for (int i = 0; i < 200 && !testing::Test::HasFatalFailure(); ++i) {
    SCOPED_TRACE("call " + std::to_string(i));
    check<Space, Y, A, B>(random);
  }
}

TYPED_TEST(MapRandom, OfOneType) { check_all<TypeParam, float, float, float>(); }
TYPED_TEST(MapRandom, OfSixteenBits) { check_all<TypeParam, kachel::bfloat16, kachel::bfloat16, kachel::half>(); }
TYPED_TEST(MapRandom, ToAWiderType) { check_all<TypeParam, double, kachel::half, float>(); }
TYPED_TEST(MapRandom, ToANarrowerType) { check_all<TypeParam, kachel::half, double, float>(); }

}  // namespace
}  // namespace kachel_test
