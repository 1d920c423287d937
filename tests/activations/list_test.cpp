// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What holds for every activation, over every execution space and element type. Each time that this is compiled it
// tests the activations of support/tested.hpp.
#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/reference.hpp>
#include <support/rejection.hpp>
#include <support/tested.hpp>
#include <support/typed_lists.hpp>
#include <support/ulp.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace kachel_test {
namespace {

/// Every input for the default parameters, of 16 bits for all; else a part. Of float and double a part always, where
/// the reference is a function of the platform's, which takes long.
template <class F, class T>
std::vector<T> inputs_for(bool is_default) {
  if constexpr (!has_one_result<F, T>) {
    std::vector<T> inputs = varied<T>(10007);
    const std::vector<T>& all = all_inputs<T>();
    for (std::size_t i = 0; i < all.size(); i += is_default ? 101 : 1009) inputs.push_back(all[i]);
    if (is_default) inputs.insert(inputs.end(), all.end() - 12288, all.end());  // what is special
    return inputs;
  }
  return is_default || sizeof(T) == 2 ? all_inputs<T>() : varied<T>(100003);
}

/// A type with more digits than T.
template <class T>
using Wider = std::conditional_t<std::is_same_v<T, float>, double, long double>;

/// Expects every result within `ulp` units of the last place of exact(i) for the i-th.
template <class T, class ExactAt>
void expect_within(const std::vector<T>& y, double ulp, const ExactAt& exact, const std::vector<T>& x,
                   const std::string& what) {
  std::size_t worst = 0;
  double largest = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double error = ulp_error(y[i], exact(i));
    if (error > largest) largest = error, worst = i;
  }
  EXPECT_LE(largest, ulp) << what << " of " << show(x[worst]) << " gives " << show(y[worst]);
}

/// What is compared depends on no execution space, and is compiled once for all of them.
template <class F, class T>
void expect_results(const F& f, double ulp, const std::vector<T>& x, const std::vector<T>& y) {
  if constexpr (has_one_result<F, T>) {
    std::vector<T> expected(x.size());
    std::transform(x.begin(), x.end(), expected.begin(), [&f](T value) { return expected_result(f, value); });
    EXPECT_TRUE(all_same(expected, y, x)) << show_case(f);
  } else {
    const Reference<F> reference = reference_of<T>(f);
    const auto exact = [&](std::size_t i) { return reference.value(static_cast<Wider<T>>(x[i])); };
    expect_within(y, ulp, exact, x, show_case(f));
  }
}

/// 16-bit results are correctly rounded for every input, float and double ones are those of the IEEE formula, or within
/// the contract of the reference in a wider type.
template <class Space, class T>
struct ResultsAreExpected {
  template <class F>
  void operator()() const {
    for (bool is_default = true; const F& f : parameter_cases<F>()) {
      const double ulp = is_default ? F::contract.ulp : std::max(F::contract.ulp, F::contract.other_ulp);
      const std::vector<T> x = inputs_for<F, T>(std::exchange(is_default, false));
      expect_results(f, ulp, x, map_over<Space>(f, x));
    }
  }
};

/// Gradients of every kind; where the reference is in a wider type numbers of [1, 2), since a product of a subnormal
/// derivative has an error in units of that.
template <class F, class T>
std::vector<T> gradients_for(std::size_t count) {
  std::vector<T> dy = varied<T>(count, 5);
  if constexpr (!has_one_result<F, T>)
    for (std::size_t i = 0; i < count; ++i) dy[i] = 1 + static_cast<T>(i % 1024) / 1024;
  return dy;
}

