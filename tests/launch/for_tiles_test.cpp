// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/activations/hardtanh.hpp>
#include <kachel/for_tiles.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/tool_events.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace kachel_test {
namespace {

/// Counts the visits of each element.
struct CountVisits {
  int* visits;

  template <class Tile>
  KOKKOS_FUNCTION void operator()(const Tile& tile) const {
    for (int i = 0; i < tile.count(); ++i) Kokkos::atomic_add(visits + tile.begin() + i, 1);
  }
};

template <class Space>
class ForTiles : public testing::Test {};
TYPED_TEST_SUITE(ForTiles, Spaces, Names);

TYPED_TEST(ForTiles, CoversASpanOfAnySizeOnce) {
  for (const int size : {0, 1, 3, 4, 5, 63, 64, 65, 127, 128, 129, 4095, 4096, 4097, 100003}) {
    const Guarded<TypeParam, int> visits{std::vector<int>(size)};
    kachel::for_tiles<float>(TypeParam{}, size, CountVisits{visits.data()});
    EXPECT_EQ(visits.values(), std::vector<int>(size, 1)) << size;
    EXPECT_TRUE(visits.untouched_around()) << size;
  }
}

TYPED_TEST(ForTiles, RunsNothingForNoElements) {
  const ToolRecorder recorder;
  kachel::for_tiles<float>(TypeParam{}, 0, CountVisits{nullptr});
  kachel::for_tiles<float>(TypeParam{}, -5, CountVisits{nullptr});
  EXPECT_TRUE(recorder.events().labels.empty());
}

TYPED_TEST(ForTiles, ShowsItsLabelToKokkosTools) {
  const Guarded<TypeParam, int> visits{std::vector<int>(100)};
  std::vector<std::string> seen;
  {
    const ToolRecorder recorder;
    kachel::for_tiles<float>(TypeParam{}, 100, CountVisits{visits.data()});
    kachel::for_tiles<float>("my program", TypeParam{}, 100, CountVisits{visits.data()});
    seen = recorder.events().labels;
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"kachel::for_tiles", "my program"}));
}

TYPED_TEST(ForTiles, RunsOnTheInstanceGiven) {
  const auto instances = Kokkos::Experimental::partition_space(TypeParam{}, 1, 1);
  const Guarded<TypeParam, int> first{std::vector<int>(5001)}, second{std::vector<int>(7001)};
  kachel::for_tiles<kachel::half>(instances[0], 5001, CountVisits{first.data()});
  kachel::for_tiles<kachel::half>(instances[1], 7001, CountVisits{second.data()});
  instances[0].fence();
  instances[1].fence();
  EXPECT_EQ(first.values(), std::vector<int>(5001, 1));
  EXPECT_EQ(second.values(), std::vector<int>(7001, 1));
}

#if defined(KOKKOS_ENABLE_OPENMP)
/// Notes the thread that runs each tile.
struct NoteThreads {
  std::thread::id* threads;

  template <class Tile>
  KOKKOS_FUNCTION void operator()([[maybe_unused]] const Tile& tile) const {
    KOKKOS_IF_ON_HOST((threads[tile.begin() / Tile::width] = std::this_thread::get_id();))
  }
};

/// Whether the calling thread runs all tiles of a span of floats that takes so many bytes.
bool runs_alone(std::int64_t bytes) {
  const std::int64_t size = bytes / 4;
  std::vector<std::thread::id> threads(size / kachel::Tile<float, Kokkos::OpenMP>::width + 1,
                                       std::this_thread::get_id());
  kachel::for_tiles<float>(Kokkos::OpenMP{}, size, NoteThreads{threads.data()});
  return std::count(threads.begin(), threads.end(), std::this_thread::get_id()) ==
         static_cast<std::ptrdiff_t>(threads.size());
}

TEST(ForTilesOnOpenMP, RunsSmallSpansOnTheCallingThread) {
  if (Kokkos::OpenMP{}.concurrency() == 1) GTEST_SKIP() << "needs several threads";
  const std::int64_t most = kachel::host_tuning().serial_bytes;
  EXPECT_TRUE(runs_alone(4));
  EXPECT_TRUE(runs_alone(most));
  EXPECT_FALSE(runs_alone(most + 4));
}
#endif

/// The value stored at an index: a bfloat16 of [-2, 2) that also changes with the index's upper bits.
struct ValueAt {
  KOKKOS_FUNCTION float operator()(std::int64_t index) const {
    return static_cast<float>(((index + index / (1 << 24)) & 255) - 128) / 64;
  }
};

struct StoreValues {
  kachel::bfloat16* y;

  template <class Tile>
  KOKKOS_FUNCTION void operator()(const Tile& tile) const {
    tile.store(y, kachel::apply(ValueAt{}, tile.index()));
  }
};

/// Bytes that the memory of Space has free.
template <class Space>
double available_bytes() {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) {
    std::size_t free = 0, total = 0;
    return cudaMemGetInfo(&free, &total) == cudaSuccess ? static_cast<double>(free) : 0;
  }
#endif
  std::ifstream information("/proc/meminfo");
  for (std::string word; information >> word;)
    if (word == "MemAvailable:") {
      double kibibytes = 0;
      information >> kibibytes;
      return 1024 * kibibytes;
    }
  return 0;
}

template <class Space>
void check_beyond_32_bits() {
  constexpr std::int64_t size = (std::int64_t{1} << 32) + 5, window = 4099;
  if (available_bytes<Space>() < 12e9) GTEST_SKIP() << "needs 12 GB of free memory in " << Space::memory_space::name();
  const Kokkos::View<kachel::bfloat16*, Space> y(Kokkos::view_alloc("y", Kokkos::WithoutInitializing), size);
  kachel::for_tiles<kachel::bfloat16>(Space{}, size, StoreValues{y.data()});
  kachel::hardtanh(Space{}, y, y);
  for (const std::int64_t centre :
       {window / 2, std::int64_t{1} << 31, std::int64_t{3} << 30, std::int64_t{1} << 32, size - window / 2 - 1}) {
    const std::int64_t begin = std::min(centre - window / 2, size - window);
    std::vector<kachel::bfloat16> expected, actual(window);
    for (std::int64_t i = begin; i < begin + window; ++i)
      expected.push_back(kachel::bfloat16(std::clamp(ValueAt{}(i), -1.0f, 1.0f)));
    Kokkos::fence();
    Kokkos::deep_copy(Span<Kokkos::HostSpace, kachel::bfloat16>(actual.data(), window),
                      Span<Space, kachel::bfloat16>(y.data() + begin, window));
    EXPECT_TRUE(all_same(expected, actual)) << "from element " << begin;
  }
}

// 8.6 GB: on one host space is enough.
TEST(LargeForTiles, ReachesBeyond32BitsOnTheHost) { check_beyond_32_bits<Kokkos::DefaultHostExecutionSpace>(); }

#if defined(KOKKOS_ENABLE_CUDA)
TEST(LargeForTiles, ReachesBeyond32BitsOnCuda) { check_beyond_32_bits<Kokkos::Cuda>(); }
#endif

}  // namespace
}  // namespace kachel_test
