// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tiles on a host: each thread runs through an equal share of them.
#pragma once

#include <kachel/detail/backend/host/run_items.hpp>
#include <kachel/detail/tiling.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace kachel {

/// What a work item of a host does: `share` consecutive tiles, fewer or none at the end.
template <class Tiling, class Program>
struct HostShare {
  Tiling tiling;
  Program program;
  std::int64_t share;
  Caching caching;

  // Conversions move sixteen floats at a time. GCC computes eight at a time for Intel's processors unless told, and
  // would wait for two stores of eight before each load of sixteen. It leaves calls in loops of long functors, and so
  // the loops scalar, unless everything is inlined.
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
  [[gnu::target("prefer-vector-width=512")]]
#endif
#if defined(__GNUC__)
  [[gnu::flatten]]
#endif
  void operator()(std::int64_t index) const {
    const Program own(program);  // whose members no store of another's can change
    const std::int64_t end = std::min(tiling.tiles(), (index + 1) * share);
    tiling.run_range(own, index * share, end, caching);
    if (caching == Caching::streaming) streaming_fence();
  }
};

/// Whether an element of Program is known to take few instructions.
template <class Program>
inline constexpr bool is_short = false;
template <class Program>
  requires requires { Program::is_short; }
inline constexpr bool is_short<Program> = Program::is_short;

/// Whether the calling thread alone is to run a span of `size` elements of `bytes` bytes.
template <class Program, class Space>
bool is_small(std::int64_t size, std::size_t bytes) {
  constexpr auto tuned = tuning<Space>;
  const std::int64_t serial_bytes = is_short<Program> ? tuned.serial_short_bytes : tuned.serial_bytes;
  return size <= serial_bytes / static_cast<std::int64_t>(std::max(bytes, sizeof(float)));
}

/// How many threads there are for so many items.
/// \throws std::logic_error  as available_threads does, unless the call is small
template <class Space>
std::int64_t choose_threads(std::string_view label, const Space& space, bool is_small, std::int64_t items) {
  return is_small ? 1 : std::min<std::int64_t>(items, kachel::available_threads(label, space));
}

template <class Space, class Tiling, class Program>
  requires is_host_space<Space>
void launch_tiles(const std::string& label, const Space& space, const Tiling& tiling, const Program& program,
                  bool in_place) {
  constexpr std::size_t bytes = sizeof(typename Tiling::Element);
  const std::int64_t tiles = tiling.tiles(), size = tiling.elements();
  const bool is_small = kachel::is_small<Program, Space>(size, bytes);
  const std::int64_t threads = kachel::choose_threads(label, space, is_small, tiles);
  const std::int64_t share = (tiles - 1) / threads + 1;
  const bool large = tuning<Space>.is_large(size, bytes);
  const Caching caching = !large ? Caching::cached : in_place ? Caching::fetching : Caching::streaming;
  kachel::run_items(label, space, threads, is_small, HostShare<Tiling, Program>{tiling, program, share, caching});
}

}  // namespace kachel
