// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rows on a host that are short, or whose elements lie apart: several at a time, a row a lane. Nothing is then
/// exchanged among lanes, and what is computed once a row is computed for all of them. Neighbouring elements are
/// transposed on their way in and out.
#pragma once

#include <kachel/detail/row/host.hpp>

#include <algorithm>

namespace kachel::detail {

/// How many rows there are at a time: as many as a register holds floats.
#if defined(__AVX512F__)
inline constexpr int row_lanes = 16;
#else
inline constexpr int row_lanes = 8;
#endif

/// Eight rows of eight floats, of which the columns become the rows. Rows are so many floats apart.
template <int from_step, int to_step>
void transpose_eights(const float* from, float* to) {
#if defined(__AVX__)
  __m256 rows[8], pairs[8], fours[8];
  for (int i = 0; i < 8; ++i) rows[i] = _mm256_loadu_ps(from + from_step * i);
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm256_unpacklo_ps(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_ps(rows[i], rows[i + 1]);
  }
  for (int i = 0; i < 8; i += 4)
    for (int k = 0; k < 2; ++k) {
      fours[i + 2 * k] = _mm256_shuffle_ps(pairs[i + k], pairs[i + k + 2], 0x44);
      fours[i + 2 * k + 1] = _mm256_shuffle_ps(pairs[i + k], pairs[i + k + 2], 0xee);
    }
  for (int i = 0; i < 4; ++i) {
    _mm256_storeu_ps(to + to_step * i, _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x20));
    _mm256_storeu_ps(to + to_step * (i + 4), _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x31));
  }
#else
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 8; ++k) to[to_step * k + i] = from[from_step * i + k];
#endif
}

/// Values of the rows side by side: those of an element of each are neighbours.
struct LaneValues {
  static constexpr int width = row_lanes;

  const float* values;

  KOKKOS_FORCEINLINE_FUNCTION Pack<float, width> at(std::int64_t element) const {
    Pack<float, width> read;
    convert<width>(values + element * width, read.values);
    return read;
  }
};

/// Rows as a row function sees one: what is a number of a row is a pack here.
template <class T>
struct RowsInLanes {
  using Element = T;
  using Value = Pack<float, row_lanes>;

  std::int64_t length;
  float* kept;  ///< room for kept values of a multiple of eight elements, those beyond the length -0

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION Value max(const V& values) const {
    Value most(-INFINITY);
    for (std::int64_t element = 0; element < length; ++element) {
      const Value own = values.at(element);
      kachel::for_each_place<row_lanes, float>([&](int i) { most[i] = kachel::max(most[i], own[i]); });
    }
    return most;
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION LaneValues keep(const V& values) const {
    for (std::int64_t element = 0; element < length; ++element) {
      const Value own = values.at(element);
      convert<row_lanes>(own.values, kept + element * row_lanes);
    }
    return {kept};
  }

  /// The sum in the order of kachel/detail/reduce/sums.hpp.
  KOKKOS_FORCEINLINE_FUNCTION Value sum(const LaneValues& values) const {
    if (length <= sum_lanes) return sum_of_lanes(values.values, length);
    SumTree<Value> tree;
    float lanes[std::size_t{sum_lanes * row_lanes}];
    for (std::int64_t begin = 0; begin < length; begin += sum_chunk) {
      const float* const chunk = values.values + begin * row_lanes;
      const std::int64_t left = Kokkos::min<std::int64_t>(length - begin, sum_chunk);
      if (left <= sum_lanes) {
        tree.add(sum_of_lanes(chunk, left));
      } else {
        for (int k = 0; k < sum_lanes * row_lanes; ++k) lanes[k] = chunk[k];
        for (std::int64_t i = sum_lanes; i < left; ++i) {
          float* const lane = lanes + i % sum_lanes * row_lanes;
          kachel::for_each_place<row_lanes, float>([&](int k) { lane[k] += chunk[i * row_lanes + k]; });
        }
        tree.add(sum_of_lanes(lanes, sum_lanes));
      }
    }
    return tree.sum();
  }

 private:
  /// Of `count` values of each row, those beyond them -0 up to a multiple of two: a tree of neighbours.
  KOKKOS_FORCEINLINE_FUNCTION static Value sum_of_lanes(const float* values, std::int64_t count) {
    float sums[std::size_t{(sum_lanes / 2 + 1) * row_lanes}];
    count = (count + 1) / 2;
    add_neighbours(values, sums, count);
    for (; count > 1; count = (count + 1) / 2) {
      if (count % 2 != 0)
        for (int k = 0; k < row_lanes; ++k) sums[count * row_lanes + k] = -0.0f;
      add_neighbours(sums, sums, (count + 1) / 2);
    }
    return LaneValues{sums}.at(0);
  }

  KOKKOS_FORCEINLINE_FUNCTION static void add_neighbours(const float* from, float* to, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      float sum[std::size_t{row_lanes}];
      kachel::for_each_place<row_lanes, float>(
          [&](int k) { sum[k] = from[2 * i * row_lanes + k] + from[(2 * i + 1) * row_lanes + k]; });
      convert<row_lanes>(sum, to + i * row_lanes);
    }
  }
};

