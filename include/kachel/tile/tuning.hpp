// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The constants that decide speed and never results. docs/performance.md holds the measurement behind each.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace kachel {

/// Whether Space runs on the host's processors.
template <class Space>
inline constexpr bool is_host_space = std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>;

/// Tuning of a device. A work item takes one tile.
struct DeviceTuning {
  int tile_bytes = 16;                   ///< bytes of the widest operand in a tile: the widest single access
  int block_size = 256;                  ///< work items a block at most
  int large_block_size = 192;            ///< the same for spans of at least large_bytes
  std::int64_t large_bytes = 256 << 20;  ///< where a span's widest operand is far larger than any cache
};

/// Tuning of a host. A thread takes an equal share of the tiles.
struct HostTuning {
  int tile_elements = 64;                   ///< elements a tile: a loop long enough for any vector unit
  std::int64_t streaming_bytes = 32 << 20;  ///< an output of at least this size is written past the cache
  int prefetch_bytes = 1024;                ///< how far ahead inputs are fetched
};

/// The tuning in force for an execution space; specialise it to override.
template <class Space>
inline constexpr auto tuning = std::conditional_t<is_host_space<Space>, HostTuning, DeviceTuning>{};

inline std::string to_string(const DeviceTuning& t) {
  return "tile_bytes=" + std::to_string(t.tile_bytes) + " block_size=" + std::to_string(t.block_size) +
         " large_block_size=" + std::to_string(t.large_block_size) + " large_bytes=" + std::to_string(t.large_bytes);
}

inline std::string to_string(const HostTuning& t) {
  return "tile_elements=" + std::to_string(t.tile_elements) + " streaming_bytes=" + std::to_string(t.streaming_bytes) +
         " prefetch_bytes=" + std::to_string(t.prefetch_bytes);
}

}  // namespace kachel
