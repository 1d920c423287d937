// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// log, log1p, and log1p(exp(-|x|)), of which softplus and logsigmoid are made. Their errors: docs/numerics.md.
#pragma once

#include <kachel/detail/math/log.hpp>
#include <kachel/math/exp.hpp>

#include <Kokkos_NumericTraits.hpp>

namespace kachel::math {

/// The natural logarithm.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T log(T x) {
  using Format = detail::FloatFormat<T>;
  constexpr T smallest_normal = Kokkos::Experimental::norm_min_v<T>;
  constexpr T to_normal = T(detail::FloatBits<T>{1} << Format::fraction_bits),
              bias = detail::integer_shift<T> + T(Format::bias);
  const bool subnormal = x < smallest_normal;
  const T normal = select(subnormal, x * to_normal, x);
  const detail::LogArgument<T> argument = detail::reduce_log(normal);
  const T minus_k = select(subnormal, bias + T(Format::fraction_bits), bias) - argument.biased_k;
  return detail::with_poles(detail::log_of_parts(minus_k, detail::divide_by_power(normal, argument.exponent) - T(1)), x,
                            T(0));
}

/// log(1 + x), accurate also near 0.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T log1p(T x) {
  const detail::LogArgument<T> argument = detail::reduce_log(T(1) + x);
  // (1 + x) / 2^k - 1 as x / 2^k - (1 - 2^-k). 4 / 2^k is a normal number for every k.
  const T one_minus_power = fma(T(-0.25), detail::divide_by_power(T(4), argument.exponent), T(1));
  const T f = detail::divide_by_power(x, argument.exponent) - one_minus_power;
  const T minus_k = detail::integer_shift<T> + T(detail::FloatFormat<T>::bias) - argument.biased_k;
  return detail::with_poles(detail::log_of_parts(minus_k, f), x, T(-1));
}

/// log(1 + e^-|x|): softplus(x) is max(x, 0) more, logsigmoid(x) is min(x, 0) less it.
template <RealNumber T>
KOKKOS_FORCEINLINE_FUNCTION T log1p_exp_minus_abs(T x) {
  return detail::log1p_of_unit(detail::exp_of_negative(-Kokkos::abs(x)));
}

}  // namespace kachel::math
