// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of log and log1p.
/// x = 2^k (1 + f) with 2/3 <= 1 + f < 4/3; then log1p(f) by a polynomial, and k ln 2. Constants and the errors of the
/// polynomials come from tools/sollya/constants.sollya.
#pragma once

#include <kachel/detail/math/exp.hpp>
#include <kachel/math/select.hpp>

#include <Kokkos_NumericTraits.hpp>

namespace kachel::detail {

/// A positive number as 2^k times one of [2/3, 4/3).
template <class T>
struct LogArgument {
  FloatBits<T> exponent;  ///< what to subtract from the bits of a number to divide it by 2^k
  T biased_k;             ///< k + integer_shift + bias
};

template <class T>
KOKKOS_FORCEINLINE_FUNCTION LogArgument<T> reduce_log(T x) {
  using Bits = FloatBits<T>;
  using Format = FloatFormat<T>;
  constexpr Bits one = bit_cast<Bits>(T(1)), two_thirds = bit_cast<Bits>(T(2) / T(3));
  const Bits bits = bit_cast<Bits>(x) + (one - two_thirds), biased_k = bits >> Format::fraction_bits;
  return {(biased_k << Format::fraction_bits) - one, bit_cast<T>(bit_cast<Bits>(integer_shift<T>) + biased_k)};
}

/// x / 2^k.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T divide_by_power(T x, FloatBits<T> exponent) {
  return bit_cast<T>(bit_cast<FloatBits<T>>(x) - exponent);
}

/// k ln 2 + log1p(f) for |f| <= 1/3; -0 where f is, if minus_k is +0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T log_of_parts(T minus_k, T f) {
  // rest: (log1p(f) - f) / f^2
  if constexpr (std::is_same_v<T, float>) {
    const T rest = polynomial(f, -0.5f, 0x1.555524p-2f, -0x1.000b4p-2f, 0x1.99c4e6p-3f, -0x1.515196p-3f, 0x1.1f796ap-3f,
                              -0x1.35f24cp-3f, 0x1.1b980ep-3f);
    return fma(minus_k, -0x1.62e43p-1f, fma(f * f, rest, f));  // ln 2 in one number is near enough
  } else {
    using C = ExpConstants<T>;
    const T rest = polynomial(f, -0.5, 0x1.5555555555903p-2, -0x1.0000000000ba4p-2, 0x1.99999998ef9f1p-3,
                              -0x1.55555553d5e97p-3, 0x1.2492497789b2fp-3, -0x1.00000095e6085p-3, 0x1.c71c4a7087f28p-4,
                              -0x1.99995cfd41e58p-4, 0x1.7462545ba5291p-4, -0x1.555c7c418e639p-4, 0x1.3aa8a5c07409p-4,
                              -0x1.240d77d3490e9p-4, 0x1.1645efad01a4cp-4, -0x1.05f99fdc7d277p-4, 0x1.954e77c6c4d98p-5,
                              -0x1.74d0ee1bb075ep-5, 0x1.6bb003ec3f6a8p-4, -0x1.6309feed8eb94p-4);
    const T small = fma(f * f, rest, minus_k * -C::ln2_low);
    return fma(minus_k, -C::ln2, f + small);
  }
}

/// result, but -inf where x is `zero`, NaN below it, x where x is infinite or NaN.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T with_poles(T result, T x, T zero) {
  constexpr T infinity = Kokkos::Experimental::infinity_v<T>, nan = Kokkos::Experimental::quiet_NaN_v<T>;
  const T not_finite = select(x < infinity, result, x);
  const T at_pole = select(x == zero, -infinity, not_finite);
  return select(x < zero, nan, at_pole);
}

/// log(1 + e) for 0 <= e <= 1.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T log1p_of_unit(T e) {
  T rest;  // (log1p(e) - e) / e^2
  if constexpr (std::is_same_v<T, float>)
    rest = polynomial(e, -0x1.ffffd2p-2f, 0x1.554ddap-2f, -0x1.ff2556p-3f, 0x1.935568p-3f, -0x1.3a6736p-3f,
                      0x1.b53c48p-4f, -0x1.d7efa8p-5f, 0x1.4a9226p-6f, -0x1.b22adep-9f);
  else
    rest = polynomial(e, -0x1.fffffffffff9fp-2, 0x1.5555555551052p-2, -0x1.fffffffdd4a4bp-3, 0x1.99999951fb01bp-3,
                      -0x1.55554fbe64ea3p-3, 0x1.2491fed9cfc28p-3, -0x1.fffa8bcfffd89p-4, 0x1.c6f6a83b88f65p-4,
                      -0x1.98d296b99c0afp-4, 0x1.712df6163b229p-4, -0x1.4b0220866387bp-4, 0x1.202df1e6cd062p-4,
                      -0x1.d71155046675ep-5, 0x1.5a892cb349846p-5, -0x1.b63281823d7dfp-6, 0x1.c57efaca5841ap-7,
                      -0x1.6b4e60e10c9d4p-8, 0x1.a25bf0ebc330fp-10, -0x1.31f8cd64fbbfap-12, 0x1.a9067be354a2ep-16);
  return fma(e * e, rest, e);
}

}  // namespace kachel::detail
