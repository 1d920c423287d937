// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/activations/hardtanh.hpp>
#include <kachel/for_tiles.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/typed_lists.hpp>

#include <cmath>

namespace kachel_test {
namespace {

template <class C>
class HardTanh : public testing::Test {};
TYPED_TEST_SUITE(HardTanh, SpacesAndElements, Names);

TYPED_TEST(HardTanh, IsCalledWithAndWithoutSpaceAndParameters) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  const std::vector<T> x = varied<T>(129);
  const std::vector<T> narrow = map_over<Space>(kachel::HardTanh{}, x);
  const std::vector<T> wide = map_over<Space>(kachel::HardTanh{-2, 2}, x);
  const Guarded<Space, T> in(x), a(x), b(x), c(x), d(x);
  kachel::hardtanh(Space{}, a.span(), in.span());
  kachel::hardtanh(b.span(), in.span());
  kachel::hardtanh(Space{}, c.span(), in.span(), {.min_val = -2, .max_val = 2});
  kachel::hardtanh(d.span(), in.span(), {.min_val = -2, .max_val = 2});
  EXPECT_TRUE(all_same(narrow, a.values()));
  EXPECT_TRUE(all_same(narrow, b.values()));
  EXPECT_TRUE(all_same(wide, c.values()));
  EXPECT_TRUE(all_same(wide, d.values()));
}

/// kachel::hardtanh of a number, with and without parameters, in a kernel of the user's.
template <class T>
struct NamedObject {
  const T* x;
  T* y;

  KOKKOS_FUNCTION void operator()(int i) const {
    y[2 * i] = kachel::hardtanh(x[i]);
    y[2 * i + 1] = kachel::hardtanh(x[i], {.min_val = -2, .max_val = 2});
  }
};

TYPED_TEST(HardTanh, IsCalledByNameInAUserKernel) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  const std::vector<T> x = varied<T>(200);
  const Guarded<Space, T> in(x), out(std::vector<T>(400));
  Kokkos::parallel_for("user kernel", Kokkos::RangePolicy<Space>(0, 200), NamedObject<T>{in.data(), out.data()});
  const std::vector<T> narrow = map_over<Space>(kachel::HardTanh{}, x);
  const std::vector<T> wide = map_over<Space>(kachel::HardTanh{-2, 2}, x);
  std::vector<T> expected;
  for (int i = 0; i < 200; ++i) expected.insert(expected.end(), {narrow[i], wide[i]});
  EXPECT_TRUE(all_same(expected, out.values()));
}

/// The same of Kokkos' own 16-bit numbers, which a backend may not have; and of a tile of them.
template <class T>
struct OfKokkosNumbers {
  const T* x;
  T* y;

  KOKKOS_FUNCTION void operator()(int i) const { y[i] = kachel::hardtanh_backward(kachel::hardtanh(x[i]), x[i]); }

  template <class Tile>
    requires(Tile::width > 0)
  KOKKOS_FUNCTION void operator()(const Tile& tile) const {
    const auto values = tile.load(x);
    tile.store(y, kachel::hardtanh_backward(kachel::hardtanh(values), values));
  }
};

template <class T, class Space>
void check_kokkos_numbers() {
  std::vector<T> x, expected;
  for (int i = 0; i < 100; ++i) {
    x.push_back(static_cast<T>(static_cast<float>(i) / 25 - 2));
    expected.push_back(std::abs(static_cast<float>(x[i])) < 1 ? x[i] : static_cast<T>(0.0f));
  }
  const Guarded<Space, T> input(x), by_number(x), by_tile(x);
  Kokkos::parallel_for("user kernel", Kokkos::RangePolicy<Space>(0, 100),
                       OfKokkosNumbers<T>{input.data(), by_number.data()});
  kachel::for_tiles<kachel::detail::storage_type<T>>(Space{}, 100, OfKokkosNumbers<T>{input.data(), by_tile.data()});
  const std::vector<T> numbers = by_number.values(), tiles = by_tile.values();
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(static_cast<float>(expected[i]), static_cast<float>(numbers[i])) << i;
    EXPECT_EQ(static_cast<float>(expected[i]), static_cast<float>(tiles[i])) << i;
  }
}

template <class Space>
class HardTanhOnSpace : public testing::Test {};
TYPED_TEST_SUITE(HardTanhOnSpace, Spaces, Names);

TYPED_TEST(HardTanhOnSpace, OfKokkosNumbers) {
  check_kokkos_numbers<Kokkos::Experimental::half_t, TypeParam>();
  check_kokkos_numbers<Kokkos::Experimental::bhalf_t, TypeParam>();
}

TEST(HardTanhFunctor, IsConstexpr) {
  static_assert(kachel::HardTanh{}(1.5f) == 1.0f);
  static_assert(kachel::HardTanh{-2, 2}(-3.0) == -2.0);
  static_assert(kachel::hardtanh(kachel::half(-1.5f)).bits() == 0xbc00);
  static_assert(kachel::HardTanh{}(kachel::Pack<float, 4>(2.0f))[3] == 1.0f);
}

}  // namespace
}  // namespace kachel_test
