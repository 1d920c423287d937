// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a host's processor is told of its cache: stores that bypass it, so that the memory written need not be read
/// first; what will be read soon.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace kachel {

/// Copies `bytes` bytes, a multiple of 64, from an aligned buffer past the cache where the processor can and `to` is
/// aligned to 64 bytes. Ordered before other stores by streaming_fence alone.
template <int bytes>
inline void copy_streaming(void* to, const void* from) {
  static_assert(bytes % 64 == 0);
#if defined(__SSE2__)
  if (reinterpret_cast<std::uintptr_t>(to) % 64 == 0) {
#if defined(__AVX512F__)
    for (int i = 0; i < bytes / 64; ++i)
      _mm512_stream_si512(static_cast<__m512i*>(to) + i, _mm512_load_si512(static_cast<const __m512i*>(from) + i));
#elif defined(__AVX__)
    for (int i = 0; i < bytes / 32; ++i)
      _mm256_stream_si256(static_cast<__m256i*>(to) + i, _mm256_load_si256(static_cast<const __m256i*>(from) + i));
#else
    for (int i = 0; i < bytes / 16; ++i)
      _mm_stream_si128(static_cast<__m128i*>(to) + i, _mm_load_si128(static_cast<const __m128i*>(from) + i));
#endif
    return;
  }
#endif
  std::memcpy(to, from, bytes);
}

/// Makes the calling thread's streaming stores visible before its later stores.
inline void streaming_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

/// Where data[index] is, or would be if there were such an element: to point there by addition is undefined.
template <class T>
std::uintptr_t address_of(const T* data, std::int64_t index) {
  return reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(index) * sizeof(T);
}

/// Asks for the cache line of data[index], whether there is such an element or not.
template <class T>
inline void prefetch([[maybe_unused]] const T* data, [[maybe_unused]] std::int64_t index) {
#if defined(__SSE2__)
  _mm_prefetch(reinterpret_cast<const char*>(address_of(data, index)), _MM_HINT_T0);
#endif
}

/// Asks for the lines that begin `ahead` bytes after data[index], `bytes` bytes of them, to come into the second cache.
/// Inlined, since GCC drops the call of a function that does nothing else.
template <std::size_t bytes, class T>
#if defined(__GNUC__)
[[gnu::always_inline]]
#endif
inline void fetch_ahead([[maybe_unused]] const T* data, [[maybe_unused]] std::int64_t index,
                        [[maybe_unused]] int ahead) {
#if defined(__SSE2__)
  const std::uintptr_t address = address_of(data, index) + static_cast<std::uintptr_t>(ahead);
  for (std::size_t i = 0; i < bytes; i += 64) _mm_prefetch(reinterpret_cast<const char*>(address + i), _MM_HINT_T1);
#endif
}

}  // namespace kachel
