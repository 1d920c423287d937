// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The choice of a call's schedule, from plain data: no View, no template.
#pragma once

#include <kachel/detail/plan.hpp>
#include <kachel/schedule.hpp>

namespace kachel::detail {

/// Threads a block: of a kernel of tiles at most, of a staged one, of one that reads a table.
inline constexpr int max_block_size = 256, staged_block_size = 128, table_block_size = 1024;

/// What is compiled for a call, and what decides between it.
struct Kernels {
  std::size_t element_bytes;  ///< of the type that decides a tile's width
  Cost cost = Cost::medium;
  int staged_blocks = 0;   ///< of the staged kernel: how many a multiprocessor holds at best; 0 where there is none
  bool table = false;      ///< whether it can be looked up
  bool own_table = false;  ///< whether a table would be filled for this call alone
  bool rows = true;        ///< whether there is a kernel of rows
  bool shifted = true;     ///< on a device, whether there is one of contiguous arrays that begin anywhere
};

/// \param operation  the call's name in messages
/// \throws std::invalid_argument  a ScheduleOverride asks for a kernel that the call has not
Schedule choose_schedule(std::string_view operation, const Plan& plan, const Kernels& kernels,
                         const DeviceTuning& tuning);

/// The same on a host.
Schedule choose_schedule(std::string_view operation, const Plan& plan, const Kernels& kernels,
                         const HostTuning& tuning);

/// The text of explain.
/// \param label   of the call's kernels
/// \param arrays  how many arrays the call has, outputs first
std::string explain_call(std::string_view label, const Plan& plan, int arrays, const Kernels& kernels,
                         const Schedule& schedule, bool on_host);

/// Whether `size` elements of `bytes` bytes take at least `least` bytes.
constexpr bool takes_at_least(std::int64_t least, std::int64_t size, std::size_t bytes) {
  return size >= least / static_cast<std::int64_t>(bytes);  // the product could overflow
}

}  // namespace kachel::detail
