// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a user would write, or call, without Kachel. Each gives y[i] = f(x[i]) for n elements of type T.
#pragma once

#include "../cases.hpp"

#include <Kokkos_StdAlgorithms.hpp>

#if defined(KOKKOS_ENABLE_CUDA)
#include <cub/device/device_transform.cuh>

#include <cuda/std/tuple>
#endif

namespace bench::peers {

/// Kokkos::parallel_for, one element a work item.
template <class F, class T>
static void kokkos_range(const Space& space, const F& f, T* y, const T* x, std::int64_t n) {
  Kokkos::parallel_for(
      "kokkos_range", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, n),
      KOKKOS_LAMBDA(std::int64_t i) { y[i] = apply(f, x[i]); });
}

/// Kokkos::parallel_for over the two dimensions.
template <class F, class T>
static void kokkos_mdrange(const Space& space, const F& f, T* y, const T* x, std::int64_t rows, std::int64_t columns) {
  const Kokkos::View<T**, Kokkos::LayoutRight, Space, Kokkos::MemoryUnmanaged> out(y, rows, columns);
  const Kokkos::View<const T**, Kokkos::LayoutRight, Space, Kokkos::MemoryUnmanaged> in(x, rows, columns);
  Kokkos::parallel_for(
      "kokkos_mdrange", Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(space, {0, 0}, {rows, columns}),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t j) { out(i, j) = apply(f, in(i, j)); });
}

/// Kokkos::Experimental::transform.
template <class F, class T>
static void kokkos_transform(const Space& space, const F& f, T* y, const T* x, std::int64_t n) {
  const Kokkos::View<T*, Space, Kokkos::MemoryUnmanaged> out(y, n);
  const Kokkos::View<const T*, Space, Kokkos::MemoryUnmanaged> in(x, n);
  Kokkos::Experimental::transform(space, in, out, KOKKOS_LAMBDA(T value) { return apply(f, value); });
}

/// Kokkos::parallel_for over packs of 16 bytes: what a Kokkos user can do at best. n is a multiple of the pack.
template <class T>
struct alignas(16) SixteenBytes {
  T values[16 / sizeof(T)];
};

template <class S, class F, class T>
static void kokkos_packs(const S& space, const F& f, T* y, const T* x, std::int64_t n) {
  auto* const out = reinterpret_cast<SixteenBytes<T>*>(y);
  const auto* const in = reinterpret_cast<const SixteenBytes<T>*>(x);
  Kokkos::parallel_for(
      "kokkos_packs", Kokkos::RangePolicy<S, Kokkos::IndexType<std::int64_t>>(space, 0, n * sizeof(T) / 16),
      KOKKOS_LAMBDA(std::int64_t i) {
        SixteenBytes<T> pack = in[i];
        for (auto& value : pack.values) value = apply(f, value);
        out[i] = pack;
      });
}

#if defined(KOKKOS_ENABLE_CUDA)

/// By hand in CUDA: one element a thread, blocks of 256.
template <class F, class T>
__global__ void scalar_kernel(F f, T* y, const T* x, std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = apply(f, x[i]);
}

template <class F, class T>
void cuda_scalar(const Space& space, const F& f, T* y, const T* x, std::int64_t n) {
  scalar_kernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0, space.cuda_stream()>>>(f, y, x, n);
}

/// By hand in CUDA: four elements a thread, a block apart, blocks of 1024.
template <class F, class T>
__global__ void strided_kernel(F f, T* y, const T* x, std::int64_t n) {
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * blockDim.x * 4 + threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    const std::int64_t i = begin + k * blockDim.x;
    if (i < n) y[i] = apply(f, x[i]);
  }
}

template <class F, class T>
void cuda_strided(const Space& space, const F& f, T* y, const T* x, std::int64_t n) {
  strided_kernel<<<static_cast<unsigned>((n + 4095) / 4096), 1024, 0, space.cuda_stream()>>>(f, y, x, n);
}

