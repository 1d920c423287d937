// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::for_tiles: program is expected to be callable, when const, with a const Tile<T, Space>&
#include <kachel/kachel.hpp>

struct OfIndices {
  KOKKOS_FUNCTION void operator()(const char*) const {}
};

void call() { kachel::for_tiles<float>(Kokkos::DefaultExecutionSpace{}, 8, OfIndices{}); }
