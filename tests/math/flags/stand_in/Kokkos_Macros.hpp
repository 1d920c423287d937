// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What math/ takes of Kokkos, for compilers that no Kokkos was configured for.
#pragma once

#if defined(__NVCC__)
#define KOKKOS_FUNCTION __host__ __device__
#else
#define KOKKOS_FUNCTION
#endif
#define KOKKOS_FORCEINLINE_FUNCTION inline __attribute__((always_inline)) KOKKOS_FUNCTION

#define KOKKOS_STAND_IN_UNWRAP(...) __VA_ARGS__
#if defined(__CUDA_ARCH__)
#define KOKKOS_IF_ON_HOST(code)
#define KOKKOS_IF_ON_DEVICE(code) {KOKKOS_STAND_IN_UNWRAP code}
#else
#define KOKKOS_IF_ON_HOST(code) {KOKKOS_STAND_IN_UNWRAP code}
#define KOKKOS_IF_ON_DEVICE(code)
#endif
