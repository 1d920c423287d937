// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints a hash of what each function of math/ gives for a sample of floats and doubles, NaN apart: the same whatever
// compiled this. By nvcc on a machine with a GPU it prints the device's, else the host's.
#include <kachel/detail/math/from_16_bits.hpp>
#include <kachel/detail/math/narrow.hpp>
#include <kachel/math/exp.hpp>
#include <kachel/math/gelu.hpp>
#include <kachel/math/log.hpp>
#include <kachel/math/mish.hpp>
#include <kachel/math/narrow.hpp>
#include <kachel/math/normal_cdf.hpp>
#include <kachel/math/reciprocal.hpp>
#include <kachel/math/sigmoid.hpp>
#include <kachel/math/square_root.hpp>
#include <kachel/math/tanh.hpp>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

constexpr const char* names[] = {"exp",
                                 "expm1",
                                 "sigmoid",
                                 "tanh",
                                 "log",
                                 "log1p",
                                 "log1p_exp_minus_abs",
                                 "normal_cdf",
                                 "logistic_density",
                                 "x_minus_tanh",
                                 "gelu",
                                 "gelu_slope",
                                 "gelu_tanh",
                                 "gelu_tanh_slope",
                                 "mish",
                                 "mish_slope",
                                 "times_sigmoid",
                                 "silu_slope",
                                 "tanh_squared",
                                 "reciprocal",
                                 "square_root",
                                 "narrow_logistic_density",
                                 "narrow_sigmoid",
                                 "narrow_silu_slope",
                                 "narrow_gelu_tanh_slope",
                                 "narrow_gelu_slope",
                                 "narrow_mish_slope",
                                 "narrow_tanh",
                                 "narrow_silu",
                                 "narrow_gelu",
                                 "narrow_gelu_tanh",
                                 "sigmoid_from_16_bits of half",
                                 "sigmoid_from_16_bits of bfloat16",
                                 "silu_from_16_bits of half",
                                 "silu_from_16_bits of bfloat16",
                                 "tanh_from_16_bits of half",
                                 "tanh_from_16_bits of bfloat16",
                                 "softsign_from_16_bits",
                                 "hardswish_from_16_bits of half",
                                 "hardswish_from_16_bits of bfloat16",
                                 "slope_from_16_bits"};
constexpr int functions = sizeof(names) / sizeof(names[0]), narrow_functions = 20;

// In place of NearExp2 and NearReciprocal, which differ from machine to machine.
struct Exp2 {
  KOKKOS_FUNCTION float operator()(float x) const { return kachel::fma(x, x, 1.0f); }
};
struct Reciprocal {
  KOKKOS_FUNCTION float operator()(float x) const { return kachel::math::reciprocal(x); }
};

template <int number, class T>
KOKKOS_FUNCTION T function(T x) {
  if constexpr (number == 0) return kachel::math::exp(x);
  if constexpr (number == 1) return kachel::math::expm1(x);
  if constexpr (number == 2) return kachel::math::sigmoid(x);
  if constexpr (number == 3) return kachel::math::tanh(x);
  if constexpr (number == 4) return kachel::math::log(x);
  if constexpr (number == 5) return kachel::math::log1p(x);
  if constexpr (number == 6) return kachel::math::log1p_exp_minus_abs(x);
  if constexpr (number == 7) return kachel::math::normal_cdf(x);
  if constexpr (number == 8) return kachel::math::logistic_density(x);
  if constexpr (number == 9) return kachel::math::x_minus_tanh(x);
  if constexpr (number == 10) return kachel::math::gelu(x);
  if constexpr (number == 11) return kachel::math::gelu_slope(x);
  if constexpr (number == 12) return kachel::math::gelu_tanh(x);
  if constexpr (number == 13) return kachel::math::gelu_tanh_slope(x);
  if constexpr (number == 14) return kachel::math::mish(x);
  if constexpr (number == 15) return kachel::math::mish_slope(x);
  if constexpr (number == 16) return kachel::detail::times_sigmoid(x, T(1.702));
  if constexpr (number == 17) return kachel::detail::silu_slope(x, T(1.702), T(0x1p-55));
  if constexpr (number == 18) return kachel::detail::tanh_squared(x);
  if constexpr (number == 19) return kachel::math::reciprocal(x);
  if constexpr (number == 20) return kachel::math::square_root(x);
  if constexpr (number == 21) return kachel::detail::narrow_logistic_density(x);
  if constexpr (number == 22) return kachel::detail::narrow_sigmoid(x);
  if constexpr (number == 23) return kachel::detail::narrow_silu_slope(x);
  if constexpr (number == 24) return kachel::detail::narrow_gelu_tanh_slope(x);
  if constexpr (number == 25) return kachel::detail::narrow_gelu_slope(x);
  if constexpr (number == 26) return kachel::detail::narrow_mish_slope(x);
  if constexpr (number == 27) return kachel::detail::narrow_tanh(x);
  if constexpr (number == 28) return kachel::math::narrow_silu(x);
  if constexpr (number == 29) return kachel::math::narrow_gelu(x);
  if constexpr (number == 30) return kachel::math::narrow_gelu_tanh(x);
  if constexpr (number == 31) return kachel::detail::sigmoid_from_half(x);
  if constexpr (number == 32) return kachel::detail::sigmoid_from_bfloat16(x, 0x1p-16f, Exp2(), Reciprocal());
  if constexpr (number == 33) return kachel::detail::silu_from_half(x);
  if constexpr (number == 34) return kachel::detail::silu_from_bfloat16(x, 0x1p-16f, Exp2(), Reciprocal());
  if constexpr (number == 35)
    return kachel::detail::tanh_from_16_bits<11>(x, kachel::detail::tanh_constants<11>(), Reciprocal());
  if constexpr (number == 36)
    return kachel::detail::tanh_from_16_bits<8>(x, kachel::detail::tanh_constants<8>(), Reciprocal());
  if constexpr (number == 37) return kachel::detail::softsign_from_16_bits<11>(x, Reciprocal());
  if constexpr (number == 38) return kachel::detail::hardswish_from_16_bits<11>(x);
  if constexpr (number == 39) return kachel::detail::hardswish_from_16_bits<8>(x);
  if constexpr (number == 40) return kachel::detail::slope_from_16_bits(x, 0.25f, 0x1p-149f);
}

