// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of one 16-bit number on CUDA, by a table of all their results. One kernel computes the 65,536 results,
/// each rounded right. Another looks every element up. So the function runs 65,536 times, however many elements there
/// are.
#pragma once

#include <kachel/detail/backend/cuda/stream_memory.hpp>
#include <kachel/detail/evaluate.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

namespace kachel::detail {

inline constexpr int table_size = 1 << 16;

/// Whether a table can be had: not where the stream is being captured, or the device has not the shared memory.
bool has_tables(const CudaInstance& space);

template <class T, class X, class F>
__global__ void cuda_tabulate(const __grid_constant__ F f, std::uint16_t* results, unsigned* claimed) {
  let_next_kernel_begin();
  const unsigned input = blockIdx.x * blockDim.x + threadIdx.x;
  if (input == 0) *claimed = 0;
  results[input] = detail::evaluate<T>(f, static_cast<float>(X::from_bits(static_cast<std::uint16_t>(input)))).bits();
}

/// y[i] = table.results()[x[i]], of arrays that are aligned to 16 bytes; y may be x. The launch before it on the stream
/// is that of cuda_tabulate, whose end it awaits itself.
/// \param keeps_inputs  whether these stay in the L2 cache longer than other lines, the last of them aside
/// \throws std::runtime_error  the launch failed; the text is CUDA's
void look_up(const std::string& label, const CudaInstance& space, const std::uint16_t* results, unsigned* claimed,
             std::uint16_t* y, const std::uint16_t* x, std::int64_t size, bool keeps_inputs);

/// y[i] = f(x[i]) of arrays of 16-bit numbers that are aligned to 16 bytes; y may be x.
/// \return false  if there is no table to be had: nothing was launched
/// \throws std::runtime_error  a launch failed; the text is CUDA's
template <class T, class X, class F>
bool launch_lookup(const std::string& label, const CudaInstance& space, const F& f, T* y, const X* x, std::int64_t size,
                   bool keeps_inputs) {
  constexpr int block_size = 128;
  if (!has_tables(space)) return false;
  const StreamMemory memory(space, table_size * sizeof(std::uint16_t) + sizeof(unsigned));
  if (memory.data() == nullptr) return false;
  auto* const results = static_cast<std::uint16_t*>(memory.data());
  auto* const claimed = reinterpret_cast<unsigned*>(results + table_size);
  detail::launch_kernel(label, space, {table_size / block_size, block_size}, cuda_tabulate<T, X, F>, f, results,
                        claimed);
  detail::look_up(label, space, results, claimed, reinterpret_cast<std::uint16_t*>(y),
                  reinterpret_cast<const std::uint16_t*>(x), size, keeps_inputs);
  return true;
}

}  // namespace kachel::detail

#endif
