// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of full and partial tiles, at every alignment; nothing outside the span is read or written.
#include <kachel/detail/body/map.hpp>
#include <kachel/for_tiles.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <vector>

namespace kachel_test {
namespace {

/// Copies x to y and records what each tile says of itself.
template <class T>
struct CopyAndRecord {
  const T* x;
  T* y;
  std::int64_t* index;
  int* visits;

  template <class Tile>
  KOKKOS_FUNCTION void operator()(const Tile& tile) const {
    tile.store(y, tile.load(x));
    const auto indices = tile.index();
    const auto inside = tile.mask();
    for (int i = 0; i < Tile::width; ++i)
      if (inside[i]) {
        index[tile.begin() + i] = indices[i];
        visits[tile.begin() + i] += i < tile.count() ? 1 : 100;
      }
  }
};

/// Writes what a load gives beyond the span to y, a tile's width an index of x.
template <class T>
struct KeepWholeTile {
  const T* x;
  kachel::compute_type<T>* y;
  kachel::compute_type<T> other;

  template <class Tile>
  KOKKOS_FUNCTION void operator()(const Tile& tile) const {
    const auto values = tile.load(x, other);
    for (int i = 0; i < Tile::width; ++i) y[tile.begin() + i] = values[i];
  }
};

struct Negate {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return -x;
  }
};

template <class T, class Space>
struct MapTile {
  using SpanTile = kachel::detail::SpanTile<T, Space>;

  const T* x;
  T* y;

  KOKKOS_FUNCTION void operator()(const SpanTile& tile) const {
    using kachel::detail::Cursor, kachel::detail::Tuple;
    kachel::detail::Map<Negate, Tuple<Cursor<T, 0>>, Tuple<Cursor<const T, 1>>>{{}, {{{y}}}, {{{x}}}}(tile);
  }
  KOKKOS_FUNCTION void operator()(const kachel::Tile<T, Space>& tile) const {
    (*this)(SpanTile(tile.begin(), tile.count()));
  }
};

/// The same by Views, which a tile also takes.
template <class In, class Out>
struct NegateViews {
  In x;
  Out y;

  template <class Tile>
  KOKKOS_FUNCTION void operator()(const Tile& tile) const {
    tile.store(y, -tile.load(x));
  }
};

template <class T>
std::vector<T> negated(const std::vector<T>& x) {
  std::vector<T> y;
  for (const T value : x) y.push_back(static_cast<T>(-static_cast<kachel::compute_type<T>>(value)));
  return y;
}

template <class C>
class TileOf : public testing::Test {
 public:
  using T = typename C::Element;
  using Space = typename C::Space;
  static constexpr int width = kachel::Tile<T, Space>::width;
  /// Between misalignments tried: all, but for a host's threads, which are slow to start, few.
  static constexpr int step = kachel::detail::is_host_space<Space> && !std::is_same_v<Space, FirstHostSpace> ? 21 : 1;
  static constexpr int sizes[6] = {1, width - 1, width, width + 1, 3 * width + 1, 1000};
};
TYPED_TEST_SUITE(TileOf, SpacesAndElements, Names);

TYPED_TEST(TileOf, EveryElementIsVisitedOnceAtEveryAlignment) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  for (const int size : TestFixture::sizes)
    for (int offset = 0; offset < TestFixture::width; offset += TestFixture::step) {
      const std::vector<T> x = varied<T>(size);
      const Guarded<Space, T> input(x, offset), output(std::vector<T>(x.size()), (offset * 5 + 3) % 16);
      const Guarded<Space, std::int64_t> index(std::vector<std::int64_t>(x.size(), -1));
      const Guarded<Space, int> visits(std::vector<int>(x.size()));
      kachel::for_tiles<T>(Space{}, size, CopyAndRecord<T>{input.data(), output.data(), index.data(), visits.data()});
      ASSERT_TRUE(all_same(x, output.values())) << size << " elements, offset " << offset;
      ASSERT_TRUE(output.untouched_around() && input.untouched());
      ASSERT_EQ(visits.values(), std::vector<int>(x.size(), 1));
      std::vector<std::int64_t> counted(x.size());
      for (int i = 0; i < size; ++i) counted[i] = i;
      ASSERT_EQ(index.values(), counted);
    }
}

TYPED_TEST(TileOf, LoadGivesOtherBeyondTheSpan) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  using Compute = kachel::compute_type<T>;
  for (const int size : TestFixture::sizes) {
    const std::vector<T> x = varied<T>(size);
    const int whole = (size + TestFixture::width - 1) / TestFixture::width * TestFixture::width;
    std::vector<Compute> expected(whole, Compute(-7));
    for (int i = 0; i < size; ++i) expected[i] = static_cast<Compute>(x[i]);
    const Guarded<Space, T> input(x);
    const Guarded<Space, Compute> output(std::vector<Compute>(whole, Compute(9)));
    kachel::for_tiles<T>(Space{}, size, KeepWholeTile<T>{input.data(), output.data(), Compute(-7)});
    EXPECT_TRUE(all_same(expected, output.values())) << size;
  }
}

