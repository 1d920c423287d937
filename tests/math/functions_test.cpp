// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of math/ against a wider type of the platform's library: a walk through all patterns, and every
// neighbourhood of a special number. All floats: exhaustive.cpp.
#include <kachel/pack_math.hpp>

#include <gtest/gtest.h>
#include <support/bits.hpp>
#include <support/inputs.hpp>
#include <support/math_functions.hpp>
#include <support/typed_lists.hpp>
#include <support/ulp.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace kachel_test {
namespace {

/// Patterns in even steps, numbers of even spacing in [-16, 16), and 400 neighbours of 0, of F's edges and of infinity.
template <class F, class T>
std::vector<T> inputs_of() {
  using Bits = BitsOf<T>;
  constexpr Bits walk_steps = 1 << 18, stride = ~Bits{0} / walk_steps | 1;
  std::vector<T> inputs;
  for (Bits i = 0; i < walk_steps; ++i) inputs.push_back(from_bits<T>(i * stride));
  for (int i = -(1 << 16); i < 1 << 16; ++i) inputs.push_back(static_cast<T>(i) / (1 << 12) + T(1e-5));
  std::vector<T> centres = {T(0), std::numeric_limits<T>::min(), std::numeric_limits<T>::epsilon(), T(1),
                            std::numeric_limits<T>::infinity()};
  for (const double edge : F::edges) centres.push_back(static_cast<T>(edge));
  for (const T centre : centres)
    for (Bits step = 0; step < 400; ++step) {
      const T near = from_bits<T>(to_bits(centre) + step - 200);
      inputs.insert(inputs.end(), {near, -near});
    }
  return inputs;
}

template <class F, class T>
struct OfEach {
  const T* x;
  T* y;
  KOKKOS_FUNCTION void operator()(int i) const { y[i] = F{}(x[i]); }
};

template <class Space, class F, class T>
std::vector<T> of_each(const std::vector<T>& inputs) {
  const Guarded<Space, T> x(inputs), y(std::vector<T>(inputs.size()));
  Kokkos::parallel_for("math function", Kokkos::RangePolicy<Space>(0, static_cast<int>(inputs.size())),
                       OfEach<F, T>{x.data(), y.data()});
  return y.values();
}

template <class F, class T, class Wider>
void check_accuracy(double bound) {
  const std::vector<T> x = inputs_of<F, T>(), y = of_each<FirstHostSpace, F>(x);
  double worst = 0;
  std::size_t where = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double error = ulp_error(y[i], F::exact(static_cast<Wider>(x[i])));
    if (error > worst) worst = error, where = i;
  }
  EXPECT_LE(worst, bound) << F::name() << " of " << show(x[where]) << " is " << show(y[where]) << ", expected "
                          << show(static_cast<T>(F::exact(static_cast<Wider>(x[where]))));
}

template <class F>
class MathFunction : public testing::Test {};
TYPED_TEST_SUITE(MathFunction, ToTesting<MathFunctions>::type, Names);

TYPED_TEST(MathFunction, IsAsAccurateAsDocumented) {
  check_accuracy<TypeParam, float, double>(TypeParam::float_ulp);
  static_assert(std::numeric_limits<long double>::digits >= 64);
  check_accuracy<TypeParam, double, long double>(TypeParam::double_ulp);
}

template <class Space, class F, class T>
void check_space() {
  const std::vector<T> x = inputs_of<F, T>();
  EXPECT_TRUE(all_same(of_each<FirstHostSpace, F>(x), of_each<Space, F>(x), x)) << F::name() << " on " << Space::name();
}

TYPED_TEST(MathFunction, HasTheSameBitsOnEverySpace) {
  for_each_type(SpaceList{}, [&]<class Space>() {
    check_space<Space, TypeParam, float>();
    check_space<Space, TypeParam, double>();
  });
}

TYPED_TEST(MathFunction, OfAPackIsThatOfItsElements) {
  const TypeParam f;
  const std::vector<float> numbers = {0.0625f, 0.5f, 1.25f, 3};
  kachel::Pack<float, 4> pack;
  for (int i = 0; i < 4; ++i) pack[i] = numbers[i];
  const auto results = f(pack);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(results[i], f(numbers[i]));
}

}  // namespace
}  // namespace kachel_test
