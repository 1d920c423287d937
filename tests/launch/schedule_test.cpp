// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules: the rule for devices, what is chosen for a call, what an override changes, and what explain says of it.
// Bits are the same by every kernel.
#include <kachel/activations/gelu.hpp>
#include <kachel/activations/hardtanh.hpp>
#include <kachel/activations/prelu.hpp>
#include <kachel/activations/sigmoid.hpp>
#include <kachel/explain.hpp>
#include <kachel/for_tiles.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/rejection.hpp>
#include <support/shape.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace kachel_test {
namespace {

using kachel::DeviceFacts, kachel::DeviceTuning, kachel::HostTuning, kachel::Kernel, kachel::Schedule;
using kachel::ScheduleOverride;
using kachel::detail::choose_schedule, kachel::detail::contiguous_plan, kachel::detail::Kernels;
using kachel::detail::Layout, kachel::detail::Plan;

constexpr DeviceFacts h200{90, 132, 1.98e9, 4.917e12, 60 << 20}, h100{90, 132, 1.98e9, 3.352e12, 50 << 20},
    a100{80, 108, 1.41e9, 1.555e12, 40 << 20};

TEST(TuningFor, StagesWhereTheMemoryIsFastForTheMultiprocessors) {
  EXPECT_EQ(kachel::tuning_for(h200).staged_element_bytes, 1);
  const DeviceFacts of_no_clock{90, 132, 0, 4.917e12, 60 << 20};
  for (const DeviceFacts& facts : {h100, a100, of_no_clock, DeviceFacts()})
    EXPECT_EQ(kachel::tuning_for(facts).staged_element_bytes, 8);
}

TEST(TuningFor, KeepsInputsOnHopperAndKnowsTheCache) {
  EXPECT_EQ(kachel::tuning_for(h200).restored_bytes, 16 << 20);
  EXPECT_EQ(kachel::tuning_for(a100).restored_bytes, 0);
  for (const DeviceFacts& facts : {h200, h100, a100}) EXPECT_EQ(kachel::tuning_for(facts).large_bytes, 64 << 20);
  EXPECT_EQ(kachel::tuning_for({}).large_bytes, DeviceTuning().large_bytes);
}

TEST(Tuning, NamesItsNumbers) {
  EXPECT_EQ(to_string(DeviceTuning()),
            "block_size=224 large_block_size=192 large_bytes=67108864 staged_element_bytes=8 table_bytes=33554432 "
            "restored_bytes=0 restored_in_place_bytes=1073741824");
  EXPECT_EQ(to_string(HostTuning()),
            "large_bytes=33554432 serial_bytes=16384 serial_low_cost_bytes=65536 table_bytes=16384 "
            "own_table_bytes=2097152");
}

/// Of an op of floats that has every kernel.
constexpr Kernels all{.element_bytes = 4, .staged_blocks = 8};

Schedule chosen(const Plan& plan, const Kernels& kernels, const DeviceTuning& tuning) {
  return choose_schedule("test", plan, kernels, tuning);
}

TEST(ChooseSchedule, TakesTheKernelThatSuitsTheArrays) {
  const DeviceTuning tuning = kachel::tuning_for(h200);
  constexpr std::int64_t large = 1 << 24;
  EXPECT_EQ(chosen(contiguous_plan(large), all, tuning).kernel, Kernel::staged);
  EXPECT_EQ(chosen(contiguous_plan(large - 1), all, tuning).kernel, Kernel::direct);
  EXPECT_EQ(chosen(contiguous_plan(large), all, kachel::tuning_for(h100)).kernel, Kernel::direct);
  constexpr Kernels doubles{.element_bytes = 8, .staged_blocks = 8};
  EXPECT_EQ(chosen(contiguous_plan(large), doubles, kachel::tuning_for(h100)).kernel, Kernel::staged);
  Plan shifted = contiguous_plan(large);
  shifted.shift = 1;
  EXPECT_EQ(chosen(shifted, all, tuning).kernel, Kernel::shifted);
  Plan rows = contiguous_plan(large);
  rows.layout = Layout::rows;
  EXPECT_EQ(chosen(rows, all, tuning).kernel, Kernel::rows);
  constexpr Kernels narrow{.element_bytes = 2, .table = true};
  EXPECT_EQ(chosen(contiguous_plan(large), narrow, tuning).kernel, Kernel::table);
  EXPECT_EQ(chosen(contiguous_plan(large - 1), narrow, tuning).kernel, Kernel::direct);
}

TEST(ChooseSchedule, AsksForBlocksAndCachesBySize) {
  const DeviceTuning tuning = kachel::tuning_for(h100);
  constexpr std::int64_t large = 1 << 24;
  const Schedule few = chosen(contiguous_plan(large - 1), all, tuning),
                 many = chosen(contiguous_plan(large), all, tuning);
  EXPECT_EQ(few.threads, tuning.block_size);
  EXPECT_EQ(few.restored_bytes, 0);
  EXPECT_EQ(many.threads, tuning.large_block_size);
  EXPECT_EQ(many.restored_bytes, tuning.restored_bytes);
  Plan in_place = contiguous_plan(large);
  in_place.in_place = true;
  EXPECT_EQ(chosen(in_place, all, tuning).restored_bytes, 0);
  in_place.size = std::int64_t{1} << 28;
  EXPECT_EQ(chosen(in_place, all, tuning).restored_bytes, tuning.restored_bytes);
}

TEST(ChooseSchedule, KeepsTheBlockSizesThatKernelsAreCompiledFor) {
  const DeviceTuning tuning = kachel::tuning_for(h200);
  constexpr std::int64_t large = 1 << 24;
  constexpr Kernels narrow{.element_bytes = 2, .staged_blocks = 8, .table = true};
  EXPECT_EQ(chosen(contiguous_plan(large), all, tuning).threads, kachel::detail::staged_block_size);
  EXPECT_EQ(chosen(contiguous_plan(large), narrow, tuning).threads, kachel::detail::table_block_size);
  Kernel kernel = Kernel::direct;
  int threads = 0;
  const ScheduleOverride forced([&](Schedule& schedule) {
    schedule.kernel = kernel;
    if (threads > 0) schedule.threads = threads;
  });
  EXPECT_EQ(chosen(contiguous_plan(large), all, tuning).threads, tuning.large_block_size);
  threads = 64;
  EXPECT_EQ(chosen(contiguous_plan(large), all, tuning).threads, 64);
  kernel = Kernel::staged;
  EXPECT_EQ(chosen(contiguous_plan(large), all, tuning).threads, kachel::detail::staged_block_size);
  threads = 257;
  EXPECT_EQ(rejection_of([&] { chosen(contiguous_plan(large), all, tuning); }),
            "test: its schedule has 257 threads a block, as the tuning or a ScheduleOverride says, expected 1 to 256");
}

TEST(ChooseSchedule, RefusesLessThanNoBytes) {
  const ScheduleOverride forced([](Schedule& schedule) { schedule.restored_bytes = -1 << 20; });
  EXPECT_EQ(rejection_of([] { chosen(contiguous_plan(1 << 24), all, kachel::tuning_for(h200)); }),
            "test: its schedule has -1048576 restored_bytes, as the tuning or a ScheduleOverride says, expected 0 to "
            "9223372036854775807");
}

TEST(ChooseSchedule, AsksTheLastOfTheOverridesThatLive) {
  int calls[2] = {};
  const auto call = [] { chosen(contiguous_plan(1), all, kachel::tuning_for(h200)); };
  auto first = std::make_unique<ScheduleOverride>([&](Schedule&) { ++calls[0]; });
  auto second = std::make_unique<ScheduleOverride>([&](Schedule&) { ++calls[1]; });
  first.reset();
  call();
  second.reset();
  call();
  EXPECT_EQ(calls[0], 0);
  EXPECT_EQ(calls[1], 1);
  EXPECT_EQ(rejection_of([] { const ScheduleOverride empty{std::function<void(Schedule&)>()}; }),
            "kachel::ScheduleOverride: change is empty, expected a function of a Schedule&");
  const ScheduleOverride unknown([](Schedule& schedule) { schedule.kernel = static_cast<Kernel>(9); });
  EXPECT_NE(rejection_of(call).find("the kernel 'unknown'"), std::string::npos);
}

TEST(ChooseSchedule, AsksNoOverrideForTheCallsThatItMakes) {
  const auto call = [] { return chosen(contiguous_plan(1), all, kachel::tuning_for(h200)); };
  int calls = 0;
  const ScheduleOverride calling([&](Schedule& schedule) {
    ++calls;
    call();
    schedule.reason = nullptr;
  });
  EXPECT_STREQ(call().reason, "contiguous, aligned");
  EXPECT_STREQ(call().reason, "contiguous, aligned");
  EXPECT_EQ(calls, 2);
}

TEST(Explain, SaysWhatADeviceRuns) {
  const auto explained = [](const Kernels& kernels, const DeviceTuning& tuning) {
    const Plan plan = contiguous_plan(1 << 25);
    return kachel::detail::explain_call("f", plan, 2, kernels, chosen(plan, kernels, tuning), false);
  };
  constexpr Kernels narrow{.element_bytes = 2, .table = true};
  EXPECT_EQ(explained(narrow, kachel::tuning_for(h200)),
            "f: 33554432 elements, cost medium\n"
            "plan: contiguous arrays in one order, aligned\n"
            "kernel: table, since an op of one 16-bit number that is decided in double, of table_bytes or more\n"
            "threads: 1024 a block\n"
            "cache: inputs stay in the L2 cache longer, as of large_bytes, until the last chunk of each group gets its "
            "normal priority back\n");
  EXPECT_EQ(explained(all, kachel::tuning_for(h200)),
            "f: 33554432 elements, cost medium\n"
            "plan: contiguous arrays in one order, aligned\n"
            "kernel: staged, since an op of medium or high cost, of large_bytes or more, of staged_element_bytes or "
            "more each\n"
            "threads: 128 a block, 8 blocks a multiprocessor\n"
            "cache: inputs stay in the L2 cache longer, as of large_bytes, until the last 16777216 bytes of them get "
            "their normal priority back\n");
  EXPECT_EQ(explained(all, kachel::tuning_for(a100)),
            "f: 33554432 elements, cost medium\n"
            "plan: contiguous arrays in one order, aligned\n"
            "kernel: direct, since contiguous, aligned\n"
            "threads: 192 a block\n"
            "cache: ordinary loads\n");
}

TEST(ChooseSchedule, OfHostsByBytesAndCost) {
  const HostTuning tuning;
  const auto on_host = [&](std::int64_t size, const Kernels& kernels, bool in_place = false) {
    Plan plan = contiguous_plan(size);
    plan.in_place = in_place;
    return choose_schedule("test", plan, kernels, tuning);
  };
  constexpr Kernels medium{.element_bytes = 4}, low{.element_bytes = 4, .cost = kachel::Cost::low},
      kept{.element_bytes = 2, .table = true}, own{.element_bytes = 2, .table = true, .own_table = true};
  EXPECT_EQ(on_host(4096, medium).threads, 1);
  EXPECT_EQ(on_host(4097, medium).threads, 0);
  EXPECT_EQ(on_host(4 * 4096, low).threads, 1);
  EXPECT_EQ(on_host(8191, kept).kernel, Kernel::direct);
  EXPECT_EQ(on_host(8192, kept).kernel, Kernel::table);
  EXPECT_EQ(on_host(8192, own).kernel, Kernel::direct);
  EXPECT_EQ(on_host(1 << 20, own).kernel, Kernel::table);
  EXPECT_FALSE(on_host((8 << 20) - 1, medium).streams);
  EXPECT_TRUE(on_host(8 << 20, medium).streams);
  EXPECT_FALSE(on_host(8 << 20, medium, true).streams);
  EXPECT_TRUE(on_host(8 << 20, medium, true).fetches_ahead);
}

TEST(ChooseSchedule, SaysWhyThereAreRows) {
  Plan plan = contiguous_plan(100);
  plan.layout = kachel::detail::Layout::rows;
  EXPECT_STREQ(chosen(plan, all, kachel::tuning_for(h200)).reason, "the arrays are not contiguous in one order");
  plan.contiguous_but_broadcast = true;
  EXPECT_STREQ(chosen(plan, all, kachel::tuning_for(h200)).reason, "an input repeats beside contiguous arrays");
}

struct DoesNothing {
  template <class Tile>
  KOKKOS_FUNCTION void operator()(const Tile&) const {}
};

template <class Space>
class Schedules : public testing::Test {
 public:
  /// The results of f by a kernel, and the kernel that ran.
  template <class T, class F>
  static std::vector<T> results(const F& f, const std::vector<T>& x, Kernel kernel, bool cached, Kernel& ran) {
    const Guarded<Space, T> input(x), output{std::vector<T>(x.size())};
    const ScheduleOverride forced([&](Schedule& schedule) {
      schedule.kernel = kernel;
      schedule.streams = schedule.fetches_ahead = !cached;
      schedule.restored_bytes = cached ? 0 : 1 << 20;
      if (schedule.blocks > 0) schedule.blocks = cached ? 3 : 5;
      ran = schedule.kernel;
    });
    // Of two dimensions, so that there is a kernel of rows.
    kachel::map(Space{}, view<Space>(output.data(), {{x.size(), 1}, {1, 1}}), f,
                view<Space, const T>(input.data(), {{x.size(), 1}, {1, 1}}));
    return output.values();
  }

