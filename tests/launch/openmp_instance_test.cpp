// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls on an OpenMP instance that something else is using: another thread's kernel, or the kernel around the call.
#include <kachel/kachel.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

// Not beside CUDA, where functors that only a CPU can run give warnings.
#if defined(KOKKOS_ENABLE_OPENMP) && !defined(KOKKOS_ENABLE_CUDA)
#include <omp.h>
#include <unistd.h>

namespace kachel_test {
namespace {

using OpenMP = Kokkos::OpenMP;
using Range = Kokkos::RangePolicy<OpenMP>;
template <class T>
using Vector = Kokkos::View<T*, Kokkos::HostSpace>;
template <class T>
using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace>;

constexpr int small = 16, large = 20000;

/// A call that waits for itself ends the program.
class OpenMPInstances : public testing::Test {
 protected:
  void SetUp() override { alarm(60); }
  void TearDown() override { alarm(0); }
};

/// A kernel on another thread that writes 1 at its end, some time after it began.
class SlowKernel {
 public:
  SlowKernel(const OpenMP& space, float* result)
      : thread_([this, space, result] {
          Kokkos::parallel_for("slow", Range(space, 0, 1), [this, result](int) {
            began_ = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            *result = 1;
            ended_ = true;
          });
        }) {
    while (!began_) std::this_thread::yield();
  }
  ~SlowKernel() { thread_.join(); }

  bool has_ended() const { return ended_; }

