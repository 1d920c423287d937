// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loads and stores of a device's memory by its widest accesses.
#pragma once

#include <kachel/detail/tile/cache_priority.hpp>
#include <kachel/pack.hpp>

#include <cstdint>

namespace kachel {

/// The widest access of a work item, in bytes.
inline constexpr int widest_access = 16;

/// `bytes` bytes that one access moves.
template <class T, int bytes>
struct alignas(bytes) Vector {
  T values[bytes / sizeof(T)];
};

/// What one access moves of `width` elements.
template <class T, int width>
inline constexpr int access_bytes = width * sizeof(T) < widest_access ? width * sizeof(T) : widest_access;

template <class T>
KOKKOS_FORCEINLINE_FUNCTION bool is_aligned(const T* address, int bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(bytes) == 0;
}

/// `width` elements from an address that is aligned for their widest access; with `evicted_last`, see
/// load_evicted_last.
template <int width, class T>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> load_aligned(const T* from, bool evicted_last = false) {
  using Access = Vector<T, access_bytes<T, width>>;
  constexpr int step = sizeof(Access) / sizeof(T);
  Pack<T, width> values;
  for (int i = 0; i < width; i += step) {
    const auto* const address = reinterpret_cast<const Access*>(from + i);
    const Access read = evicted_last ? kachel::load_evicted_last(address) : *address;
    for (int k = 0; k < step; ++k) values[i + k] = read.values[k];
  }
  return values;
}

/// Stores by accesses of `bytes` bytes, for which the address is aligned.
template <int bytes, class T, int width>
KOKKOS_FORCEINLINE_FUNCTION void store_aligned(T* to, const Pack<T, width>& values) {
  using Access = Vector<T, bytes>;
  constexpr int step = sizeof(Access) / sizeof(T);
  for (int i = 0; i < width; i += step) {
    Access written;
    for (int k = 0; k < step; ++k) written.values[k] = values[i + k];
    *reinterpret_cast<Access*>(to + i) = written;
  }
}

/// The same of 32-bit words instead of smaller elements.
template <int bytes, class T, int width>
KOKKOS_FORCEINLINE_FUNCTION void store_words(T* to, const Pack<T, width>& values) {
  if constexpr (sizeof(T) < 4 && bytes >= 4)
    kachel::store_aligned<bytes>(reinterpret_cast<std::uint32_t*>(to),
                                 bit_cast<Pack<std::uint32_t, width* static_cast<int>(sizeof(T)) / 4>>(values));
  else
    kachel::store_aligned<bytes>(to, values);
}

/// `width` elements, a multiple of 16 bytes, from any address by aligned accesses: up to 15 bytes before and after them
/// are read too.
template <int width, class T>
  requires(width * sizeof(T) % widest_access == 0)
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> load_across(const T* from) {
  constexpr int accesses = width * static_cast<int>(sizeof(T)) / widest_access, words = widest_access / 4;
  using Access = Vector<std::uint32_t, widest_access>;
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  const unsigned offset = address % widest_access;
  const auto* const aligned = reinterpret_cast<const Access*>(address - offset);
  Access read[std::size_t{accesses + 1}];
  const auto word_at = [&](int i) -> std::uint32_t& { return read[i / words].values[i % words]; };
  for (int k = 0; k <= accesses; ++k) read[k] = aligned[k];
  for (int distance = 2; distance > 0; distance /= 2)
    if (offset & (4 * distance))
      for (int i = 0; i + distance < (accesses + 1) * words; ++i) word_at(i) = word_at(i + distance);
  struct {
    std::uint32_t word[std::size_t{accesses * words}];
  } shifted;
  for (int i = 0; i < accesses * words; ++i)
    shifted.word[i] =
        static_cast<std::uint32_t>((std::uint64_t{word_at(i + 1)} << 32 | word_at(i)) >> (8 * (offset % 4)));
  return bit_cast<Pack<T, width>>(shifted);
}

/// Stores by accesses of `bytes` bytes where the address is aligned for them, else by narrower ones.
template <int bytes, class T, int width>
KOKKOS_FORCEINLINE_FUNCTION void store_by(T* to, const Pack<T, width>& values) {
  if constexpr (bytes > sizeof(T))
    if (!is_aligned(to, bytes)) return kachel::store_by<bytes / 2>(to, values);
  kachel::store_aligned<bytes>(to, values);
}

}  // namespace kachel
