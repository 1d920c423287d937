// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What tiles do not load and store, and for_tiles does not run.
#include <kachel/kachel.hpp>

// expected: kachel::Tile: atomic Views are not supported
namespace atomic_tile {
using Atomic = Kokkos::View<float*, Kokkos::MemoryTraits<Kokkos::Atomic>>;

KOKKOS_FUNCTION void store(const kachel::Tile<float>& tile, const Atomic& y) { tile.store(y, tile.load(y)); }
}  // namespace atomic_tile

// expected: kachel::Tile: a View of const elements is not stored to
namespace const_tile {
void call(const kachel::Tile<float, Kokkos::DefaultHostExecutionSpace>& tile,
          Kokkos::View<const float*, Kokkos::HostSpace> view) {
  tile.store(view, tile.load(view));
}
}  // namespace const_tile

// expected: kachel::Tile: a View of LayoutStride is expected to have rank 1
namespace strided_tile {
using Rows = Kokkos::View<float**, Kokkos::LayoutStride>;

KOKKOS_FUNCTION void store(const kachel::Tile<float>& tile, const Rows& y) { tile.store(y, tile.load(y)); }
}  // namespace strided_tile

// expected: kachel::Tile: a View of rank 0 has no room for a tile
namespace tile_to_one_element {
KOKKOS_FUNCTION void store(const kachel::Tile<float>& tile, const Kokkos::View<float>& y) {
  tile.store(y, tile.load(y));
}
}  // namespace tile_to_one_element

// expected: kachel::for_tiles: program is expected to be callable, when const, with a const Tile<T, Space>&
namespace not_a_tile_program {
struct OfIndices {
  KOKKOS_FUNCTION void operator()(const char*) const {}
};

void call() { kachel::for_tiles<float>(Kokkos::DefaultExecutionSpace{}, 8, OfIndices{}); }
}  // namespace not_a_tile_program