constexpr int chunk = 1024, chunks = 200;

/// Number i of the sample: by turns one of [-24, 24) and any pattern.
template <class T>
KOKKOS_FUNCTION T sample(std::uint64_t i) {
  std::uint64_t random = (i + 1) * 0x9e3779b97f4a7c15u;
  random = (random ^ (random >> 32)) * 0xbf58476d1ce4e5b9u;
  if (i % 2 == 0) return static_cast<T>(static_cast<std::int32_t>(random >> 32)) * T(0x1.8p-27);
  return kachel::detail::bit_cast<T>(static_cast<kachel::detail::FloatBits<T>>(random >> (64 - 8 * sizeof(T))));
}

template <int number, class T>
KOKKOS_FUNCTION std::uint64_t hash_of_chunk(std::uint64_t first) {
  T x[chunk], y[chunk];
  for (int i = 0; i < chunk; ++i) x[i] = sample<T>(first + i);
  for (int i = 0; i < chunk; ++i) y[i] = function<number>(x[i]);  // alone, so that compilers vectorise it
  std::uint64_t hash = 0;
  for (int i = 0; i < chunk; ++i)
    if (y[i] == y[i]) hash = hash * 0x100000001b3u + kachel::detail::bit_cast<kachel::detail::FloatBits<T>>(y[i]);
  return hash;
}

template <int number, class T>
std::vector<std::uint64_t> host_hashes() {
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < chunks; ++i) hashes.push_back(hash_of_chunk<number, T>(std::uint64_t{chunk} * i));
  return hashes;
}

#if defined(__NVCC__)
template <int number, class T>
__global__ void hash_chunks(std::uint64_t* hashes) {
  hashes[blockIdx.x] = hash_of_chunk<number, T>(std::uint64_t{chunk} * blockIdx.x);
}

template <int number, class T>
std::vector<std::uint64_t> hashes() {
  std::uint64_t* shared = nullptr;
  if (cudaMallocManaged(&shared, chunks * sizeof(std::uint64_t)) != cudaSuccess) return host_hashes<number, T>();
  hash_chunks<number, T><<<chunks, 1>>>(shared);
  if (cudaDeviceSynchronize() != cudaSuccess) return {};
  const std::vector<std::uint64_t> result(shared, shared + chunks);
  cudaFree(shared);
  return result;
}
#else
template <int number, class T>
std::vector<std::uint64_t> hashes() {
  return host_hashes<number, T>();
}
#endif

template <class T, int... number>
void print(const char* type, std::integer_sequence<int, number...>) {
  const auto print_one = [&](const char* name, const std::vector<std::uint64_t>& all) {
    std::uint64_t hash = 0;
    for (const std::uint64_t one : all) hash = hash * 0x100000001b3u + one;
    std::printf("%s %s %016" PRIx64 "\n", name, type, hash);
  };
  (print_one(names[number], hashes<number, T>()), ...);
}

}  // namespace

int main() {
  print<float>("float", std::make_integer_sequence<int, functions>{});
  print<double>("double", std::make_integer_sequence<int, functions - narrow_functions>{});
}
