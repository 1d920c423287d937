// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A bit an element: that of element i is bit i % 8 of byte i / 8.
#pragma once

#include <kachel/pack.hpp>

#include <cstdint>

namespace kachel::detail {

/// The bit of each value within its byte.
template <int width>
KOKKOS_FORCEINLINE_FUNCTION constexpr Pack<std::uint8_t, width> bit_places() {
  Pack<std::uint8_t, width> places;
  for (int i = 0; i < width; ++i) places[i] = static_cast<std::uint8_t>(1 << i % 8);
  return places;
}

/// The bits of the values. On hosts eight bytes of one bit each are a word, whose bytes are folded: GCC vectorises
/// that.
template <int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<std::uint8_t, width / 8> to_mask(const Pack<bool, width>& values) {
  const Pack<std::uint8_t, width> bits = select(values, bit_places<width>(), std::uint8_t{0});
  const auto words = bit_cast<Pack<std::uint64_t, width / 8>>(bits);
  Pack<std::uint8_t, width / 8> bytes;
  for (int i = 0; i < width / 8; ++i) {
    std::uint64_t word = words[i];
    word |= word >> 32;
    word |= word >> 16;
    word |= word >> 8;
    bytes[i] = static_cast<std::uint8_t>(word);
  }
  return bytes;
}

/// The values of the bits: not 0 where one is set. GCC vectorises a choice by bytes, but not by a pack of bool.
template <int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<std::uint8_t, width> from_mask(const Pack<std::uint8_t, width / 8>& bytes) {
  Pack<std::uint64_t, width / 8> words;
  for (int i = 0; i < width / 8; ++i) {
    std::uint64_t word = bytes[i];
    word |= word << 8;
    word |= word << 16;
    words[i] = word | word << 32;
  }
  return bit_cast<Pack<std::uint8_t, width>>(words) & bit_places<width>();
}

/// Writes the bits of a tile's elements to the mask of a span; those outside of it are 0.
/// \param begin, count  of the tile
template <int width>
KOKKOS_FORCEINLINE_FUNCTION void store_mask(std::uint8_t* mask, std::int64_t begin, int count,
                                            const Pack<bool, width>& values) {
  static_assert(width % 8 == 0, "kachel: the elements of a tile with a mask are expected to be a multiple of 8");
  std::uint8_t* const to = mask + begin / 8;
  if (count == width) {
    const auto bytes = detail::to_mask(values);
    for (int i = 0; i < width / 8; ++i) to[i] = bytes[i];
  } else {
    Pack<bool, width> inside;
    for (int i = 0; i < width; ++i) inside[i] = values[i] & (i < count);
    const auto bytes = detail::to_mask(inside);
    for (int i = 0; i < width / 8; ++i)
      if (8 * i < count) to[i] = bytes[i];
  }
}

/// The same read back.
template <int width>
KOKKOS_FORCEINLINE_FUNCTION Pack<std::uint8_t, width> load_mask(const std::uint8_t* mask, std::int64_t begin,
                                                                int count) {
  const std::uint8_t* const from = mask + begin / 8;
  Pack<std::uint8_t, width / 8> bytes;
  if (count == width)
    for (int i = 0; i < width / 8; ++i) bytes[i] = from[i];
  else
    for (int i = 0; i < width / 8; ++i) bytes[i] = 8 * i < count ? from[i] : std::uint8_t{0};
  return detail::from_mask<width>(bytes);
}

}  // namespace kachel::detail