template <class F, class T>
void expect_gradients(const F& f, const std::vector<T>& dy, const std::vector<T>& x, const std::vector<T>& dx) {
  if constexpr (has_one_result<F, T>) {
    std::vector<T> expected(x.size());
    std::transform(dy.begin(), dy.end(), x.begin(), expected.begin(),
                   [&f](T gradient, T value) { return expected_gradient(f, gradient, value); });
    EXPECT_TRUE(all_same(expected, dx, x)) << show_case(f);
  } else {
    const Reference<F> reference = reference_of<T>(f);
    const auto exact = [&](std::size_t i) {
      const auto of_x = static_cast<Wider<T>>(x[i]);
      return of_x != of_x ? of_x : exact_gradient<F>(reference, Wider<T>(dy[i]), reference.derivative(of_x), of_x);
    };
    expect_within(dx, F::contract.gradient_ulp, exact, x, show_case(f) + ", the derivative");
  }
}

/// The derivative by its formula, rounded once, of gradients of every kind.
template <class Space, class T>
struct GradientsAreExpected {
  template <class F>
  void operator()() const {
    for (bool is_default = true; const F& f : parameter_cases<F>()) {
      const std::vector<T> x = inputs_for<F, T>(std::exchange(is_default, false)), dy = gradients_for<F, T>(x.size());
      const Guarded<Space, T> input(x), gradient(dy), output(dy);
      kachel::PointwiseBackward<F>{}(Space{}, output.span(), gradient.span(), input.span(), f);
      expect_gradients(f, dy, x, output.values());
    }
  }
};

/// Of a derivative for 16 bits, before dy multiplies it: at most half a unit of the last place of T off for each of the
/// 65,536 inputs. NaN where x is.
template <class T>
struct NarrowDerivativesAreNear {
  template <class F>
  void operator()() const {
    if constexpr (kachel::HasNarrowSlope<F>)
      for (const F& f : parameter_cases<F>()) check(f);
  }

  template <class F>
  static void check(const F& f) {
    const Reference<F> reference = reference_of<float>(f);
    double largest = 0;
    float worst = 0;
    for (const T x : all_inputs<T>()) {
      const auto of_x = static_cast<float>(x), slope = f.narrow_slope(of_x);
      if (of_x != of_x) {
        EXPECT_TRUE(slope != slope) << show_case(f) << " of " << show(x) << " is no NaN";
        continue;
      }
      const double exact = reference.derivative(static_cast<double>(of_x));
      const auto below = static_cast<std::uint16_t>(magnitude_bits(static_cast<T>(exact)));
      const double unit = static_cast<float>(T::from_bits(below + 1)) - static_cast<float>(T::from_bits(below));
      const double error = Kokkos::abs(slope - exact) / unit;
      if (!(error <= largest)) largest = error, worst = of_x;
    }
    EXPECT_LE(largest, 0.5) << show_case(f) << " of " << worst;
  }
};

template <class F, class T>
T expected_from_output(const F& f, T dy, T x, T y, const std::vector<T>& bounds) {
  using Compute = kachel::compute_type<T>;
  if constexpr (HasWiderReference<F>)
    return static_cast<T>(kachel::BackwardFromOutput<F, T>{f}(static_cast<Compute>(dy), static_cast<Compute>(y)));
  if (is_nan(y)) return y;
  for (const T bound : bounds)
    if (!is_inf(bound) && y == bound) return static_cast<T>(0.0f);
  return expected_gradient(f, dy, x);
}

template <class F, class T>
void expect_gradients_from_output(const F& f, const std::vector<T>& dy, const std::vector<T>& x,
                                  const std::vector<T>& y, const std::vector<T>& dx) {
  if constexpr (has_one_result<F, T>) {
    const T infinity = std::numeric_limits<T>::infinity();
    const std::vector<T> infinities = {static_cast<T>(-infinity), infinity};
    const std::vector<T> bounds = map_over<FirstHostSpace>(f, infinities);
    std::vector<T> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = expected_from_output(f, dy[i], x[i], y[i], bounds);
    EXPECT_TRUE(all_same(expected, dx, x)) << show_case(f);
  } else {
    const Reference<F> reference = reference_of<T>(f);
    const auto exact = [&](std::size_t i) {
      const auto of_y = static_cast<Wider<T>>(y[i]);
      return exact_gradient<F>(reference, Wider<T>(dy[i]), reference.derivative_from_output(of_y), of_y);
    };
    expect_within(dx, 3, exact, y, show_case(f) + ", the derivative from y");
  }
}

