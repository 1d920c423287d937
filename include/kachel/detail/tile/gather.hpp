// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// gather: floats of a table, put into registers on hosts.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace kachel::detail {

#if defined(__AVX__)
/// The floats of a table at eight indices of 16 bits, four in each word of x. Each is loaded to a whole register and
/// blended in. GCC would store single floats, and the load of all eight would wait for these stores. Insertions have
/// one port. Gathers are as fast, and take many times as long on processors whose microcode keeps them from being
/// speculative.
template <int... k>
inline __m256 gather_eight(const float* table, const std::uint64_t (&x)[2], std::integer_sequence<int, 0, k...>) {
  __m256 found = _mm256_broadcast_ss(table + (x[0] & 0xffff));
  ((found = _mm256_blend_ps(found, _mm256_broadcast_ss(table + (x[k / 4] >> k % 4 * 16 & 0xffff)), 1 << k)), ...);
  return found;
}
template <class T>
inline __m256 gather_eight(const float* table, const T* at) {
  std::uint64_t indices[2];
  std::memcpy(indices, at, sizeof(indices));
  return detail::gather_eight(table, indices, std::make_integer_sequence<int, 8>{});
}
#endif

/// to[i] = table[the bits of at[i]] for i < count, of 16-bit numbers. No loop over registers, as in convert.
template <int count, class T>
inline void gather(const float* table, const T* at, float* to) {
#if defined(__AVX512F__)
  if constexpr (count >= 16) {
    const __m512d lower = _mm512_castpd256_pd512(_mm256_castps_pd(gather_eight(table, at)));
    const __m256d upper = _mm256_castps_pd(gather_eight(table, at + 8));
    // By a mask, since GCC 12 warns of the form without one.
    _mm512_storeu_pd(to, _mm512_mask_insertf64x4(lower, 0xff, lower, upper, 1));
    return gather<count - 16>(table, at + 16, to + 16);
  }
#elif defined(__AVX__)
  if constexpr (count >= 8) {
    _mm256_storeu_ps(to, gather_eight(table, at));
    return gather<count - 8>(table, at + 8, to + 8);
  }
#endif
  for (int i = 0; i < count; ++i) to[i] = table[at[i].bits()];
}

}  // namespace kachel::detail
