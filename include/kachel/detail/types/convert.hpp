// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Conversion of short arrays between the floating-point types, vectorised on hosts.
#pragma once

#include <kachel/detail/math/round_to_odd.hpp>
#include <kachel/detail/math/truncate.hpp>
#include <kachel/types/bfloat16.hpp>
#include <kachel/types/half.hpp>

#include <cstring>

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace kachel {

/// A number as a float has it: how functions in double read the parameters of a result in float.
KOKKOS_FORCEINLINE_FUNCTION constexpr double rounded_to_float(double value) {
  return static_cast<double>(static_cast<float>(value));
}

}  // namespace kachel

namespace kachel::detail {

// GCC and Clang vectorise neither F16C's conversions of single numbers nor, well, those of bfloat16 on AVX2; and GCC
// keeps an array in registers only where the registers are spelt out.
#if defined(__AVX__)
/// Eight numbers as they are.
inline void convert_eight(const float* from, float* to) { _mm256_storeu_ps(to, _mm256_loadu_ps(from)); }

/// Eight numbers as they are.
inline void convert_eight(const double* from, double* to) {
#if defined(__AVX512F__)
  _mm512_storeu_pd(to, _mm512_loadu_pd(from));
#else
  _mm256_storeu_pd(to, _mm256_loadu_pd(from));
  _mm256_storeu_pd(to + 4, _mm256_loadu_pd(from + 4));
#endif
}
#endif
#if defined(__F16C__)
/// Leaves an array in memory. Clang would take the register that it was stored from apart, and leave a loop over its
/// elements scalar that selects bits.
template <int count>
inline void keep_array([[maybe_unused]] float* values) {
#if defined(__clang__)
  asm("" : "+m"(*reinterpret_cast<float(*)[std::size_t{count}]>(values)));
#endif
}

/// Eight numbers.
inline void convert_eight(const half* from, float* to) {
  _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
  keep_array<8>(to);
}

/// Eight numbers, ties to even.
inline void convert_eight(const float* from, half* to) {
  const __m128i nearest = _mm256_cvtps_ph(_mm256_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), nearest);
}

#if !defined(__AVX512F__)
/// Sixteen numbers, ties to even, as one register: stored as two, they would be waited for where one is loaded.
inline void convert_sixteen(const float* from, half* to) {
  const __m128i low = _mm256_cvtps_ph(_mm256_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT),
                high = _mm256_cvtps_ph(_mm256_loadu_ps(from + 8), _MM_FROUND_TO_NEAREST_INT);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_insertf128_si256(_mm256_castsi128_si256(low), high, 1));
}
#endif
#endif
#if defined(__AVX2__)
/// Eight numbers.
inline void convert_eight(const bfloat16* from, float* to) {
  const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  _mm256_storeu_ps(to, _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16)));
}

/// The nearest bfloat16 in the upper halves of eight words, ties to even; a NaN gives all bits set.
inline __m256i round_eight(const float* from) {
  const __m256 value = _mm256_loadu_ps(from);
  const __m256i word = _mm256_castps_si256(value);
  const __m256i is_odd = _mm256_and_si256(_mm256_srli_epi32(word, 16), _mm256_set1_epi32(1));
  const __m256i rounded = _mm256_add_epi32(word, _mm256_add_epi32(is_odd, _mm256_set1_epi32(0x7fff)));
  return _mm256_or_si256(rounded, _mm256_castps_si256(_mm256_cmp_ps(value, value, _CMP_UNORD_Q)));
}

/// Eight numbers, ties to even.
inline void convert_eight(const float* from, bfloat16* to) {
  const __m256i upper = _mm256_srli_epi32(round_eight(from), 16);
  const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(upper, upper), 0x88);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(packed));
}

#if !defined(__AVX512F__)
/// Sixteen numbers, ties to even.
inline void convert_sixteen(const float* from, bfloat16* to) {
  const __m256i low = _mm256_srli_epi32(round_eight(from), 16), high = _mm256_srli_epi32(round_eight(from + 8), 16);
  constexpr int in_order = 0xd8;
  const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), in_order);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), packed);
}
#endif

