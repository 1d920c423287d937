// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What holds for every activation, over every execution space and element type.
#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/reference.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <utility>

namespace kachel_test {
namespace {

/// Every input for the default parameters, of 16 bits for all; else a part.
template <class T>
std::vector<T> inputs_for(bool is_default) {
  return is_default || sizeof(T) == 2 ? all_inputs<T>() : varied<T>(100003);
}

/// 16-bit results are correctly rounded for every input, float and double ones are those of the IEEE formula.
template <class Space, class T>
struct ResultsAreExpected {
  template <class F>
  void operator()() const {
    for (bool is_default = true; const F& f : parameter_cases<F>()) {
      const std::vector<T> x = inputs_for<T>(std::exchange(is_default, false));
      std::vector<T> expected(x.size());
      std::transform(x.begin(), x.end(), expected.begin(), [&f](T value) { return expected_result(f, value); });
      EXPECT_TRUE(all_same(expected, map_over<Space>(f, x), x)) << show_case(f);
    }
  }
};

/// The derivative by its formula, rounded once, of gradients of every kind.
template <class Space, class T>
struct GradientsAreExpected {
  template <class F>
  void operator()() const {
    for (bool is_default = true; const F& f : parameter_cases<F>()) {
      const std::vector<T> x = inputs_for<T>(std::exchange(is_default, false)), dy = varied<T>(x.size(), 5);
      std::vector<T> expected(x.size());
      std::transform(dy.begin(), dy.end(), x.begin(), expected.begin(),
                     [&f](T gradient, T value) { return expected_gradient(f, gradient, value); });
      const Guarded<Space, T> input(x), gradient(dy), output(dy);
      kachel::map(Space{}, output.span(), kachel::Backward<F>{f}, gradient.span(), input.span());
      EXPECT_TRUE(all_same(expected, output.values(), x)) << show_case(f);
    }
  }
};

template <class Space, class T>
struct BitsEqualTheFirstHostSpace {
  template <class F>
  void operator()() const {
    SCOPED_TRACE(std::string(F::name));
    const std::vector<T>& x = all_inputs<T>();
    EXPECT_TRUE(all_same(map_over<FirstHostSpace>(F{}, x), map_over<Space>(F{}, x), x));
  }
};

/// Whether y is within `ulp` units of the last place of T of the exact number.
template <class T>
bool is_within(const Exact& exact, T y, double ulp) {
  int exponent = 0;
  std::frexp(exact.approximately(), &exponent);
  const int digits = std::numeric_limits<T>::digits;
  const double unit = std::ldexp(1.0, std::max(exponent, std::numeric_limits<T>::min_exponent) - digits);
  return exact.compare(y, ulp * unit) <= 0 && exact.compare(y, -ulp * unit) >= 0;
}

template <class T>
struct ErrorsAreWithinContract {
  template <class F>
  void operator()() const {
    const std::vector<T>& x = all_inputs<T>();
    const std::vector<T> y = map_over<FirstHostSpace>(F{}, x);
    // An exact product of doubles below this is out of a double's range.
    const double smallest = std::is_same_v<T, double> ? 0x1p-900 : 0;
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!is_nan(x[i]) && std::abs(x[i]) >= smallest && !is_within(Reference<F>{}.exact(x[i]), y[i], F::contract.ulp))
        if (wrong++ == 0) first = i;
    EXPECT_EQ(wrong, 0u) << F::name << " is more than " << F::contract.ulp << " ulp off, first at " << show(x[first])
                         << ": " << show(y[first]);
  }
};

/// A user's kernel that applies an activation to numbers and, in the compute type, to packs.
template <class F, class T>
struct UserKernel {
  const T* x;
  T* of_number;
  kachel::compute_type<T>* of_pack;
  kachel::compute_type<T>* of_functor;

