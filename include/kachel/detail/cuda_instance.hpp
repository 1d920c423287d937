// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// CudaInstance: the device and the stream that a call is launched on, an execution space instance's or any others,
/// for which Kokkos need not be initialised.
#pragma once

#include <Kokkos_Core.hpp>

namespace kachel::detail {

/// Whether Space is CUDA: Kokkos' execution space, or CudaInstance.
template <class Space>
inline constexpr bool is_cuda = requires(const Space& space) { space.cuda_stream(); };

#if defined(KOKKOS_ENABLE_CUDA)
/// A device and one of its streams. Its member functions are those of Kokkos::Cuda.
class CudaInstance {
 public:
  using memory_space = Kokkos::CudaSpace;
  using OnThread = Kokkos::Cuda;

  /// \param space  outlives this
  CudaInstance(const Kokkos::Cuda& space)
      : device_(space.cuda_device()), stream_(space.cuda_stream()), space_(&space) {}
  CudaInstance(int device, cudaStream_t stream) : device_(device), stream_(stream) {}

  int cuda_device() const { return device_; }
  cudaStream_t cuda_stream() const { return stream_; }
  const cudaDeviceProp& cuda_device_prop() const;

  /// The execution space instance that this was made of, or null.
  const Kokkos::Cuda* space() const { return space_; }

 private:
  int device_;
  cudaStream_t stream_;
  const Kokkos::Cuda* space_ = nullptr;
};
#endif

}  // namespace kachel::detail
