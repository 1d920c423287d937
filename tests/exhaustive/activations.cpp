// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activations, forward and backward. Each time that this is compiled it walks through the activations of
// support/tested.hpp.
#include "walk.hpp"

#include <gtest/gtest.h>
#include <support/reference.hpp>
#include <support/tested.hpp>

#include <limits>
#include <string>
#include <utility>

namespace kachel_test {
namespace {

/// Against the reference in double. Where there is an IEEE formula, infinite where the bits are not its.
template <class F>
struct ErrorOf {
  Reference<F> reference;

  KOKKOS_FUNCTION double operator()(float x, float y) const {
    if constexpr (HasWiderReference<F>) {
      return ulp_error(y, reference.value(static_cast<double>(x)));
    } else {
      if (!same_float(y, reference(x))) return Kokkos::Experimental::infinity_v<double>;
      const double exact = reference.exact(x).approximately();
      return y == exact ? 0 : ulp_error(y, exact);  // the zero's sign is the formula's
    }
  }
};

/// The same of the derivative; of an IEEE formula 0 where the bits are its.
template <class F>
struct GradientErrorOf {
  Reference<F> reference;

  KOKKOS_FUNCTION double operator()(float x, float dx) const {
    if constexpr (HasWiderReference<F>) {
      const double wide = x;
      return ulp_error(dx, wide != wide ? wide : reference.derivative(wide));
    } else {
      return same_float(dx, reference.backward(1.0f, x)) ? 0 : Kokkos::Experimental::infinity_v<double>;
    }
  }
};

/// dx of one dy.
template <class F, class T>
struct Gradient {
  T dy;

  template <class Space, class DX, class X>
  void operator()(const Space& space, const DX& dx, const X& x) const {
    kachel::PointwiseBackward<F>{}(space, dx, dy, x);
  }
};

template <class F>
struct Forward {
  template <class Space, class Y, class X>
  void operator()(const Space& space, const Y& y, const X& x) const {
    kachel::map(space, y, F{}, x);
  }
};

template <class F>
struct Activation {
  using Functor = F;
  static std::string name() { return std::string(F::name); }
};

template <class List>
struct ToTested;
template <class... F>
struct ToTested<TypeList<F...>> {
  using type = testing::Types<Activation<F>...>;
};

constexpr double unmeasured = std::numeric_limits<double>::infinity();

template <class A>
class EveryInput : public testing::Test {};
using Tested = ToTested<TestedActivations>::type;
TYPED_TEST_SUITE(EveryInput, Tested, Names);

TYPED_TEST(EveryInput, Forward) {
  using F = typename TypeParam::Functor;
  const Inputs<float> inputs{options().sample};
  report(TypeParam::name(), "forward", walk_where_asked(inputs, Forward<F>{}, ErrorOf<F>{reference_of<float>(F{})}),
         F::contract.ulp);
}

TYPED_TEST(EveryInput, Backward) {
  using F = typename TypeParam::Functor;
  const Inputs<float> inputs{options().sample};
  const GradientErrorOf<F> error_of{reference_of<float>(F{})};
  report(TypeParam::name(), "backward", walk_where_asked(inputs, Gradient<F, float>{1}, error_of),
         F::contract.gradient_ulp);
}

TYPED_TEST(EveryInput, BackwardOfOtherGradients) {
  using F = typename TypeParam::Functor;
  const Inputs<float> inputs{83 * options().sample};
  for (const auto& [direction, dy] : {std::pair("backward, dy = -1.7", -1.7f), std::pair("backward, dy = 3e30", 3e30f),
                                      std::pair("backward, dy = 1e-30", 1e-30f)})
    report(TypeParam::name(), direction, walk_where_asked(inputs, Gradient<F, float>{dy}, NoError{}), unmeasured);
}

TYPED_TEST(EveryInput, ForwardOfDoubles) {
  using F = typename TypeParam::Functor;
  const Inputs<double> inputs{options().sample};
  report(TypeParam::name(), "forward, double", walk_where_asked(inputs, Forward<F>{}, NoError{}), unmeasured);
}

TYPED_TEST(EveryInput, BackwardOfDoubles) {
  using F = typename TypeParam::Functor;
  const Inputs<double> inputs{options().sample};
  report(TypeParam::name(), "backward, double", walk_where_asked(inputs, Gradient<F, double>{1}, NoError{}),
         unmeasured);
}

}  // namespace
}  // namespace kachel_test
