// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The tile program of kachel::map.
#pragma once

#include <kachel/detail/op.hpp>
#include <kachel/detail/tile/map_tile.hpp>
#include <kachel/detail/tiling.hpp>

namespace kachel {

template <class... X>
constexpr int count_arrays(std::size_t first) {
  constexpr bool has_elements[] = {!is_repeated<X>..., false};
  int found = 0;
  for (std::size_t k = 0; k < first; ++k) found += has_elements[k];
  return found;
}

/// How many of the first `first` operands among X have elements for each of the output's.
template <std::size_t first, class... X>
inline constexpr int arrays_among = count_arrays<X...>(first);

/// Gives the cache lines of an input's elements [first, first + count) their normal priority back.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void restore_input(const T* data, std::int64_t first, int count) {
  constexpr int step = cache_line / static_cast<int>(sizeof(T));
  for (int i = 0; i < count; i += step) restore_priority(data + first + i);
}

/// Finds the whole of each operand.
struct Whole {
  template <class Operand>
  KOKKOS_FORCEINLINE_FUNCTION Operand at(int, const Operand& operand) const {
    return operand;
  }
};

/// y[i] = f(x[i]...), for each y where there are several, of dense operands that a device finds aligned. Y and X are
/// Tuples of operands.
template <class F, class Y, class X>
struct Map;
template <class F, class... Y, class... X>
struct Map<F, Tuple<Y...>, Tuple<X...>> {
  static constexpr int outputs = sizeof...(Y), inputs = arrays_among<sizeof...(X), X...>, operands = outputs + inputs;
  static constexpr int input_bytes = (0 + ... + (is_repeated<X> ? 0 : static_cast<int>(sizeof(element_of<X>))));
  static constexpr bool is_short = !may_be_long<F>;

  F f;
  Tuple<Y...> y;
  Tuple<X...> x;

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile) const {
    run(tile.assume_aligned(), Whole{});
  }

  /// The same of operands that may be misaligned, the first output aside: tiles begin where it is aligned.
  template <class Tile, class Place>
  KOKKOS_FORCEINLINE_FUNCTION void run_misaligned(const Tile& tile, bool aligned, const Place& place) const {
    if (!Tile::on_host && aligned)
      run(tile.assume_aligned(), place);
    else if constexpr (outputs == 1)
      run(tile.assume_aligned_stores(), place);
    else
      run(tile, place);
  }

  /// Runs visit(k, data) for each input that is not repeated, the k-th of them.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_input(const Visit& visit) const {
    visit_inputs(visit, std::index_sequence_for<X...>{});
  }

  /// restore_input of every input.
  KOKKOS_FORCEINLINE_FUNCTION void restore(std::int64_t first, int count) const {
    for_each_input([=](int, const auto* data) { restore_input(data, first, count); });
  }

  /// The same of the operands' parts that `place` finds.
  template <class Tile, class Place>
  KOKKOS_FORCEINLINE_FUNCTION void run(const Tile& tile, const Place& place) const {
    run_on(tile, place, std::index_sequence_for<Y...>{}, std::index_sequence_for<X...>{});
  }

 private:
  template <class Visit, std::size_t... k>
  KOKKOS_FORCEINLINE_FUNCTION void visit_inputs(const Visit& visit, std::index_sequence<k...>) const {
    (visit_input(visit, arrays_among<k, X...>, get<k>(x)), ...);
  }

  template <class Visit, class Operand>
  KOKKOS_FORCEINLINE_FUNCTION static void visit_input(const Visit& visit, int k, const Operand& input) {
    if constexpr (!is_repeated<Operand>) visit(k, input.data);
  }

  /// The part of an input that `place` finds; a repeated one finds its own.
  template <class Place, class Operand>
  KOKKOS_FORCEINLINE_FUNCTION static auto part(const Place& place, int index, const Operand& operand) {
    if constexpr (is_repeated<Operand>)
      return operand;
    else
      return place.at(index, operand);
  }

  template <class Tile, class Place, std::size_t... j, std::size_t... k>
  KOKKOS_FORCEINLINE_FUNCTION void run_on(const Tile& tile, const Place& place, std::index_sequence<j...>,
                                          std::index_sequence<k...>) const {
    if constexpr (outputs == 1)
      kachel::map_tile(tile, f, place.at(0, get<0>(y)), part(place, outputs + arrays_among<k, X...>, get<k>(x))...);
    else
      kachel::map_tile_to_each(tile, f, std::index_sequence<j...>{},
                               Tuple<decltype(place.at(j, get<j>(y)))...>{{{place.at(j, get<j>(y))}...}},
                               part(place, outputs + arrays_among<k, X...>, get<k>(x))...);
  }
};