/// The derivative from y = f(x): that of its formula in y; or of straight lines that at x, but 0 at a bound, to which a
/// number inside can be rounded.
template <class Space, class T>
struct GradientsFromOutputAreExpected {
  template <class F>
  void operator()() const {
    if constexpr (kachel::HasBackwardFromOutput<F>)
      for (bool is_default = true; const F& f : parameter_cases<F>())
        if (rejection_of([&] { kachel::BackwardFromOutput<F>{f}.check(""); }) == "accepted")
          check(f, inputs_for<F, T>(std::exchange(is_default, false)));
  }

  template <class F>
  static void check(const F& f, const std::vector<T>& x) {
    const std::vector<T> y = map_over<Space>(f, x), dy = gradients_for<F, T>(x.size());
    const Guarded<Space, T> output_of_f(y), gradient(dy), output(dy);
    kachel::PointwiseBackward<F, kachel::Saved::output>{}(Space{}, output.span(), gradient.span(), output_of_f.span(),
                                                          f);
    expect_gradients_from_output(f, dy, x, y, output.values());
  }
};

template <class T>
struct BitsEqualTheFirstHostSpace {
  template <class F>
  void operator()() const {
    const std::vector<T>& x = all_inputs<T>();
    const std::vector<T> expected = map_over<FirstHostSpace>(F{}, x);
    for_each_type(OtherSpaces{}, [&]<class Space>() {
      if constexpr (is_among<Case<Space, T>>(CaseList{})) {
        EXPECT_TRUE(all_same(expected, map_over<Space>(F{}, x), x)) << F::name << " on " << Space::name();
      }
    });
  }
};

/// A user's kernel that applies an activation to numbers and, in the compute type, to packs; its derivative to numbers,
/// with x as the gradient.
template <class F, class T>
struct UserKernel {
  F f;
  const T* x;
  T* of_number;
  T* derivative;
  kachel::compute_type<T>* of_pack;
  kachel::compute_type<T>* of_functor;

  KOKKOS_FUNCTION void operator()(int index) const {
    constexpr kachel::Pointwise<F> activation;
    constexpr int width = 4;
    kachel::Pack<kachel::compute_type<T>, width> values;
    for (int i = 0; i < width; ++i) {
      const T number = x[index * width + i];
      of_number[index * width + i] = activation(number, f);
      derivative[index * width + i] = kachel::PointwiseBackward<F>{}(number, number, f);
      values[i] = static_cast<kachel::compute_type<T>>(number);
    }
    const auto results = activation(values, f);
    const auto by_functor = f(values);
    for (int i = 0; i < width; ++i) {
      of_pack[index * width + i] = results[i];
      of_functor[index * width + i] = by_functor[i];
    }
  }
};

template <class F, class T>
void expect_functor_of_each(const F& f, const std::vector<T>& x, const std::vector<kachel::compute_type<T>>& of_pack,
                            const std::vector<kachel::compute_type<T>>& of_functor) {
  using Compute = kachel::compute_type<T>;
  std::vector<Compute> expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] = f(static_cast<Compute>(x[i]));
  EXPECT_TRUE(all_same(expected, of_pack));
  EXPECT_TRUE(all_same(expected, of_functor));
}

/// A number gives the bits of map, a pack those of the functor at each of its elements.
template <class Space, class T>
struct NumbersAndPacksEqualMap {
  template <class F>
  void operator()() const {
    for (const F& f : parameter_cases<F>()) check(f);
  }