  KOKKOS_FUNCTION void operator()(int index) const {
    constexpr kachel::Pointwise<F> activation;
    constexpr int width = 4;
    kachel::Pack<kachel::compute_type<T>, width> values;
    for (int i = 0; i < width; ++i) {
      const T number = x[index * width + i];
      of_number[index * width + i] = activation(number);
      values[i] = static_cast<kachel::compute_type<T>>(number);
    }
    const auto results = activation(values);
    const auto by_functor = F{}(values);
    for (int i = 0; i < width; ++i) {
      of_pack[index * width + i] = results[i];
      of_functor[index * width + i] = by_functor[i];
    }
  }
};

/// A number gives the bits of map, a pack those of the functor at each of its elements.
template <class Space, class T>
struct NumbersAndPacksEqualMap {
  template <class F>
  void operator()() const {
    SCOPED_TRACE(std::string(F::name));
    using Compute = kachel::compute_type<T>;
    const std::vector<T> x = varied<T>(4096);
    const Guarded<Space, T> input(x), of_number(std::vector<T>(x.size()));
    const Guarded<Space, Compute> of_pack(std::vector<Compute>(x.size())), of_functor(std::vector<Compute>(x.size()));
    Kokkos::parallel_for("user kernel", Kokkos::RangePolicy<Space>(0, static_cast<int>(x.size() / 4)),
                         UserKernel<F, T>{input.data(), of_number.data(), of_pack.data(), of_functor.data()});
    EXPECT_TRUE(all_same(map_over<Space>(F{}, x), of_number.values(), x));
    std::vector<Compute> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = Reference<F>{}(static_cast<Compute>(x[i]));
    EXPECT_TRUE(all_same(expected, of_pack.values()));
    EXPECT_TRUE(all_same(expected, of_functor.values()));
  }
};

template <class C>
class EveryActivation : public testing::Test {};
TYPED_TEST_SUITE(EveryActivation, SpacesAndElements, Names);

TYPED_TEST(EveryActivation, GivesTheExpectedBits) {
  for_each_type(kachel::Activations{}, ResultsAreExpected<typename TypeParam::Space, typename TypeParam::Element>{});
}

TYPED_TEST(EveryActivation, HasTheFormulasGradient) {
  for_each_type(kachel::Activations{}, GradientsAreExpected<typename TypeParam::Space, typename TypeParam::Element>{});
}

TYPED_TEST(EveryActivation, GivesTheSameBitsOnEverySpace) {
  for_each_type(kachel::Activations{},
                BitsEqualTheFirstHostSpace<typename TypeParam::Space, typename TypeParam::Element>{});
}

TYPED_TEST(EveryActivation, OfNumbersAndPacksInAUserKernelEqualsMap) {
  for_each_type(kachel::Activations{},
                NumbersAndPacksEqualMap<typename TypeParam::Space, typename TypeParam::Element>{});
}

TEST(EveryActivation, IsWithinItsContractInFloat) {
  for_each_type(kachel::Activations{}, ErrorsAreWithinContract<float>{});
}

TEST(EveryActivation, IsWithinItsContractInDouble) {
  for_each_type(kachel::Activations{}, ErrorsAreWithinContract<double>{});
}

/// The contract names every parameter, and says what is expected of them where they are checked.
struct ContractIsWhole {
  template <class F>
  void operator()() const {
    static_assert(kachel::has_named_doubles<F>());
    EXPECT_EQ(!F::contract.expected.empty(), (requires(const F& f) { f.check(""); })) << F::name;
  }
};

TEST(EveryActivation, HasAContract) { for_each_type(kachel::Activations{}, ContractIsWhole{}); }

TEST(Activations, OfPacksOf16BitNumbersRoundOnce) {
  const kachel::Pack<kachel::half, 2> x(kachel::half(0.3f));
  const auto y = kachel::hardsigmoid_affine(x);
  static_assert(std::is_same_v<decltype(y), const kachel::Pack<kachel::half, 2>>);
  EXPECT_EQ(y[1].bits(), kachel::hardsigmoid_affine(x[1]).bits());
}

}  // namespace
}  // namespace kachel_test
