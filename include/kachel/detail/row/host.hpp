// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Row functions on a host: a thread runs through an equal share of the rows.
#pragma once

#include <kachel/detail/backend/host/launch.hpp>
#include <kachel/detail/reduce/sums.hpp>
#include <kachel/detail/row/row_plan.hpp>
#include <kachel/detail/row/values.hpp>

#include <memory>
#include <new>

namespace kachel::detail {

/// `width` neighbouring elements of a row, from `begin` on.
template <int width>
struct WholePlace {
  std::int64_t begin;
};

/// The row's last elements, fewer than `width`.
template <int width>
struct LastPlace {
  std::int64_t begin;
  int count;
};

/// The values of a call's input.
template <class T, int width_>
struct HostValues {
  static constexpr int width = width_;

  const T* data;
  std::int64_t stride;

  KOKKOS_FORCEINLINE_FUNCTION Pack<compute_type<T>, width> at(const WholePlace<width>& place) const {
    Pack<compute_type<T>, width> values;
    if (stride == 1)
      convert<width>(data + place.begin, values.values);
    else
      for (int i = 0; i < width; ++i) values[i] = static_cast<compute_type<T>>(data[(place.begin + i) * stride]);
    return values;
  }

  /// Beyond the last element zeros.
  KOKKOS_FORCEINLINE_FUNCTION Pack<compute_type<T>, width> at(const LastPlace<width>& place) const {
    Pack<T, width> read{};
    for (int i = 0; i < place.count; ++i) read[i] = data[(place.begin + i) * stride];
    return detail::converted<compute_type<T>>(read);
  }
};

/// Values that were computed once.
template <int width_>
struct HostKeptValues {
  static constexpr int width = width_;

  const Pack<float, width>* packs;

  template <class Place>
  KOKKOS_FORCEINLINE_FUNCTION const Pack<float, width>& at(const Place& place) const {
    return packs[place.begin / width];
  }
};

/// The larger ones of two, NaN where one is.
struct Larger {
  KOKKOS_FORCEINLINE_FUNCTION float operator()(float a, float b) const { return kachel::max(a, b); }
};

/// A row as a thread sees it, which takes `width` elements at a time.
template <class T, int width>
struct RowInMemory {
  using Element = T;
  static_assert(sum_lanes % width == 0);

  std::int64_t length;
  Pack<float, width>* kept;  ///< room for kept values

  /// Runs run(place) for the row's places, in order; `run` may be of a host alone.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class Run>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_place(const Run& run) const {
    std::int64_t begin = 0;
    for (; begin + width <= length; begin += width) run(WholePlace<width>{begin});
    if (begin < length) run(LastPlace<width>{begin, static_cast<int>(length - begin)});
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION float max(const V& values) const {
    Pack<float, width> most(-INFINITY);
    for_each_place([&]<class Place>(const Place& place) {
      const auto& own = values.at(place);
      kachel::for_each_place<width>([&](int i) {
        if constexpr (std::is_same_v<Place, WholePlace<width>>)
          most[i] = kachel::max(most[i], own[i]);
        else
          most[i] = kachel::max(most[i], select(i < place.count, own[i], -INFINITY));
      });
    });
    return largest_of(most);
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION float sum(const V& values) const {
    SumTree tree;
    std::int64_t begin = 0;
    for (; begin + sum_chunk <= length; begin += sum_chunk) {
      float sums[std::size_t{sum_lanes / width}];
      for (int part = 0; part < sum_lanes / width; ++part) {
        const auto of_step = [&](int step) -> decltype(auto) {
          return values.at(WholePlace<width>{begin + step * sum_lanes + part * width});
        };
        const auto &first = of_step(0), &second = of_step(1), &third = of_step(2), &fourth = of_step(3);
        Pack<float, width> lanes;
        kachel::for_each_place<width>([&](int i) { lanes[i] = ((first[i] + second[i]) + third[i]) + fourth[i]; });
        sums[part] = detail::sum_of_neighbours(lanes.values);
      }
      tree.add(detail::sum_of_neighbours(sums));
    }
    if (begin < length) tree.add(sum_of_last_chunk(values, begin));
    return tree.sum();
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION HostKeptValues<width> keep(const V& values) const {
    for_each_place([&](const auto& place) { new (kept + place.begin / width) Pack<float, width>(values.at(place)); });
    return {kept};
  }

 private:
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION static float largest_of(const Pack<float, count>& values) {
    if constexpr (count == 1) {
      return values[0];
    } else {
      Pack<float, count / 2> larger;
      kachel::for_each_place<count / 2>([&](int i) { larger[i] = kachel::max(values[i], values[i + count / 2]); });
      return largest_of(larger);
    }
  }

  /// Of fewer elements than a chunk has.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION float sum_of_last_chunk(const V& values, std::int64_t begin) const {
    float sums[std::size_t{sum_lanes / width}];
    for (int part = 0; part < sum_lanes / width; ++part) {
      Pack<float, width> lanes(-0.0f);
      for (int step = 0; step < sum_steps; ++step) {
        const std::int64_t first = begin + step * sum_lanes + part * width;
        if (first >= length) break;
        const auto add = [&](const auto& own, int count) {
          kachel::for_each_place<width>([&](int i) { lanes[i] += select(i < count, own[i], -0.0f); });
        };
        if (first + width <= length)
          add(values.at(WholePlace<width>{first}), width);
        else
          add(values.at(LastPlace<width>{first, static_cast<int>(length - first)}), static_cast<int>(length - first));
      }
      sums[part] = detail::sum_of_neighbours(lanes.values);
    }
    return detail::sum_of_neighbours(sums);
  }
};

/// The rows of a call of one output and one input, as a host launches tiles: what is a tile there is a row here, and a
/// body is a row function.
template <class T, int width>
struct HostRowTiles {
  RowPlan plan;
  T* y;
  const T* x;

