// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a host's processor is told of its cache: stores that bypass it, so that the memory written need not be read
/// first; what will be read soon.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace kachel::detail {

/// Whether Space runs on the host's processors.
template <class Space>
inline constexpr bool is_host_space = std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>;

/// Every host space, in types of what runs on a thread: the code that is compiled for one serves all.
struct AnyHost {
  using memory_space = Kokkos::HostSpace;
};

/// The space in types of what runs on a thread: one for all that have the same code.
template <class Space>
struct OnThread {
  using type = std::conditional_t<is_host_space<Space>, AnyHost, Space>;
};
template <class Space>
  requires requires { typename Space::OnThread; }
struct OnThread<Space> {
  using type = typename Space::OnThread;
};
template <class Space>
using ThreadSpace = typename OnThread<Space>::type;

/// The bytes of a cache line: the widest register of a processor, and a tile of a host.
inline constexpr int host_line = 64;

/// How far ahead of their use inputs are fetched, in bytes.
inline constexpr int fetched_ahead_bytes = 4 << 10;

/// What is done about a host's cache. Results do not depend on it.
enum class Caching {
  cached,     ///< nothing, for operands that it may hold
  fetching,   ///< inputs are fetched ahead, for operands much larger than it
  streaming,  ///< the same, and stores go past it; never where the same memory is an input
};

/// Whether what is stored at `to` by whole cache lines goes past the cache.
KOKKOS_INLINE_FUNCTION bool streams_to(const void* to, Caching caching) {
  return caching == Caching::streaming && reinterpret_cast<std::uintptr_t>(to) % host_line == 0;
}

/// Copies `bytes` bytes, a multiple of 64, between addresses that are aligned to 64 bytes, past the cache where the
/// processor can. Ordered before other stores by streaming_fence alone.
template <int bytes>
inline void copy_streaming(void* to, const void* from) {
  static_assert(bytes % host_line == 0);
#if defined(__AVX512F__)
  for (int i = 0; i < bytes / 64; ++i)
    _mm512_stream_si512(static_cast<__m512i*>(to) + i, _mm512_load_si512(static_cast<const __m512i*>(from) + i));
#elif defined(__AVX__)
  for (int i = 0; i < bytes / 32; ++i)
    _mm256_stream_si256(static_cast<__m256i*>(to) + i, _mm256_load_si256(static_cast<const __m256i*>(from) + i));
#elif defined(__SSE2__)
  for (int i = 0; i < bytes / 16; ++i)
    _mm_stream_si128(static_cast<__m128i*>(to) + i, _mm_load_si128(static_cast<const __m128i*>(from) + i));
#else
  std::memcpy(to, from, bytes);
#endif
}

/// Makes the calling thread's streaming stores visible before its later stores.
inline void streaming_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

/// Asks for the cache line of data[index], whether there is such an element or not.
template <class T>
inline void prefetch([[maybe_unused]] const T* data, [[maybe_unused]] std::int64_t index) {
#if defined(__SSE2__)
  // Not by addition to the pointer, which is undefined beyond the array.
  const auto address = reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(index) * sizeof(T);
  _mm_prefetch(reinterpret_cast<const char*>(address), _MM_HINT_T0);
#endif
}

/// Asks for what lies ahead of an address, `bytes` bytes of it, to come into the second cache. Inlined, since GCC drops
/// the call of a function that does nothing else.
template <std::size_t bytes, class T>
#if defined(__GNUC__)
[[gnu::always_inline]]
#endif
inline void fetch_ahead([[maybe_unused]] const T* from) {
#if defined(__SSE2__)
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(from) + fetched_ahead_bytes;
  for (std::size_t i = 0; i < bytes; i += host_line)
    _mm_prefetch(reinterpret_cast<const char*>(address + i), _MM_HINT_T1);
#endif
}

}  // namespace kachel::detail
