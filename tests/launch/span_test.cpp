// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Span: every element is in one tile, and the last ones get their priority back. Run on a host, one index after the
// other.
#include <kachel/detail/tiling.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace kachel_test {
namespace {

template <class T>
using Tiles = kachel::detail::Span<T, Kokkos::DefaultHostExecutionSpace>;

/// How often each element is in a tile.
struct Record {
  std::vector<int>* computed;

  template <class Tile>
  KOKKOS_FUNCTION void operator()(const Tile& tile) const {
    KOKKOS_IF_ON_HOST((for (int i = 0; i < tile.count(); ++i)++ computed->at(tile.begin() + i);))
  }
};

template <class T>
void check(std::int64_t size, std::int64_t items) {
  SCOPED_TRACE(testing::Message() << size << " elements, " << items << " items that restore");
  Tiles<T> span{size};
  span.restoring_items = items;
  std::vector<int> computed(size), restored(size);
  const std::int64_t tiles = (size - 1) / Tiles<T>::width + 1;
  // A block of a device has indices beyond the last.
  for (std::int64_t index = 0; index < span.tiles() + 3; ++index) {
    span.run_aligned(Record{&computed}, index);
    if (index < tiles) continue;
    if (const std::int64_t first = span.restored_first(index); first >= 0)
      for (int i = 0; i < Tiles<T>::restored_by_item; ++i) ++restored.at(first + i);
  }
  EXPECT_EQ(computed, std::vector<int>(size, 1));
  std::vector<int> expected(size);
  for (std::int64_t i = size - items * Tiles<T>::restored_by_item; i < size; ++i) expected[i] = 1;
  EXPECT_EQ(restored, expected);
}

TEST(Span, CoversEveryElementAndRestoresTheLast) {
  constexpr int step = Tiles<float>::restored_by_item, width = Tiles<float>::width;
  for (const std::int64_t size : {1, width - 1, width, width + 1, step - 1, step, step + 1, 5 * step + 3})
    for (const std::int64_t items : {0, 1, 3, 5})
      if (items * step <= size) {
        check<float>(size, items);
        check<double>(size, items);
      }
}

TEST(Span, RestoresInTheOrderOfTheLoads) {
  constexpr std::int64_t step = Tiles<float>::restored_by_item, size = 10 * step, tiles = size / Tiles<float>::width;
  Tiles<float> span{size};
  span.restoring_items = 3;
  EXPECT_EQ(span.tiles(), tiles + 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(span.restored_first(tiles + i), (7 + i) * step);
  EXPECT_EQ(span.restored_first(tiles + 3), -1);
}

}  // namespace
}  // namespace kachel_test
