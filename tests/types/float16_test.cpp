// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What half and bfloat16 share: conversions on every execution space against the definition of the format, limits.
#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/nearest.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace kachel_test {
namespace {

template <class T>
constexpr std::uint32_t infinity_pattern =
    static_cast<std::uint32_t>(2 * Format<T>::bias + 1) << Format<T>::fraction_bits;

/// to[i] = from[i] by a conversion of single numbers.
template <class From, class To>
struct Cast {
  const From* from;
  To* to;
  KOKKOS_FUNCTION void operator()(int i) const { to[i] = static_cast<To>(from[i]); }
};

template <class Space, class To, class From>
std::vector<To> cast(const std::vector<From>& values) {
  const Guarded<Space, From> from(values);
  const Guarded<Space, To> to(std::vector<To>(values.size()));
  Kokkos::parallel_for("cast", Kokkos::RangePolicy<Space>(0, static_cast<int>(values.size())),
                       Cast<From, To>{from.data(), to.data()});
  return to.values();
}

/// The definition of the conversion.
template <class T, class From>
std::vector<T> rounded(const std::vector<From>& values) {
  std::vector<T> results;
  for (const From value : values)
    results.push_back(std::isnan(static_cast<double>(value)) ? std::numeric_limits<T>::quiet_NaN()
                                                             : nearest<T>(static_cast<double>(value)));
  return results;
}

/// Of both signs: every number of T, every midpoint of two neighbours, and `step` times each to either side.
template <class T, class From>
std::vector<From> rounding_boundaries(From step) {
  std::vector<From> values;
  for (std::uint32_t pattern = 0; pattern < infinity_pattern<T>; ++pattern) {
    const double low = value_of<T>(pattern), high = value_of<T>(pattern + 1);
    for (const auto centre : {static_cast<From>(low), static_cast<From>((low + high) / 2)})
      for (const From value : {std::nextafter(centre, From(0)), centre - centre * step, centre, centre + centre * step,
                               std::nextafter(centre, std::numeric_limits<From>::infinity())}) {
        values.push_back(value);
        values.push_back(-value);
      }
  }
  return values;
}

template <class Space, class T, class Source>
void check_every_size() {
  const std::vector<Source>& x = all_inputs<Source>();
  static const std::vector<T> expected = rounded<T>(x);
  EXPECT_TRUE(all_same(expected, cast<Space, T>(x)));
}

template <class C>
class Float16 : public testing::Test {};
TYPED_TEST_SUITE(Float16, SpacesAndFloat16, Names);

TYPED_TEST(Float16, EveryPatternDecodesToItsValue) {
  using T = typename TypeParam::Element;
  std::vector<float> expected;
  for (std::uint32_t sign : {0u, 0x8000u})
    for (std::uint32_t pattern = 0; pattern < 0x8000; ++pattern) {
      const double value = pattern < infinity_pattern<T>    ? value_of<T>(pattern)
                           : pattern == infinity_pattern<T> ? std::numeric_limits<double>::infinity()
                                                            : std::numeric_limits<double>::quiet_NaN();
      expected.push_back(static_cast<float>(sign == 0 ? value : -value));
    }
  EXPECT_TRUE(all_same(expected, cast<typename TypeParam::Space, float>(all_inputs<T>())));
}

TYPED_TEST(Float16, EveryPatternSurvivesFloatAndDouble) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  EXPECT_TRUE(all_same(all_inputs<T>(), cast<Space, T>(cast<Space, float>(all_inputs<T>()))));
  EXPECT_TRUE(all_same(all_inputs<T>(), cast<Space, T>(cast<Space, double>(all_inputs<T>()))));
}

TYPED_TEST(Float16, FloatsAtTheRoundingBoundariesGoToTheNearest) {
  using T = typename TypeParam::Element;
  const std::vector<float> x = rounding_boundaries<T, float>(0x1p-20f);
  EXPECT_TRUE(all_same(rounded<T>(x), cast<typename TypeParam::Space, T>(x)));
}

TYPED_TEST(Float16, FloatsOfEverySizeGoToTheNearest) {
  check_every_size<typename TypeParam::Space, typename TypeParam::Element, float>();
}

