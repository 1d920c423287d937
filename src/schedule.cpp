// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/detail/backend/cuda/launch_kernel.hpp>
#include <kachel/detail/backend/cuda/per_device.hpp>
#include <kachel/detail/schedule.hpp>

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

namespace kachel {
namespace {

thread_local detail::ScheduleChange* last_change = nullptr;

constexpr const char* kernel_names[] = {"direct", "staged", "shifted", "rows", "table"};  // in the order of Kernel

std::string words(std::initializer_list<std::pair<const char*, std::int64_t>> numbers) {
  std::string text;
  for (const auto& [name, value] : numbers)
    text.append(text.empty() ? "" : " ").append(name).append("=").append(std::to_string(value));
  return text;
}

}  // namespace

DeviceTuning tuning_for(const DeviceFacts& facts) {
  DeviceTuning tuning;
  if (facts.l2_bytes > 0)
    tuning.large_bytes = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(facts.l2_bytes)));
  // Where the memory is fast for the multiprocessors, their threads alone do not have enough loads under way while they
  // compute: 18.8 bytes on an H200, on which staging gains, 12.8 on an H100, on which it gains for doubles alone.
  if (facts.multiprocessors > 0 && facts.clock_hz > 0 && facts.bytes_per_clock() >= 16) tuning.staged_element_bytes = 1;
  if (facts.compute_capability >= 90) tuning.restored_bytes = 16 << 20;  // as measured on Hopper
  return tuning;
}

HostTuning& host_tuning() {
  static HostTuning tuning;
  return tuning;
}

DeviceTuning& other_device_tuning() {
  static DeviceTuning tuning;
  return tuning;
}

#if defined(KOKKOS_ENABLE_CUDA)
DeviceTuning& device_tuning(const detail::CudaInstance& space) {
  static detail::PerDevice<DeviceTuning> tunings;
  const int device = space.cuda_device();
  // Nothing is asked of a device while a graph is captured.
  static DeviceTuning unknown;
  if (!tunings.is_made(device) && detail::is_captured(space)) return unknown;
  return tunings.get(device, [device] {
    const auto attribute = [device](cudaDeviceAttr which) {
      int value = 0;
      return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
    };
    DeviceFacts facts;
    facts.compute_capability =
        10 * attribute(cudaDevAttrComputeCapabilityMajor) + attribute(cudaDevAttrComputeCapabilityMinor);
    facts.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
    facts.clock_hz = 1e3 * attribute(cudaDevAttrClockRate);
    // Two transfers a clock.
    facts.bytes_per_second =
        2e3 * attribute(cudaDevAttrMemoryClockRate) * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
    facts.l2_bytes = attribute(cudaDevAttrL2CacheSize);
    return tuning_for(facts);
  });
}
#endif

ScheduleOverride::ScheduleOverride(std::function<void(Schedule&)> change) : change_{std::move(change), last_change} {
  if (!change_.change)
    throw std::invalid_argument("kachel::ScheduleOverride: change is empty, expected a function of a Schedule&");
  last_change = &change_;
}

ScheduleOverride::~ScheduleOverride() {
  detail::ScheduleChange** place = &last_change;
  while (*place != nullptr && *place != &change_) place = &(*place)->before;
  if (*place != nullptr) *place = change_.before;
}

const char* to_string(Kernel kernel) {
  const auto number = static_cast<std::size_t>(kernel);
  return number < std::size(kernel_names) ? kernel_names[number] : "unknown";
}

std::string to_string(const DeviceTuning& tuning) {
  return words({{"block_size", tuning.block_size},
                {"large_block_size", tuning.large_block_size},
                {"large_bytes", tuning.large_bytes},
                {"staged_element_bytes", tuning.staged_element_bytes},
                {"table_bytes", tuning.table_bytes},
                {"restored_bytes", tuning.restored_bytes},
                {"restored_in_place_bytes", tuning.restored_in_place_bytes}});
}

std::string to_string(const HostTuning& tuning) {
  return words({{"large_bytes", tuning.large_bytes},
                {"serial_bytes", tuning.serial_bytes},
                {"serial_low_cost_bytes", tuning.serial_low_cost_bytes},
                {"table_bytes", tuning.table_bytes},
                {"own_table_bytes", tuning.own_table_bytes}});
}

