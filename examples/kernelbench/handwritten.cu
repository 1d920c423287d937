// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HardTanh and HardSigmoid by hand, as a first answer to KernelBench's problems has them: one float a thread, or four, a block apart.
// NaN becomes a limit, sizes are of 32 bits.
namespace {

struct HardTanh {
  __device__ float operator()(float x) const { return fminf(fmaxf(x, -1.0f), 1.0f); }
};

struct HardSigmoid {
  __device__ float operator()(float x) const { return fminf(fmaxf(x + 3.0f, 0.0f), 6.0f) / 6.0f; }
};

template <class F>
__global__ void scalar(F f, float* y, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = f(x[i]);
}

template <class F>
__global__ void four(F f, float* y, const float* x, int n) {
  const int begin = 4 * blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k)
    if (const int i = begin + k * blockDim.x; i < n) y[i] = f(x[i]);
}

template <class F>
void launch(bool is_scalar, float* y, const float* x, int n, cudaStream_t stream) {
  if (is_scalar)
    scalar<<<(n + 255) / 256, 256, 0, stream>>>(F{}, y, x, n);
  else
    four<<<(n + 4095) / 4096, 1024, 0, stream>>>(F{}, y, x, n);
}

}  // namespace

extern "C" void hardtanh(bool is_scalar, float* y, const float* x, int n, void* stream) {
  launch<HardTanh>(is_scalar, y, x, n, static_cast<cudaStream_t>(stream));
}
extern "C" void hardsigmoid(bool is_scalar, float* y, const float* x, int n, void* stream) {
  launch<HardSigmoid>(is_scalar, y, x, n, static_cast<cudaStream_t>(stream));
}
