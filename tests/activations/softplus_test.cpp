// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/activations/softplus.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/ulp.hpp>

namespace kachel_test {
namespace {

/// Expects of the functor that stands in at the default parameters the bits of Softplus itself.
template <class T>
void expect_same_bits(const std::vector<T>& x) {
  const kachel::Softplus softplus;
  const kachel::Softplus::AtDefaults at_defaults;
  std::vector<T> expected(x.size()), given(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] = softplus(x[i]);
  for (std::size_t i = 0; i < x.size(); ++i) given[i] = at_defaults(x[i]);
  EXPECT_TRUE(all_same(expected, given, x));
}

TEST(SoftplusFunctor, AtItsDefaultsHasTheBitsOfAnyBetaForASampleOfTheFloats) {
  constexpr std::uint32_t step = 67, count = 1 << 20;
  for (std::uint64_t first = 0; first < 1ull << 32; first += std::uint64_t{step} * count) {
    std::vector<float> x;
    for (std::uint64_t bits = first; x.size() < count && bits < 1ull << 32; bits += step)
      x.push_back(from_bits<float>(static_cast<std::uint32_t>(bits)));
    expect_same_bits(x);
  }
}

TEST(SoftplusFunctor, AtItsDefaultsHasTheBitsOfAnyBetaForDoubles) { expect_same_bits(varied<double>(1000003)); }

}  // namespace
}  // namespace kachel_test
