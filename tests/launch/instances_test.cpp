// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every entry point beside other Kokkos code: what it does to the instance that it is given, and to nothing else.
#include <gtest/gtest.h>
#include <support/entry_points.hpp>
#include <support/tool_events.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <thread>
#include <vector>

namespace kachel_test {
namespace {

template <class Space>
class Instances : public testing::Test {};
TYPED_TEST_SUITE(Instances, Spaces, Names);

TYPED_TEST(Instances, SeeKernelsOfKnownNamesAndNoFenceAndNoAllocation) {
  const EntryPoints<TypeParam> calls;
  const TypeParam space;
  ToolEvents seen;
  {
    const ToolRecorder recorder;
    calls.run(space);
    seen = recorder.events();
  }
  EXPECT_EQ(seen.labels, EntryPoints<TypeParam>::labels());
  EXPECT_EQ(seen.fences, std::vector<std::string>());
  EXPECT_EQ(seen.allocations, std::vector<std::string>());
}

TYPED_TEST(Instances, AreUsedByAThreadEach) {
  const auto instances = Kokkos::Experimental::partition_space(TypeParam{}, 1, 1);
  const EntryPoints<TypeParam> alone;
  alone.run(TypeParam{});
  const std::vector<float> expected = alone.results();

  const EntryPoints<TypeParam> calls[2];
  std::vector<std::thread> threads;
  for (int k = 0; k < 2; ++k)
    threads.emplace_back([&, k] {
      for (int repetition = 0; repetition < 20; ++repetition) calls[k].run(instances[k]);
      instances[k].fence();
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& one : calls) EXPECT_TRUE(all_same(expected, one.results()));
}

struct Iota {
  float* x;
  KOKKOS_FUNCTION void operator()(int i) const { x[i] = static_cast<float>(i) / 8 - 4; }
};

struct Double {
  float* x;
  KOKKOS_FUNCTION void operator()(int i) const { x[i] *= 2; }
};

TYPED_TEST(Instances, KeepTheOrderOfOtherKernelsWithoutAFence) {
  constexpr int n = 64;
  const auto instances = Kokkos::Experimental::partition_space(TypeParam{}, 1, 1);
  const TypeParam& space = instances[1];
  const Guarded<TypeParam, float> x(std::vector<float>(n, 9.0f)), y(std::vector<float>(n, 9.0f));
  Kokkos::fence();
  Kokkos::parallel_for("before", Kokkos::RangePolicy<TypeParam>(space, 0, n), Iota{x.data()});
  kachel::hardtanh(space, y.span(), x.span());
  Kokkos::parallel_for("after", Kokkos::RangePolicy<TypeParam>(space, 0, n), Double{y.data()});
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = 2 * std::clamp(static_cast<float>(i) / 8 - 4, -1.0f, 1.0f);
  EXPECT_EQ(expected, y.values());
}

#if defined(KOKKOS_ENABLE_CUDA)

/// Waits until `flag` is set, for some seconds at most; says whether it was.
struct WaitForFlag {
  volatile int* flag;
  volatile int* seen;

  KOKKOS_FUNCTION void operator()(int) const {
    KOKKOS_IF_ON_DEVICE(
        (const long long begin = clock64(); while (*flag == 0 && clock64() - begin < 1ll << 34); *seen = *flag;))
  }
};

TEST(CudaInstances, Overlap) {
  const auto instances = Kokkos::Experimental::partition_space(Kokkos::Cuda{}, 1, 1);
  const Kokkos::View<int[2], Kokkos::CudaHostPinnedSpace> flags("flags");
  const EntryPoints<Kokkos::Cuda> alone, calls;
  alone.run(Kokkos::Cuda{});
  const std::vector<float> expected = alone.results();
  Kokkos::parallel_for("wait", Kokkos::RangePolicy<Kokkos::Cuda>(instances[0], 0, 1),
                       WaitForFlag{&flags(0), &flags(1)});
  calls.run(instances[1]);
  instances[1].fence();
  static_cast<volatile int&>(flags(0)) = 1;
  instances[0].fence();
  EXPECT_EQ(flags(1), 1) << "the calls waited for another instance's kernel";
  EXPECT_TRUE(all_same(expected, calls.results()));
}

#endif

}  // namespace
}  // namespace kachel_test
