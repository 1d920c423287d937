// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is in neither list and has a formula of IEEE arithmetic, whose bits it must have: PReLU, whose slope is an
// operand, and the reciprocal.
#include "walk.hpp"

#include <kachel/activations/prelu.hpp>
#include <kachel/math/reciprocal.hpp>

#include <gtest/gtest.h>

#include <string>

namespace kachel_test {
namespace {

constexpr float slope = -0.3f;

/// 0 where the bits are the formula's, else infinite.
template <class Formula>
struct FormulaError {
  KOKKOS_FUNCTION double operator()(float x, float y) const {
    return same_float(y, Formula{}(x)) ? 0 : Kokkos::Experimental::infinity_v<double>;
  }
};

struct ValueOfPReLU {
  KOKKOS_FUNCTION float operator()(float x) const { return x > 0 ? x : slope * x; }
};

struct DerivativeOfPReLU {
  KOKKOS_FUNCTION float operator()(float x) const { return x > 0 ? 1 : x <= 0 ? slope : x; }
};

struct ForwardOfPReLU {
  template <class Space, class Y, class X>
  void operator()(const Space& space, const Y& y, const X& x) const {
    kachel::prelu(space, y, x, slope);
  }
};

/// dx of a dy of 1.
struct GradientOfPReLU {
  template <class Space, class DX, class X>
  void operator()(const Space& space, const DX& dx, const X& x) const {
    const DX dy(Kokkos::view_alloc(space, "dy", Kokkos::WithoutInitializing), x.extent(0)), dw("dw", 1);
    Kokkos::deep_copy(space, dy, 1);
    kachel::prelu_backward(space, dx, dw, dy, x, slope);
  }
};

/// 1 / x where both are normal numbers, else x: of others a device has other results.
template <bool by_formula>
struct NormalReciprocal {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    constexpr T least = Kokkos::Experimental::norm_min_v<T>;
    const T a = Kokkos::abs(x);
    if (!(a >= least && a <= 1 / least)) return x;
    return by_formula ? 1 / x : kachel::math::reciprocal(x);
  }
};

struct MapReciprocal {
  template <class Space, class Y, class X>
  void operator()(const Space& space, const Y& y, const X& x) const {
    kachel::map(space, y, NormalReciprocal<false>{}, x);
  }
};

/// All floats, and the doubles, whose errors are not measured.
template <class Compute, class Error>
void walk_both(const std::string& function, const std::string& direction, const Compute& compute, const Error& error) {
  report(function, direction, walk_where_asked(Inputs<float>{options().sample}, compute, error), 0);
  report(function, direction + ", double", walk_where_asked(Inputs<double>{options().sample}, compute, NoError{}), 0);
}

TEST(EveryInputOfPReLU, Forward) { walk_both("prelu", "forward", ForwardOfPReLU{}, FormulaError<ValueOfPReLU>{}); }

TEST(EveryInputOfPReLU, Backward) {
  walk_both("prelu", "backward", GradientOfPReLU{}, FormulaError<DerivativeOfPReLU>{});
}

TEST(EveryInputOfReciprocal, Forward) {
  walk_both("math::reciprocal", "forward", MapReciprocal{}, FormulaError<NormalReciprocal<true>>{});
}

}  // namespace
}  // namespace kachel_test