/// Elements of the longest row whose elements lie apart that is copied for lanes: so many of each lane fit the second
/// cache twice.
inline constexpr std::int64_t longest_strided = 4096;

/// The rows of a call, as a host launches tiles.
template <class T>
struct HostLaneTiles {
  HostRowTiles<T> rows;

  std::int64_t tiles() const { return rows.tiles(); }

  template <class F>
  void run_range(const F& f, std::int64_t first, std::int64_t last, Caching caching) const {
    const std::int64_t length = rows.plan.length, room = (length + 7) / 8 * 8 * row_lanes;
    std::vector<float> memory = rows.memory(2 * room);
    if (memory.empty()) return;
    float* const given = memory.data();
    const RowsInLanes<T> lanes{length, given + room};
    const bool are_neighbours = rows.plan.neighbours && length <= sum_lanes;
    // A few rows are faster alone, if they are no shorter than a register.
    const int fewest = length < rows.width ? 1 : row_lanes / 2;
    for (; last - first >= fewest; first = std::min(first + row_lanes, last)) {
      const auto count = static_cast<int>(std::min<std::int64_t>(row_lanes, last - first));
      const T* from[std::size_t{row_lanes}];
      T* to[std::size_t{row_lanes}];
      for (int i = 0; i < row_lanes; ++i) {  // lanes without a row have the last, and write it as often
        from[i] = rows.x + rows.offset(1, first + std::min(i, count - 1));
        to[i] = rows.y + rows.offset(0, first + std::min(i, count - 1));
      }
      if (are_neighbours) {
        const bool fetches = caching != Caching::cached;
        for_each_eight([&](std::int64_t begin, int width) {
          if (fetches) fetch_ahead(from[0] + begin * row_lanes, fetched_ahead_bytes, width * row_lanes);
          read(from, begin, width, given);
        });
        const auto results = f(lanes, LaneValues{given});
        for_each_eight([&](std::int64_t begin, int width) {
          if (fetches) fetch_ahead(to[0] + begin * row_lanes, fetched_ahead_bytes / 2, width * row_lanes);
          write(results, begin, width, to);
        });
      } else {
        read_strided(from, caching, given);
        write_strided(f(lanes, LaneValues{given}), caching, to);
      }
    }
    rows.run_range(f, first, last, caching);
  }

 private:
  /// Asks for lines of `count` elements, so many bytes ahead, which the processor finds too late: rows of 40 floats
  /// beyond the cache take 21 to 26 ms instead of 28 to 34 on a Zen 3. All lines of 16 rows at once are too many: on a
  /// Zen 4 that took 1.2 times as long.
  static void fetch_ahead(const T* array, int bytes, std::int64_t count) {
    constexpr int size = static_cast<int>(sizeof(T)), per_line = host_line / size;
    for (std::int64_t i = 0; i < count; i += per_line) prefetch(array, bytes / size + i);
  }

  /// Runs run(begin, count) for eight elements at a time, some of them twice, or for all of fewer.
  template <class Run>
  void for_each_eight(const Run& run) const {
    const std::int64_t length = rows.plan.length;
    std::int64_t begin = 0;
    for (; begin + 8 <= length; begin += 8) run(begin, 8);
    if (begin < length) length < 8 ? run(0, static_cast<int>(length)) : run(length - 8, 8);
  }

