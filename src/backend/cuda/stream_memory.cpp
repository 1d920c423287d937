// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/detail/backend/cuda/per_device.hpp>
#include <kachel/detail/backend/cuda/stream_memory.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

namespace kachel::detail {

const cudaDeviceProp& CudaInstance::cuda_device_prop() const {
  if (space_ != nullptr) return space_->cuda_device_prop();
  static PerDevice<cudaDeviceProp> properties;
  return properties.get(device_, [this] {
    cudaDeviceProp own{};
    if (!succeeds(cudaGetDeviceProperties(&own, device_))) own = {};
    return own;
  });
}

namespace {

/// A device's pool.
struct Pool {
  cudaMemPool_t pool = nullptr;
  cudaError_t status = cudaErrorNotSupported;
};

const Pool& pool_of(const CudaInstance& space) {
  static PerDevice<Pool> pools;
  return pools.get(space.cuda_device(), [&space] {
    Pool own;
    if (space.cuda_device_prop().memoryPoolsSupported == 0) return own;
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, space.cuda_device()};
    own.status = cudaMemPoolCreate(&own.pool, &properties);
    if (own.status != cudaSuccess) return own;
    std::uint64_t all = ~std::uint64_t{0};
    cudaMemPoolSetAttribute(own.pool, cudaMemPoolAttrReleaseThreshold, &all);
    return own;
  });
}

}  // namespace

StreamMemory::StreamMemory(const CudaInstance& space, std::size_t bytes)
    : stream_(space.cuda_stream()), status_(cudaSetDevice(space.cuda_device())) {
  if (status_ == cudaSuccess) {
    const Pool& own = pool_of(space);
    status_ = own.status;
    if (status_ == cudaSuccess && bytes > 0) status_ = cudaMallocFromPoolAsync(&data_, bytes, own.pool, stream_);
  }
  if (status_ != cudaSuccess) cudaGetLastError();  // which status() has
}

StreamMemory::~StreamMemory() {
  if (data_ != nullptr) cudaFreeAsync(data_, stream_);
}

}  // namespace kachel::detail

#endif
