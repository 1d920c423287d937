// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the references of silu and its kind share: x times the sigmoid of something.
#pragma once

#include <Kokkos_Core.hpp>

namespace kachel_test {

/// 1/2 + d, or a number near the one half on d's side of it where no type tells them apart.
template <class R>
KOKKOS_FUNCTION R beside_half(R d) {
  return R(0.5) + Kokkos::copysign(Kokkos::max(Kokkos::abs(d), R(0x1p-62)), d);
}

/// x sigmoid(z + z_low).
template <class R>
KOKKOS_FUNCTION R gate(R x, R z, R z_low) {
  if (Kokkos::abs(z) > R(1e6)) return z > 0 ? x : Kokkos::copysign(R(0), x);
  if (Kokkos::abs(z) < R(0x1p-33)) return x * beside_half(z / 4);
  const R e = Kokkos::exp(-Kokkos::abs(z)) * (1 + (z < 0 ? z_low : -z_low));
  return z >= 0 ? x / (1 + e) : x * e / (1 + e);
}

/// The derivative of z sigmoid(z) at z + z_low. Around its root it is a sum of two numbers of one sign.
template <class R>
KOKKOS_FUNCTION R silu_slope(R z, R z_low) {
  constexpr long double root = -0xa3a4b9e420905bf2p-63L, root_low = 0xa2d0d94faaebb5b0p-128L,
                        at_root = 0x8e92e79082416fc7p-65L;
  if (Kokkos::abs(z) > R(1e6)) return z > 0 ? R(1) : R(-0.0);
  if (z < R(-0.5)) {
    const R d = ((z - R(root)) - R(root - R(root))) - R(root_low) + z_low, e = Kokkos::exp(z) * (1 + z_low);
    return e * (d + R(at_root) * Kokkos::expm1(d)) / ((1 + e) * (1 + e));
  }
  const R e = Kokkos::exp(-z) * (1 - z_low);
  return z > 11000 ? R(1) : (1 + e * (1 + z)) / ((1 + e) * (1 + e));
}

}  // namespace kachel_test
