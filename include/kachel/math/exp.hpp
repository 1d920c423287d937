// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// exp and expm1. Their errors: docs/numerics.md.
#pragma once

#include <kachel/detail/math/exp.hpp>
#include <kachel/detail/math/sum.hpp>
#include <kachel/math/select.hpp>

namespace kachel::math {

/// The number value * scale, not yet rounded.
template <class T>
struct Scaled {
  T value;  ///< a normal number
  T scale;  ///< a power of two
};

/// exp(x + low) for x <= 0, as a normal number times a power of two: what multiplies the result comes before its
/// rounding where it is subnormal.
template <class T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION Scaled<T> scaled_exp(T x, Low... low) {
  using C = detail::ExpConstants<T>;
  const detail::ExpArgument<T> argument =
      detail::reduce_exp(at_least(x, C::lowest), select(x < C::lowest, T(0), low)...);
  return {detail::exp_of_remainder(argument.remainder, T(1) / C::scale),
          detail::power_of_two<T>(argument.shifted + C::log2_scale)};
}

/// e^x.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T exp(T x) {
  using C = detail::ExpConstants<T>;
  const T clamped = at_most(at_least(x, C::lowest), C::highest);
  const detail::ExpArgument<T> argument = detail::reduce_exp(clamped);
  const detail::PowerOfTwo<T> power = detail::split_power_of_two(clamped, argument.shifted);
  return (detail::exp_of_remainder(argument.remainder) * power.first) * power.second;
}

/// e^x - 1, accurate also near 0.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T expm1(T x) {
  using C = detail::ExpConstants<T>;
  const T clamped = at_most(at_least(x, C::saturated), C::highest);
  const detail::ExpArgument<T> argument = detail::reduce_exp(clamped);
  const detail::PowerOfTwo<T> power = detail::split_power_of_two(clamped, argument.shifted);
  // 2^n expm1(r) + (2^n - 1), all divided by power.second; the square in expm1(r) loses the sign of -0.
  const T power_minus_1 = power.first - detail::power_of_two<T>(-power.half);
  return Kokkos::copysign(
      fma(power.first, detail::expm1_of_remainder(argument.remainder), power_minus_1) * power.second, x);
}

}  // namespace kachel::math

namespace kachel::detail {

/// exp(x + low) for x <= 0.
template <class T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION T exp_of_negative(T x, Low... low) {
  const math::Scaled<T> result = math::scaled_exp(x, low...);
  return uncontracted_product(result.value, result.scale);
}

/// expm1(x + low) for x <= 0; of -0 it is +0.
template <class T, class... Low>
KOKKOS_FORCEINLINE_FUNCTION math::Sum<T> expm1_of_negative(T x, Low... low) {
  constexpr auto saturated = ExpConstants<T>::saturated;
  const ExpArgument<T> argument = reduce_exp(at_least(x, saturated), select(x < saturated, T(0), low)...);
  // 2^n expm1(r) + (2^n - 1). The second is 0 or the larger.
  const T power = power_of_two<T>(argument.shifted), power_minus_1 = power - T(1);
  T expm1_r;
  if constexpr (sizeof...(Low) == 0)
    expm1_r = expm1_of_remainder(argument.remainder);
  else
    expm1_r = expm1_of_remainder(argument.remainder, argument.low);
  const T high = fma(power, expm1_r, power_minus_1);
  return {high, fma(power, expm1_r, power_minus_1 - high)};
}

}  // namespace kachel::detail
