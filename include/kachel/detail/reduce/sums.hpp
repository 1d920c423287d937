// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sums over the elements of each channel, in an order that their number alone decides: the same bits on every backend,
/// with any number of threads, for operands of any strides.
///
/// A channel's elements are cut into chunks of 512. In each, 128 lanes take every 128th element one after the other.
/// The lanes are added neighbours first, then their pairs, and so on: a binary tree. So are the chunks. What is missing
/// at the end is -0, which changes no sum; a block of any power of two of lanes or chunks is a part of the tree.
#pragma once

#include <kachel/detail/reduce/sum_part.hpp>
#include <kachel/detail/reduce/sum_plan.hpp>
#include <kachel/detail/reduce/total_sums.hpp>
#include <kachel/detail/tiling.hpp>

namespace kachel {

inline constexpr int sum_lanes = 128, sum_steps = 4, sum_chunk = sum_lanes * sum_steps;

/// A SumPlan for a kernel, which takes `width` elements at a time. A program has
/// - a type Sum, and a number `operands` of those in memory, the first `arrays` of which are no Broadcast,
/// - load(part), what is read of a SumPart,
/// - load_constants(part), what is read of a channel's broadcast operands,
/// - for_each_input(visit), which calls visit(operand, data) for each array that load reads,
/// - add(part, read, constants, sums), which adds to each of sums, a Pack<Sum, width>, what the element of that place
///   contributes, and may write to the part. An element loaded as what is given for `other` contributes nothing.
template <class Space, int width_, class Program>
struct SumTiling {
  using Sum = typename Program::Sum;
  static constexpr int width = width_, operands = Program::operands;
  using Sums = Pack<Sum, width>;
  static_assert(width <= sum_lanes, "kachel: a work item is expected to take no more elements than there are lanes");

  std::int64_t channels, size;
  int rank;
  Caching caching;
  Divisor extents[std::size_t{max_rank}];
  std::int64_t strides[std::size_t{max_rank}][std::size_t{operands}];
  std::int64_t channel_strides[std::size_t{operands}];

