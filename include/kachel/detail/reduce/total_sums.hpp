// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What lanes and chunks gave, added: neighbours first, then their pairs, and so on.
#pragma once

#include <kachel/detail/types/convert.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace kachel {

/// The sum of a power of two of values, neighbours first.
template <class T, std::size_t count>
KOKKOS_FORCEINLINE_FUNCTION T sum_of_neighbours(const T (&values)[count]) {
  if constexpr (count == 1) {
    return values[0];
  } else {
    T pairs[count / 2];
    for (std::size_t i = 0; i < count / 2; ++i) pairs[i] = values[2 * i] + values[2 * i + 1];
    return kachel::sum_of_neighbours(pairs);
  }
}

/// Adds what the parts of each channel gave, `count` values one after the other, and writes each sum, rounded once.
template <class T, class Sum>
struct TotalSums {
  Sum* parts;
  std::int64_t count;
  T* sums;
  std::int64_t stride;  ///< of sums
  std::int64_t block;   ///< how many values have been added by add_block before: 1 if none

  KOKKOS_FUNCTION void operator()(std::int64_t channel) const {
    run(channel, 0, 1, [] {});
  }

  /// As one of `threads` threads, which all have the same channel.
  template <class Barrier>
  KOKKOS_FORCEINLINE_FUNCTION void run(std::int64_t channel, int thread, int threads, const Barrier& barrier) const {
    Sum* const own = parts + channel * count;
    add(own, count, block, thread, threads, barrier);
    // A sum of nothing is +0.
    if (thread == 0) sums[channel * stride] = convert_to<T>(count > 0 ? own[0] + Sum(0) : Sum(0));
  }

  /// Adds a block of a channel's values, in its first place, as one of `threads` threads.
  template <class Barrier>
  KOKKOS_FORCEINLINE_FUNCTION void add_block(std::int64_t channel, std::int64_t number, int thread, int threads,
                                             const Barrier& barrier) const {
    const std::int64_t first = number * block;
    add(parts + channel * count + first, Kokkos::min(count - first, block), 1, thread, threads, barrier);
  }

 private:
  /// Adds every `step`-th of the first `size` values.
  template <class Barrier>
  KOKKOS_FORCEINLINE_FUNCTION static void add(Sum* values, std::int64_t size, std::int64_t step, int thread,
                                              int threads, const Barrier& barrier) {
    constexpr int values_at_once = 8;
    for (; step < size; step *= values_at_once) {
      for (std::int64_t first = thread * values_at_once * step; first < size;
           first += threads * values_at_once * step) {
        Sum present[std::size_t{values_at_once}];
        for (int i = 0; i < values_at_once; ++i)
          present[i] = first + i * step < size ? values[first + i * step] : -Sum(0);
        values[first] = kachel::sum_of_neighbours(present);
      }
      barrier();
    }
  }
};

}  // namespace kachel
