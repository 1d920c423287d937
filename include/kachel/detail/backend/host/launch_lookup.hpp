// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of one 16-bit number on a host, by a table of all their results: a call looks its elements up. What a
/// function costs is then paid 65,536 times alone, and the table holds its exact results.
#pragma once

#include <kachel/detail/backend/host/launch_tiles.hpp>
#include <kachel/detail/specialize.hpp>
#include <kachel/detail/tile/map_array.hpp>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace kachel {

/// A program: results[i] = f(the X with the bits i). What runs programs is compiled for devices, too.
template <class Y, class X, class F>
struct Tabulate {
  F f;
  Y* results;

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile) const {
    KOKKOS_IF_ON_HOST((run(tile);))
  }

 private:
  template <class Tile>
  void run(const Tile& tile) const {
    X inputs[Tile::width];
    for (int i = 0; i < Tile::width; ++i) inputs[i] = X::from_bits(static_cast<std::uint16_t>(tile.begin() + i));
    kachel::map_array(f, results + tile.begin(), 0, Tile::width, Dense<const X>{inputs});
  }
};

/// All results of a function of an X as Ys: of the input with the bits i the i-th.
template <class Y, class X, class F>
class HostTable {
  static constexpr int size = 1 << 16;

 public:
  /// Of a functor at its default parameters: one for all calls, filled in the first of them, by its thread alone and
  /// without a launch, which could wait for a kernel that waits for this table.
  static const HostTable& of_defaults(const F& f) {
    static const HostTable table(f);
    return table;
  }

  /// Filled by the threads of a space.
  template <class Space>
  HostTable(const std::string& label, const Space& space, const F& f) {
    kachel::launch_tiles(label, space, SpanTiling<Y, ThreadSpace<Space>>{size}, Tabulate<Y, X, F>{f, results_}, false);
  }

  const Y* results() const { return results_; }

 private:
  explicit HostTable(const F& f) {
    using Tiling = SpanTiling<Y, Kokkos::DefaultHostExecutionSpace>;
    const Tiling tiling{size};
    HostShare<Tiling, Tabulate<Y, X, F>>{tiling, {f, results_}, tiling.tiles(), Caching::cached}(0);
  }

  Y results_[size];
};

#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
using EightResults [[gnu::vector_size(16)]] = std::uint16_t;

/// The bits of the results for inputs 0 to 7, x being the bits of four each. Faster than gathers, and than a load of
/// each input.
template <class Y, std::size_t... k>
EightResults look_up_eight(const Y* results, const std::uint64_t (&x)[2], std::index_sequence<k...>) {
  EightResults found{};
  ((found[k] = results[x[k / 4] >> k % 4 * 16 & 0xffff].bits()), ...);
  return found;
}
#endif

/// y[i] = results[x[i]] for i < count; y may be x.
template <class Y, class X>
void look_up(const Y* results, const X* x, Y* y, int count) {
  int i = 0;
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (; i + 8 <= count; i += 8) {
    std::uint64_t inputs[2];
    std::memcpy(inputs, x + i, sizeof(inputs));
    const EightResults found = kachel::look_up_eight(results, inputs, std::make_index_sequence<8>{});
    std::memcpy(static_cast<void*>(y + i), &found, sizeof(found));
  }
#endif
  for (; i < count; ++i) y[i] = results[x[i].bits()];
}

/// A program: y[i] = results[x[i]] for the elements of a tile; y may be x.
template <class Y, class X>
struct LookUp {
  const Y* results;
  const X* x;
  Y* y;

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile) const {
    KOKKOS_IF_ON_HOST((run(tile);))
  }

 private:
  template <class Tile>
  void run(const Tile& tile) const {
    const X* const from = x + tile.begin();
    Y* const to = y + tile.begin();
    if (tile.count() != Tile::width) return kachel::look_up(results, from, to, tile.count());
    tile.fetch_ahead(Dense<const X>{x});
    if (tile.caching() != Caching::streaming) {
      kachel::look_up(results, from, to, Tile::width);
    } else {
      Pack<Y, Tile::width> buffer;
      kachel::look_up(results, from, buffer.values, Tile::width);
      copy_streaming<sizeof(buffer)>(to, buffer.values);
    }
  }
};

/// Runs use(results), where those are f's as Ys of all Xs, in the order of the Xs' bits.
/// \param size  of the span that is to be looked up, of 16-bit numbers
/// \return false  if that is too small for a table: use was not run
template <class Y, class X, class Space, class F, class Use>
bool with_results(const std::string& label, const Space& space, const F& f, std::int64_t size, const Use& use) {
  using Table = HostTable<Y, X, F>;
  constexpr auto tuned = tuning<Space>;
  const bool kept = kachel::is_default(f);
  if (!takes_at_least(kept ? tuned.lookup_bytes : tuned.tabulation_bytes, size, sizeof(X))) return false;
  if (kept)
    use(Table::of_defaults(f).results());
  else
    use(std::make_unique<const Table>(label, space, f)->results());
  return true;
}

/// y[i] = f(x[i]) of dense arrays of 16-bit numbers; y may be x.
/// \param shift  as AccessPlan says
/// \return false  if the span is too small for a table: nothing was launched
template <class Space, class F, class Y, class X>
bool launch_lookup(const std::string& label, const Space& space, const F& f, Y* y, const X* x, std::int64_t size,
                   int shift, bool in_place) {
  return kachel::with_results<Y, X>(label, space, f, size, [&](const Y* results) {
    kachel::launch_tiles(label, space, ShiftedTiling<Y, ThreadSpace<Space>>{size, shift}, LookUp<Y, X>{results, x, y},
                         in_place);
  });
}

}  // namespace kachel
