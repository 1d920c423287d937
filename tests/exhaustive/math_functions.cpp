// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of math/.
#include "walk.hpp"

#include <gtest/gtest.h>
#include <support/math_functions.hpp>

#include <limits>
#include <string>

namespace kachel_test {
namespace {

template <class F>
struct Call {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return F{}(x);
  }
};

template <class F>
struct Map {
  template <class Space, class Y, class X>
  void operator()(const Space& space, const Y& y, const X& x) const {
    kachel::map(space, y, Call<F>{}, x);
  }
};

template <class F>
struct MathErrorOf {
  KOKKOS_FUNCTION double operator()(float x, float y) const { return ulp_error(y, F::exact(static_cast<double>(x))); }
};

template <class F>
class EveryInputOfMath : public testing::Test {};
TYPED_TEST_SUITE(EveryInputOfMath, ToTesting<MathFunctions>::type, Names);

TYPED_TEST(EveryInputOfMath, Forward) {
  const Inputs<float> inputs{options().sample};
  report(std::string("math::") + TypeParam::name(), "forward",
         walk_where_asked(inputs, Map<TypeParam>{}, MathErrorOf<TypeParam>{}), TypeParam::float_ulp);
}

TYPED_TEST(EveryInputOfMath, ForwardOfDoubles) {
  const Inputs<double> inputs{options().sample};
  report(std::string("math::") + TypeParam::name(), "forward, double",
         walk_where_asked(inputs, Map<TypeParam>{}, NoError{}), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace kachel_test
