// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The elements that a work item adds to its sums at a time.
#pragma once

#include <kachel/detail/tiling.hpp>

#include <cstring>

namespace kachel {

/// Elements as a device read them: 16-bit ones would take a register each.
template <class T, int width>
struct ReadWords {
  Pack<std::uint32_t, width* static_cast<int>(sizeof(T)) / 4> words;
};

/// Elements that a host reads where they lie: GCC copies a Pack in pieces, for which wider loads of it would wait.
template <class T, int width>
struct ReadInPlace {
  const T* values;
};

/// `count` of the elements that were read, from `first` on, as values of type V.
template <class V, int count, class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<V, count> values_as(const Pack<T, width>& read, int) {
  static_assert(count == width);
  return to_argument<V>(read);
}
template <class V, int count, class T, int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<V, count> values_as(const ReadWords<T, width>& read, int) {
  static_assert(count == width);
  return to_argument<V>(bit_cast<Pack<T, width>>(read.words));
}
template <class V, int count, class T, int width>
KOKKOS_FORCEINLINE_FUNCTION auto values_as(const ReadInPlace<T, width>& read, int first) {
  if constexpr (std::is_same_v<T, V>) {
    return read.values + first;
  } else {
    Pack<V, count> converted;
    convert<count>(read.values + first, converted.values);
    return converted;
  }
}

/// `width` neighbours in each array, aligned, which lie equally far from where they all begin. On a device.
/// \tparam evict_last  whether they are read as load_evicted_last says
template <int width_, bool evict_last>
struct AlignedSumPart {
  static constexpr int width = width_, at_once = width;

  std::int64_t offset;  ///< of the first

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION ReadWords<T, width> load(int, const T* data, T) const {
    constexpr int words = width * static_cast<int>(sizeof(T)) / 4;
    return {kachel::load_aligned<words>(reinterpret_cast<const std::uint32_t*>(data + offset), evict_last)};
  }

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void store(int, T* data, const Pack<compute_type<T>, width>& values) const {
    Pack<T, width> rounded;
    convert<width>(values.values, rounded.values);
    kachel::store_words<access_bytes<T, width>>(data + offset, rounded);
  }
};

/// Up to `width` elements that lie evenly in each operand; if `whole`, so many, of stride 1.
template <class Space, int width_, int operands, bool whole>
struct SumPart {
  static constexpr int width = width_;
  static constexpr bool on_host = is_host_space<Space>;
  /// How many elements are converted at a time: on a host so few that they stay in registers.
  static constexpr int at_once = on_host && whole && width > 16 ? 16 : width;

  RowOffsets<operands> offsets;  ///< of the first
  const std::int64_t* strides;
  int count;
  Caching caching;

  /// An operand's elements, as they are stored, since so they take fewest registers; `other` beyond the last.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION auto load(int operand, const T* data, T other) const {
    const T* const from = data + offsets[operand];
    if constexpr (whole && on_host)
      return ReadInPlace<T, width>{from};
    else if constexpr (whole)
      return load_whole(from);
    else
      return load_each(from, strides[operand], other);
  }

  /// The same of one that may be the same for all, and of a number; any beyond the last.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> load(int operand, const Broadcast<const T>& input) const {
    const T* const from = input.data + offsets[operand];
    if (strides[operand] == 0) return Pack<T, width>(*from);
    if constexpr (whole && !on_host)
      if (strides[operand] == 1) return load_whole(from);
    return load_each(from, strides[operand], {});
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> load(int, const Scalar<T>& input) const {
    return Pack<T, width>(input.value);
  }

  /// Writes values of the compute type, each rounded once.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void store(int operand, T* data, const Pack<compute_type<T>, width>& values) const {
    T* const to = data + offsets[operand];
    if constexpr (whole && on_host) {
      KOKKOS_IF_ON_HOST((store_whole(values, to);))
    } else {
      Pack<T, width> rounded;
      copy(values.values, rounded.values);
      if constexpr (whole)
        kachel::store_by<access_bytes<T, width>>(to, rounded);
      else
        store_each(rounded, to, strides[operand]);
    }
  }

 private:
  /// On a host, past the cache where that is asked for and the elements fill its lines.
  template <class T>
  void store_whole(const Pack<compute_type<T>, width>& values, T* to) const {
    constexpr int bytes = width * static_cast<int>(sizeof(T));
    if constexpr (bytes % 64 == 0) {
      if (caching == Caching::streaming) {
        Pack<T, width> rounded;
        if constexpr (std::is_same_v<T, compute_type<T>>) return copy_streaming<bytes>(to, values.values);
        copy(values.values, rounded.values);
        return copy_streaming<bytes>(to, rounded.values);
      }
    }
    copy(values.values, to);
  }

  /// On a device.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> load_whole(const T* from) const {
    return is_aligned(from, access_bytes<T, width>) ? kachel::load_aligned<width>(from) : load_each(from, 1, T{});
  }

  /// `width` numbers, converted where the types differ. GCC takes a short loop of copies apart, number by number.
  template <class From, class To>
  KOKKOS_FORCEINLINE_FUNCTION static void copy(const From* from, To* to) {
    if constexpr (std::is_same_v<From, To>)
      std::memcpy(to, from, width * sizeof(To));
    else
      convert<width>(from, to);
  }

  /// A device has registers for each of `width` elements, a host memory for as many as there are.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> load_each(const T* from, std::int64_t stride, T other) const {
    Pack<T, width> values;
    if constexpr (on_host) {
      values = Pack<T, width>(other);
      if (stride == 1)
        std::memcpy(values.values, from, static_cast<std::size_t>(count) * sizeof(T));
      else
        for (int i = 0; i < count; ++i) values[i] = from[i * stride];
    } else {
      for (int i = 0; i < width; ++i) values[i] = whole || i < count ? from[i * stride] : other;
    }
    return values;
  }

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void store_each(const Pack<T, width>& values, T* to, std::int64_t stride) const {
    if constexpr (on_host) {
      if (stride == 1)
        std::memcpy(to, values.values, static_cast<std::size_t>(count) * sizeof(T));
      else
        for (int i = 0; i < count; ++i) to[i * stride] = values[i];
    } else {
      for (int i = 0; i < width; ++i)
        if (i < count) to[i * stride] = values[i];
    }
  }
};

}  // namespace kachel