/// The same of large spans, on devices where tuning<Space>.restored_bytes says so.
template <class Map>
struct MapEvictingLast {
  Map map;

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile) const {
    map.run(tile.assume_aligned().with_loads_evicted_last(), Whole{});
  }

  KOKKOS_FORCEINLINE_FUNCTION void restore(std::int64_t first, int count) const { map.restore(first, count); }
};

/// The same of dense operands that may be misaligned.
template <class Map>
struct MapMisaligned {
  static constexpr bool is_short = Map::is_short;

  Map map;
  bool aligned;  ///< as AccessPlan says

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile) const {
    map.run_misaligned(tile, aligned, Whole{});
  }
};

/// The same of rows, of one at a time or of several short ones.
template <class Map>
struct MapRows {
  static constexpr int operands = Map::operands;
  static constexpr bool is_short = Map::is_short;

  Map map;
  bool aligned;                                                ///< as AccessPlan says
  Kokkos::Array<std::int64_t, std::size_t{operands}> strides;  ///< between the elements of a row, outputs first

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile, const RowOffsets<operands>& offsets) const {
    if constexpr (Tile::on_host)
      map.run_misaligned(tile, aligned, Row{offsets, strides});
    else
      map.run_misaligned(tile.with_word_stores(), aligned, ContiguousRow{offsets, strides});
  }

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile, const SpreadElements<operands>& elements) const {
    map.run(tile, Spread{elements, strides});
  }

  template <class Tile, int rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile, const ShortRows<operands, rows>& short_rows) const {
    map.run(tile, SeveralRows<rows>{short_rows, strides});
  }

 private:
  struct ContiguousRow {
    const RowOffsets<operands>& offsets;
    const Kokkos::Array<std::int64_t, std::size_t{operands}>& strides;

    template <class T>
    KOKKOS_FORCEINLINE_FUNCTION Dense<T> at(int operand, const Dense<T>& array) const {
      return {array.data + offsets[operand]};
    }
    template <class T>
    KOKKOS_FORCEINLINE_FUNCTION Broadcast<T> at(int operand, const Broadcast<T>& array) const {
      return {array.data + offsets[operand], strides[operand]};
    }
  };

  struct Spread {
    const SpreadElements<operands>& elements;
    const Kokkos::Array<std::int64_t, std::size_t{operands}>& strides;

    template <template <class> class Operand, class T>
    KOKKOS_FORCEINLINE_FUNCTION Strided<T> at(int operand, const Operand<T>& array) const {
      const std::int64_t stride = strides[operand];
      return {array.data + elements.offsets[operand] + elements.first * stride, stride << elements.log2_step};
    }
  };

  template <int rows>
  struct SeveralRows {
    const ShortRows<operands, rows>& short_rows;
    const Kokkos::Array<std::int64_t, std::size_t{operands}>& strides;

    template <template <class> class Operand, class T>
    KOKKOS_FORCEINLINE_FUNCTION Rows<T> at(int operand, const Operand<T>& array) const {
      return {array.data, short_rows.offsets[operand], strides[operand], short_rows.length};
    }
  };

  struct Row {
    const RowOffsets<operands>& offsets;
    const Kokkos::Array<std::int64_t, std::size_t{operands}>& strides;

    template <class T>
    KOKKOS_FORCEINLINE_FUNCTION Strided<T> at(int operand, const Dense<T>& array) const {
      return {array.data + offsets[operand], strides[operand]};
    }
    template <class T>
    KOKKOS_FORCEINLINE_FUNCTION Broadcast<T> at(int operand, const Broadcast<T>& array) const {
      return {array.data + offsets[operand], strides[operand]};
    }
  };
};

}  // namespace kachel
