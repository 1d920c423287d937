// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// launch_kernel: a CUDA kernel on the stream of an execution space instance, as Kokkos' tools see their own.
#pragma once

#include <kachel/detail/backend/show_as_kernel.hpp>
#include <kachel/detail/cuda_instance.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace kachel::detail {

/// Bytes of shared memory that a kernel may have unasked.
inline constexpr int unasked_shared_bytes = 48 << 10;

/// Whether status is no error. What was an error is taken back from cudaGetLastError, which is the caller's.
inline bool succeeds(cudaError_t status) {
  if (status != cudaSuccess) cudaGetLastError();
  return status == cudaSuccess;
}

/// \throws std::runtime_error  if status is an error; the text is CUDA's
inline void expect_success(const std::string& label, cudaError_t status) {
  if (!succeeds(status)) throw std::runtime_error(label + ": " + cudaGetErrorString(status));
}

/// Whether what is launched on the instance becomes a part of a graph.
inline bool is_captured(const CudaInstance& space) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return !succeeds(cudaStreamIsCapturing(space.cuda_stream(), &status)) || status != cudaStreamCaptureStatusNone;
}

/// How a kernel is launched.
struct KernelShape {
  std::int64_t blocks;           ///< more than CUDA has are refused by it
  int block_size;                ///< threads
  std::size_t shared_bytes = 0;  ///< of dynamic shared memory that a block has
  bool overlaps = false;    ///< whether it begins as soon as the kernel before it lets it: see let_next_kernel_begin
  unsigned of_cluster = 1;  ///< blocks that reach each other's shared memory
};

/// Lets a kernel that overlaps begin when all blocks of this one have come here.
__device__ inline void let_next_kernel_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/// Waits, in a kernel that overlaps, for all that the kernel before it writes.
__device__ inline void await_former_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// \throws std::runtime_error  the launch failed; the text is CUDA's
template <class... Parameters>
void launch_kernel(const std::string& label, const CudaInstance& space, const KernelShape& shape,
                   void (*kernel)(Parameters...), const std::type_identity_t<Parameters>&... parameters) {
  static_assert((0 + ... + sizeof(Parameters)) <= 32000,
                "kachel: a functor and its operands are expected to fit CUDA's 32 KB of kernel parameters");
  cudaError_t status = cudaSuccess;
  const auto launch = [&] {
    status = cudaSetDevice(space.cuda_device());
    if (status != cudaSuccess) return;
    cudaLaunchAttribute attributes[2]{};
    unsigned count = 0;
    if (shape.overlaps) {
      attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
      attributes[count++].val.programmaticStreamSerializationAllowed = 1;
    }
    if (shape.of_cluster > 1) {
      attributes[count].id = cudaLaunchAttributeClusterDimension;
      attributes[count++].val.clusterDim = {shape.of_cluster, 1, 1};
    }
    const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(shape.blocks, ~0u));
    const cudaLaunchConfig_t config{
        dim3(blocks), dim3(shape.block_size), shape.shared_bytes, space.cuda_stream(), attributes, count};
    // The status of this launch alone, where cudaGetLastError could give an older error of the caller's.
    status = cudaLaunchKernelEx(&config, kernel, parameters...);
  };
  if (space.space() != nullptr)
    detail::show_as_kernel(label, *space.space(), launch);
  else
    launch();
  expect_success(label, status);
}

}  // namespace kachel::detail

#endif