namespace detail {
namespace {

/// Applies the thread's ScheduleOverride, if there is one.
/// \param has  whether the call has a kernel
template <class Has>
void apply_override(std::string_view operation, Schedule& schedule, const Has& has) {
  if (last_change == nullptr) [[likely]]
    return;
  const Kernel chosen = schedule.kernel;
  const char* const reason = schedule.reason;
  {
    // Calls that `change` makes have their own schedules.
    struct Paused {
      detail::ScheduleChange* change = std::exchange(last_change, nullptr);
      ~Paused() { last_change = change; }
    } const paused;
    paused.change->change(schedule);
  }
  schedule.reason = schedule.kernel == chosen ? reason : "a ScheduleOverride asks for it";
  if (has(schedule.kernel)) return;
  std::string kernels;
  for (std::size_t number = 0; number != std::size(kernel_names); ++number)
    if (has(static_cast<Kernel>(number))) kernels.append(kernels.empty() ? "" : " or ").append(kernel_names[number]);
  throw std::invalid_argument(std::string(operation) + ": a ScheduleOverride asks for the kernel '" +
                              to_string(schedule.kernel) +
                              "', which this call does not have with these arrays and this op, expected " + kernels);
}

const char* reason_for_rows(const Plan& plan) {
  return plan.contiguous_but_broadcast ? "an input repeats beside contiguous arrays"
                                       : "the arrays are not contiguous in one order";
}

/// Refuses numbers that nothing can be launched with, of a tuning or of a ScheduleOverride.
void check_number(std::string_view operation, std::string_view what, std::int64_t number, std::int64_t least,
                  std::int64_t most) {
  if (number < least || number > most) [[unlikely]]
    throw std::invalid_argument(std::string(operation) + ": its schedule has " + std::to_string(number) + " " +
                                std::string(what) + ", as the tuning or a ScheduleOverride says, expected " +
                                std::to_string(least) + " to " + std::to_string(most));
}

}  // namespace

Schedule choose_schedule(std::string_view operation, const Plan& plan, const Kernels& kernels,
                         const DeviceTuning& tuning) {
  const bool contiguous = plan.layout == Layout::contiguous, aligned = contiguous && plan.aligned && plan.shift == 0;
  const bool large = takes_at_least(tuning.large_bytes, plan.size, kernels.element_bytes);
  Schedule schedule;
  schedule.threads = large ? tuning.large_block_size : tuning.block_size;
  schedule.blocks = kernels.staged_blocks;
  if (!contiguous) {
    schedule.kernel = Kernel::rows;
    schedule.reason = reason_for_rows(plan);
  } else if (!aligned) {
    schedule.kernel = Kernel::shifted;
    schedule.reason = "an array begins beside a multiple of 16 bytes";
  } else {
    if (takes_at_least(plan.in_place ? tuning.restored_in_place_bytes : tuning.large_bytes, plan.size,
                       kernels.element_bytes))
      schedule.restored_bytes = tuning.restored_bytes;
    if (kernels.table && takes_at_least(tuning.table_bytes, plan.size, kernels.element_bytes)) {
      schedule.kernel = Kernel::table;
      schedule.reason = "an op of one 16-bit number that is decided in double, of table_bytes or more";
    } else if (kernels.staged_blocks > 0 && large &&
               static_cast<int>(kernels.element_bytes) >= tuning.staged_element_bytes) {
      schedule.kernel = Kernel::staged;
      schedule.reason = "an op of medium or high cost, of large_bytes or more, of staged_element_bytes or more each";
    } else {
      schedule.kernel = Kernel::direct;
      schedule.reason = "contiguous, aligned";
    }
  }
  apply_override(operation, schedule, [&](Kernel kernel) {
    return kernel == Kernel::rows      ? kernels.rows
           : kernel == Kernel::shifted ? contiguous && kernels.shifted
           : kernel == Kernel::staged  ? aligned && kernels.staged_blocks > 0
           : kernel == Kernel::table   ? aligned && kernels.table
                                       : kernel == Kernel::direct && aligned;
  });
  check_number(operation, "threads a block", schedule.threads, 1, max_block_size);
  check_number(operation, "restored_bytes", schedule.restored_bytes, 0, std::numeric_limits<std::int64_t>::max());
  if (schedule.kernel == Kernel::staged) {
    check_number(operation, "blocks a multiprocessor", schedule.blocks, 1, 32);
    schedule.threads = staged_block_size;
  } else if (schedule.kernel == Kernel::table) {
    schedule.threads = table_block_size;
  }
  return schedule;
}

Schedule choose_schedule(std::string_view operation, const Plan& plan, const Kernels& kernels,
                         const HostTuning& tuning) {
  const bool contiguous = plan.layout == Layout::contiguous;
  const bool large = takes_at_least(tuning.large_bytes, plan.size, kernels.element_bytes);
  Schedule schedule;
  schedule.streams = large && !plan.in_place;
  schedule.fetches_ahead = large;
  if (!contiguous) {
    schedule.kernel = Kernel::rows;
    schedule.reason = reason_for_rows(plan);
    // What is copied has input and output in the cache. At half as many bytes, of 3 million doubles, fetching takes
    // 0.82 to 0.9 of the time (a Zen 5).
    if (plan.layout == Layout::strided)
      schedule.fetches_ahead = takes_at_least(tuning.large_bytes / 2, plan.size, kernels.element_bytes);
  } else if (kernels.table && takes_at_least(kernels.own_table ? tuning.own_table_bytes : tuning.table_bytes, plan.size,
                                             sizeof(std::uint16_t))) {
    schedule.kernel = Kernel::table;
    schedule.reason =
        kernels.own_table ? "16-bit numbers, of own_table_bytes or more" : "16-bit numbers, of table_bytes or more";
  } else {
    schedule.kernel = Kernel::direct;
    schedule.reason = "contiguous";
  }
  const bool low = kernels.cost == Cost::low && schedule.kernel != Kernel::table;
  const std::int64_t serial = low ? tuning.serial_low_cost_bytes : tuning.serial_bytes;
  schedule.threads = plan.size <= serial / static_cast<std::int64_t>(std::max(kernels.element_bytes, sizeof(float)));
  apply_override(operation, schedule, [&](Kernel kernel) {
    return kernel == Kernel::rows    ? kernels.rows
           : kernel == Kernel::table ? contiguous && kernels.table
                                     : kernel == Kernel::direct && contiguous;
  });
  check_number(operation, "threads", schedule.threads, 0, 1);
  return schedule;
}

}  // namespace detail
}  // namespace kachel