  /// Whether rows lie side by side, so that an element of each is one access.
  template <class U>
  static bool are_side_by_side(U* const* rows) {
    for (int i = 1; i < row_lanes; ++i)
      if (rows[i] != rows[0] + i) return false;
    return true;
  }

  void read_strided(const T* const* from, Caching caching, float* lanes) const {
    const std::int64_t stride = rows.plan.element_strides[1];
    const bool side_by_side = are_side_by_side(from);
    for (std::int64_t element = 0; element < rows.plan.length; ++element)
      if (side_by_side) {
        if (caching != Caching::cached) prefetch(from[0] + element * stride, row_lanes);
        convert<row_lanes>(from[0] + element * stride, lanes + element * row_lanes);
      } else {
        T own[std::size_t{row_lanes}];
        for (int i = 0; i < row_lanes; ++i) own[i] = from[i][element * stride];
        convert<row_lanes>(own, lanes + element * row_lanes);
      }
  }

  template <class V>
  void write_strided(const V& results, Caching caching, T* const* to) const {
    const std::int64_t stride = rows.plan.element_strides[0];
    const bool side_by_side = are_side_by_side(to);
    for (std::int64_t element = 0; element < rows.plan.length; ++element) {
      const Pack<float, row_lanes> own = results.at(element);
      alignas(host_line) T rounded[std::size_t{row_lanes}];
      T* const place = to[0] + element * stride;
      const bool streams = sizeof(rounded) % host_line == 0 && streams_to(place, caching);
      convert<row_lanes>(own.values, side_by_side && !streams ? place : rounded);
      if (side_by_side && streams)
        copy_streaming<sizeof(rounded) / host_line * host_line>(place, rounded);
      else if (!side_by_side)
        for (int i = 0; i < row_lanes; ++i) to[i][element * stride] = rounded[i];
    }
  }

  static void read(const T* const* from, std::int64_t begin, int count, float* lanes) {
    float* const to = lanes + begin * row_lanes;
    if (count == 8) {
      float block[64];
      for (int lane = 0; lane < row_lanes; lane += 8) {
        for (int i = 0; i < 8; ++i) convert<8>(from[lane + i] + begin, block + 8 * i);
        transpose_eights<8, row_lanes>(block, to + lane);
      }
    } else {
      T element[std::size_t{row_lanes}];
      for (int k = 0; k < count; ++k) {
        for (int i = 0; i < row_lanes; ++i) element[i] = from[i][k];
        convert<row_lanes>(element, to + k * row_lanes);
      }
    }
  }

  template <class V>
  static void write(const V& results, std::int64_t begin, int count, T* const* to) {
    if (count == 8) {
      float lanes[8 * row_lanes], block[64];
      for (int k = 0; k < 8; ++k) {
        const Pack<float, row_lanes> own = results.at(begin + k);
        convert<row_lanes>(own.values, lanes + k * row_lanes);
      }
      for (int lane = 0; lane < row_lanes; lane += 8) {
        transpose_eights<row_lanes, 8>(lanes + lane, block);
        for (int i = 0; i < 8; ++i) convert<8>(block + 8 * i, to[lane + i] + begin);
      }
    } else {
      T element[std::size_t{row_lanes}];
      for (int k = 0; k < count; ++k) {
        const Pack<float, row_lanes> own = results.at(k);
        convert<row_lanes>(own.values, element);
        for (int i = 0; i < row_lanes; ++i) to[i][k] = element[i];
      }
    }
  }
};

/// y = f(x), row by row.
/// \throws std::logic_error  as available_threads does
template <class F, class Space, class T>
  requires is_host_space<Space>
void launch_rows(const std::string& label, const Space& space, const Schedule& schedule, const RowPlan& plan,
                 const F& f, T* y, const T* x) {
  const bool in_lanes = plan.length <= (plan.neighbours ? sum_lanes : longest_strided);
  std::atomic<bool> out_of_memory = false;
  const HostRowTiles<T> rows{plan, y, x, &out_of_memory};
  if (in_lanes)
    detail::launch(label, space, schedule, HostLaneTiles<T>{rows}, f);
  else
    detail::launch(label, space, schedule, rows, f);
  if (out_of_memory) throw std::bad_alloc();
}

}  // namespace kachel::detail
