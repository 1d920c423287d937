// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// kachel::bfloat16: the upper half of a float (1 sign, 8 exponent, 7 fraction bits).
#pragma once

#include <kachel/types/float16.hpp>

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_bf16.h>
#endif

namespace kachel {

/// Encodes and decodes bfloat16.
struct Bfloat16Format {
  static constexpr int fraction_bits = 7;   ///< without the leading one
  static constexpr int max_exponent = 128;  ///< as in std::numeric_limits: the largest number is below 2^128

  /// The bits of the bfloat16 nearest to value, ties to even.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint16_t encode(float value) {
#if defined(KOKKOS_ENABLE_CUDA)
    if (!__builtin_is_constant_evaluated()) {
      KOKKOS_IF_ON_DEVICE((return __bfloat16_as_ushort(__float2bfloat16_rn(value));))
    }
#endif
    const auto word = detail::bit_cast<std::uint32_t>(value);
    // Round by a carry from the 16 bits that go, and keep a NaN from being rounded to infinity or beyond.
    const std::uint32_t rounded = word + 0x7fffu + ((word >> 16) & 1u);
    return static_cast<std::uint16_t>(select(value != value, word | 0x400000u, rounded) >> 16);
  }

  /// The float equal to the bfloat16 with these bits.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr float decode(std::uint16_t bits) {
    return detail::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }

  /// Whether a number less than `ulps` units of value's last place away may lie half way between two bfloat16.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool may_be_halfway(float value, std::uint32_t ulps) {
    return ((detail::bit_cast<std::uint32_t>(value) + (ulps - 0x8000u)) & 0xffffu) <= 2 * ulps;
  }
};

/// The upper half of a float, a storage type: converts from float, double and integers of up to 32 bits to the nearest
/// bfloat16 (ties to even, overflow to infinity, NaN to NaN) and to float without loss; arithmetic happens in float.
/// The same bits on every backend.
using bfloat16 = Float16<Bfloat16Format>;

}  // namespace kachel
