// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Bodies beside a mask: a bit an element of contiguous arrays, in the order of memory, which one call writes and
/// another reads.
#pragma once

#include <kachel/detail/bits.hpp>
#include <kachel/detail/tile/tiles.hpp>

namespace kachel::detail {

/// What both have: an output, an input, and the mask's bytes.
template <class F, class Y, class X, class Byte>
struct Masked {
  static constexpr int arrays = 2, input_bytes = sizeof(X);

  F f;
  Cursor<Y, 0> y;
  Cursor<const X, 1> x;
  Byte* mask;

  /// Runs visit(cursor) for each input that is an array.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_input(const Visit& visit) const {
    visit(x);
  }
};

/// y[i] = f(x[i]), and f.bit(x[i]) in the mask.
template <class F, class Y, class X>
struct ToMask : Masked<F, Y, X, std::uint8_t> {
  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile) const {
    const auto values = tile.load(this->x);
    detail::store_mask(this->mask, tile.begin(), tile.count(),
                       kachel::apply([this](auto value) { return this->f.bit(value); }, values));
    tile.store(this->y, detail::compute<Y>(this->f, values));
  }
};

/// y[i] = f(x[i], bit), with the bit from the mask.
template <class F, class Y, class X>
struct FromMask : Masked<F, Y, X, const std::uint8_t> {
  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile) const {
    const auto bits = detail::load_mask<Tile::width>(this->mask, tile.begin(), tile.count());
    tile.store(this->y, detail::compute<Y>(this->f, tile.load(this->x), bits));
  }
};

}  // namespace kachel::detail
