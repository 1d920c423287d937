// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A walk through the inputs of a type: what kachel::map gives for them as a hash, and how far off it is.
#pragma once

#include "report.hpp"

#include <kachel/map.hpp>

#include <support/bits.hpp>
#include <support/typed_lists.hpp>
#include <support/ulp.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <type_traits>

namespace kachel_test {

/// Spreads the bits of a number. Source: G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number Generators
/// (2014), with the constants of SplitMix64.
KOKKOS_INLINE_FUNCTION std::uint64_t mix(std::uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// Which inputs are walked through: of a float the patterns in order, in even steps; of a double pseudorandom patterns,
/// every other one between 2^-28 and 2^12 in magnitude, where functions curve.
template <class T>
struct Inputs {
  std::int64_t step = 1;

  std::int64_t count() const { return (std::int64_t{1} << (sizeof(T) == 4 ? 32 : 26)) / step; }

  KOKKOS_FUNCTION T operator[](std::int64_t i) const {
    const auto number = static_cast<std::uint64_t>(i * step);
    if constexpr (sizeof(T) == 4) {
      return kachel::detail::bit_cast<T>(static_cast<std::uint32_t>(number));
    } else {
      constexpr std::uint64_t exponent_bits = std::uint64_t{0x7ff} << 52;
      const std::uint64_t pattern = mix(number), exponent = 1023 - 28 + (pattern >> 52 & 0x7ff) % 40;
      return kachel::detail::bit_cast<T>(number % 2 == 0 ? pattern : (pattern & ~exponent_bits) | exponent << 52);
    }
  }
};

/// An error and the number of its input.
using Worst = Kokkos::ValLocScalar<double, std::int64_t>;

/// What all results come to. `first` is the number of the chunk's first input. The hash is a sum, in which the order
/// does not matter.
template <class Space, class T>
struct Tally {
  Inputs<T> inputs;
  std::int64_t first;
  Kokkos::View<const T*, Space> y;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::uint64_t& hash, std::int64_t& nans,
                                  std::int64_t& nans_lost) const {
    const T x = inputs[first + i];
    const bool is_nan = y(i) != y(i);
    const std::uint64_t result = is_nan ? ~std::uint64_t{0} : kachel::detail::bit_cast<BitsOf<T>>(y(i));
    hash += mix(mix(kachel::detail::bit_cast<BitsOf<T>>(x)) + result);
    nans += is_nan;
    nans_lost += x != x && !is_nan;
  }
};

/// The greatest error, of every `stride`-th result.
template <class Space, class T, class Error>
struct Measure {
  Inputs<T> inputs;
  std::int64_t first, stride;
  Kokkos::View<const T*, Space> y;
  Error error_of;

  KOKKOS_FUNCTION void operator()(std::int64_t number, Worst& worst) const {
    const std::int64_t i = number * stride;
    const double error = error_of(inputs[first + i], y(i));
    if (error > worst.val) worst = {error, first + i};
  }
};

template <class Space, class T>
struct Fill {
  Inputs<T> inputs;
  std::int64_t first;
  Kokkos::View<T*, Space> x;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { x(i) = inputs[first + i]; }
};

/// Whether both are the same number with the same bits, or NaN.
KOKKOS_INLINE_FUNCTION bool same_float(float a, float b) {
  return kachel::detail::bit_cast<std::uint32_t>(a) == kachel::detail::bit_cast<std::uint32_t>(b) || (a != a && b != b);
}

/// For walks that measure no errors.
struct NoError {};

/// Walks through the inputs in chunks: compute(space, y, x) launches what gives y; error_of(x, y) is the error of a
/// result in units of the last place. With the option --errors prints each chunk's, which is that of a binade where all
/// floats are walked through.
template <class Space, class T, class Compute, class Error>
Outcome walk(Inputs<T> inputs, const Compute& compute, const Error& error_of) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  constexpr std::int64_t chunk = 1 << 23;
  const Space space;
  const std::int64_t largest = std::min(chunk, inputs.count());
  const Kokkos::View<T*, Space> x(Kokkos::view_alloc("x", Kokkos::WithoutInitializing), largest);
  const Kokkos::View<T*, Space> y(Kokkos::view_alloc("y", Kokkos::WithoutInitializing), largest);
  Outcome outcome;
  for (std::int64_t first = 0; first < inputs.count(); first += chunk) {
    const std::int64_t size = std::min(chunk, inputs.count() - first);
    const auto part = Kokkos::pair<std::int64_t, std::int64_t>(0, size);
    Kokkos::parallel_for("inputs", Range(space, 0, size), Fill<Space, T>{inputs, first, x});
    compute(space, Kokkos::subview(y, part), Kokkos::subview(x, part));
    std::uint64_t hash = 0;
    std::int64_t nans = 0, nans_lost = 0;
    Kokkos::parallel_reduce("tally", Range(space, 0, size), Tally<Space, T>{inputs, first, y}, hash, nans, nans_lost);
    outcome.hash += hash;
    outcome.nans += nans;
    outcome.nans_lost += nans_lost;
    if constexpr (!std::is_same_v<Error, NoError>) {
      const std::int64_t stride = options().stride;
      Worst worst;
      Kokkos::parallel_reduce("errors", Range(space, 0, (size - 1) / stride + 1),
                              Measure<Space, T, Error>{inputs, first, stride, y, error_of},
                              Kokkos::MaxFirstLoc<double, std::int64_t>(worst));
      const double at = inputs[worst.loc];
      if (options().errors)
        std::printf("  %a to %a: %.3f ulp at %a\n", inputs[first], inputs[first + size - 1], worst.val, at);
      if (worst.val > outcome.error) outcome.error = worst.val, outcome.at = at;
    }
  }
  return outcome;
}

/// The same on the space that the option --space names.
template <class T, class Compute, class Error>
Outcome walk_where_asked(Inputs<T> inputs, const Compute& compute, const Error& error_of) {
  Outcome outcome;
  for_each_type(WalkedSpaces{}, [&]<class Space>() {
    if (options().space == Space::name()) outcome = walk<Space>(inputs, compute, error_of);
  });
  return outcome;
}

}  // namespace kachel_test