#if defined(__AVX512F__)
/// T::may_be_halfway of as many values as a register holds.
inline __mmask16 halfway_mask(bfloat16, const float* values, int ulps) {
  const __m512i word = _mm512_loadu_si512(values);
  const __m512i distance =
      _mm512_maskz_slli_epi32(0xffff, _mm512_add_epi32(word, _mm512_set1_epi32(ulps - 0x8000)), 16);
  return _mm512_cmple_epu32_mask(distance, _mm512_set1_epi32(2 * ulps << 16));
}
inline __mmask16 halfway_mask(half, const float* values, int ulps) {
  const __m512i bits = _mm512_and_si512(_mm512_loadu_si512(values), _mm512_set1_epi32(0x7fffffff));
  const __m512 magnitude = _mm512_castsi512_ps(bits), smallest = _mm512_set1_ps(0x1p-14f);
  const __mmask16 small = _mm512_cmp_ps_mask(magnitude, smallest, _CMP_LT_OQ);
  const __m512i word = _mm512_castps_si512(_mm512_mask_add_ps(magnitude, small, magnitude, smallest));
  const __m512i distance =
      _mm512_maskz_slli_epi32(0xffff, _mm512_add_epi32(word, _mm512_set1_epi32(ulps - 0x1000)), 19);
  return _mm512_cmple_epu32_mask(distance, _mm512_set1_epi32(2 * ulps << 19));
}
inline constexpr int halfway_lanes = 16;
inline bool any_of(__mmask16 mask) { return mask != 0; }
inline __mmask16 either(__mmask16 a, __mmask16 b) { return a | b; }
#else
/// T::may_be_halfway of as many values as a register holds: all bits set where it holds.
inline __m256i halfway_mask(bfloat16, const float* values, int ulps) {
  const __m256i word = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
  const __m256i distance = _mm256_slli_epi32(_mm256_add_epi32(word, _mm256_set1_epi32(ulps - 0x8000)), 16);
  return _mm256_cmpeq_epi32(_mm256_min_epu32(distance, _mm256_set1_epi32(2 * ulps << 16)), distance);
}
inline __m256i halfway_mask(half, const float* values, int ulps) {
  const __m256 magnitude = _mm256_and_ps(_mm256_loadu_ps(values), _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff)));
  const __m256 smallest = _mm256_set1_ps(0x1p-14f), small = _mm256_cmp_ps(magnitude, smallest, _CMP_LT_OQ);
  const __m256i word = _mm256_castps_si256(_mm256_add_ps(magnitude, _mm256_and_ps(small, smallest)));
  const __m256i distance = _mm256_slli_epi32(_mm256_add_epi32(word, _mm256_set1_epi32(ulps - 0x1000)), 19);
  return _mm256_cmpeq_epi32(_mm256_min_epu32(distance, _mm256_set1_epi32(2 * ulps << 19)), distance);
}

inline constexpr int halfway_lanes = 8;
inline bool any_of(__m256i mask) { return !_mm256_testz_si256(mask, mask); }
inline __m256i either(__m256i a, __m256i b) { return _mm256_or_si256(a, b); }
#endif

/// Whether T::may_be_halfway holds for any of `count` values.
template <class T, int count>
inline bool any_may_be_halfway_on_host(const float* values, int ulps) {
  auto any = halfway_mask(T{}, values, ulps);
  for (int i = halfway_lanes; i < count; i += halfway_lanes) any = either(any, halfway_mask(T{}, values + i, ulps));
  return any_of(any);
}

#if defined(__AVX512F__)
// Compilers compute with sixteen floats at a time there, and would wait for two stores of eight before they load them.
// All lanes by a mask, since GCC 12 warns of the forms without one.
inline constexpr __mmask16 all_sixteen = 0xffff;

/// Sixteen numbers as they are.
inline void convert_sixteen(const float* from, float* to) { _mm512_storeu_ps(to, _mm512_loadu_ps(from)); }

/// Sixteen numbers.
inline void convert_sixteen(const half* from, float* to) {
  const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  _mm512_storeu_ps(to, _mm512_maskz_cvtph_ps(all_sixteen, bits));
  keep_array<16>(to);
}

