// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Inputs that reach everything of a type, and the results of running a functor over them.
#pragma once

#include <kachel/map.hpp>

#include <support/bits.hpp>
#include <support/memory.hpp>

#include <cstdint>
#include <vector>

namespace kachel_test {

/// All patterns of a 16-bit type. Of a larger one: a walk through the patterns in steps of an odd number, numbers of
/// even spacing in [-8, 8), and every special number with its neighbours.
template <class T>
std::vector<T> whole_range() {
  using Bits = BitsOf<T>;
  std::vector<T> values;
  if constexpr (sizeof(T) == 2) {
    for (std::uint32_t bits = 0; bits < 65536; ++bits) values.push_back(from_bits<T>(static_cast<Bits>(bits)));
  } else {
    constexpr std::int64_t walk_steps = sizeof(T) == 4 ? 1 << 22 : 1 << 20;
    constexpr Bits stride = ~Bits{0} / walk_steps | 1;
    for (std::int64_t i = 0; i < walk_steps; ++i) values.push_back(from_bits<T>(static_cast<Bits>(i * stride)));
    for (std::int64_t i = -(1 << 19); i < 1 << 19; ++i) values.push_back(static_cast<T>(i) / (1 << 16));
    const T infinity = std::numeric_limits<T>::infinity();
    for (T special : {T(0), std::numeric_limits<T>::min(), T(0.3), T(0.5), T(0.7), T(1), T(2), T(2.5), T(3), T(6),
                      infinity, std::numeric_limits<T>::quiet_NaN()})
      for (Bits step = 0; step < 512; ++step)
        for (Bits sign : {Bits{0}, Bits{1} << (8 * sizeof(T) - 1)})
          values.push_back(from_bits<T>(static_cast<Bits>((to_bits(special) + step - 256) ^ sign)));
  }
  return values;
}

/// whole_range, made once.
template <class T>
const std::vector<T>& all_inputs() {
  static const std::vector<T> values = whole_range<T>();
  return values;
}

/// `count` numbers: by turns one of [-4, 4) and one of any pattern, NaN and infinity among them.
template <class T>
std::vector<T> varied(std::size_t count, std::uint64_t seed = 1) {
  std::vector<T> values(count);
  std::uint64_t state = seed;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t random = state >> 16;
    values[i] = i % 2 == 0 ? static_cast<T>(static_cast<float>(random % 4096) / 512 - 4)
                           : from_bits<T>(static_cast<BitsOf<T>>(random | random << 48));
  }
  return values;
}

/// A float of each of the 2^23 fractions, of exponents in turn whose reciprocals are normal, too.
inline std::vector<float> every_fraction() {
  std::vector<float> values;
  for (std::uint32_t fraction = 0; fraction < 1u << 23; ++fraction)
    values.push_back(from_bits<float>((2 + fraction % 250) << 23 | fraction));
  return values;
}

/// f of every input, by kachel::map on the default instance of Space.
template <class Space, class F, class T>
std::vector<T> map_over(const F& f, const std::vector<T>& inputs) {
  const Guarded<Space, T> x(inputs), y(std::vector<T>(inputs.size()));
  kachel::map(Space{}, y.span(), f, x.span());
  return y.values();
}

}  // namespace kachel_test
