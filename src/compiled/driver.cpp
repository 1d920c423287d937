// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of CUDA's driver that Kokkos::Cuda calls, which is linked here and never made. Without them this library
// would need libcuda.so.1, which a machine without a GPU has not. CUDA's runtime loads that itself.
#include <cuda.h>

CUresult cuStreamGetCtx(CUstream, CUcontext*) { return CUDA_ERROR_NOT_INITIALIZED; }
CUresult cuCtxPushCurrent(CUcontext) { return CUDA_ERROR_NOT_INITIALIZED; }
CUresult cuCtxGetDevice(CUdevice*) { return CUDA_ERROR_NOT_INITIALIZED; }
