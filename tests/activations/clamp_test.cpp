// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kachel::clamp of arrays beside kachel::clamp of a number between two others.
#include <kachel/activations/clamp.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/rejection.hpp>
#include <support/typed_lists.hpp>

#include <limits>

namespace kachel_test {
namespace {

template <class C>
class Clamp : public testing::Test {};
TYPED_TEST_SUITE(Clamp, SpacesAndElements, Names);

TYPED_TEST(Clamp, IsCalledWithAndWithoutSpaceAndBounds) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  const std::vector<T> x = varied<T>(129);
  const std::vector<T> limited = map_over<Space>(kachel::Clamp{.min = 0}, x);
  const Guarded<Space, T> in(x), a(x), b(x), c(x), d(x), e(x), f(x);
  kachel::clamp(Space{}, a.span(), in.span());
  kachel::clamp(b.span(), in.span());
  kachel::clamp(Space{}, c.span(), in.span(), {.min = 0});
  kachel::clamp(d.span(), in.span(), {.min = 0});
  kachel::clamp(e.span(), in.span(), kachel::Clamp{.min = 0});
  kachel::clamp(f.span(), f.span(), {.min = 0});
  EXPECT_TRUE(all_same(x, a.values()));
  EXPECT_TRUE(all_same(x, b.values()));
  for (const auto* output : {&c, &d, &e, &f}) EXPECT_TRUE(all_same(limited, output->values()));
}

/// kachel::clamp of a number and of a pack, each in both ways, in a kernel of the user's.
template <class T>
struct InAKernel {
  const T* x;
  T* y;

  KOKKOS_FUNCTION void operator()(int i) const {
    using Compute = kachel::compute_type<T>;
    const auto value = static_cast<Compute>(x[i]);
    const kachel::Pack<Compute, 2> pack(value);
    y[4 * i] = kachel::clamp(x[i], {.min = -1, .max = 2});
    y[4 * i + 1] = static_cast<T>(kachel::clamp(value, -1, 2));
    y[4 * i + 2] = static_cast<T>(kachel::clamp(pack, {.min = -1, .max = 2})[1]);
    y[4 * i + 3] = static_cast<T>(kachel::clamp(pack, -1, pack + 8)[1]);
  }
};

TYPED_TEST(Clamp, IsCalledByNameInAUserKernel) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  const std::vector<T> x = varied<T>(200);
  const Guarded<Space, T> in(x), out(std::vector<T>(800));
  Kokkos::parallel_for("user kernel", Kokkos::RangePolicy<Space>(0, 200), InAKernel<T>{in.data(), out.data()});
  const std::vector<T> limited = map_over<Space>(kachel::Clamp{.min = -1, .max = 2}, x);
  const std::vector<T> raised = map_over<Space>(kachel::Clamp{.min = -1}, x);
  std::vector<T> expected;
  for (int i = 0; i < 200; ++i) expected.insert(expected.end(), {limited[i], limited[i], limited[i], raised[i]});
  EXPECT_TRUE(all_same(expected, out.values()));
}

TEST(ClampFunctor, IsConstexpr) {
  static_assert(kachel::Clamp{}(1.5f) == 1.5f);
  static_assert(kachel::Clamp{.max = 1}(1.5f) == 1.0f);
  static_assert(kachel::clamp(-3.0, {.min = -2}) == -2.0);
  static_assert(kachel::clamp(-3.0, -2, 2) == -2.0);
  static_assert(kachel::clamp(kachel::half(-1.5f), {.min = -1}).bits() == 0xbc00);
  static_assert(kachel::clamp(kachel::Pack<float, 4>(2.0f), {.max = 1})[3] == 1.0f);
  static_assert(kachel::clamp(0.0f, {.min = 1, .max = -1}) == -1.0f, "the upper bound prevails");
}

TYPED_TEST(Clamp, RejectsBoundsThatAreNaN) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  const Guarded<Space, T> both(std::vector<T>(8));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(rejection_of([&] { kachel::clamp(Space{}, both.span(), both.span(), {.min = nan}); }),
            "kachel::clamp: min is nan and max is inf, expected numbers that are not NaN");
  EXPECT_EQ(rejection_of([&] { kachel::clamp_backward(both.span(), both.span(), both.span(), {.max = nan}); }),
            "kachel::clamp_backward: min is -inf and max is nan, expected numbers that are not NaN");
}

}  // namespace
}  // namespace kachel_test
