// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Row functions on a host: a thread runs through an equal share of the rows.
/// Packs are read and written by convert: copies of arrays would go through memory in parts, which a load of the whole
/// has to wait for. That costs 4 cycles an element.
#pragma once

#include <kachel/detail/backend/host/launch.hpp>
#include <kachel/detail/reduce/sums.hpp>
#include <kachel/detail/row/row_plan.hpp>
#include <kachel/detail/row/values.hpp>

#include <atomic>
#include <new>
#include <vector>

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace kachel::detail {

#if defined(__AVX__)
/// The sums of four lots of eight neighbours. Compilers add neighbours by more instructions.
inline void add_eights(const float* values, float* sums) {
  const auto of_pairs = [&](int begin) {
    return _mm256_hadd_ps(_mm256_loadu_ps(values + begin), _mm256_loadu_ps(values + begin + 8));
  };
  const __m256 of_fours = _mm256_hadd_ps(of_pairs(0), of_pairs(16));
  _mm_storeu_ps(sums, _mm_add_ps(_mm256_castps256_ps128(of_fours), _mm256_extractf128_ps(of_fours, 1)));
}
#endif

/// The sum of a power of two of lanes, neighbours first.
template <int count>
KOKKOS_FORCEINLINE_FUNCTION float sum_in_memory(const float* lanes) {
#if defined(__AVX__)
  if constexpr (count >= 32) {
    KOKKOS_IF_ON_HOST((float sums[std::size_t{count / 8}];
                       for (int i = 0; i < count; i += 32) add_eights(lanes + i, sums + i / 8);
                       return detail::sum_of_neighbours(sums);))
  }
#endif
  float own[std::size_t{count}];
  convert<count>(lanes, own);
  return detail::sum_of_neighbours(own);
}

/// `width` neighbouring elements of a row, from `begin` on.
template <int width>
struct RowPlace {
  std::int64_t begin;
};

/// The values of a call's input.
template <class T, int width_>
struct HostValues {
  static constexpr int width = width_;

  const T* data;
  std::int64_t stride;

  KOKKOS_FORCEINLINE_FUNCTION Pack<compute_type<T>, width> at(const RowPlace<width>& place) const {
    Pack<compute_type<T>, width> values;
    if (stride == 1)
      convert<width>(data + place.begin, values.values);
    else
      for (int i = 0; i < width; ++i) values[i] = static_cast<compute_type<T>>(data[(place.begin + i) * stride]);
    return values;
  }
};

/// Values that were computed once. Beyond the row's last element there are those of -0, until their number is a
/// multiple of 128.
template <int width_>
struct HostKeptValues {
  static constexpr int width = width_;

  const float* values;

  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION Pack<float, count> from(std::int64_t begin) const {
    Pack<float, count> read;
    convert<count>(values + begin, read.values);
    return read;
  }
  KOKKOS_FORCEINLINE_FUNCTION Pack<float, width> at(const RowPlace<width>& place) const {
    return from<width>(place.begin);
  }
};

/// A row of `width` elements or more as a thread sees it, which takes as many at a time.
template <class T, int width>
struct RowInMemory {
  using Element = T;
  static_assert(sum_lanes % width == 0);

  std::int64_t length;
  float* kept;  ///< room for kept values, all of them -0

  /// Room that a row's kept values need.
  static std::int64_t room(std::int64_t length) { return (length - 1) / sum_lanes * sum_lanes + sum_lanes; }

  /// Runs run(place) for places that have all elements of the row, some of them twice. `run` may be of a host alone.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class Run>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_place(const Run& run) const {
    std::int64_t begin = 0;
    for (; begin + width <= length; begin += width) run(RowPlace<width>{begin});
    if (begin < length) run(RowPlace<width>{length - width});
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION float max(const V& values) const {
    Pack<float, width> most(-INFINITY);
    for_each_place([&](const RowPlace<width>& place) {
      const auto& own = values.at(place);
      kachel::for_each_place<width, float>([&](int i) { most[i] = kachel::max(most[i], own[i]); });
    });
    return largest_of(most);
  }

  /// The sum in the order of kachel/detail/reduce/sums.hpp.
  KOKKOS_FORCEINLINE_FUNCTION float sum(const HostKeptValues<width>& values) const {
    SumTree<> tree;
    std::int64_t begin = 0;
    for (; begin + sum_chunk <= length; begin += sum_chunk) tree.add(sum_of_steps<sum_steps>(values, begin));
    const std::int64_t left = length - begin;
    if (left > 3 * sum_lanes)
      tree.add(sum_of_steps<4>(values, begin));
    else if (left > 2 * sum_lanes)
      tree.add(sum_of_steps<3>(values, begin));
    else if (left > sum_lanes)
      tree.add(sum_of_steps<2>(values, begin));
    else if (left > 0)
      tree.add(sum_of_step<sum_lanes>(values, begin, left));
    return tree.sum();
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION HostKeptValues<width> keep(const V& values) const {
    for_each_place([&](const RowPlace<width>& place) {
      const Pack<float, width> own = values.at(place);
      convert<width>(own.values, kept + place.begin);
    });
    return {kept};
  }

 private:
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION static float largest_of(const Pack<float, count>& values) {
    if constexpr (count == 1) {
      return values[0];
    } else {
      Pack<float, count / 2> larger;
      kachel::for_each_place<count / 2, float>(
          [&](int i) { larger[i] = kachel::max(values[i], values[i + count / 2]); });
      return largest_of(larger);
    }
  }

  /// Of a chunk that has so many steps, of which the last may end early.
  template <int steps>
  KOKKOS_FORCEINLINE_FUNCTION static float sum_of_steps(const HostKeptValues<width>& values, std::int64_t begin) {
    float sums[std::size_t{sum_lanes}];
    for (int lane = 0; lane < sum_lanes; lane += width) {
      Pack<float, width> lanes = values.template from<width>(begin + lane);
      for (int step = 1; step < steps; ++step) {
        const auto own = values.template from<width>(begin + step * sum_lanes + lane);
        kachel::for_each_place<width, float>([&](int i) { lanes[i] += own[i]; });
      }
      convert<width>(lanes.values, sums + lane);
    }
    return detail::sum_in_memory<sum_lanes>(sums);
  }

  /// Of a chunk of one step with up to `most` elements.
  template <int most>
  KOKKOS_FORCEINLINE_FUNCTION static float sum_of_step(const HostKeptValues<width>& values, std::int64_t begin,
                                                       std::int64_t left) {
    if constexpr (most > 8)
      if (left <= most / 2) return sum_of_step<most / 2>(values, begin, left);
    return detail::sum_in_memory<most>(values.values + begin);
  }
};

/// The longest row of which cache lines are asked for ahead: `softmax` of 128,256 floats would take 1.05.
constexpr std::int64_t most_fetched_bytes = 256 << 10;

/// The rows of a call of one output and one input, as a host launches tiles: what is a tile there is a row here, and a
/// body is a row function.
template <class T>
struct HostRowTiles {
  static constexpr int width = 16;

  RowPlan plan;
  T* y;
  const T* x;
  std::atomic<bool>* out_of_memory;

  std::int64_t tiles() const { return plan.rows; }

  template <class F>
  void run_range(const F& f, std::int64_t first, std::int64_t last, Caching caching) const {
    std::vector<float> kept = memory(RowInMemory<T, width>::room(plan.length));
    if (kept.empty()) return;
    const RowInMemory<T, width> row{plan.length, kept.data()};
    if constexpr (width * sizeof(T) == host_line)
      if (caching != Caching::cached && plan.element_strides[1] == 1 &&
          plan.length * static_cast<std::int64_t>(sizeof(T)) <= most_fetched_bytes)
        return run_rows<true>(f, row, first, last, caching);
    run_rows<false>(f, row, first, last, caching);
  }

  /// Memory of the calling thread: none where there is no more. Not a thread throws then, but the call.
  std::vector<float> memory(std::int64_t count) const {
    try {
      return std::vector<float>(static_cast<std::size_t>(count), -0.0f);
    } catch (const std::bad_alloc&) {
      out_of_memory->store(true, std::memory_order_relaxed);
      return {};
    }
  }

  /// Where a row begins in the k-th array.
  std::int64_t offset(int k, std::int64_t row) const {
    std::int64_t offset = 0;
    for (int i = 0; i < plan.rank; ++i) {
      const std::int64_t next = i + 1 < plan.rank ? row / plan.extents[i] : 0;
      offset += (row - next * plan.extents[i]) * plan.strides[k][i];
      row = next;
    }
    return offset;
  }

 private:
  /// \tparam fetches  whether the cache lines of the next row are asked for while the results of one are stored. In
  ///                  float `softmax` of 577 to 32,768 elements then takes 0.73 to 0.93 of the time on a Zen 5. In 16
  ///                  bits arithmetic takes longer than memory
  template <bool fetches, class F>
  void run_rows(const F& f, const RowInMemory<T, width>& row, std::int64_t first, std::int64_t last,
                Caching caching) const {
    for (std::int64_t index = first; index < last; ++index) {
      const auto results = f(row, HostValues<T, width>{x + offset(1, index), plan.element_strides[1]});
      T* const to = y + offset(0, index);
      if constexpr (fetches) {
        const T* const next = x + offset(1, std::min(index + 1, last - 1));
        row.for_each_place([&](const auto& place) {
          detail::prefetch(next, place.begin);
          store(to, place, results.at(place), caching);
        });
      } else {
        row.for_each_place([&](const auto& place) { store(to, place, results.at(place), caching); });
      }
    }
  }

  void store(T* row, const RowPlace<width>& place, const Pack<float, width>& values, Caching caching) const {
    T* const to = row + place.begin;
    constexpr int bytes = width * static_cast<int>(sizeof(T));
    if (plan.element_strides[0] != 1) {
      const auto rounded = detail::converted<T>(values);
      for (int i = 0; i < width; ++i) row[(place.begin + i) * plan.element_strides[0]] = rounded[i];
    } else if (bytes % host_line == 0 && streams_to(to, caching) && plan.length % width == 0) {
      // Where the last pack overlaps the one before, a line that is on its way to memory would be written once more:
      // rows of 40 floats took 6 times as long.
      alignas(host_line) T rounded[std::size_t{width}];
      convert<width>(values.values, rounded);
      copy_streaming<bytes / host_line * host_line>(to, rounded);
    } else {
      convert<width>(values.values, to);
    }
  }
};

}  // namespace kachel::detail