  SumTiling(const SumPlan& plan, Caching stores)
      : channels(plan.channels), size(plan.size), rank(plan.rank), caching(stores) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
      extents[i] = Divisor(std::max<std::int64_t>(plan.extents[i], 1));  // of none where there are no elements
      for (std::size_t k = 0; k < operands; ++k) strides[i][k] = plan.strides[k][i];
    }
    for (std::size_t k = 0; k < operands; ++k) channel_strides[k] = plan.channel_strides[k];
  }

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t chunks() const { return (size + sum_chunk - 1) / sum_chunk; }

  /// The sums of `packs` times `width` lanes of a channel's chunk, from `lane` on. One beyond the last has none.
  template <std::size_t packs>
  KOKKOS_FORCEINLINE_FUNCTION void sum_elements(const Program& program, std::int64_t channel, std::int64_t chunk,
                                                int lane, Sums (&sums)[packs]) const {
    clear(sums);
    const std::int64_t first = chunk * sum_chunk + lane;
    if (first >= size) return;
    const Walk begin(*this, channel, first);
    const bool in_a_row = begin.place >= lane && begin.place - lane + sum_chunk <= extents[0].divisor();
    if (in_a_row && are_contiguous(strides[0])) {
      SumPart<Space, width, operands, true> part{begin.offsets, strides[0], width, caching};
      const auto constants =
          program.load_constants(SumPart<Space, 1, operands, true>{begin.offsets, strides[0], 1, caching});
      for (int step = 0; step < sum_steps; ++step, advance(part, sum_lanes - static_cast<int>(packs) * width))
        for (Sums& sum : sums) {
          if (caching != Caching::cached) program.for_each_input(FetchAhead{part.offsets});
          program.add(part, program.load(part), constants, sum);
          advance(part, width);
        }
    } else {
      for (int step = 0; step < sum_steps; ++step)
        for (int pack = 0; pack < static_cast<int>(packs); ++pack)
          if (const std::int64_t element = first + step * sum_lanes + pack * width; element < size)
            add_elements(program, channel, Walk(*this, channel, element), sums[pack]);
    }
  }

  /// The sums of the lanes from `lane` on of a chunk of each of `width` channels from `channel` on.
  template <std::size_t lanes>
  KOKKOS_FORCEINLINE_FUNCTION void sum_channels(const Program& program, std::int64_t channel, std::int64_t chunk,
                                                int lane, Sums (&sums)[lanes]) const {
    clear(sums);
    const auto count = static_cast<int>(Kokkos::min<std::int64_t>(width, channels - channel));
    if (count <= 0) return;
    const bool whole = count == width && are_contiguous(channel_strides);
    for (int step = 0; step < sum_steps; ++step) {
      const std::int64_t first = chunk * sum_chunk + step * sum_lanes + lane;
      if (first >= size) return;
      Walk walk(*this, channel, first);
      for (int i = 0; i < static_cast<int>(lanes); ++i) {
        if (first + i >= size) return;
        if (whole)
          add_part(program, SumPart<Space, width, operands, true>{walk.offsets, channel_strides, width, caching},
                   sums[i]);
        else
          add_part(program, SumPart<Space, width, operands, false>{walk.offsets, channel_strides, count, caching},
                   sums[i]);
        walk.step(*this, channel);
      }
    }
  }

  /// For each lane of a chunk that has elements, in their order, puts its sums of the `count` channels from `channel`
  /// on where place() says, an array of Sums, and calls finish(). On a host.
  template <class Place, class Finish>
  void sum_lanes_across(const Program& program, std::int64_t channel, int count, std::int64_t chunk, const Place& place,
                        const Finish& finish) const {
    constexpr std::size_t packs = std::extent_v<std::remove_reference_t<decltype(place())>>;
    const std::int64_t first = chunk * sum_chunk, left = size - first;
    const bool contiguous = are_contiguous(channel_strides);
    Walk walk(*this, channel, first);
    Constants constants[packs];
    RowOffsets<operands> of_channel = walk.offsets;
    for (int i = 0; i < count; i += width, advance_channels(of_channel))
      constants[i / width] = program.load_constants(
          SumPart<Space, width, operands, false>{of_channel, channel_strides, std::min(count - i, width), caching});
    for (int lane = 0; lane < sum_lanes && lane < left; ++lane, walk.step(*this, channel)) {
      Sums(&sums)[packs] = place();
      clear(sums, (count + width - 1) / width);
      Walk row = walk;
      for (int element = lane; element < sum_chunk && element < left; element += sum_lanes) {
        if (element > lane) row.jump(*this, channel, sum_lanes);
        RowOffsets<operands> offsets = row.offsets;
        for (int i = 0; i < count; i += width) {
          Sums& sum = sums[i / width];
          if (contiguous && count - i >= width) {
            // That of the next lane, which the processor finds too late where it is in another page.
            program.for_each_input(Prefetch{offsets, strides[0]});
            const SumPart<Space, width, operands, true> part{offsets, channel_strides, width, caching};
            program.add(part, program.load(part), constants[i / width], sum);
          } else {
            const SumPart<Space, width, operands, false> part{offsets, channel_strides, std::min(count - i, width),
                                                              caching};
            program.add(part, program.load(part), constants[i / width], sum);
          }
          advance_channels(offsets);
        }
      }
      finish();
    }
  }

  /// Calls visit(turn, sums) with what sum_elements gives of one pack of lanes of the chunks `chunk`, `chunk + step`
  /// and so on, where each is of aligned tiles of one row: of none beyond the last. On a device. \param restores
  /// whether what was read with evict_last gets its normal priority back
  template <bool evict_last, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void sum_aligned_elements(const Program& program, std::int64_t channel,
                                                        std::int64_t chunk, int step, int turns, int lane,
                                                        bool restores, const Visit& visit) const {
    const std::int64_t distance = std::int64_t{step} * sum_chunk;
    std::int64_t element = chunk * sum_chunk + lane;
    Walk walk(*this, channel, Kokkos::min(element, size - 1));
    for (int turn = 0; turn < turns; ++turn, element += distance) {
      Sums sums(-Sum(0));
      if (element < size) {
        if (turn > 0) walk.jump(*this, channel, distance);
        const AlignedSumPart<width, evict_last> part{walk.offsets[0]};
        const SumPart<Space, 1, operands, true> of_channel{walk.offsets, strides[0], 1, caching};
        sum_aligned_steps(program, part, of_channel, sums);
        if (restores) restore_steps(program, part);
      }
      visit(turn, sums);
    }
  }

  /// The sums of `lanes` lanes from `lane` on of a chunk of each of `width` channels from `channel` on, where a channel
  /// is one row, and neighbours in it are aligned tiles apart. On a device.
  template <int lanes>
  KOKKOS_FORCEINLINE_FUNCTION Sums sum_aligned_channels(const Program& program, std::int64_t channel,
                                                        std::int64_t chunk, int lane) const {
    constexpr int most_lanes = 64 / static_cast<int>(sizeof(Sums));  // that there are registers for
    if constexpr (lanes > most_lanes) {
      const Sums former = sum_aligned_channels<lanes / 2>(program, channel, chunk, lane);
      return former + sum_aligned_channels<lanes / 2>(program, channel, chunk, lane + lanes / 2);
    } else {
      const std::int64_t first = chunk * sum_chunk + lane;
      if (channel >= channels || first >= size) return Sums(-Sum(0));
      Sums sums[std::size_t{lanes}];
      clear(sums);
      const auto left = static_cast<int>(Kokkos::min<std::int64_t>(size - first, sum_chunk));
      const Walk begin(*this, channel, first);
      AlignedSumPart<width, false> part{begin.offsets[0]};
      // What a step reads is on its way while those before it in turn are added and written.
      decltype(program.load(part)) next[std::size_t{lanes}];
      for (auto of_lane = part; auto& read : next) {
        if (&read - next < left) read = program.load(of_lane);
        advance(of_lane, 1);
      }
      const auto constants =
          program.load_constants(SumPart<Space, width, operands, true>{begin.offsets, channel_strides, width, caching});
      for (int step = 0; step < sum_steps; ++step, advance(part, sum_lanes - lanes))
        for (int i = 0; i < lanes; ++i, advance(part, 1)) {
          const auto read = next[i];
          auto later = part;
          advance(later, sum_lanes);
          const int row = step * sum_lanes + i;
          if (step + 1 < sum_steps && row + sum_lanes < left) next[i] = program.load(later);
          if (row < left) program.add(part, read, constants, sums[i]);
        }
      return kachel::sum_of_neighbours(sums);
    }
  }

 private:
  /// Asks for a host's cache line of the element that follows in each array.
  struct Prefetch {
    const RowOffsets<operands>& offsets;
    const std::int64_t* steps;

    template <class T>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int operand, const T* data) const {
      KOKKOS_IF_ON_HOST((prefetch(data, offsets[operand] + steps[operand]);))
    }
  };

  /// Asks on a host for what a later part will read of each array.
  struct FetchAhead {
    const RowOffsets<operands>& offsets;

    template <class T>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int operand, const T* data) const {
      if constexpr (is_host_space<Space>) {
        KOKKOS_IF_ON_HOST(
            (kachel::fetch_ahead<width * sizeof(T)>(data, offsets[operand], tuning<Space>.fetched_ahead_bytes);))
      }
    }
  };

  /// An element of a channel: where it lies in its row, and in each operand.
  struct Walk {
    std::int64_t element, place = 0;
    RowOffsets<operands> offsets;

    KOKKOS_FORCEINLINE_FUNCTION Walk(const SumTiling& tiling, std::int64_t channel, std::int64_t first)
        : element(first) {
      for (int k = 0; k < operands; ++k) offsets[k] = channel * tiling.channel_strides[k];
      for (int i = 0; i < tiling.rank; ++i) {
        const std::int64_t next = i + 1 < tiling.rank ? tiling.extents[i].quotient(first) : 0;
        const std::int64_t index = first - next * tiling.extents[i].divisor();
        for (int k = 0; k < operands; ++k) offsets[k] += index * tiling.strides[i][k];
        if (i == 0) place = index;
        first = next;
      }
    }

    KOKKOS_FORCEINLINE_FUNCTION void step(const SumTiling& tiling, std::int64_t channel) {
      if (++place == tiling.extents[0].divisor()) {
        *this = Walk(tiling, channel, element + 1);
      } else {
        ++element;
        for (int k = 0; k < operands; ++k) offsets[k] += tiling.strides[0][k];
      }
    }

    /// Goes on by any distance.
    KOKKOS_FORCEINLINE_FUNCTION void jump(const SumTiling& tiling, std::int64_t channel, std::int64_t distance) {
      if (place + distance >= tiling.extents[0].divisor()) {
        *this = Walk(tiling, channel, element + distance);
      } else {
        element += distance;
        place += distance;
        for (int k = 0; k < operands; ++k) offsets[k] += distance * tiling.strides[0][k];
      }
    }
  };

  /// What the program loads of the broadcast operands of `width` channels.
  using Constants = decltype(std::declval<const Program&>().load_constants(
      std::declval<const SumPart<Space, width, operands, false>&>()));

  /// Goes `width` channels on.
  KOKKOS_FORCEINLINE_FUNCTION void advance_channels(RowOffsets<operands>& offsets) const {
    for (int k = 0; k < operands; ++k) offsets[k] += width * channel_strides[k];
  }

  /// Goes `elements` of a channel's row on.
  template <class Part>
  KOKKOS_FORCEINLINE_FUNCTION void advance(Part& part, int elements) const {
    if constexpr (requires { part.offset; })
      part.offset += elements * strides[0][0];
    else
      for (int k = 0; k < operands; ++k) part.offsets[k] += elements * strides[0][k];
  }

  /// Adds the steps of a chunk from that of `part` on, each of which is read before the last one is written, so that
  /// two are on their way.
  template <class Part, class OfChannel>
  KOKKOS_FORCEINLINE_FUNCTION void sum_aligned_steps(const Program& program, Part part, const OfChannel& of_channel,
                                                     Sums& sums) const {
    auto next = program.load(part);
    const auto constants = program.load_constants(of_channel);
    for (int step = 0; step < sum_steps; ++step) {
      const auto read = next;
      const Part present = part;
      advance(part, sum_lanes);
      if (step + 1 < sum_steps) next = program.load(part);
      program.add(present, read, constants, sums);
    }
  }

  template <class Part>
  KOKKOS_FORCEINLINE_FUNCTION void restore_steps(const Program& program, Part part) const {
    for (int step = 0; step < sum_steps; ++step, advance(part, sum_lanes))
      program.for_each_input([&](int, const auto* data) { restore_priority(data + part.offset); });
  }

  template <class Part>
  KOKKOS_FORCEINLINE_FUNCTION static void add_part(const Program& program, const Part& part,
                                                   Pack<Sum, Part::width>& sums) {
    program.add(part, program.load(part), program.load_constants(part), sums);
  }

  template <std::size_t count>
  KOKKOS_FORCEINLINE_FUNCTION static void clear(Sums (&sums)[count], int used = count) {
    for (int i = 0; i < used; ++i) sums[i] = Sums(-Sum(0));
  }

  KOKKOS_FORCEINLINE_FUNCTION static bool are_contiguous(const std::int64_t* steps) {
    bool contiguous = true;
    for (int k = 0; k < Program::arrays; ++k) contiguous &= steps[k] == 1;
    return contiguous;
  }

  /// Adds up to `width` elements from that of `walk` on.
  KOKKOS_FORCEINLINE_FUNCTION void add_elements(const Program& program, std::int64_t channel, Walk walk,
                                                Sums& sums) const {
    const auto count = static_cast<int>(Kokkos::min<std::int64_t>(width, size - walk.element));
    if (walk.place + count <= extents[0].divisor()) {
      if (count == width && are_contiguous(strides[0]))
        add_part(program, SumPart<Space, width, operands, true>{walk.offsets, strides[0], width, caching}, sums);
      else
        add_part(program, SumPart<Space, width, operands, false>{walk.offsets, strides[0], count, caching}, sums);
      return;
    }
    for (int i = 0; i < width; ++i) {
      if (i >= count) break;
      Pack<Sum, 1> sum(sums[i]);
      add_part(program, SumPart<Space, 1, operands, false>{walk.offsets, strides[0], 1, caching}, sum);
      sums[i] = sum[0];
      walk.step(*this, channel);
    }
  }
};

}  // namespace kachel
