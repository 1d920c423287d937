// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/types/bfloat16.hpp>

#include <gtest/gtest.h>
#include <support/bits.hpp>

namespace kachel_test {
namespace {

using kachel::bfloat16;

// In constant expressions.
static_assert(bfloat16(1.0f).bits() == 0x3f80);
static_assert(bfloat16(-0.0f).bits() == 0x8000);
static_assert(bfloat16(0x1.fep127f).bits() == 0x7f7f);
static_assert(bfloat16(0x1.fefffep127f).bits() == 0x7f7f);
static_assert(bfloat16(0x1.ffp127f).bits() == 0x7f80);
static_assert(bfloat16(0x1p-133f).bits() == 0x0001);
static_assert(bfloat16(0x1p-134f).bits() == 0x0000);
static_assert(bfloat16(1 + 0x1p-8 + 0x1p-40).bits() == 0x3f81);
static_assert(bfloat16(257).bits() == 0x4380);
static_assert(bfloat16::from_bits(0x3eab) == 0.333984375f);

// A payload in the half that goes must not make a NaN infinite, and a full one must not carry into the sign.
TEST(Bfloat16, EveryNaNStaysNaN) {
  for (const std::uint32_t bits : {0x7f800001u, 0x7f80ffffu, 0x7fc00000u, 0x7fffffffu, 0xff800001u, 0xffffffffu})
    EXPECT_TRUE(is_nan(bfloat16(from_bits<float>(bits)))) << std::hex << bits;
}

}  // namespace
}  // namespace kachel_test