  std::int64_t tiles() const { return plan.rows; }

  template <class F>
  void run_range(const F& f, std::int64_t first, std::int64_t last, Caching caching) const {
    using Values = Pack<float, width>;
    const auto kept = std::make_unique_for_overwrite<Values[]>(static_cast<std::size_t>((plan.length - 1) / width + 1));
    const RowInMemory<T, width> row{plan.length, kept.get()};
    for (std::int64_t index = first; index < last; ++index) {
      const auto results = f(row, HostValues<T, width>{x + offset(1, index), plan.element_strides[1]});
      T* const to = y + offset(0, index);
      row.for_each_place(
          [&](const auto& place) { store(to, place, detail::converted<T>(results.at(place)), caching); });
    }
  }

 private:
  std::int64_t offset(int k, std::int64_t row) const {
    std::int64_t offset = 0;
    for (int i = 0; i < plan.rank; ++i) {
      const std::int64_t next = i + 1 < plan.rank ? row / plan.extents[i] : 0;
      offset += (row - next * plan.extents[i]) * plan.strides[k][i];
      row = next;
    }
    return offset;
  }

  void store(T* row, const WholePlace<width>& place, const Pack<T, width>& values, Caching caching) const {
    if (plan.element_strides[0] != 1) return store(row, LastPlace<width>{place.begin, width}, values, caching);
    if constexpr (sizeof(values) % host_line == 0)
      if (caching == Caching::streaming) return copy_streaming<sizeof(values)>(row + place.begin, values.values);
    std::memcpy(static_cast<void*>(row + place.begin), values.values, sizeof(values));
  }
  void store(T* row, const LastPlace<width>& place, const Pack<T, width>& values, Caching) const {
    for (int i = 0; i < place.count; ++i) row[(place.begin + i) * plan.element_strides[0]] = values[i];
  }
};

/// y = f(x), row by row.
/// \throws std::logic_error  as available_threads does
template <class F, class Space, class T>
  requires is_host_space<Space>
void launch_rows(const std::string& label, const Space& space, const Schedule& schedule, const RowPlan& plan,
                 const F& f, T* y, const T* x) {
  if (plan.length < 256)
    detail::launch(label, space, schedule, HostRowTiles<T, 16>{plan, y, x}, f);
  else
    detail::launch(label, space, schedule, HostRowTiles<T, 64>{plan, y, x}, f);
}

}  // namespace kachel::detail
