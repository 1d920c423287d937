// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The constants that decide speed and never results. docs/performance.md holds the measurement behind each.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>

namespace kachel {

/// Whether Space runs on the host's processors.
template <class Space>
inline constexpr bool is_host_space = std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>;

/// How a kernel's work items come to the memory of a device.
struct Pace {
  int block_size;  ///< work items a block
  int delay_ns;    ///< how long, about, a work item waits before its first load: spreads out the loads of a block
};

/// Tuning of a device. A work item takes one tile.
struct DeviceTuning {
  int tile_bytes = 16;                   ///< of the operand that decides a tile's width: the widest single access
  Pace pace = {224, 0};                  ///< for spans that may lie in a cache
  std::int64_t large_bytes = 256 << 20;  ///< where a span's widest operand is far larger than any cache
  Pace large_pace = {224, 0};            ///< for spans of at least large_bytes whose output is not an input
  Pace large_in_place_pace = {224, 0};   ///< for the others of that size
  int max_block_size = 256;              ///< what kernels are compiled for

  /// Whether every pace has blocks that its kernels can have.
  constexpr bool is_valid() const {
    for (const Pace& any : {pace, large_pace, large_in_place_pace})
      if (any.block_size < 1 || any.block_size > max_block_size || any.delay_ns < 0) return false;
    return true;
  }
};

/// Tuning of a host. A thread takes an equal share of the tiles.
struct HostTuning {
  int tile_elements = 64;                   ///< elements a tile: a power of two, at least 64: whole cache lines
  std::int64_t streaming_bytes = 32 << 20;  ///< the outputs of spans of at least this size are written past the cache
  int prefetch_bytes = 1024;                ///< how far ahead inputs are fetched
};

/// The tuning that was measured for an execution space.
template <class Space>
constexpr auto measured_tuning() {
  if constexpr (is_host_space<Space>) return HostTuning{};
#if defined(KOKKOS_ARCH_HOPPER90)
  else if constexpr (std::is_same_v<Space, Kokkos::Cuda>)
    return DeviceTuning{.large_pace = {128, 20}, .large_in_place_pace = {160, 40}};
#endif
  else
    return DeviceTuning{};
}

/// The tuning in force for an execution space; specialise it to override.
template <class Space>
inline constexpr auto tuning = measured_tuning<Space>();

/// As benchmarks name it: block_size/delay_ns.
inline std::string to_string(const Pace& pace) {
  return std::to_string(pace.block_size) + "/" + std::to_string(pace.delay_ns) + "ns";
}

/// Every constant as name=value.
inline std::string to_string(const DeviceTuning& t) {
  return "tile_bytes=" + std::to_string(t.tile_bytes) + " pace=" + to_string(t.pace) +
         " large_bytes=" + std::to_string(t.large_bytes) + " large_pace=" + to_string(t.large_pace) +
         " large_in_place_pace=" + to_string(t.large_in_place_pace) +
         " max_block_size=" + std::to_string(t.max_block_size);
}

/// Every constant as name=value.
inline std::string to_string(const HostTuning& t) {
  return "tile_elements=" + std::to_string(t.tile_elements) + " streaming_bytes=" + std::to_string(t.streaming_bytes) +
         " prefetch_bytes=" + std::to_string(t.prefetch_bytes);
}

}  // namespace kachel
