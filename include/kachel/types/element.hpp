// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which types elements of arrays have, and in which type they are computed.
#pragma once

#include <kachel/detail/types/storage.hpp>

#include <type_traits>

namespace kachel {

/// The type that elements of type T are computed in: float for the 16-bit types, T itself otherwise.
template <class T>
using compute_type = std::conditional_t<is_float16<T>, float, T>;

/// Whether T is a floating-point type, of 16 bits or more.
template <class T>
inline constexpr bool is_floating = std::is_same_v<T, float> || std::is_same_v<T, double> || is_float16<T>;

/// Whether arrays may have elements of type T.
template <class T>
inline constexpr bool is_element = is_floating<T> || (std::is_integral_v<T> && sizeof(T) <= 8);

}  // namespace kachel
