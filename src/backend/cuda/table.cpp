// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/detail/backend/cuda/per_device.hpp>
#include <kachel/detail/backend/cuda/table.hpp>
#include <kachel/detail/schedule.hpp>
#include <kachel/detail/tile/access.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

namespace kachel::detail {
namespace {

// A word holds two elements: as 16-bit values each would take a register.
constexpr int vector_words = 4, vector_elements = 2 * vector_words;
using Words = Pack<std::uint32_t, vector_words>;

// A block is as many groups of threads as hide each other's waiting: each takes a chunk at a time.
constexpr int groups = 2, block_size = table_block_size, group_size = block_size / groups;
constexpr int vectors_per_thread = 3, chunk_elements = group_size * vectors_per_thread * vector_elements;
constexpr std::size_t table_bytes = table_size * sizeof(std::uint16_t);

/// Where the results for the two inputs in a word lie in shared memory, in its halves: inputs of a distribution differ
/// in few of their higher bits, which choose the bank, too.
__device__ std::uint32_t positions(std::uint32_t inputs) { return inputs ^ (inputs >> 7 & 0x003e003eu); }

/// The two results for the inputs in a word.
__device__ std::uint32_t results_for(const std::uint16_t* table, std::uint32_t inputs) {
  const std::uint32_t found = positions(inputs);
  return table[found & 0xffffu] | std::uint32_t{table[found >> 16]} << 16;
}

/// Waits for the other threads of a group.
__device__ void synchronize_group(int group) {
  asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(group_size) : "memory");
}

/// What a thread has of a chunk.
using Values = Kokkos::Array<Words, std::size_t{vectors_per_thread}>;

/// \param x  where the thread's part of the chunk begins
__device__ Values load_chunk(const std::uint16_t* x, const CachePolicy& policy) {
  Values values;
  for (int i = 0; i < vectors_per_thread; ++i)
    values[i] = detail::load_aligned<vector_words>(
        reinterpret_cast<const std::uint32_t*>(x + i * group_size * vector_elements), policy);
  return values;
}

__global__ __launch_bounds__(block_size, 1) void cuda_look_up(std::uint16_t* y, const std::uint16_t* x,
                                                              std::int64_t size, const std::uint16_t* results,
                                                              unsigned* claimed, const CachePolicy policy,
                                                              bool restores_last) {
  extern __shared__ std::uint16_t table[];
  __shared__ unsigned claims[groups][2];
  const int group = static_cast<int>(threadIdx.x) / group_size, lane = static_cast<int>(threadIdx.x) % group_size;
  const unsigned all_groups = gridDim.x * groups;
  const auto chunks = static_cast<unsigned>(size / chunk_elements);
  const auto begin_of = [lane](unsigned chunk) {
    return std::int64_t{chunk} * chunk_elements + lane * vector_elements;
  };

  // The first two chunks of a group are its own; later ones it claims, two ahead, so that none waits for a number.
  unsigned present = blockIdx.x * groups + static_cast<unsigned>(group), next = present + all_groups, last = present;
  Values loaded;
  if (present < chunks) loaded = load_chunk(x + begin_of(present), policy);
  await_former_kernel();
  for (unsigned first = 2 * threadIdx.x; first < table_size; first += 2 * block_size) {
    // An even input and the next share a word.
    *reinterpret_cast<std::uint32_t*>(&table[positions(first)]) =
        *reinterpret_cast<const std::uint32_t*>(&results[first]);
  }
  __syncthreads();

  for (int turn = 0; present < chunks; turn ^= 1) {
    Values values = loaded;
    unsigned claim = 0;
    if (lane == 0) claim = 2 * all_groups + atomicAdd(claimed, 1u);
    if (next < chunks) loaded = load_chunk(x + begin_of(next), policy);
    std::uint16_t* const to = y + begin_of(present);
    for (int i = 0; i < vectors_per_thread; ++i) {
      Words& words = values[i];
      for (int k = 0; k < vector_words; ++k) words[k] = results_for(table, words[k]);
      detail::store_aligned(reinterpret_cast<std::uint32_t*>(to + i * group_size * vector_elements), words);
    }
    if (lane == 0) claims[group][turn] = claim;
    synchronize_group(group);
    last = present;
    present = next;
    next = claims[group][turn];
  }
  if (restores_last && last < chunks && lane % (cache_line / 16) == 0)
    for (int i = 0; i < vectors_per_thread; ++i)
      detail::restore_priority(x + begin_of(last) + i * group_size * vector_elements);

  // What is left fills no chunk.
  const std::int64_t rest = std::int64_t{chunks} * chunk_elements + blockIdx.x * block_size + threadIdx.x;
  for (std::int64_t i = rest; i < size; i += std::int64_t{gridDim.x} * block_size) y[i] = table[positions(x[i])];
}

/// What the tables of a device need.
struct Device {
  bool has_tables = false, overlaps = false;
};

/// The device that the space runs on.
const Device& device_of(const CudaInstance& space) {
  static PerDevice<Device> devices;
  return devices.get(space.cuda_device(), [&space] {
    Device device;
    const std::size_t shared_bytes = table_bytes + sizeof(unsigned[groups][2]);
    if (space.cuda_device_prop().sharedMemPerBlockOptin < shared_bytes) return device;
    cudaFuncAttributes compiled{};
    if (cudaSetDevice(space.cuda_device()) == cudaSuccess &&
        cudaFuncSetAttribute(cuda_look_up, cudaFuncAttributeMaxDynamicSharedMemorySize, table_bytes) == cudaSuccess &&
        cudaFuncGetAttributes(&compiled, cuda_look_up) == cudaSuccess)
      device = {true, compiled.ptxVersion >= 90};
    else
      cudaGetLastError();  // without a table there is another way
    return device;
  });
}

}  // namespace

bool has_tables(const CudaInstance& space) { return !is_captured(space) && device_of(space).has_tables; }

void look_up(const std::string& label, const CudaInstance& space, const std::uint16_t* results, unsigned* claimed,
             std::uint16_t* y, const std::uint16_t* x, std::int64_t size, bool keeps_inputs) {
  const KernelShape shape{static_cast<unsigned>(space.cuda_device_prop().multiProcessorCount), block_size, table_bytes,
                          device_of(space).overlaps};
  detail::launch_kernel(label, space, shape, cuda_look_up, y, x, size, results, claimed, CachePolicy(keeps_inputs),
                        keeps_inputs);
}

}  // namespace kachel::detail

#endif
