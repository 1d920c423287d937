// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the contracts of the activations say, of the defaults.
#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/reference.hpp>
#include <support/typed_lists.hpp>
#include <support/ulp.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace kachel_test {
namespace {

/// Whether y is within `ulp` units of the last place of T of the exact number.
template <class T>
bool is_within(const Exact& exact, T y, double ulp) {
  if (is_inf(y)) return static_cast<T>(exact.approximately()) == y;
  int exponent = 0;
  std::frexp(exact.approximately(), &exponent);
  const int digits = std::numeric_limits<T>::digits;
  const double unit = std::ldexp(1.0, std::max(exponent, std::numeric_limits<T>::min_exponent) - digits);
  return exact.compare(y, ulp * unit) <= 0 && exact.compare(y, -ulp * unit) >= 0;
}

/// Those that are exact real numbers; list_test.cpp holds the others to their references.
template <class T>
struct ErrorsAreWithinContract {
  template <class F>
  void operator()() const {
    if constexpr (!HasWiderReference<F>) {
      const std::vector<T>& x = all_inputs<T>();
      const std::vector<T> y = map_over<FirstHostSpace>(F{}, x);
      // An exact product of doubles below this is out of a double's range.
      const double smallest = std::is_same_v<T, double> ? 0x1p-900 : 0;
      std::size_t wrong = 0, first = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (!is_nan(x[i]) && std::abs(x[i]) >= smallest &&
            !is_within(Reference<F>{}.exact(x[i]), y[i], F::contract.ulp) && wrong++ == 0)
          first = i;
      EXPECT_EQ(wrong, 0u) << F::name << " is more than " << F::contract.ulp << " ulp off, first at " << show(x[first])
                           << ": " << show(y[first]);
    }
  }
};

template <class T>
class Contracts : public testing::Test {};
using FloatAndDouble = testing::Types<float, double>;
TYPED_TEST_SUITE(Contracts, FloatAndDouble, Names);

TYPED_TEST(Contracts, HaveTheGreatestErrorOfExactNumbers) {
  for_each_type(kachel::Activations{}, ErrorsAreWithinContract<TypeParam>{});
}

/// Where gradients err most, which the steps of other tests pass over.
template <class F, class T>
void expect_gradient(T x) {
  using Wider = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  const T dx = kachel::PointwiseBackward<F>{}(T(1), x);
  EXPECT_LE(ulp_error(dx, Reference<F>{}.derivative(static_cast<Wider>(x))), F::contract.gradient_ulp)
      << F::name << " at " << show(x);
}

TEST(ContractsOfAll, HoldWhereGradientsErrMost) {
  expect_gradient<kachel::GELU>(-0x1.8a39p-9f);
  expect_gradient<kachel::GELUTanh>(-0x1.3dfe7p+2f);
  expect_gradient<kachel::Squareplus>(-0x1.017e7ap-7f);
  expect_gradient<kachel::Squareplus>(-0x1.35e4aa682694ap-7);
}

/// The derivative jumps at the kinks, takes the value of one of the sides there, and jumps nowhere else.
template <class T>
struct KinksAreWhereTheDerivativeJumps {
  static bool is_jump(T a, T b) { return std::abs(a - b) > T(0.05) * (1 + std::max(std::abs(a), std::abs(b))); }

  template <class F>
  void operator()() const {
    const auto dx = [](T x) { return kachel::PointwiseBackward<F>{}(T(1), x); };
    constexpr T infinity = std::numeric_limits<T>::infinity();
    for (const double kink : F::contract.kinks) {
      const T x = static_cast<T>(kink), below = dx(std::nextafter(x, -infinity)),
              above = dx(std::nextafter(x, infinity));
      EXPECT_TRUE(is_jump(below, above)) << F::name << " at " << kink << ": " << below << " below, " << above
                                         << " above";
      EXPECT_TRUE(dx(x) == below || dx(x) == above)
          << F::name << " at " << kink << ": " << dx(x) << ", expected " << below << " or " << above;
    }
    constexpr int steps = 1024;  // of 1; between two of them lies any kink
    for (int i = -8 * steps; i < 8 * steps; ++i) {
      const T x = (static_cast<T>(i) - T(0.5)) / steps, next = (static_cast<T>(i) + T(0.5)) / steps;
      const T a = dx(x), b = dx(next);
      if (!(std::max(std::abs(a), std::abs(b)) <= 16)) continue;  // steep everywhere, as log is, or NaN
      const auto& kinks = F::contract.kinks;
      const bool has_kink = std::any_of(kinks.begin(), kinks.end(), [&](double k) { return x < k && k < next; });
      EXPECT_EQ(is_jump(a, b), has_kink) << F::name << ": the derivative is " << a << " at " << x << " and " << b
                                         << " at " << next << ", and the contract's kinks "
                                         << (has_kink ? "name one" : "name none") << " between them";
    }
  }
};

TYPED_TEST(Contracts, NameTheKinks) {
  for_each_type(kachel::Activations{}, KinksAreWhereTheDerivativeJumps<TypeParam>{});
}

/// The contract names every parameter, and says what is expected of them where they are checked.
struct ContractIsWhole {
  template <class F>
  void operator()() const {
    static_assert(kachel::detail::has_named_doubles<F>());
    EXPECT_EQ(!F::contract.expected.empty(), (kachel::Validated<F>)) << F::name;
  }
};

TEST(ContractsOfAll, NameEveryParameter) { for_each_type(kachel::Activations{}, ContractIsWhole{}); }

}  // namespace
}  // namespace kachel_test
