// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the tuning was chosen from. On CUDA: Kachel's kernel with tiles of other widths, and kernels by hand that load
/// and store by other instructions. On a host: Kachel's loop without one of its levers.
#include "measure.hpp"
#include "workloads.hpp"

#include <kachel/for_tiles.hpp>

#include <algorithm>

namespace bench {

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

/// hardtanh from X to Y by Kachel's kernel with the tiles of element type T.
template <class Y, class X, class T>
void add_width() {
  const std::int64_t n = options.rows * options.columns, bytes = n * (sizeof(X) + sizeof(Y));
  const auto row = [=](benchmark::State& state) {
    using Body = kachel::detail::Map<kachel::HardTanh, kachel::detail::Tuple<kachel::detail::Cursor<Y, 0>>,
                                     kachel::detail::Tuple<kachel::detail::Cursor<const X, 1>>>;
    auto& [xs, ys] = buffers(n * std::max(sizeof(X), sizeof(Y)));
    auto* const x = reinterpret_cast<X*>(xs.data());
    auto* const y = reinterpret_cast<Y*>(ys.data());
    fill(x, n);
    const Body body{{}, {{{y}}}, {{{x}}}};
    const kachel::Schedule schedule{.threads = kachel::DeviceTuning().large_block_size};
    const Work candidate = [=](const Space& space) {
      kachel::detail::launch<kachel::Kernel::direct>("widths", space, schedule, kachel::detail::Span<T, Space>{n},
                                                     body);
    };
    measure(state, bytes, 1, candidate, [=](const Space& space) { copy(space, y, x, bytes / 2); });
  };
  const std::string name = "widths/" + std::string(kachel::detail::type_name<X>()) + " to " +
                           std::string(kachel::detail::type_name<Y>()) + "/" + std::to_string(16 / sizeof(T)) +
                           " elements";
  register_row(name, row);
}

template <class Y, class X>
void add_widths() {
  add_width<Y, X, std::uint64_t>();
  add_width<Y, X, std::uint32_t>();
  add_width<Y, X, std::uint16_t>();
}

struct Plain {
  static constexpr int packs = 1;
  static __device__ float4 load(const float4* address) { return *address; }
  static __device__ void store(float4* address, float4 value) { *address = value; }
};

struct NonCoherentLoad : Plain {
  static __device__ float4 load(const float4* address) { return __ldg(address); }
};

struct StreamingLoad : Plain {
  static __device__ float4 load(const float4* address) { return __ldcs(address); }
};

struct LoadPastL1 : Plain {
  static __device__ float4 load(const float4* address) {
    float4 v;
    asm volatile("ld.global.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(address));
    return v;
  }
};

struct LoadPrefetching256 : Plain {
  static __device__ float4 load(const float4* address) {
    float4 v;
    asm volatile("ld.global.L2::256B.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(address));
    return v;
  }
};

struct StreamingStore : Plain {
  static __device__ void store(float4* address, float4 value) { __stcs(address, value); }
};

struct TwoPacks : Plain {
  static constexpr int packs = 2;
};

template <class Access>
__global__ void __launch_bounds__(256) access_kernel(float4* y, const float4* x, std::int64_t n) {
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * blockDim.x * Access::packs + threadIdx.x;
  float4 values[Access::packs];
  for (int k = 0; k < Access::packs; ++k)
    if (begin + k * blockDim.x < n) values[k] = Access::load(x + begin + k * blockDim.x);
  for (int k = 0; k < Access::packs; ++k) {
    const float4 v = values[k];
    const HardTanh f;
    if (begin + k * blockDim.x < n) Access::store(y + begin + k * blockDim.x, {f(v.x), f(v.y), f(v.z), f(v.w)});
  }
}

template <class Access>
void add_access(const std::string& name, std::int64_t n, int calls) {
  add_row<float>("accesses/hardtanh/float/" + std::to_string(n) + "/" + name, HardTanh{}, n, calls,
                 [=](const Space& space, float* y, const float* x) {
                   constexpr int block_size = 256, share = block_size * 4 * Access::packs;
                   access_kernel<Access>
                       <<<static_cast<unsigned>((n - 1) / share + 1), block_size, 0, space.cuda_stream()>>>(
                           reinterpret_cast<float4*>(y), reinterpret_cast<const float4*>(x), n / 4);
                 });
}

void add_accesses(std::int64_t n, int calls) {
  add_access<Plain>("plain", n, calls);
  add_access<NonCoherentLoad>("non-coherent load", n, calls);
  add_access<StreamingLoad>("streaming load", n, calls);
  add_access<LoadPastL1>("load past the L1", n, calls);
  add_access<LoadPrefetching256>("load that prefetches 256 bytes", n, calls);
  add_access<StreamingStore>("streaming store", n, calls);
  add_access<TwoPacks>("two packs a work item", n, calls);
}

}  // namespace

void add_levers() {
  const std::int64_t large = options.rows * options.columns, cached = 1 << 22;
  add_widths<float, kachel::bfloat16>();
  add_widths<kachel::bfloat16, float>();
  add_widths<double, float>();
  add_widths<float, double>();
  add_accesses(large, 1);
  add_accesses(cached, 20);
}

#else

namespace {

/// A tile program.
template <class T>
struct LoadsAndStores {
  T* y;
  const T* x;

  template <class Tile>
  void operator()(const Tile& tile) const {
    tile.store(y, kachel::hardsigmoid(tile.load(x)));
  }
};

template <class T>
void add_host_levers() {
  const std::int64_t n = options.rows * options.columns;
  const auto add = [&](const std::string& lever, bool streams, bool fetches_ahead, const auto& call) {
    add_row<T>("levers/hardsigmoid/" + std::string(kachel::detail::type_name<T>()) + "/" +
                   std::to_string(options.rows) + "x" + std::to_string(options.columns) + "/" + lever,
               HardSigmoid{}, n, 1, [=](const Space& space, T* y, const T* x) {
                 const kachel::ScheduleOverride forced([=](kachel::Schedule& schedule) {
                   schedule.streams = streams;
                   schedule.fetches_ahead = fetches_ahead;
                 });
                 call(space, y, x);
               });
  };
  const auto map = [=](const Space& space, T* y, const T* x) {
    kachel::hardsigmoid(space, Span<T>(y, n), Span<const T>(x, n));
  };
  add("kachel", true, true, map);
  add("ordinary stores", false, true, map);
  add("ordinary stores, not fetched ahead", false, false, map);
  add("loads and stores by hand", true, true,
      [=](const Space& space, T* y, const T* x) { kachel::for_tiles<T>(space, n, LoadsAndStores<T>{y, x}); });
}

}  // namespace

void add_levers() {
  add_host_levers<float>();
  add_host_levers<kachel::half>();
  add_host_levers<kachel::bfloat16>();
  add_host_levers<double>();
}

#endif

}  // namespace bench
