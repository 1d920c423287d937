// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/detail/divisor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>

namespace kachel_test {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
static_assert(kachel::detail::Divisor().quotient(most) == most);
static_assert(kachel::detail::Divisor(7).quotient(48) == 6 && kachel::detail::Divisor(7).divisor() == 7);

void expect_quotient(std::int64_t number, std::int64_t divisor) {
  if (number < 0) return;
  ASSERT_EQ(kachel::detail::Divisor(divisor).quotient(number), number / divisor) << number << " / " << divisor;
}

/// Around each multiple of a divisor that its quotient could be wrong at.
void expect_quotients(std::int64_t number, std::int64_t divisor) {
  const std::int64_t multiple = number / divisor * divisor;
  for (const std::int64_t near : {number, multiple, multiple - 1, divisor - 1, divisor, most, most / divisor * divisor,
                                  most / divisor * divisor - 1})
    expect_quotient(near, divisor);
}

TEST(Divisor, DividesNumbersOfEverySize) {
  for (int i = 0; i < 63; ++i)
    for (int k = 0; k < 63; ++k)
      for (std::int64_t near_divisor = -2; near_divisor <= 2; ++near_divisor)
        for (std::int64_t near_number = -2; near_number <= 2; ++near_number)
          if (const std::int64_t divisor = (std::int64_t{1} << i) + near_divisor; divisor >= 1)
            expect_quotients(std::max(std::int64_t{0}, (std::int64_t{1} << k) + near_number), divisor);
  expect_quotients(most - 1, most);
}

TEST(Divisor, DividesShortNumbers) {
  using kachel::detail::ShortDivisor;
  constexpr std::int32_t most_short = std::numeric_limits<std::int32_t>::max();
  static_assert(ShortDivisor().quotient(most_short) == most_short);
  std::mt19937 random(1);
  for (int i = 0; i < 1000000; ++i) {
    const auto any = [&] { return static_cast<std::int32_t>(random() >> (1 + random() % 31)); };
    const std::int32_t divisor = std::max(1, any()), number = any(), multiple = number / divisor * divisor;
    for (const std::int32_t near : {number, multiple, std::max(0, multiple - 1), divisor - 1, divisor, most_short,
                                    most_short / divisor * divisor, most_short / divisor * divisor - 1})
      ASSERT_EQ(ShortDivisor(divisor).quotient(near), near / divisor) << near << " / " << divisor;
  }
}

TEST(Divisor, DividesRandomNumbers) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const auto any = [&] { return static_cast<std::int64_t>(random() >> (1 + random() % 63)); };
    const std::int64_t number = any();
    expect_quotients(number, std::max(std::int64_t{1}, any()));
  }
}

}  // namespace
}  // namespace kachel_test
