// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a load asks of a device's L2 cache. Results do not depend on it.
#pragma once

#include <kachel/detail/math/bit_cast.hpp>

#include <cstdint>

namespace kachel {

/// The bytes whose priority changes together.
inline constexpr int cache_line = 128;

/// Whether the code being compiled can set priorities in the L2 cache.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define KACHEL_HAS_CACHE_PRIORITY
#endif

/// What `from` points to, 8 or 16 bytes or any other number of them. Lines of the L2 cache that are read by 8 or 16
/// bytes stay there longer than others, until restore_priority.
template <class Access>
KOKKOS_FORCEINLINE_FUNCTION Access load_evicted_last(const Access* from) {
#if defined(KACHEL_HAS_CACHE_PRIORITY)
  if constexpr (sizeof(Access) == 16 || sizeof(Access) == 8) {
    std::uint64_t policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    struct {
      std::uint32_t words[sizeof(Access) / 4];
    } read;
    // Volatile and a clobber of memory: in place, the load must stay before the store.
    if constexpr (sizeof(Access) == 16)
      asm volatile("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                   : "=r"(read.words[0]), "=r"(read.words[1]), "=r"(read.words[2]), "=r"(read.words[3])
                   : "l"(__cvta_generic_to_global(from)), "l"(policy)
                   : "memory");
    else
      asm volatile("ld.global.L2::cache_hint.v2.u32 {%0, %1}, [%2], %3;"
                   : "=r"(read.words[0]), "=r"(read.words[1])
                   : "l"(__cvta_generic_to_global(from)), "l"(policy)
                   : "memory");
    return bit_cast<Access>(read);
  }
#endif
  return *from;
}

/// Gives the cache line at an address its normal priority back.
KOKKOS_FORCEINLINE_FUNCTION void restore_priority([[maybe_unused]] const void* address) {
#if defined(KACHEL_HAS_CACHE_PRIORITY)
  const auto offset = reinterpret_cast<std::uintptr_t>(address) % cache_line;
  const auto* const line = static_cast<const char*>(address) - offset;
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(__cvta_generic_to_global(line)) : "memory");
#endif
}

#undef KACHEL_HAS_CACHE_PRIORITY

}  // namespace kachel
