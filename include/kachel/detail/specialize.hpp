// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// at_defaults: what stands in for a functor whose parameters are the default ones. It takes fewer instructions, and
/// its results have the same bits.
#pragma once

#include <kachel/detail/tuple.hpp>
#include <kachel/detail/types/storage.hpp>

#include <concepts>
#include <cstring>
#include <type_traits>

namespace kachel {

/// Whether f is what F{} makes, bit by bit.
template <class F>
bool is_default(const F& f) {
  if constexpr (std::is_empty_v<F>) {
    return true;
  } else if constexpr (std::is_trivially_copyable_v<F> && std::is_default_constructible_v<F>) {
    const F made{};
    return std::memcmp(&f, &made, sizeof(F)) == 0;
  } else {
    return false;
  }
}

/// Whether F has a member template `from_16_bits`: what F{} gives for a number of type T, exact enough that its
/// rounding to T is right for every T.
template <class F, class T>
concept HasFrom16Bits = is_float16<T> && requires(const F& f) {
  { f.template from_16_bits<T>(1.0f) } -> std::same_as<float>;
};

/// That member as a functor.
template <class F, class T>
struct Of16Bits {
  KOKKOS_FORCEINLINE_FUNCTION float operator()(float x) const { return F{}.template from_16_bits<T>(x); }
};

template <class F, class Outputs, class Inputs>
struct AtDefaults {
  using type = F;
};
template <class F, class Outputs, class Inputs>
  requires requires { typename F::AtDefaults; }
struct AtDefaults<F, Outputs, Inputs> {
  using type = typename F::AtDefaults;
};
template <class F, class T>
  requires HasFrom16Bits<F, T>
struct AtDefaults<F, Tuple<T>, Tuple<T>> {
  using type = Of16Bits<F, T>;
};

/// The functor that stands in for F{} where outputs and inputs have elements of the types in Outputs and Inputs, two
/// Tuples: F's own, or its member type AtDefaults where it has one.
template <class F, class Outputs, class Inputs>
using at_defaults = typename AtDefaults<F, Outputs, Inputs>::type;

}  // namespace kachel