/// Sixteen numbers.
inline void convert_sixteen(const bfloat16* from, float* to) {
  const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  const __m512i wide = _mm512_maskz_cvtepu16_epi32(all_sixteen, bits);
  _mm512_storeu_ps(to, _mm512_castsi512_ps(_mm512_maskz_slli_epi32(all_sixteen, wide, 16)));
}

#if defined(__AVX512VBMI__)
/// Which byte of 32 numbers each byte of 32 words is. That of a lower half is set to 0 instead.
inline constexpr auto byte_of_bfloat16 = [] {
  struct alignas(64) Places {
    std::uint8_t of[128];
  } places{};
  for (int i = 0; i < 128; ++i) places.of[i] = static_cast<std::uint8_t>(2 * (i / 4) + i % 2);
  return places;
}();

/// Thirty-two numbers, an instruction for each sixteen instead of two: in cache `broadcast/scale/bfloat16/number` takes
/// 0.91 of the time (an EPYC, Zen 4).
inline void convert_thirty_two(const bfloat16* from, float* to) {
  constexpr __mmask64 upper_halves = 0xcccc'cccc'cccc'cccc;
  const __m512i bits = _mm512_loadu_si512(from), low = _mm512_load_si512(byte_of_bfloat16.of),
                high = _mm512_load_si512(byte_of_bfloat16.of + 64);
  _mm512_storeu_ps(to, _mm512_castsi512_ps(_mm512_maskz_permutexvar_epi8(upper_halves, low, bits)));
  _mm512_storeu_ps(to + 16, _mm512_castsi512_ps(_mm512_maskz_permutexvar_epi8(upper_halves, high, bits)));
}
#endif

/// Sixteen numbers, ties to even.
inline __m256i nearest_half(const float* from) {
  return _mm512_maskz_cvtps_ph(all_sixteen, _mm512_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT);
}
inline void convert_sixteen(const float* from, half* to) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), nearest_half(from));
}

/// Thirty-two numbers, ties to even, as one register: stored as two, they would be waited for where one is loaded.
inline void convert_thirty_two(const float* from, half* to) {
  const __m512i low = _mm512_castsi256_si512(nearest_half(from));
  _mm512_storeu_si512(to, _mm512_maskz_inserti64x4(0xff, low, nearest_half(from + 16), 1));
}

#if defined(__AVX512BF16__) && defined(__AVX512DQ__)
/// Where numbers are that the instructions which round to bfloat16 would flush.
inline unsigned subnormal_mask(__m512 values) {
  constexpr int subnormal = 0x20;
  return _mm512_fpclass_ps_mask(values, subnormal);
}
#endif

/// The nearest bfloat16 in the upper halves of sixteen words, ties to even; a NaN gives all bits set.
inline __m512i round_sixteen(const float* from) {
  const __m512 value = _mm512_loadu_ps(from);
  const __m512i word = _mm512_castps_si512(value);
  const __m512i is_odd = _mm512_and_si512(_mm512_maskz_srli_epi32(all_sixteen, word, 16), _mm512_set1_epi32(1));
  const __m512i rounded = _mm512_add_epi32(word, _mm512_add_epi32(is_odd, _mm512_set1_epi32(0x7fff)));
  return _mm512_mask_mov_epi32(rounded, _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q), _mm512_set1_epi32(-1));
}

/// Sixteen numbers, ties to even.
inline void convert_sixteen(const float* from, bfloat16* to) {
#if defined(__AVX512BF16__) && defined(__AVX512DQ__)
  const __m512 values = _mm512_loadu_ps(from);
  if (subnormal_mask(values) == 0) [[likely]] {
    const __m256bh nearest = _mm512_cvtneps_pbh(values);
    std::memcpy(static_cast<void*>(to), &nearest, sizeof(nearest));
    return;
  }
#endif
  const __m512i upper = _mm512_maskz_srli_epi32(all_sixteen, round_sixteen(from), 16);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_maskz_cvtepi32_epi16(all_sixteen, upper));
}

