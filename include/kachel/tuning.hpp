// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The constants that decide speed and never results. docs/tuning.md holds the measurement behind each.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace kachel {

/// Whether Space runs on the host's processors.
template <class Space>
inline constexpr bool is_host_space = std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>;

/// Whether `size` elements of `bytes` bytes take at least `least` bytes.
constexpr bool takes_at_least(std::int64_t least, std::int64_t size, std::size_t bytes) {
  return size >= least / static_cast<std::int64_t>(bytes);  // the product could overflow
}

/// How a long function of a large span runs on CUDA.
struct Pipelining {
  int accesses;  ///< of 16 bytes, that a thread has under way
  int blocks;    ///< that a multiprocessor holds: they get registers accordingly
};

/// Tuning of a device. A work item takes one tile.
struct DeviceTuning {
  int tile_bytes = 16;         ///< of the operand that decides a tile's width: the widest single access
  int block_size = 224;        ///< work items a block, at most max_block_size, of spans that may lie in a cache
  int large_block_size = 192;  ///< the same of large spans
  int max_block_size = 256;    ///< what kernels are compiled for
  std::int64_t large_bytes = 64 << 20;  ///< from which on a span of the type that decides a tile's width is large
  /// Bytes of the inputs of large spans that get their normal priority in the L2 cache back at the end: all loads of
  /// such spans are then evicted last. 0 where loads are ordinary.
  int restored_bytes = 0;
  /// From which on spans in place are loaded so, too: what a pass in place leaves to be written back costs the next
  /// kernel more than the pass of a smaller span gains.
  std::int64_t restored_in_place_bytes = 1 << 30;
  /// From which on functions of a span of 16-bit numbers that have a `wide` are looked up in a table, on CUDA.
  std::int64_t lookup_bytes = 32 << 20;
  int pipelined_block_size = 128;                    ///< work items a block of a large span's long function, on CUDA
  Pipelining pipelined_unary = {3, 9};               ///< of one input
  Pipelining pipelined_narrow = {3, 8};              ///< of one input of elements of 2 bytes
  Pipelining pipelined_narrow_long = {3, 10};        ///< of those functions of them that are very long
  Pipelining pipelined = {4, 12};                    ///< of several
  Pipelining pipelined_longest_unary = {5, 10};      ///< of one, of functions that are very long
  Pipelining pipelined_brief = {4, 11};              ///< the same, of spans below pipelined_longest_bytes
  Pipelining pipelined_longest = {6, 12};            ///< of several, of functions that are very long
  std::int64_t pipelined_longest_bytes = 512 << 20;  ///< from which on the longest functions run at a lower clock
  Pipelining pipelined_doubles = {4, 8};             ///< of elements of 8 bytes
  Pipelining pipelined_longest_doubles = {8, 8};     ///< of those, of functions that are very long

  /// Whether a span of `size` elements of `bytes` bytes is large.
  constexpr bool is_large(std::int64_t size, std::size_t bytes) const {
    return takes_at_least(large_bytes, size, bytes);
  }

  /// Whether the inputs of a span of `size` elements of `bytes` bytes are loaded to be evicted last.
  constexpr bool evicts_last(std::int64_t size, std::size_t bytes, bool in_place) const {
    return restored_bytes > 0 && takes_at_least(in_place ? restored_in_place_bytes : large_bytes, size, bytes);
  }
};

/// Tuning of a host. A thread takes an equal share of the tiles.
struct HostTuning {
  int tile_elements = 64;                   ///< elements a tile: a power of two, at least 64: whole cache lines
  std::int64_t streaming_bytes = 32 << 20;  ///< the outputs of spans of at least this size are written past the cache
  int fetched_ahead_bytes = 4 << 10;        ///< how far ahead of their use the inputs of such spans are fetched
  /// Up to which spans run on the calling thread, on OpenMP, since it takes less time than to have the others begin;
  /// as if elements had four bytes at least, which shorter ones have while they are computed.
  std::int64_t serial_bytes = 16 << 10;
  std::int64_t serial_short_bytes = 64 << 10;  ///< the same of functions that are known to be short
  /// From which on functions of a span of 16-bit numbers that have a `wide` are looked up in a table, and what a
  /// `narrow_slope` multiplies gradients by.
  std::int64_t lookup_bytes = 16 << 10;
  /// The same where the functor's parameters are not its default ones, so that the call fills a table of its own.
  std::int64_t tabulation_bytes = 2 << 20;

