// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Other libraries' 16-bit types, where they are real ones: stored as Kachel's of the same format.
#pragma once

#include <kachel/types/bfloat16.hpp>
#include <kachel/types/half.hpp>

#include <Kokkos_Core.hpp>  // Kokkos_Half.hpp alone does not compile before it where there is CUDA

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace kachel::detail {

template <class T>
struct StorageType {
  using type = T;
};
#if defined(KOKKOS_ENABLE_CUDA)
template <>
struct StorageType<__half> {
  using type = half;
};
template <>
struct StorageType<__nv_bfloat16> {
  using type = bfloat16;
};
#endif
// Without a backend that has them Kokkos makes both other names of float.
template <class T>
  requires((std::is_same_v<T, Kokkos::Experimental::half_t> || std::is_same_v<T, Kokkos::Experimental::bhalf_t>) &&
           !std::is_same_v<T, float>)
struct StorageType<T> {
  using type = std::conditional_t<std::is_same_v<T, Kokkos::Experimental::half_t>, half, bfloat16>;
};

/// The type as which Kachel reads and writes elements of type T, whose bits are the same.
template <class T>
using storage_type = std::conditional_t<std::is_const_v<T>, const typename StorageType<std::remove_const_t<T>>::type,
                                        typename StorageType<std::remove_const_t<T>>::type>;

}  // namespace kachel::detail