 private:
  std::atomic<bool> began_ = false, ended_ = false;
  std::thread thread_;
};

struct Identity {
  template <class T>
  T operator()(T x) const {
    return x;
  }
};

TEST_F(OpenMPInstances, LetACallWaitForAnotherThreadsKernel) {
  const OpenMP space;
  const Matrix<float> x("x", 1, 1), y("y", 1, 1), one("one", 1, 1);
  const Vector<float> w("w", 1), dw("dw", 1);
  const Vector<std::uint8_t> mask("mask", 1);
  one(0, 0) = 1;
  const std::function<void()> calls[] = {
      [&] { kachel::relu(space, y, x); },
      [&] { kachel::map(space, y, Identity{}, x); },
      [&] { kachel::relu_with_mask(space, y, mask, x); },
      [&] { kachel::prelu_backward(space, y, dw, one, x, w); },
      [&] {
        kachel::for_tiles<float>(
            space, 1, [&](const kachel::Tile<float, OpenMP>& tile) { tile.store(y.data(), tile.load(x.data())); });
      },
  };
  for (const auto& call : calls) {
    x(0, 0) = -1;
    y(0, 0) = 0;
    const SlowKernel kernel(space, x.data());
    call();
    EXPECT_EQ(y(0, 0), 1) << "call " << &call - calls;
  }
}

struct Increment {
  float operator()(float x) const { return x + 1; }
};

TEST_F(OpenMPInstances, LetCallsOfTwoThreadsCount) {
  constexpr int calls = 100000;
  const OpenMP space;
  const Vector<float> x("x", 1);
  const auto count = [&] {
    for (int i = 0; i < calls; ++i) kachel::map(space, x, Increment{}, x);
  };
  std::thread other(count);
  count();
  other.join();
  EXPECT_EQ(x(0), 2 * calls);
}

/// relu of `n` floats: nothing if it is right, else what the exception says.
std::string relu(const OpenMP& space, int n) {
  const std::vector<float> x(static_cast<std::size_t>(n), 3);
  std::vector<float> y(x.size());
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  try {
    kachel::relu(space, Kokkos::View<float*, Kokkos::HostSpace, Unmanaged>(y.data(), y.size()),
                 Kokkos::View<const float*, Kokkos::HostSpace, Unmanaged>(x.data(), x.size()));
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return y == x ? "" : "wrong results";
}

/// What relu says in a kernel.
std::string relu_in_kernel(const OpenMP& outer, const OpenMP& inner, int n) {
  std::string said;
  Kokkos::parallel_for("outer", Range(outer, 0, 1), [&](int) { said = relu(inner, n); });
  return said;
}

/// What relu says in a parallel region.
std::string relu_in_region(int threads, const OpenMP& inner, int n) {
  std::string said;
#pragma omp parallel num_threads(threads)
#pragma omp single
  said = relu(inner, n);
  return said;
}

/// Sets how many parallel regions may be active in one another.
class ActiveLevels {
 public:
  explicit ActiveLevels(int levels) { omp_set_max_active_levels(levels); }
  ~ActiveLevels() { omp_set_max_active_levels(before_); }

 private:
  int before_ = omp_get_max_active_levels();
};

constexpr const char* refused =
    "kachel::relu<float>: called from a kernel or another parallel region of OpenMP, where Kokkos::OpenMP launches no "
    "kernel, expected a call from outside, or Kokkos::Serial, which runs on the calling thread";
constexpr const char* in_use =
    "kachel::relu<float>: its Kokkos::OpenMP instance has been in use for 2 seconds, by the kernel that calls it or by "
    "another thread, expected an instance that is free, or Kokkos::Serial, which runs on the calling thread";
constexpr const char* same_instance =
    "kachel::relu<float>: called from a kernel of the same Kokkos::OpenMP instance, expected a call from outside, or "
    "Kokkos::Serial, which runs on the calling thread";

TEST_F(OpenMPInstances, RunSmallCallsInsideRegionsAtOnce) {
  const OpenMP all, one(1), two(2);
  for (int levels : {1, 2}) {
    const ActiveLevels active(levels);
    for (const OpenMP& outer : {all, one, two})
      for (const OpenMP& inner : {all, one, two}) EXPECT_EQ(relu_in_kernel(outer, inner, small), "");
    for (int threads : {1, 2})
      for (const OpenMP& inner : {all, one, two}) EXPECT_EQ(relu_in_region(threads, inner, small), "");
  }
  float result = 0;
  const SlowKernel kernel(all, &result);
  EXPECT_EQ(relu_in_region(2, all, small), "");
  EXPECT_FALSE(kernel.has_ended());
}

TEST_F(OpenMPInstances, RefuseLargeCallsWhereKokkosLaunchesNothing) {
  const ActiveLevels active(1);
  const OpenMP all, one(1), two(2);
  for (const OpenMP& outer : {all, one, two})
    for (const OpenMP& inner : {all, one, two}) EXPECT_EQ(relu_in_kernel(outer, inner, large), refused);
  for (int threads : {1, 2})
    for (const OpenMP& inner : {all, one, two}) EXPECT_EQ(relu_in_region(threads, inner, large), refused);
}

TEST_F(OpenMPInstances, OfAPartitionRunLargeCallsInsideRegions) {
  const ActiveLevels active(2);
  const OpenMP all;
  const auto parts = Kokkos::Experimental::partition_space(all, 1, 1);
  for (int threads : {1, 2}) EXPECT_EQ(relu_in_region(threads, parts[0], large), "");
  EXPECT_EQ(relu_in_kernel(all, parts[0], large), "");
  EXPECT_EQ(relu_in_kernel(parts[0], parts[1], large), "");
  std::string said[2];
#pragma omp parallel num_threads(2)
  said[omp_get_thread_num()] = relu(parts[static_cast<std::size_t>(omp_get_thread_num())], large);
  EXPECT_EQ(said[0], "");
  EXPECT_EQ(said[1], "");
#pragma omp parallel num_threads(1)
  said[0] = relu_in_region(1, parts[0], large);
  EXPECT_EQ(said[0], refused);
}

/// Counts how often two threads are in it.
struct Alone {
  std::atomic<int>*inside, *met;

  float operator()(float x) const {
    if (inside->fetch_add(1) != 0) ++*met;
    inside->fetch_sub(1);
    return x;
  }
};

TEST_F(OpenMPInstances, OfOneThreadRunLargeCallsOneAfterTheOther) {
  const ActiveLevels active(2);
  const OpenMP alone(1);
  const Vector<float> x("x", large), y("y", large);
  std::atomic<int> inside = 0, met = 0;
#pragma omp parallel num_threads(2)
  {
    const Vector<float> own = omp_get_thread_num() == 0 ? x : y;
    for (int i = 0; i < 20; ++i) kachel::map(alone, own, Alone{&inside, &met}, own);
  }
  EXPECT_EQ(met, 0);
}

TEST_F(OpenMPInstances, RefuseLargeCallsWhereTheKernelAroundHoldsThem) {
  const ActiveLevels active(2);
  EXPECT_EQ(relu_in_kernel(OpenMP{}, OpenMP{}, large), in_use);
}

/// Says what relu does inside a call that runs on the calling thread.
struct CallInside {
  const OpenMP& inner;
  int n;
  std::string* said;

  float operator()(float x) const {
    *said = relu(inner, n);
    return x;
  }
};

TEST_F(OpenMPInstances, TreatASmallCallAsAKernel) {
  const OpenMP all;
  const auto parts = Kokkos::Experimental::partition_space(all, 1, 1);
  const OpenMP other(1);
  const Vector<float> x("x", 1);
  std::string said;
  for (const OpenMP& inner : {all, other}) {
    kachel::map(all, x, CallInside{inner, small, &said}, x);
    EXPECT_EQ(said, "");
  }
  kachel::map(all, x, CallInside{all, large, &said}, x);
  EXPECT_EQ(said, same_instance);
  kachel::map(all, x, CallInside{other, large, &said}, x);
  EXPECT_EQ(said, "");
}

struct Throw {
  float operator()(float x) const {
    if (x == 0) throw std::runtime_error("thrown");
    return x;
  }
};

TEST_F(OpenMPInstances, AreFreeAgainAfterAFunctorThatThrows) {
  const OpenMP space;
  const Vector<float> x("x", 1);
  EXPECT_THROW(kachel::map(space, x, Throw{}, x), std::runtime_error);
  std::thread([&] { EXPECT_EQ(relu(space, small), ""); }).join();
  EXPECT_EQ(relu(space, large), "");
}

}  // namespace
}  // namespace kachel_test

#endif
