// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ops of one 16-bit number on a host, by a table of all their results: a call looks its elements up. What an op costs
/// is then paid 65,536 times alone, and the table holds its exact results.
#pragma once

#include <kachel/detail/backend/host/launch.hpp>
#include <kachel/detail/op.hpp>

#include <memory>

namespace kachel::detail {

/// A body: results[i] = f(the X with the bits i).
template <class Y, class X, class F>
struct Tabulate {
  F f;
  Y* results;

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile) const {
    Pack<float, Tile::width> inputs;
    for (int i = 0; i < Tile::width; ++i) inputs[i] = X::from_bits(static_cast<std::uint16_t>(tile.begin() + i));
    tile.store(Cursor<Y, 0>{results}, detail::compute<Y>(f, inputs));
  }
};

/// All results of an op of an X as Ys: of the input with the bits i the i-th.
template <class Y, class X, class F>
struct HostTable {
  using Tiling = Span<Y, AnyHost>;
  static constexpr Tiling tiling{1 << 16};

  /// Of an op at its default parameters: one for all calls, filled in the first of them, by its thread alone and
  /// without a launch, which could wait for a kernel that waits for this table.
  static const HostTable& of_defaults(const F& f) {
    static const HostTable table(f);
    return table;
  }

  /// Filled by so many threads of a space, as Schedule::threads.
  template <class Space>
  HostTable(const std::string& label, const Space& space, int threads, const F& f) {
    detail::launch(label, space, Schedule{.threads = threads}, tiling, Tabulate<Y, X, F>{f, results});
  }

  explicit HostTable(const F& f) {
    HostShare<Tiling, Tabulate<Y, X, F>>{tiling, {f, results}, tiling.tiles(), Caching::cached}(0);
  }

  alignas(host_line) Y results[1 << 16];
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
    const EightResults found = detail::look_up_eight(results, inputs, std::make_index_sequence<8>{});
    std::memcpy(static_cast<void*>(y + i), &found, sizeof(found));
  }
#endif
  for (; i < count; ++i) y[i] = results[x[i].bits()];
}

/// A body: y[i] = results[x[i]]; y may be x. Of tiles of 64 elements: those of a cache line take 1.3 times as long.
template <class Y, class X>
struct LookUp {
  const Y* results;
  const X* x;
  Y* y;

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile) const {
    KOKKOS_IF_ON_HOST((run(tile);))
  }

  template <class Tile>
  void run(const Tile& tile) const {
    const X* const from = x + tile.begin();
    Y* const to = y + tile.begin();
    if (tile.count() != Tile::width) return detail::look_up(results, from, to, tile.count());
    if (tile.caching() != Caching::cached) detail::fetch_ahead<sizeof(X) * Tile::width>(from);
    if (!streams_to(to, tile.caching())) return detail::look_up(results, from, to, Tile::width);
    Pack<Y, Tile::width> buffer;
    detail::look_up(results, from, buffer.values, Tile::width);
    copy_streaming<sizeof(buffer)>(to, buffer.values);
  }
};

/// Runs use(results), where those are f's as Ys of all Xs, in the order of the Xs' bits.
/// \param threads  that fill a table of this call alone, as Schedule::threads
template <class Y, class X, class Space, class F, class Use>
void with_results(const std::string& label, const Space& space, int threads, const F& f, const Use& use) {
  using Table = HostTable<Y, X, F>;
  if (detail::is_default(f))
    use(Table::of_defaults(f).results);
  else
    use(std::make_unique<const Table>(label, space, threads, f)->results);
}

}  // namespace kachel::detail
