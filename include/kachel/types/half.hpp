// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// kachel::half: the 16-bit floating-point number of IEEE 754 (1 sign, 5 exponent, 10 fraction bits).
#pragma once

#include <kachel/types/float16.hpp>

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_fp16.h>
#endif
#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace kachel {

/// Encodes and decodes half.
struct HalfFormat {
  static constexpr int fraction_bits = 10;  ///< without the leading one
  static constexpr int max_exponent = 16;   ///< as in std::numeric_limits: the largest number is below 2^16

  /// The bits of the half nearest to value, ties to even.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint16_t encode(float value) {
    if (!__builtin_is_constant_evaluated()) {
#if defined(KOKKOS_ENABLE_CUDA)
      KOKKOS_IF_ON_DEVICE((return __half_as_ushort(__float2half_rn(value));))
#endif
#if defined(__F16C__)
      KOKKOS_IF_ON_HOST((const __m128i bits = _mm_cvtps_ph(_mm_set_ss(value), _MM_FROUND_TO_NEAREST_INT);
                         return static_cast<std::uint16_t>(_mm_extract_epi16(bits, 0));))
#endif
    }
    return encode_portably(value);
  }

  /// The float equal to the half with these bits.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr float decode(std::uint16_t bits) {
    if (!__builtin_is_constant_evaluated()) {
#if defined(KOKKOS_ENABLE_CUDA)
      KOKKOS_IF_ON_DEVICE((return __half2float(__ushort_as_half(bits));))
#endif
#if defined(__F16C__)
      KOKKOS_IF_ON_HOST((return _cvtsh_ss(bits);))
#endif
    }
    return decode_portably(bits);
  }

  /// Whether a number less than `ulps` units of value's last place away may lie half way between two halves.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool may_be_halfway(float value, std::uint32_t ulps) {
    const auto magnitude = detail::bit_cast<float>(detail::bit_cast<std::uint32_t>(value) & 0x7fffffffu);
    // A subnormal half more than 2^-14 has 13 bits too many, as any normal one has.
    const float normal = magnitude + select(magnitude < 0x1p-14f, 0x1p-14f, 0.0f);
    return ((detail::bit_cast<std::uint32_t>(normal) + (ulps - 0x1000u)) & 0x1fffu) <= 2 * ulps;
  }

  /// encode in integer and float arithmetic alone, without a branch.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint16_t encode_portably(float value) {
    const auto word = detail::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = word & 0x7fffffffu;
    // Normal: shift the exponent's bias from 127 to 15, and round by a carry from the 13 bits that go.
    const std::uint32_t normal = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    // Below 2^-14: a float of [1/2, 1) has the last bit of a subnormal half, so that the sum rounds there.
    const std::uint32_t subnormal = detail::bit_cast<std::uint32_t>(detail::bit_cast<float>(magnitude) + 0.5f) -
                                    detail::bit_cast<std::uint32_t>(0.5f);
    const std::uint32_t special = select(magnitude > 0x7f800000u, 0x7e00u, 0x7c00u);
    const std::uint32_t finite = select(magnitude < (113u << 23), subnormal, normal);
    return static_cast<std::uint16_t>(select(magnitude >= (143u << 23), special, finite) | (word >> 31 << 15));
  }

  /// decode in integer and float arithmetic alone, without a branch.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr float decode_portably(std::uint16_t bits) {
    // The bits as they stand, moved into a float, are 2^112 too small: subnormals too.
    const std::uint32_t magnitude = (bits & 0x7fffu) << 13;
    const auto scaled = detail::bit_cast<std::uint32_t>(detail::bit_cast<float>(magnitude) * 0x1p112f);
    const std::uint32_t special = magnitude | 0x7f800000u;
    return detail::bit_cast<float>(select((bits & 0x7c00u) == 0x7c00u, special, scaled) | (bits & 0x8000u) << 16);
  }
};

/// IEEE 754 binary16, a storage type: converts from float, double and integers of up to 32 bits to the nearest half
/// (ties to even, overflow to infinity, NaN to NaN) and to float without loss; arithmetic happens in float. The same
/// bits on every backend.
using half = Float16<HalfFormat>;

}  // namespace kachel