/// By hand in CUDA: 16 bytes a thread, as a float4, blocks of 256. n is a multiple of the elements in them.
template <class F, class T>
__global__ void vector_kernel(F f, SixteenBytes<T>* y, const SixteenBytes<T>* x, std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  SixteenBytes<T> pack = x[i];
  for (auto& value : pack.values) value = apply(f, value);
  y[i] = pack;
}

template <class F, class T>
void cuda_float4(const Space& space, const F& f, T* y, const T* x, std::int64_t n) {
  const std::int64_t packs = n * sizeof(T) / 16;
  vector_kernel<F, T><<<static_cast<unsigned>((packs + 255) / 256), 256, 0, space.cuda_stream()>>>(
      f, reinterpret_cast<SixteenBytes<T>*>(y), reinterpret_cast<const SixteenBytes<T>*>(x), packs);
}

/// The same of dy and x.
template <class F, class T>
__global__ void vector_backward_kernel(F f, SixteenBytes<T>* dx, const SixteenBytes<T>* dy, const SixteenBytes<T>* x,
                                       std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  SixteenBytes<T> gradient = dy[i];
  const SixteenBytes<T> at = x[i];
  for (int k = 0; k < static_cast<int>(16 / sizeof(T)); ++k)
    gradient.values[k] = apply_backward(f, gradient.values[k], at.values[k]);
  dx[i] = gradient;
}

template <class F, class T>
void cuda_float4_backward(const Space& space, const F& f, T* dx, const T* dy, const T* x, std::int64_t n) {
  using Pack = SixteenBytes<T>;
  const std::int64_t packs = n * sizeof(T) / 16;
  vector_backward_kernel<F, T><<<static_cast<unsigned>((packs + 255) / 256), 256, 0, space.cuda_stream()>>>(
      f, reinterpret_cast<Pack*>(dx), reinterpret_cast<const Pack*>(dy), reinterpret_cast<const Pack*>(x), packs);
}

/// By hand in CUDA, of any addresses: each thread loads elements one by one and stores 16 bytes where y is aligned, the
/// first and the last thread single elements. Blocks of 256.
template <class F, class T>
__global__ void misaligned_kernel(F f, T* y, const T* x, std::int64_t n, int shift) {
  constexpr int width = 16 / sizeof(T);
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x, begin = i * width - shift;
  if (begin >= 0 && begin + width <= n) {
    SixteenBytes<T> pack;
    for (int k = 0; k < width; ++k) pack.values[k] = apply(f, x[begin + k]);
    *reinterpret_cast<SixteenBytes<T>*>(y + begin) = pack;
  } else {
    for (int k = 0; k < width; ++k)
      if (begin + k >= 0 && begin + k < n) y[begin + k] = apply(f, x[begin + k]);
  }
}

template <class F, class T>
void cuda_misaligned(const Space& space, const F& f, T* y, const T* x, std::int64_t n) {
  const int shift = static_cast<int>(reinterpret_cast<std::uintptr_t>(y) % 16 / sizeof(T));
  const std::int64_t packs = (n + shift) * sizeof(T) / 16 + 1;
  misaligned_kernel<<<static_cast<unsigned>((packs + 255) / 256), 256, 0, space.cuda_stream()>>>(f, y, x, n, shift);
}

template <class F>
struct ApplyTo {
  F f;
  template <class T>
  __host__ __device__ T operator()(T x) const {
    return apply(f, x);
  }
};

/// cub::DeviceTransform.
template <class F, class T>
void cub_transform(const Space& space, const F& f, T* y, const T* x, std::int64_t n) {
  cub::DeviceTransform::Transform(x, y, n, ApplyTo<F>{f}, space.cuda_stream());
}

#else

/// A loop that the compiler vectorises, by hand.
template <class F, class T>
void simd_loop(const Space&, const F& f, T* y, const T* x, std::int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) y[i] = apply(f, x[i]);
}

#endif

}  // namespace bench::peers
