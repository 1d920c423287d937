// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of math/ of all 2^32 floats: their error against double, and a hash of their bits, which every space
// and every compiler must give.
#include <gtest/gtest.h>
#include <support/bits.hpp>
#include <support/math_functions.hpp>
#include <support/typed_lists.hpp>
#include <support/ulp.hpp>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace kachel_test {
namespace {

struct Outcome {
  std::uint64_t hash = 0;
  Kokkos::ValLocScalar<double, std::int64_t> worst;
};

template <class F>
struct Check {
  KOKKOS_FUNCTION void operator()(std::int64_t pattern, std::uint64_t& hash,
                                  Kokkos::ValLocScalar<double, std::int64_t>& worst) const {
    const auto bits = static_cast<std::uint32_t>(pattern);
    const auto x = kachel::bit_cast<float>(bits);
    const float y = F{}(x);
    if (y == y) hash += kachel::bit_cast<std::uint32_t>(y) * (std::uint64_t{2} * bits + 1);
    const double error = ulp_error(y, F::exact(static_cast<double>(x)));
    if (error > worst.val) worst = {error, pattern};
  }
};

template <class Space, class F>
Outcome check_all() {
  Outcome outcome;
  Kokkos::parallel_reduce(
      F::name(), Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, std::int64_t{1} << 32), Check<F>{},
      Kokkos::Sum<std::uint64_t>(outcome.hash), Kokkos::MaxLoc<double, std::int64_t>(outcome.worst));
  return outcome;
}

template <class F>
class AllFloats : public testing::Test {};
TYPED_TEST_SUITE(AllFloats, ToTesting<MathFunctions>::type, Names);

TYPED_TEST(AllFloats, AreAsAccurateAsDocumentedWithTheSameBitsOnEverySpace) {
  const std::string name = TypeParam::name();
  std::vector<std::uint64_t> hashes;
  for_each_type(SpaceList{}, [&]<class Space>() {
    const Outcome outcome = check_all<Space, TypeParam>();
    const auto x = from_bits<float>(static_cast<std::uint32_t>(outcome.worst.loc));
    std::printf("%s on %s: %.3f ulp at %a, hash %016" PRIx64 "\n", name.c_str(), Space::name(), outcome.worst.val, x,
                outcome.hash);
    EXPECT_LE(outcome.worst.val, TypeParam::float_ulp) << name << " of " << show(x) << " on " << Space::name();
    hashes.push_back(outcome.hash);
    EXPECT_EQ(hashes[0], outcome.hash) << name << " on " << Space::name();
  });
}

}  // namespace
}  // namespace kachel_test
