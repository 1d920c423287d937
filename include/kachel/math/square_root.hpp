// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Square root.
#pragma once

#include <kachel/math/polynomial.hpp>

#include <Kokkos_MathematicalFunctions.hpp>

#include <type_traits>

namespace kachel::math {

/// sqrt(x), correctly rounded where x is finite and at least 2^-100; of others it has other results on a GPU.
/// A float's by an approximation of 1 / sqrt(x) and steps of Newton's iteration by fma, the last of which ends in the
/// correctly rounded number: on CUDA what nvcc makes of sqrtf, without the branch for other numbers, and on a host what
/// compilers vectorise, which they do not do with sqrt, since it may set errno.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T square_root(T x) {
  if constexpr (std::is_same_v<T, float>) {
#if defined(__CUDA_ARCH__)
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
    const float root = x * inverse, half_inverse = 0.5f * inverse;
#else
    // Half of the bits of x, taken from a constant, are those of nearly 1 / sqrt(x): the errors are 2^-4, 2^-13 and
    // then those of rounding.
    const auto guess = bit_cast<float>(0x5f3759dfu - (bit_cast<std::uint32_t>(x) >> 1));
    const float rest = fma(-(x * guess), guess, 1.0f);
    const float inverse = fma(guess * rest, fma(rest, 0.375f, 0.5f), guess);
    const float near_root = x * inverse, near_half = 0.5f * inverse, half_rest = fma(-near_root, near_half, 0.5f);
    const float root = fma(near_root, half_rest, near_root), half_inverse = fma(near_half, half_rest, near_half);
#endif
    return fma(fma(-root, root, x), half_inverse, root);
  } else {
    return Kokkos::sqrt(x);
  }
}

}  // namespace kachel::math