  template <class F>
  static void check(const F& f) {
    SCOPED_TRACE(show_case(f));
    using Compute = kachel::compute_type<T>;
    const std::vector<T> x = varied<T>(4096);
    const Guarded<Space, T> input(x), of_number(std::vector<T>(x.size())), derivative(std::vector<T>(x.size())),
        dx(std::vector<T>(x.size()));
    const Guarded<Space, Compute> of_pack(std::vector<Compute>(x.size())), of_functor(std::vector<Compute>(x.size()));
    Kokkos::parallel_for(
        "user kernel", Kokkos::RangePolicy<Space>(0, static_cast<int>(x.size() / 4)),
        UserKernel<F, T>{f, input.data(), of_number.data(), derivative.data(), of_pack.data(), of_functor.data()});
    kachel::PointwiseBackward<F>{}(Space{}, dx.span(), input.span(), input.span(), f);
    EXPECT_TRUE(all_same(map_over<Space>(f, x), of_number.values(), x));
    EXPECT_TRUE(all_same(dx.values(), derivative.values(), x));
    expect_functor_of_each(f, x, of_pack.values(), of_functor.values());
  }
};

/// A case of this part. Its type is another than those of the other parts: GCC takes typed tests whose names and types
/// are the same in two sources for one, though they are in unnamed namespaces.
template <class C, int number>
struct CaseOfPart : C {
  static std::string name() { return Names::GetName<C>(0) + "_part_" + std::to_string(number); }
};

template <class List>
struct ToCasesOfPart;
template <class... C>
struct ToCasesOfPart<TypeList<C...>> {
  using type = testing::Types<CaseOfPart<C, tested_part>...>;
};

template <class C>
class EveryActivation : public testing::Test {};
using Cases = ToCasesOfPart<CaseList>::type;
TYPED_TEST_SUITE(EveryActivation, Cases, Names);

TYPED_TEST(EveryActivation, GivesTheExpectedBits) {
  for_each_type(TestedActivations{}, ResultsAreExpected<typename TypeParam::Space, typename TypeParam::Element>{});
}

TYPED_TEST(EveryActivation, HasTheFormulasGradient) {
  for_each_type(TestedActivations{}, GradientsAreExpected<typename TypeParam::Space, typename TypeParam::Element>{});
}

TYPED_TEST(EveryActivation, HasTheFormulasGradientFromItsOutput) {
  for_each_type(TestedActivations{},
                GradientsFromOutputAreExpected<typename TypeParam::Space, typename TypeParam::Element>{});
}

TYPED_TEST(EveryActivation, OfNumbersAndPacksInAUserKernelEqualsMap) {
  for_each_type(TestedActivations{}, NumbersAndPacksEqualMap<typename TypeParam::Space, typename TypeParam::Element>{});
}

template <class C>
class EveryActivationOn : public testing::Test {};
using FirstCases = ToCasesOfPart<Product<TypeList<FirstHostSpace>, ElementList>::type>::type;
TYPED_TEST_SUITE(EveryActivationOn, FirstCases, Names);

TYPED_TEST(EveryActivationOn, GivesTheSameBitsOnEveryOtherSpace) {
  if (std::is_same_v<OtherSpaces, TypeList<>>) GTEST_SKIP() << "there is one execution space";
  for_each_type(TestedActivations{}, BitsEqualTheFirstHostSpace<typename TypeParam::Element>{});
}

template <class C>
class EveryNarrowDerivative : public testing::Test {};
using NarrowCases = ToCasesOfPart<Product<TypeList<FirstHostSpace>, Float16List>::type>::type;
TYPED_TEST_SUITE(EveryNarrowDerivative, NarrowCases, Names);

TYPED_TEST(EveryNarrowDerivative, IsWithinHalfAUnit) {
  for_each_type(TestedActivations{}, NarrowDerivativesAreNear<typename TypeParam::Element>{});
}

}  // namespace
}  // namespace kachel_test
