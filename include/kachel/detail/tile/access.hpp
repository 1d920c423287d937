// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loads and stores of a device's memory by its widest accesses, and what they ask of its L2 cache. Results do not
/// depend on the latter.
#pragma once

#include <kachel/detail/evaluate.hpp>

#include <cstdint>

namespace kachel::detail {

/// The widest access of a work item of a device, in bytes.
inline constexpr int widest_access = 16;

/// Threads of a device that run together, on CUDA.
inline constexpr int warp_size = 32;

/// The bytes of an L2 cache whose priority changes together.
inline constexpr int cache_line = 128;

/// What one access moves of `width` elements.
template <class T, int width>
inline constexpr int access_bytes = width * sizeof(T) < widest_access ? width * sizeof(T) : widest_access;

template <class T>
KOKKOS_FORCEINLINE_FUNCTION bool is_aligned(const T* address, int bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(bytes) == 0;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define KACHEL_HAS_CACHE_POLICY
#endif

/// How long lines that are loaded stay in a device's L2 cache: as long as others, or longer, until restore_priority. An
/// argument of kernels.
struct CachePolicy {
  /// The bits are what createpolicy makes of evict_last and evict_normal; to have it do so in each thread costs 3 to
  /// 13 % in the rows sizes/hardtanh/float of 2^10 to 2^22 elements on an H200.
  KOKKOS_FORCEINLINE_FUNCTION explicit constexpr CachePolicy(bool keeps)
      : bits(keeps ? 0x14f0000000000000 : 0x1000000000000000) {}

  /// What `from` points to, 8 or 16 bytes; any other number of them as without a policy.
  template <class Access>
  KOKKOS_FORCEINLINE_FUNCTION Access load(const Access* from) const {
#if defined(KACHEL_HAS_CACHE_POLICY)
    if constexpr (sizeof(Access) == 16 || sizeof(Access) == 8) {
      Pack<std::uint32_t, sizeof(Access) / 4> read;
      // Volatile and a clobber of memory: in place, the load must stay before the store.
      if constexpr (sizeof(Access) == 16)
        asm volatile("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                     : "=r"(read.values[0]), "=r"(read.values[1]), "=r"(read.values[2]), "=r"(read.values[3])
                     : "l"(__cvta_generic_to_global(from)), "l"(bits)
                     : "memory");
      else
        asm volatile("ld.global.L2::cache_hint.v2.u32 {%0, %1}, [%2], %3;"
                     : "=r"(read.values[0]), "=r"(read.values[1])
                     : "l"(__cvta_generic_to_global(from)), "l"(bits)
                     : "memory");
      return bit_cast<Access>(read);
    }
#endif
    return *from;
  }

  std::uint64_t bits;
};

/// Gives the cache line at an address its normal priority back.
KOKKOS_FORCEINLINE_FUNCTION void restore_priority([[maybe_unused]] const void* address) {
#if defined(KACHEL_HAS_CACHE_POLICY)
  const auto offset = reinterpret_cast<std::uintptr_t>(address) % cache_line;
  const auto* const line = static_cast<const char*>(address) - offset;
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(__cvta_generic_to_global(line)) : "memory");
#endif
}

#undef KACHEL_HAS_CACHE_POLICY

/// A load without a policy.
struct PlainLoad {
  template <class Access>
  KOKKOS_FORCEINLINE_FUNCTION Access load(const Access* from) const {
    return *from;
  }
};

/// `width` elements from an address that is aligned for their widest access.
template <int width, class T, class Policy = PlainLoad>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> load_aligned(const T* from, const Policy& policy = {}) {
  constexpr int step = access_bytes<T, width> / sizeof(T);
  using Access = Pack<T, step>;
  Pack<T, width> values;
  for (int i = 0; i < width; i += step) {
    const Access read = policy.load(reinterpret_cast<const Access*>(from + i));
    for (int k = 0; k < step; ++k) values[i + k] = read.values[k];
  }
  return values;
}

/// Stores to an address that is aligned for the widest access.
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION void store_aligned(T* to, const Pack<T, width>& values) {
  constexpr int step = access_bytes<T, width> / sizeof(T);
  using Access = Pack<T, step>;
  for (int i = 0; i < width; i += step) {
    Access written;
    for (int k = 0; k < step; ++k) written.values[k] = values[i + k];
    *reinterpret_cast<Access*>(to + i) = written;
  }
}

/// The same by 32-bit words instead of smaller elements: in kernels of rows nvcc makes a store of each otherwise.
template <class T, int width>
KOKKOS_FORCEINLINE_FUNCTION void store_words(T* to, const Pack<T, width>& values) {
  if constexpr (sizeof(T) < 4 && width * sizeof(T) >= 4)
    detail::store_aligned(reinterpret_cast<std::uint32_t*>(to),
                          bit_cast<Pack<std::uint32_t, width* static_cast<int>(sizeof(T)) / 4>>(values));
  else
    detail::store_aligned(to, values);
}

/// `count` accesses from byte `offset` on, which is below 16, of one more that were read. Changes those.
template <int count>
KOKKOS_FORCEINLINE_FUNCTION auto shifted(Pack<std::uint32_t, widest_access / 4> (&read)[std::size_t{count + 1}],
                                         unsigned offset) {
  constexpr int words = widest_access / 4;
  const auto word_at = [&](int i) -> std::uint32_t& { return read[i / words].values[i % words]; };
  for (int distance = 2; distance > 0; distance /= 2)
    if (offset & static_cast<unsigned>(4 * distance))
      for (int i = 0; i + distance < (count + 1) * words; ++i) word_at(i) = word_at(i + distance);
  Pack<std::uint32_t, count * words> values;
  for (int i = 0; i < count * words; ++i)
    values.values[i] =
        static_cast<std::uint32_t>((std::uint64_t{word_at(i + 1)} << 32 | word_at(i)) >> (8 * (offset % 4)));
  return values;
}

/// `width` elements, a multiple of 16 bytes, from any address by aligned accesses: up to 15 bytes before and after them
/// are read too.
template <int width, class T>
  requires(width * sizeof(T) % widest_access == 0)
KOKKOS_FORCEINLINE_FUNCTION Pack<T, width> load_across(const T* from) {
  constexpr int accesses = width * static_cast<int>(sizeof(T)) / widest_access;
  using Access = Pack<std::uint32_t, widest_access / 4>;
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  const unsigned offset = address % widest_access;
  const auto* const aligned = reinterpret_cast<const Access*>(address - offset);
  Access read[std::size_t{accesses + 1}];
  for (int k = 0; k <= accesses; ++k) read[k] = aligned[k];
  return bit_cast<Pack<T, width>>(detail::shifted<accesses>(read, offset));
}

}  // namespace kachel::detail