/// for_tiles with the caching given, which small spans cannot ask for.
template <class T, class Space, class Program>
void run_tiles(int size, const Program& program, kachel::detail::Caching caching) {
  if constexpr (kachel::detail::is_host_space<Space>) {
    constexpr int width = kachel::Tile<T, Space>::width;
    for (int begin = 0; begin < size; begin += width)
      program(kachel::detail::SpanTile<T, Space>(begin, std::min(width, size - begin), false, caching));
    kachel::detail::streaming_fence();
  } else {
    kachel::for_tiles<T>(Space{}, size, program);
  }
}

TYPED_TEST(TileOf, MapAppliesTheFunctorWhateverTheCaching) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  using kachel::detail::Caching;
  for (const Caching caching : {Caching::cached, Caching::fetching, Caching::streaming})
    for (const int size : TestFixture::sizes)
      for (const int offset : {0, 1, 3, 32}) {
        const std::vector<T> x = varied<T>(size);
        const Guarded<Space, T> input(x, 1), mapped(std::vector<T>(x.size()), offset),
            stored(std::vector<T>(x.size()), offset);
        run_tiles<T, Space>(size, MapTile<T, Space>{input.data(), mapped.data()}, caching);
        run_tiles<T, Space>(size, NegateViews<Span<Space, const T>, Span<Space, T>>{input.span(), stored.span()},
                            caching);
        ASSERT_TRUE(all_same(negated(x), mapped.values())) << size << " " << offset;
        ASSERT_TRUE(all_same(negated(x), stored.values())) << size << " " << offset;
        ASSERT_TRUE(mapped.untouched_around() && stored.untouched_around() && input.untouched());
      }
}

/// Two outputs from one program, and one number for every element.
template <class T, class Space>
struct ShiftTwice {
  const T* x;
  T *sum, *difference;
  Kokkos::View<T, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> number;

  template <class Tile>
  KOKKOS_FUNCTION void operator()(const Tile& tile) const {
    const auto a = tile.load(x), b = tile.load(number);
    tile.store(sum, a + b);
    tile.store(difference, a - b);
  }
};

TYPED_TEST(TileOf, StoresSeveralOutputsAndLoadsOneNumber) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  using Compute = kachel::compute_type<T>;
  for (const int size : TestFixture::sizes) {
    std::vector<T> x(size), sums(size), differences(size);
    for (int i = 0; i < size; ++i) {
      x[i] = static_cast<T>(static_cast<float>(i % 50));
      sums[i] = static_cast<T>(static_cast<Compute>(i % 50) + 3);
      differences[i] = static_cast<T>(static_cast<Compute>(i % 50) - 3);
    }
    const Guarded<Space, T> input(x), number({static_cast<T>(3.0f)}), sum(std::vector<T>(size), 1),
        difference(std::vector<T>(size), 2);
    kachel::for_tiles<T>(
        Space{}, size,
        ShiftTwice<T, Space>{input.data(), sum.data(), difference.data(),
                             Kokkos::View<T, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(number.data())});
    EXPECT_TRUE(all_same(sums, sum.values()) && all_same(differences, difference.values())) << size;
    EXPECT_TRUE(sum.untouched_around() && difference.untouched_around());
  }
}

/// Every element is what lies far beyond an int, or the tile's index.
struct StoreConverted {
  int* beyond;
  kachel::half* indices;

  template <class Tile>
  KOKKOS_FUNCTION void operator()(const Tile& tile) const {
    tile.store(beyond, kachel::Pack<float, Tile::width>(3e10f));
    tile.store(indices, tile.index());
  }
};

TYPED_TEST(TileOf, StoresConvertTheSameInFullTilesAndOthers) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  for (const int size : TestFixture::sizes) {
    const Guarded<Space, int> beyond{std::vector<int>(size)};
    const Guarded<Space, kachel::half> indices{std::vector<kachel::half>(size)};
    kachel::for_tiles<T>(Space{}, size, StoreConverted{beyond.data(), indices.data()});
    const std::vector<int> stored = beyond.values();
    const std::vector<kachel::half> stored_indices = indices.values();
    for (int i = 0; i < size; ++i) {
      ASSERT_EQ(stored[i], std::numeric_limits<int>::max()) << i << " of " << size;
      ASSERT_EQ(stored_indices[i].bits(), kachel::half(static_cast<float>(i)).bits()) << i << " of " << size;
    }
  }
}

TYPED_TEST(TileOf, LoadsAndStoresOneDimensionOfAnyStride) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  using Column = Kokkos::View<T*, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  for (const int size : TestFixture::sizes) {
    const std::vector<T> x = varied<T>(3 * size), before = varied<T>(2 * size, 5);
    const Guarded<Space, T> input(x, 1), output(before);
    const Column to(output.data(), Kokkos::LayoutStride(size, 2)), from(input.data(), Kokkos::LayoutStride(size, 3));
    kachel::for_tiles<T>(Space{}, size, NegateViews<Column, Column>{from, to});
    std::vector<T> expected = before;
    for (int i = 0; i < size; ++i) expected[2 * i] = static_cast<T>(-static_cast<kachel::compute_type<T>>(x[3 * i]));
    EXPECT_TRUE(all_same(expected, output.values())) << size;
  }
}

}  // namespace
}  // namespace kachel_test
