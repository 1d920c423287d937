// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 16-bit results at parameters that bring them where float, or double, has lost the digits that decide.
#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/reference.hpp>

namespace kachel_test {
namespace {

TEST(SixteenBits, EluNextToZeroIsNearerToItThanAlphaX) {
  using kachel::bfloat16;
  for (const kachel::ELU f : {kachel::ELU{0.75}, kachel::ELU{1.5}, kachel::ELU{100}})
    for (const bfloat16 x : all_inputs<bfloat16>()) {
      const bfloat16 expected = correctly_rounded(f, x), given = kachel::elu(x, f);
      if (is_nan(x)) continue;
      EXPECT_EQ(expected.bits(), given.bits()) << f.alpha << ", of " << show(x) << " gives " << show(given);
    }
}

template <class T>
void expect_silu_backward_at_its_minimum(float dy) {
  const kachel::SiLU f{1.2784645};
  const double slope = reference_of<float>(f).derivative(-1.0);
  const T expected = static_cast<T>(static_cast<float>(dy * slope));
  EXPECT_EQ(kachel::silu_backward(T(dy), T(-1.0f), f).bits(), expected.bits()) << slope;
}

TEST(SixteenBits, SiluKeepsTheDigitsOfItsDerivativeWhereBetaXNearsTheMinimum) {
  expect_silu_backward_at_its_minimum<kachel::half>(60000);
  expect_silu_backward_at_its_minimum<kachel::bfloat16>(1);
}

}  // namespace
}  // namespace kachel_test
