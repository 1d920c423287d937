// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of a CUDA device that is ordered by a stream: there for what is launched while the object lives.
#pragma once

#include <kachel/detail/backend/cuda/launch_kernel.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

namespace kachel::detail {

/// From a pool that keeps its memory, so that a call does not ask the driver for any. A stream that is being captured
/// gets nodes that take and give back the memory at each replay.
class StreamMemory {
 public:
  /// None where the device has no pools, or not the memory: status() says so.
  StreamMemory(const CudaInstance& space, std::size_t bytes);
  ~StreamMemory();
  StreamMemory(const StreamMemory&) = delete;
  StreamMemory& operator=(const StreamMemory&) = delete;

  cudaError_t status() const { return status_; }

  /// Null where there is none, or none was asked for.
  void* data() const { return data_; }

 private:
  cudaStream_t stream_;
  void* data_ = nullptr;
  cudaError_t status_;
};

}  // namespace kachel::detail

#endif