#if defined(__AVX512BW__)
/// Thirty-two numbers, ties to even, as one register.
inline void convert_thirty_two(const float* from, bfloat16* to) {
#if defined(__AVX512BF16__) && defined(__AVX512DQ__)
  const __m512 low = _mm512_loadu_ps(from), high = _mm512_loadu_ps(from + 16);
  if ((subnormal_mask(low) | subnormal_mask(high)) == 0) [[likely]] {
    const __m512bh nearest = _mm512_cvtne2ps_pbh(high, low);
    std::memcpy(static_cast<void*>(to), &nearest, sizeof(nearest));
    return;
  }
#endif
  alignas(64) static constexpr std::uint16_t upper_halves[] = {1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21,
                                                               23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43,
                                                               45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
  const __m512i rounded =
      _mm512_permutex2var_epi16(round_sixteen(from), _mm512_load_si512(upper_halves), round_sixteen(from + 16));
  _mm512_storeu_si512(to, rounded);
}
#endif
#endif
#endif

#if defined(__CUDA_ARCH__)
/// Two numbers, an instruction each. nvcc makes three of the upper half of a word where it sees what becomes of it.
__device__ inline void convert_two(const bfloat16* from, float* to) {
  const std::uint32_t word = from[0].bits() | std::uint32_t{from[1].bits()} << 16;
  constexpr unsigned upper_half = 0x3244;  // of the first operand, above two bytes of the second
  to[0] = bit_cast<float>(word << 16);
  to[1] = bit_cast<float>(__byte_perm(word, 0, upper_half));
}
#endif

/// Whether convert_to is a cast. Where it is, loops cast: nvcc makes more instructions of a function that casts.
template <class To, class From>
inline constexpr bool is_cast =
    is_float16<From> ? std::is_same_v<To, From> || std::is_same_v<To, float>
    : is_float16<To> ? std::is_same_v<From, float>
                     : !std::is_integral_v<To> || std::is_same_v<To, bool> || !std::is_floating_point_v<From>;

/// A number as the nearest of To, ties to even; as an integer what truncate_to gives.
template <class To, class From>
KOKKOS_FORCEINLINE_FUNCTION constexpr To convert_to(From value) {
  if constexpr (is_cast<To, From>)
    return static_cast<To>(value);
  else if constexpr (is_float16<From>)
    return detail::convert_to<To>(static_cast<float>(value));
  else if constexpr (is_float16<To>)
    return static_cast<To>(round_to_odd(value));
  else
    return truncate_to<To>(value);
}

/// to[i] = convert_to<To>(from[i]) for i < count. No loop over registers: GCC keeps it at -O2, and then takes them
/// through memory.
template <int count, class From, class To>
KOKKOS_FORCEINLINE_FUNCTION void convert(const From* from, To* to) {
  if constexpr (is_float16<From> && !is_cast<To, From>) {
    float widened[std::size_t{count}];
    convert<count>(from, widened);
    convert<count>(widened, to);
  } else if constexpr (is_float16<To> && !is_cast<To, From>) {
    float rounded[std::size_t{count}];
    for (int i = 0; i < count; ++i) rounded[i] = round_to_odd(from[i]);
    convert<count>(rounded, to);
  } else if constexpr (!is_cast<To, From>) {
    for (int i = 0; i < count; ++i) to[i] = truncate_to<To>(from[i]);
  } else {
    if constexpr (count % 32 == 0 && requires { convert_thirty_two(from, to); }) {
      KOKKOS_IF_ON_HOST(
          (convert_thirty_two(from, to); if constexpr (count > 32) convert<count - 32>(from + 32, to + 32); return;))
    } else if constexpr (count % 16 == 0 && requires { convert_sixteen(from, to); }) {
      KOKKOS_IF_ON_HOST(
          (convert_sixteen(from, to); if constexpr (count > 16) convert<count - 16>(from + 16, to + 16); return;))
    } else if constexpr (count % 8 == 0 && requires { convert_eight(from, to); }) {
      KOKKOS_IF_ON_HOST(
          (convert_eight(from, to); if constexpr (count > 8) convert<count - 8>(from + 8, to + 8); return;))
    }
#if defined(__CUDA_ARCH__)
    if constexpr (count % 2 == 0 && requires { convert_two(from, to); }) {
      for (int i = 0; i < count; i += 2) convert_two(from + i, to + i);
    } else
#endif
      for (int i = 0; i < count; ++i) to[i] = static_cast<To>(from[i]);
  }
}

}  // namespace kachel::detail
