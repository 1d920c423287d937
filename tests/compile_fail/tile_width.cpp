// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::Tile: the elements of a tile are expected to be a power of two, at least 64 on a host
#include <kachel/tuning.hpp>
using Space = Kokkos::DefaultHostExecutionSpace;
template <>
inline constexpr auto kachel::tuning<Space> = kachel::HostTuning{.tile_elements = 192};
#include <kachel/kachel.hpp>

void call(Kokkos::View<float*, Space> v) { kachel::hardtanh(v, v); }
