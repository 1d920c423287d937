// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Conversion of short arrays between the floating-point types, vectorised on hosts.
#pragma once

#include <kachel/math/round_to_odd.hpp>
#include <kachel/types/bfloat16.hpp>
#include <kachel/types/half.hpp>

namespace kachel {

/// to[i] = from[i] for i < count, rounded once to the nearest number of To, ties to even.
template <int count, class From, class To>
KOKKOS_FORCEINLINE_FUNCTION void convert(const From* from, To* to) {
  if constexpr (is_float16<From> && std::is_same_v<To, double>) {
    float widened[count];
    convert<count>(from, widened);
    convert<count>(widened, to);
  } else if constexpr (std::is_same_v<From, double> && is_float16<To>) {
    float rounded[count];
    for (int i = 0; i < count; ++i) rounded[i] = round_to_odd(from[i]);
    convert<count>(rounded, to);
  } else {
#if defined(__F16C__)  // GCC and Clang do not vectorise the conversions of single numbers
    if constexpr (count % 8 == 0 && std::is_same_v<From, half> && std::is_same_v<To, float>) {
      KOKKOS_IF_ON_HOST((
          for (int i = 0; i < count; i += 8) {
            const auto* const eight = reinterpret_cast<const __m128i*>(from + i);
            _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(eight)));
          } return;))
    }
    if constexpr (count % 8 == 0 && std::is_same_v<From, float> && std::is_same_v<To, half>) {
      KOKKOS_IF_ON_HOST((
          for (int i = 0; i < count; i += 8) {
            auto* const eight = reinterpret_cast<__m128i*>(to + i);
            _mm_storeu_si128(eight, _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
          } return;))
    }
#endif
    for (int i = 0; i < count; ++i) to[i] = static_cast<To>(from[i]);
  }
}

}  // namespace kachel
