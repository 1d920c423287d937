// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Two 16-bit numbers that a word holds, the first in its lower bits, by CUDA's instructions for both.
#pragma once

#include <kachel/detail/math/bit_cast.hpp>
#include <kachel/types/bfloat16.hpp>
#include <kachel/types/half.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace kachel::detail {

template <class T>
struct PairOf;

template <>
struct PairOf<half> {
  static constexpr std::uint32_t lowest = 0xfc00fc00u;  ///< both -inf

  /// The floats that they are.
  __device__ static float2 widened(std::uint32_t pair) {
    return __half22float2(reinterpret_cast<const __half2&>(pair));
  }

  /// The larger ones, NaN where one is.
  __device__ static std::uint32_t larger(std::uint32_t a, std::uint32_t b) {
    const __half2 pair = __hmax2_nan(reinterpret_cast<const __half2&>(a), reinterpret_cast<const __half2&>(b));
    return reinterpret_cast<const std::uint32_t&>(pair);
  }
};

template <>
struct PairOf<bfloat16> {
  static constexpr std::uint32_t lowest = 0xff80ff80u;  ///< both -inf

  /// The floats that they are.
  __device__ static float2 widened(std::uint32_t pair) {
    return {bit_cast<float>(pair << 16), bit_cast<float>(pair & 0xffff0000u)};
  }

  /// The larger ones, NaN where one is.
  __device__ static std::uint32_t larger(std::uint32_t a, std::uint32_t b) {
    const __nv_bfloat162 pair =
        __hmax2_nan(reinterpret_cast<const __nv_bfloat162&>(a), reinterpret_cast<const __nv_bfloat162&>(b));
    return reinterpret_cast<const std::uint32_t&>(pair);
  }
};

}  // namespace kachel::detail

#endif
