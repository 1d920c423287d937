// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/activations/silu.hpp>
#include <kachel/activations/softplus.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/ulp.hpp>

namespace kachel_test {
namespace {

/// Functors with another that stands in for them at the default parameters.
template <class F>
struct WithAtDefaults : testing::Test {
  /// Expects of that the bits of F itself.
  template <class T>
  static void expect_same_bits(const std::vector<T>& x) {
    const F functor;
    const typename F::AtDefaults at_defaults;
    std::vector<T> expected(x.size()), given(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = functor(x[i]);
    for (std::size_t i = 0; i < x.size(); ++i) given[i] = at_defaults(x[i]);
    EXPECT_TRUE(all_same(expected, given, x));
  }
};

using Functors = testing::Types<kachel::SiLU, kachel::Softplus>;
TYPED_TEST_SUITE(WithAtDefaults, Functors);

TYPED_TEST(WithAtDefaults, HasTheBitsOfAnyParametersForASampleOfTheFloats) {
  constexpr std::uint32_t step = 67, count = 1 << 20;
  for (std::uint64_t first = 0; first < 1ull << 32; first += std::uint64_t{step} * count) {
    std::vector<float> x;
    for (std::uint64_t bits = first; x.size() < count && bits < 1ull << 32; bits += step)
      x.push_back(from_bits<float>(static_cast<std::uint32_t>(bits)));
    this->expect_same_bits(x);
  }
}

TYPED_TEST(WithAtDefaults, HasTheBitsOfAnyParametersForDoubles) { this->expect_same_bits(varied<double>(1000003)); }

}  // namespace
}  // namespace kachel_test
