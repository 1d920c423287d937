// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/detail/tile/access.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kachel_test {
namespace {

using Access = kachel::Pack<std::uint32_t, 4>;

/// Accesses that were read together, shifted by each number of bytes: on a device what a row or a span that begins
/// anywhere is read by.
template <int count>
void expect_bytes() {
  constexpr std::size_t bytes = sizeof(Access) * count;
  for (unsigned offset = 0; offset < sizeof(Access); ++offset) {
    Access read[std::size_t{count + 1}];
    std::uint32_t word = 0x03020100;
    for (Access& access : read)
      for (int i = 0; i < Access::size(); ++i, word += 0x04040404) access[i] = word;
    std::byte before[sizeof(read)], after[bytes];
    std::memcpy(before, read, sizeof(read));
    const auto shifted = kachel::detail::shifted<count>(read, offset);
    static_assert(sizeof(shifted) == bytes);
    std::memcpy(after, &shifted, bytes);
    EXPECT_TRUE(std::equal(after, after + bytes, before + offset)) << count << " accesses, " << offset << " bytes";
  }
}

TEST(Access, ShiftedIsWhatLiesAtAnyByte) {
  expect_bytes<1>();
  expect_bytes<2>();
}

}  // namespace
}  // namespace kachel_test