  template <class T, class F>
  static void check(const F& f, std::initializer_list<Kernel> kernels) {
    const std::vector<T> x = varied<T>(200003);
    std::vector<T> expected;
    for (const T value : x)
      expected.push_back(kachel::detail::evaluate<T>(f, static_cast<kachel::compute_type<T>>(value)));
    for (const Kernel kernel : kernels)
      for (const bool cached : {false, true}) {
        Kernel ran{};
        EXPECT_TRUE(all_same(expected, results<T>(f, x, kernel, cached, ran))) << to_string(kernel);
        EXPECT_EQ(ran, kernel);
      }
  }
};
TYPED_TEST_SUITE(Schedules, Spaces, Names);

TYPED_TEST(Schedules, GiveTheSameBits) {
  constexpr bool on_host = kachel::detail::is_host_space<TypeParam>;
  if constexpr (on_host) {
    this->template check<float>(kachel::GELU{}, {Kernel::direct, Kernel::rows});
    this->template check<kachel::half>(kachel::GELU{}, {Kernel::direct, Kernel::rows, Kernel::table});
  } else {
    this->template check<float>(kachel::GELU{}, {Kernel::direct, Kernel::staged, Kernel::shifted, Kernel::rows});
    this->template check<float>(kachel::HardTanh{}, {Kernel::direct, Kernel::shifted, Kernel::rows});
    this->template check<double>(kachel::Sigmoid{}, {Kernel::direct, Kernel::staged, Kernel::shifted, Kernel::rows});
    this->template check<kachel::half>(kachel::GELU{}, {Kernel::direct, Kernel::shifted, Kernel::rows, Kernel::table});
  }
}

TYPED_TEST(Schedules, AreNotForcedOnCallsThatHaveNone) {
  const Guarded<TypeParam, float> both(std::vector<float>(100));
  const ScheduleOverride forced([](Schedule& schedule) { schedule.kernel = Kernel::table; });
  EXPECT_EQ(
      rejection_of([&] { kachel::hardtanh(TypeParam{}, both.span(), both.span()); }),
      "kachel::hardtanh<float>: a ScheduleOverride asks for the kernel 'table', which this call does not have with "
      "these arrays and this op, expected direct" +
          std::string(kachel::detail::is_host_space<TypeParam> ? "" : " or shifted"));
}

TYPED_TEST(Schedules, OfTilesAndSumsHaveOneKernel) {
  const Kokkos::View<float**, TypeParam> x("x", 4, 8);
  const Kokkos::View<float*, TypeParam> w("w", 8), dw("dw", 8);
  for (const Kernel kernel : {Kernel::staged, Kernel::shifted, Kernel::rows, Kernel::table}) {
    const ScheduleOverride forced([&](Schedule& schedule) { schedule.kernel = kernel; });
    const std::string refused = std::string(": a ScheduleOverride asks for the kernel '") + to_string(kernel) +
                                "', which this call does not have with these arrays and this op, expected direct";
    EXPECT_EQ(rejection_of([&] { kachel::for_tiles<float>("tiles", TypeParam{}, 100, DoesNothing()); }),
              "tiles" + refused);
    EXPECT_EQ(rejection_of([&] { kachel::prelu_backward(TypeParam{}, x, dw, x, x, w); }),
              "kachel::prelu_backward<float>" + refused);
  }
}

TYPED_TEST(Schedules, AreRefusedWithNumbersThatLaunchNothing) {
  constexpr bool on_host = kachel::detail::is_host_space<TypeParam>;
  const Guarded<TypeParam, float> both(std::vector<float>(100));
  const ScheduleOverride forced([](Schedule& schedule) { schedule.threads = on_host ? -1 : 0; });
  EXPECT_EQ(rejection_of([&] { kachel::hardtanh(TypeParam{}, both.span(), both.span()); }),
            std::string("kachel::hardtanh<float>: its schedule has ") + (on_host ? "-1 threads" : "0 threads a block") +
                ", as the tuning or a ScheduleOverride says, expected " + (on_host ? "0 to 1" : "1 to 256"));
}

TYPED_TEST(Schedules, OfSumsOfNothingLaunchNothing) {
  const Kokkos::View<float**, TypeParam> x("x", 4, 0);
  const Kokkos::View<float*, TypeParam> w("w", 0), dw("dw", 0);
  const ScheduleOverride forced([](Schedule& schedule) { schedule.threads = std::max(schedule.threads - 1, 0); });
  kachel::prelu_backward(TypeParam{}, x, dw, x, x, w);
}

/// The identity, which counts its calls by other threads than one.
struct CountsOthers {
  std::thread::id caller;
  std::atomic<int>* others;

