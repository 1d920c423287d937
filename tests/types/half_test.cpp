// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/types/half.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/typed_lists.hpp>

#include <vector>

namespace kachel_test {
namespace {

using kachel::half;
using kachel::HalfFormat;

// In constant expressions.
static_assert(half(1.0f).bits() == 0x3c00);
static_assert(half(-0.0f).bits() == 0x8000);
static_assert(half(65504.0f).bits() == 0x7bff);
static_assert(half(65519.0f).bits() == 0x7bff);
static_assert(half(65520.0f).bits() == 0x7c00);
static_assert(half(0x1p-24f).bits() == 0x0001);
static_assert(half(0x1p-25f).bits() == 0x0000);
static_assert(half(0x1.000002p-25f).bits() == 0x0001);
static_assert(half(1 + 0x1p-11 + 0x1p-40).bits() == 0x3c01);
static_assert(half(2049).bits() == 0x6800);
static_assert(half::from_bits(0x3555) == 0.333251953125f);
static_assert(half::from_bits(0xfc00) < -3e38f);
static_assert(half(2.0f) * 1.5f == 3.0f);

/// Both paths of the format: the one taken, which is the hardware's where there is one, and the portable.
struct BothPaths {
  const float* value;
  std::uint16_t* encoded;
  std::uint16_t* portably;

  KOKKOS_FUNCTION void operator()(int i) const {
    encoded[i] = HalfFormat::encode(value[i]);
    portably[i] = HalfFormat::encode_portably(value[i]);
  }
};

struct BothDecodings {
  float* decoded;
  float* portably;

  KOKKOS_FUNCTION void operator()(int i) const {
    decoded[i] = HalfFormat::decode(static_cast<std::uint16_t>(i));
    portably[i] = HalfFormat::decode_portably(static_cast<std::uint16_t>(i));
  }
};

template <class Space>
class Half : public testing::Test {};
TYPED_TEST_SUITE(Half, Spaces, Names);

TYPED_TEST(Half, PortableEncodingIsTheHardwares) {
  const std::vector<float>& x = all_inputs<float>();
  const Guarded<TypeParam, float> value(x);
  const Guarded<TypeParam, std::uint16_t> encoded(std::vector<std::uint16_t>(x.size()));
  const Guarded<TypeParam, std::uint16_t> portably(std::vector<std::uint16_t>(x.size()));
  Kokkos::parallel_for("both paths", Kokkos::RangePolicy<TypeParam>(0, static_cast<int>(x.size())),
                       BothPaths{value.data(), encoded.data(), portably.data()});
  const std::vector<std::uint16_t> a = encoded.values(), b = portably.values();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) wrong += !same(half::from_bits(a[i]), half::from_bits(b[i]));
  EXPECT_EQ(wrong, 0u);
}

TYPED_TEST(Half, PortableDecodingIsTheHardwares) {
  const Guarded<TypeParam, float> decoded(std::vector<float>(65536)), portably(std::vector<float>(65536));
  Kokkos::parallel_for("both decodings", Kokkos::RangePolicy<TypeParam>(0, 65536),
                       BothDecodings{decoded.data(), portably.data()});
  EXPECT_TRUE(all_same(decoded.values(), portably.values()));
}

}  // namespace
}  // namespace kachel_test
