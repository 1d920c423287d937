// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What holds for every activation, over every execution space and element type. Each time that this is compiled it
// tests a part of the list: KACHEL_PART of KACHEL_PARTS, or an activation of each kind.
#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/kinds.hpp>
#include <support/reference.hpp>
#include <support/typed_lists.hpp>
#include <support/ulp.hpp>

#include <algorithm>
#include <utility>

namespace kachel_test {
namespace {

#if defined(KACHEL_PART)
constexpr int part = KACHEL_PART;
using Activations = Part<kachel::Activations, part, KACHEL_PARTS>::type;
#else
constexpr int part = 0;
using Activations = kachel::Kinds;
#endif

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

/// 16-bit results are correctly rounded for every input, float and double ones are those of the IEEE formula, or within
/// the contract of the reference in a wider type.
template <class Space, class T>
struct ResultsAreExpected {
  template <class F>
  void operator()() const {
    for (bool is_default = true; const F& f : parameter_cases<F>()) {
      const std::vector<T> x = inputs_for<F, T>(std::exchange(is_default, false)), y = map_over<Space>(f, x);
      if constexpr (has_one_result<F, T>) {
        std::vector<T> expected(x.size());
        std::transform(x.begin(), x.end(), expected.begin(), [&f](T value) { return expected_result(f, value); });
        EXPECT_TRUE(all_same(expected, y, x)) << show_case(f);
      } else {
        const Reference<F> reference = reference_of<T>(f);
        const auto exact = [&](std::size_t i) { return reference.value(static_cast<Wider<T>>(x[i])); };
        expect_within(y, F::contract.ulp, exact, x, show_case(f));
      }
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

/// The derivative by its formula, rounded once, of gradients of every kind.
template <class Space, class T>
struct GradientsAreExpected {
  template <class F>
  void operator()() const {
    for (bool is_default = true; const F& f : parameter_cases<F>()) {
      const std::vector<T> x = inputs_for<F, T>(std::exchange(is_default, false)), dy = gradients_for<F, T>(x.size());
      const Guarded<Space, T> input(x), gradient(dy), output(dy);
      kachel::map(Space{}, output.span(), kachel::Backward<F>{f}, gradient.span(), input.span());
      if constexpr (has_one_result<F, T>) {
        std::vector<T> expected(x.size());
        std::transform(dy.begin(), dy.end(), x.begin(), expected.begin(),
                       [&f](T gradient, T value) { return expected_gradient(f, gradient, value); });
        EXPECT_TRUE(all_same(expected, output.values(), x)) << show_case(f);
      } else {
        const Reference<F> reference = reference_of<T>(f);
        const auto exact = [&](std::size_t i) {
          const auto of_x = static_cast<Wider<T>>(x[i]);
          return of_x != of_x ? of_x : dy[i] * reference.derivative(of_x);
        };
        expect_within(output.values(), F::contract.gradient_ulp, exact, x, show_case(f) + ", the derivative");
      }
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
  if (is_inf(y)) return static_cast<T>(exact.approximately()) == y;
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
    if constexpr (HasWiderReference<F>)
      return;  // held to it everywhere
    else
      check<F>();
  }

  template <class F>
  static void check() {
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
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = F{}(static_cast<Compute>(x[i]));
    EXPECT_TRUE(all_same(expected, of_pack.values()));
    EXPECT_TRUE(all_same(expected, of_functor.values()));
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
  using type = testing::Types<CaseOfPart<C, part>...>;
};

template <class C>
class EveryActivation : public testing::Test {};
using Cases = ToCasesOfPart<Product<SpaceList, ElementList>::type>::type;
TYPED_TEST_SUITE(EveryActivation, Cases, Names);

TYPED_TEST(EveryActivation, GivesTheExpectedBits) {
  for_each_type(Activations{}, ResultsAreExpected<typename TypeParam::Space, typename TypeParam::Element>{});
}

TYPED_TEST(EveryActivation, HasTheFormulasGradient) {
  for_each_type(Activations{}, GradientsAreExpected<typename TypeParam::Space, typename TypeParam::Element>{});
}

TYPED_TEST(EveryActivation, GivesTheSameBitsOnEverySpace) {
  for_each_type(Activations{}, BitsEqualTheFirstHostSpace<typename TypeParam::Space, typename TypeParam::Element>{});
}

TYPED_TEST(EveryActivation, OfNumbersAndPacksInAUserKernelEqualsMap) {
  for_each_type(Activations{}, NumbersAndPacksEqualMap<typename TypeParam::Space, typename TypeParam::Element>{});
}

TYPED_TEST(EveryActivation, IsWithinItsContract) {
  using T = typename TypeParam::Element;
  if constexpr (!kachel::is_float16<T> && std::is_same_v<typename TypeParam::Space, FirstHostSpace>)
    for_each_type(Activations{}, ErrorsAreWithinContract<T>{});
}

/// The contract names every parameter, and says what is expected of them where they are checked.
struct ContractIsWhole {
  template <class F>
  void operator()() const {
    static_assert(kachel::has_named_doubles<F>());
    EXPECT_EQ(!F::contract.expected.empty(), (requires(const F& f) { f.check(""); })) << F::name;
  }
};

TYPED_TEST(EveryActivation, HasAContract) { for_each_type(Activations{}, ContractIsWhole{}); }

}  // namespace
}  // namespace kachel_test
