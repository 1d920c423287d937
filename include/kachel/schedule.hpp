// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a call runs: which of its kernels, with how many threads, and what it asks of caches. Chosen once a call, at run
/// time; it decides speed and never results. docs/tuning.md holds the measurement behind each number.
#pragma once

#include <kachel/contract.hpp>
#include <kachel/detail/cuda_instance.hpp>
#include <kachel/detail/tile/host_memory.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace kachel {

/// The kernels of a call.
enum class Kernel {
  direct,   ///< contiguous arrays, aligned on a device: a tile a thread at a time
  staged,   ///< the same on CUDA, several tiles a thread, which are copied to shared memory in the background
  shifted,  ///< contiguous arrays on a device that begin anywhere
  rows,     ///< arrays of any strides
  table,    ///< an op of one 16-bit number, by a table of all its results
};

/// What is chosen for a call.
struct Schedule {
  Kernel kernel = Kernel::direct;  ///< which runs; for_tiles and sums have one alone
  /// On CUDA: of a block, 1 to 256; staged and table have their own number, which takes the place of another. On a
  /// host: 1 for the calling thread alone, 0 for all of the space's.
  int threads = 0;
  /// Of a staged kernel: how many a multiprocessor holds at once at most, 1 to 32. A block takes no more than 48 KiB of
  /// shared memory to keep others away, so that of fewer than 4 an H100 holds 4.
  int blocks = 0;
  /// On CUDA: above 0 where what is read stays in the L2 cache longer than other lines, until so many bytes of it get
  /// their normal priority back at the end. Of a table, which each group's last chunk gets back, whether it is above 0.
  std::int64_t restored_bytes = 0;
  bool streams = false;        ///< on a host: whether stores bypass the cache
  bool fetches_ahead = false;  ///< on a host: whether inputs are fetched ahead
  const char* reason = "";     ///< why this kernel
};

/// What the schedules of a device are chosen by.
struct DeviceTuning {
  int block_size = 224;                 ///< threads a block, at most 256, of arrays that the L2 cache may hold
  int large_block_size = 192;           ///< the same of larger ones
  std::int64_t large_bytes = 64 << 20;  ///< from which on an array is larger than the L2 cache
  int staged_element_bytes = 8;         ///< from which on elements are staged, where an op is not of low cost: CUDA
  std::int64_t table_bytes = 32 << 20;  ///< from which on ops of one 16-bit number are looked up, on CUDA
  /// Bytes of the inputs of large arrays that get their normal priority in the L2 cache back at the end: all loads of
  /// such arrays then stay there longer than others. 0 where loads are ordinary.
  std::int64_t restored_bytes = 0;
  /// From which on arrays in place are loaded so, too: what a pass in place leaves to be written back costs the next
  /// kernel more than the pass over a smaller array gains.
  std::int64_t restored_in_place_bytes = 1 << 30;
};

/// What the schedules of hosts are chosen by.
struct HostTuning {
  /// From which on stores bypass the cache, and inputs are fetched ahead: from half of it on where layouts change.
  std::int64_t large_bytes = 32 << 20;
  /// Up to which arrays run on the calling thread, on OpenMP, since it takes less time than to have the others begin;
  /// as if elements had four bytes at least, which shorter ones have while they are computed.
  std::int64_t serial_bytes = 16 << 10;
  std::int64_t serial_low_cost_bytes = 64 << 10;  ///< the same of ops of low cost that are not looked up
  /// From which on ops of 16-bit numbers that are decided in double are looked up in a table, and the factors of
  /// derivatives.
  std::int64_t table_bytes = 16 << 10;
  std::int64_t own_table_bytes = 2 << 20;  ///< the same where the parameters are not the default ones: a table a call
};

/// What is known of a device: its attributes.
struct DeviceFacts {
  int compute_capability = 0;   ///< 90 for 9.0
  int multiprocessors = 0;      ///< how many it has
  double clock_hz = 0;          ///< of these, in Hz
  double bytes_per_second = 0;  ///< of its memory
  std::int64_t l2_bytes = 0;    ///< of its L2 cache

  /// How many bytes the memory gives each multiprocessor a clock.
  constexpr double bytes_per_clock() const { return bytes_per_second / (multiprocessors * clock_hz); }
};

/// The rule by which a device is tuned unless its owner says otherwise: docs/tuning.md has it.
DeviceTuning tuning_for(const DeviceFacts& facts);

/// @{
/// What the schedules of a space's device, or of all hosts, are chosen by, to be read and to be changed: before the
/// first call, or while no other thread calls.
HostTuning& host_tuning();
#if defined(KOKKOS_ENABLE_CUDA)
DeviceTuning& device_tuning(const detail::CudaInstance& space);  // also of a Kokkos::Cuda
#endif
DeviceTuning& other_device_tuning();  // of every device that is not CUDA's
template <class Space>
  requires requires { typename Space::memory_space; }
auto& tuning(const Space& space) {
  if constexpr (detail::is_host_space<Space>)
    return host_tuning();
  else if constexpr (requires { device_tuning(space); })
    return device_tuning(space);
  else
    return other_device_tuning();
}
/// @}

namespace detail {

/// What a ScheduleOverride does, and the one that began before it in its thread.
struct ScheduleChange {
  std::function<void(Schedule&)> change;
  ScheduleChange* before;
};

}  // namespace detail

/// While it lives, changes the schedule of each call of its thread: `change` gets the one that was chosen. Of several
/// that live the last alone does. It ends in the thread in which it began. A call throws std::invalid_argument where it
/// has no such kernel, or cannot be launched with such numbers. Calls that `change` makes itself are not changed.
class [[nodiscard]] ScheduleOverride {
 public:
  /// \param change  called with each schedule, in the thread of the call
  /// \throws std::invalid_argument  change is empty
  explicit ScheduleOverride(std::function<void(Schedule&)> change);
  ~ScheduleOverride();
  ScheduleOverride(const ScheduleOverride&) = delete;
  ScheduleOverride& operator=(const ScheduleOverride&) = delete;

 private:
  detail::ScheduleChange change_;
};

/// A name for people.
const char* to_string(Kernel kernel);

/// Every number as name=value.
std::string to_string(const DeviceTuning& tuning);

/// The same.
std::string to_string(const HostTuning& tuning);

}  // namespace kachel