  KOKKOS_FUNCTION float operator()(float x) const {
    KOKKOS_IF_ON_HOST((*others += std::this_thread::get_id() != caller;))
    return x;
  }
  KOKKOS_FUNCTION double wide(double x) const { return x; }
};

TYPED_TEST(Schedules, OfOneThreadFillTheirTableByIt) {
  if constexpr (kachel::detail::is_host_space<TypeParam>) {
    std::atomic<int> others = 0;
    const Guarded<TypeParam, kachel::half> both(std::vector<kachel::half>(100));
    const ScheduleOverride forced([](Schedule& schedule) {
      schedule.kernel = Kernel::table;
      schedule.threads = 1;
    });
    kachel::map(TypeParam{}, both.span(), CountsOthers{std::this_thread::get_id(), &others}, both.span());
    EXPECT_EQ(others, 0);
  }
}

TYPED_TEST(Schedules, AreExplainedAsTheyRun) {
  const Guarded<TypeParam, float> x(std::vector<float>(40 * 40)), y(std::vector<float>(40 * 40, 7.0f));
  const auto explained = [&](const auto& output, const auto& input) {
    return kachel::explain(TypeParam{}, output, kachel::GELU{}, input);
  };
  const auto check = [&](const auto& output, const auto& input) {
    const std::string text = explained(output, input);
    EXPECT_TRUE(y.untouched()) << text;
    Schedule ran;
    {
      const ScheduleOverride seen([&](Schedule& schedule) { ran = schedule; });
      kachel::gelu(TypeParam{}, output, input);
    }
    EXPECT_NE(text.find(std::string("\nkernel: ") + to_string(ran.kernel) + ", since " + ran.reason + "\n"),
              std::string::npos)
        << text;
    TypeParam().fence();
  };
  EXPECT_NE(explained(y.span(), x.span()).find("kachel::gelu<float>: 1600 elements, cost high\nplan: contiguous"),
            std::string::npos);
  EXPECT_TRUE(y.untouched());
  EXPECT_EQ(kachel::explain(TypeParam{}, view<TypeParam>(y.data(), {{0}, {1}}), kachel::GELU{},
                            view<TypeParam, const float>(x.data(), {{0}, {1}})),
            "kachel::gelu: no elements\n");
  const auto inner = view<TypeParam>(y.data(), {{40, 39}, {40, 1}});
  const auto inner_x = view<TypeParam, const float>(x.data(), {{40, 39}, {40, 1}});
  check(inner, inner_x);
  const ScheduleOverride forced([](Schedule& schedule) { schedule.kernel = Kernel::rows; });
  EXPECT_NE(explained(inner, inner_x).find("kernel: rows, since the arrays are not"), std::string::npos);
  EXPECT_NE(explained(view<TypeParam>(y.data(), {{40, 40}, {40, 1}}),
                      view<TypeParam, const float>(x.data(), {{40, 40}, {40, 1}}))
                .find("kernel: rows, since a ScheduleOverride asks for it\n"),
            std::string::npos);
}

}  // namespace
}  // namespace kachel_test