// Rounded to float first, those 2^-40 from a midpoint would land on it and then go to even.
TYPED_TEST(Float16, DoublesAreRoundedOnce) {
  using T = typename TypeParam::Element;
  for (const double step : {0x1p-25, 0x1p-40, 0x1p-52}) {
    const std::vector<double> x = rounding_boundaries<T, double>(step);
    EXPECT_TRUE(all_same(rounded<T>(x), cast<typename TypeParam::Space, T>(x)));
  }
}

TYPED_TEST(Float16, DoublesOfEverySizeGoToTheNearest) {
  check_every_size<typename TypeParam::Space, typename TypeParam::Element, double>();
}

TYPED_TEST(Float16, IntegersGoToTheNearest) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  std::vector<std::int32_t> x = {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
  for (std::int32_t i = -70000; i <= 70000; ++i) x.push_back(i);
  for (std::int32_t i = 0; i < 4096; ++i) x.push_back(0x40800000 + 257 * i);
  EXPECT_TRUE(all_same(rounded<T>(x), cast<Space, T>(x)));
  const std::vector<std::uint32_t> large = {0xffffffffu, 0x80000001u, 65519u, 65520u, 0x00810001u};
  EXPECT_TRUE(all_same(rounded<T>(large), cast<Space, T>(large)));
  const std::vector<std::int8_t> small = {-128, -1, 0, 127};
  EXPECT_TRUE(all_same(rounded<T>(small), cast<Space, T>(small)));
}

template <class T>
class Float16Limits : public testing::Test {};
TYPED_TEST_SUITE(Float16Limits, Float16Types, Names);

TYPED_TEST(Float16Limits, AreThoseOfTheFormat) {
  using Limits = std::numeric_limits<TypeParam>;
  constexpr int fraction_bits = Format<TypeParam>::fraction_bits, bias = Format<TypeParam>::bias;
  static_assert(Limits::is_specialized && Limits::is_signed && Limits::is_iec559 && Limits::is_bounded);
  static_assert(!Limits::is_integer && !Limits::is_exact && !Limits::is_modulo && Limits::radix == 2);
  static_assert(Limits::has_infinity && Limits::has_quiet_NaN && Limits::has_signaling_NaN);
  static_assert(Limits::digits == fraction_bits + 1);
  static_assert(Limits::max_exponent == bias + 1 && Limits::min_exponent == 2 - bias);
  EXPECT_EQ(Limits::digits10, static_cast<int>(std::floor((Limits::digits - 1) * std::log10(2.0))));
  EXPECT_EQ(Limits::max_digits10, static_cast<int>(std::ceil(Limits::digits * std::log10(2.0) + 1)));
  EXPECT_EQ(static_cast<float>(Limits::max()), std::ldexp(2 - std::ldexp(1.0, -fraction_bits), bias));
  EXPECT_EQ(static_cast<float>(Limits::lowest()), -static_cast<float>(Limits::max()));
  EXPECT_EQ(static_cast<float>(Limits::min()), std::ldexp(1.0, 1 - bias));
  EXPECT_EQ(static_cast<float>(Limits::denorm_min()), std::ldexp(1.0, 1 - bias - fraction_bits));
  EXPECT_EQ(static_cast<float>(Limits::epsilon()), std::ldexp(1.0, -fraction_bits));
  EXPECT_EQ(static_cast<float>(Limits::round_error()), 0.5f);
  EXPECT_EQ(static_cast<float>(Limits::infinity()), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(static_cast<float>(Limits::quiet_NaN())));
  EXPECT_TRUE(std::isnan(static_cast<float>(Limits::signaling_NaN())));
  EXPECT_EQ(Limits::max_exponent10, static_cast<int>(std::floor(std::log10(static_cast<float>(Limits::max())))));
  EXPECT_EQ(Limits::min_exponent10, static_cast<int>(std::ceil(std::log10(static_cast<float>(Limits::min())))));
}

TYPED_TEST(Float16Limits, TheTypeIsTrivialStorage) {
  static_assert(std::is_trivial_v<TypeParam> && std::is_standard_layout_v<TypeParam>);
  static_assert(sizeof(TypeParam) == 2 && alignof(TypeParam) == 2);
  static_assert(kachel::is_float16<TypeParam> && !kachel::is_float16<float>);
  static_assert(std::is_convertible_v<TypeParam, float> && !std::is_convertible_v<float, TypeParam>);
}

}  // namespace
}  // namespace kachel_test
