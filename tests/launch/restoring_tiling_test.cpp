// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RestoringTiling: every element is in one tile, and the last ones are restored. Run on a host, one index after the
// other.
#include <kachel/detail/tiling.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace kachel_test {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;

template <class T>
using Tiling = kachel::RestoringTiling<T, Space>;

/// How often each element is in a tile, and how often it is restored.
struct Record {
  std::vector<int>* computed;
  std::vector<int>* restored;

  template <class T>
  KOKKOS_FUNCTION void operator()(const kachel::Tile<T, Space>& tile) const {
    KOKKOS_IF_ON_HOST((for (int i = 0; i < tile.count(); ++i)++ computed->at(tile.begin() + i);))
  }
  KOKKOS_FUNCTION void restore(std::int64_t first, int count) const {
    KOKKOS_IF_ON_HOST((for (int i = 0; i < count; ++i)++ restored->at(first + i);))
  }
};

template <class T>
void check(std::int64_t size, std::int64_t asked) {
  SCOPED_TRACE(testing::Message() << size << " elements, " << asked << " to restore");
  const Tiling<T> tiling(size, asked);
  std::vector<int> computed(size), restored(size);
  // A block of a device has indices beyond the last.
  for (std::int64_t index = 0; index < tiling.tiles() + 3; ++index) tiling.run(Record{&computed, &restored}, index);
  EXPECT_EQ(computed, std::vector<int>(size, 1));
  const std::int64_t step = Tiling<T>::restored_by_item, whole = std::min(size, asked) / step * step;
  std::vector<int> expected(size);
  for (std::int64_t i = size - whole; i < size; ++i) expected[i] = 1;
  EXPECT_EQ(restored, expected);
}

TEST(RestoringTiling, CoversEveryElementAndRestoresTheLast) {
  constexpr int step = Tiling<float>::restored_by_item, width = Tiling<float>::width;
  for (const std::int64_t size : {1, width - 1, width, width + 1, step - 1, step, step + 1, 5 * step + 3})
    for (const std::int64_t asked : {0, 1, step - 1, step, 3 * step + 1, 100 * step}) {
      check<float>(size, asked);
      check<double>(size, asked);
    }
}

TEST(RestoringTiling, RestoresInTheOrderOfTheLoads) {
  const std::int64_t step = Tiling<float>::restored_by_item, size = 10 * step;
  const Tiling<float> tiling(size, 3 * step);
  struct Order {
    std::vector<std::int64_t>* firsts;
    KOKKOS_FUNCTION void operator()(const kachel::Tile<float, Space>&) const {}
    KOKKOS_FUNCTION void restore(std::int64_t first, int) const { KOKKOS_IF_ON_HOST((firsts->push_back(first);)) }
  };
  std::vector<std::int64_t> firsts;
  for (std::int64_t index = 0; index < tiling.tiles(); ++index) tiling.run(Order{&firsts}, index);
  EXPECT_EQ(firsts, (std::vector<std::int64_t>{7 * step, 8 * step, 9 * step}));
}

TEST(DeviceTuning, EvictsLastFromTheSizesThatItNames) {
  constexpr kachel::DeviceTuning ordinary,
      tuned{.large_bytes = 1024, .restored_bytes = 1, .restored_in_place_bytes = 4096};
  EXPECT_FALSE(ordinary.evicts_last(std::int64_t{1} << 40, 4, false));
  EXPECT_FALSE(tuned.evicts_last(255, 4, false));
  EXPECT_TRUE(tuned.evicts_last(256, 4, false));
  EXPECT_FALSE(tuned.evicts_last(1023, 4, true));
  EXPECT_TRUE(tuned.evicts_last(1024, 4, true));
}

}  // namespace
}  // namespace kachel_test