  /// Whether a span of `size` elements of `bytes` bytes is large.
  constexpr bool is_large(std::int64_t size, std::size_t bytes) const {
    return takes_at_least(streaming_bytes, size, bytes);
  }
};

/// The tuning that was measured for an execution space.
template <class Space>
constexpr auto measured_tuning() {
  if constexpr (is_host_space<Space>) return HostTuning{};
#if defined(KOKKOS_ARCH_HOPPER90)
  else if constexpr (std::is_same_v<Space, Kokkos::Cuda>)
    return DeviceTuning{.restored_bytes = 16 << 20};
#endif
  else
    return DeviceTuning{};
}

/// The tuning in force for an execution space; specialise it to override.
template <class Space>
inline constexpr auto tuning = measured_tuning<Space>();

/// Every host space of a tuning, in types of what runs on a thread: the code that is compiled for one serves all.
template <HostTuning tuned>
struct AnyHost {
  using memory_space = Kokkos::HostSpace;  ///< which makes it a host's
};

/// That of the spaces it stands for.
template <HostTuning tuned>
inline constexpr auto tuning<AnyHost<tuned>> = tuned;

/// What ThreadSpace is of a space that is not a host's.
template <class Space>
struct ThreadSpaceOf {
  using type = Space;  ///< the space itself
};

/// What ThreadSpace is of a host space.
template <class Space>
  requires is_host_space<Space>
struct ThreadSpaceOf<Space> {
  using type = AnyHost<tuning<Space>>;  ///< shared by all of its tuning
};

/// The space in types of what runs on a thread: AnyHost for a host space, another space itself.
template <class Space>
using ThreadSpace = typename ThreadSpaceOf<Space>::type;

/// Both numbers.
inline std::string to_string(const Pipelining& p) {
  return std::to_string(p.accesses) + "x" + std::to_string(p.blocks);
}

/// Every constant as name=value.
inline std::string to_string(const DeviceTuning& t) {
  return "tile_bytes=" + std::to_string(t.tile_bytes) + " block_size=" + std::to_string(t.block_size) +
         " large_block_size=" + std::to_string(t.large_block_size) +
         " max_block_size=" + std::to_string(t.max_block_size) + " large_bytes=" + std::to_string(t.large_bytes) +
         " restored_bytes=" + std::to_string(t.restored_bytes) +
         " restored_in_place_bytes=" + std::to_string(t.restored_in_place_bytes) +
         " lookup_bytes=" + std::to_string(t.lookup_bytes) +
         " pipelined_block_size=" + std::to_string(t.pipelined_block_size) +
         " pipelined_unary=" + to_string(t.pipelined_unary) + " pipelined_narrow=" + to_string(t.pipelined_narrow) +
         " pipelined_narrow_long=" + to_string(t.pipelined_narrow_long) + " pipelined=" + to_string(t.pipelined) +
         " pipelined_longest_unary=" + to_string(t.pipelined_longest_unary) +
         " pipelined_brief=" + to_string(t.pipelined_brief) + " pipelined_longest=" + to_string(t.pipelined_longest) +
         " pipelined_longest_bytes=" + std::to_string(t.pipelined_longest_bytes) +
         " pipelined_doubles=" + to_string(t.pipelined_doubles) +
         " pipelined_longest_doubles=" + to_string(t.pipelined_longest_doubles);
}

/// Every constant as name=value.
inline std::string to_string(const HostTuning& t) {
  return "tile_elements=" + std::to_string(t.tile_elements) + " streaming_bytes=" + std::to_string(t.streaming_bytes) +
         " fetched_ahead_bytes=" + std::to_string(t.fetched_ahead_bytes) +
         " serial_bytes=" + std::to_string(t.serial_bytes) +
         " serial_short_bytes=" + std::to_string(t.serial_short_bytes) +
         " lookup_bytes=" + std::to_string(t.lookup_bytes) + " tabulation_bytes=" + std::to_string(t.tabulation_bytes);
}

}  // namespace kachel
