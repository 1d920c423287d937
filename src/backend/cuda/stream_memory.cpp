// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/detail/backend/cuda/stream_memory.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

#include <array>
#include <mutex>

namespace kachel::detail {
namespace {

/// A device's pool, made once.
struct Pool {
  std::once_flag once;
  cudaMemPool_t pool = nullptr;
  cudaError_t status = cudaErrorNotSupported;
};

cudaError_t find_pool(int device, cudaMemPool_t& pool) {
  static std::array<Pool, most_devices> pools;
  if (device >= most_devices) return cudaErrorNotSupported;
  Pool& own = pools[static_cast<std::size_t>(device)];
  std::call_once(own.once, [&] {
    int supported = 0;
    cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device);
    if (supported == 0) return;
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, device};
    own.status = cudaMemPoolCreate(&own.pool, &properties);
    if (own.status != cudaSuccess) return;
    std::uint64_t all = ~std::uint64_t{0};
    cudaMemPoolSetAttribute(own.pool, cudaMemPoolAttrReleaseThreshold, &all);
  });
  pool = own.pool;
  return own.status;
}

}  // namespace

StreamMemory::StreamMemory(const Kokkos::Cuda& space, std::size_t bytes)
    : stream_(space.cuda_stream()), status_(cudaSetDevice(space.cuda_device())) {
  cudaMemPool_t pool = nullptr;
  if (status_ == cudaSuccess) status_ = find_pool(space.cuda_device(), pool);
  if (status_ == cudaSuccess && bytes > 0) status_ = cudaMallocFromPoolAsync(&data_, bytes, pool, stream_);
  if (status_ != cudaSuccess) cudaGetLastError();  // which status() has
}

StreamMemory::~StreamMemory() {
  if (data_ != nullptr) cudaFreeAsync(data_, stream_);
}

}  // namespace kachel::detail

#endif
