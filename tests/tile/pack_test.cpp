// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs behave as numbers do: every operation on a pack is that operation on each of its elements.
#include <kachel/pack.hpp>

#include <gtest/gtest.h>
#include <support/bits.hpp>
#include <support/memory.hpp>
#include <support/typed_lists.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace kachel_test {
namespace {

constexpr int width = 4;

/// Each operation on packs a, b, c or on their element i, by one piece of source: V is a pack or a number.
struct Arithmetic {
  static constexpr int count = 22;

  template <class V, class Keep>
  KOKKOS_FUNCTION static void run(const V& a, const V& b, const V& c, const Keep& keep) {
    keep(0, a + b);
    keep(1, a - b);
    keep(2, a * b);
    keep(3, a / b);
    keep(4, -a);
    keep(5, a + 2);
    keep(6, 2 - a);
    keep(7, a * 0.5f);
    keep(8, 3 / a);
    keep(9, kachel::select(a < b, a, c));
    keep(10, kachel::select(a <= b, a, c));
    keep(11, kachel::select(a > b, a, c));
    keep(12, kachel::select(a >= b, a, c));
    keep(13, kachel::select(a == b, a, c));
    keep(14, kachel::select(a != b, a, c));
    keep(15, kachel::min(a, b));
    keep(16, kachel::max(a, b));
    keep(17, kachel::clamp(a, V(-1), V(2)));
    keep(18, kachel::fma(a, b, c));
    keep(19, kachel::select((a < b) & (b < c), a, b));
    keep(20, kachel::select((a < b) | (b < c), a, b));
    keep(21, kachel::select(!(a < b), a, b));
  }
};

template <class T>
struct KeepPack {
  T* results;
  KOKKOS_FUNCTION void operator()(int operation, const kachel::Pack<T, width>& values) const {
    for (int i = 0; i < width; ++i) results[operation * width + i] = values[i];
  }
};

template <class T>
struct KeepNumber {
  T* results;
  int element;
  KOKKOS_FUNCTION void operator()(int operation, T value) const { results[operation * width + element] = value; }
};

template <class T>
struct RunOnPacks {
  const T* x;
  T* results;

  KOKKOS_FUNCTION void operator()(int index) const {
    kachel::Pack<T, width> a, b, c;
    for (int i = 0; i < width; ++i) {
      a[i] = x[3 * width * index + i];
      b[i] = x[3 * width * index + width + i];
      c[i] = x[3 * width * index + 2 * width + i];
    }
    Arithmetic::run(a, b, c, KeepPack<T>{results + index * Arithmetic::count * width});
  }
};

template <class Space, class T>
void check_arithmetic() {
  using Limits = std::numeric_limits<T>;
  const std::vector<T> special = {T(-0.0),
                                  T(0),
                                  T(1),
                                  T(-1),
                                  T(2.5),
                                  T(3),
                                  Limits::infinity(),
                                  -Limits::infinity(),
                                  Limits::quiet_NaN(),
                                  Limits::denorm_min(),
                                  Limits::max()};
  const std::size_t n = special.size();
  std::vector<T> x;
  for (std::size_t i = 0; i < 3 * width * 400; ++i) x.push_back(special[(i * i / 7 + i) % n]);
  constexpr int block = Arithmetic::count * width;
  std::vector<T> expected(400 * block);
  for (int index = 0; index < 400; ++index)
    for (int i = 0; i < width; ++i) {
      const T* const from = x.data() + 3 * width * index + i;
      Arithmetic::run(from[0], from[width], from[2 * width], KeepNumber<T>{expected.data() + index * block, i});
    }
  const Guarded<Space, T> input(x), results(std::vector<T>(expected.size()));
  Kokkos::parallel_for("packs", Kokkos::RangePolicy<Space>(0, 400), RunOnPacks<T>{input.data(), results.data()});
  EXPECT_TRUE(all_same(expected, results.values()));
}

template <class Space>
class PackOn : public testing::Test {};
TYPED_TEST_SUITE(PackOn, Spaces, Names);

TYPED_TEST(PackOn, EveryOperationIsThatOfItsElements) {
  check_arithmetic<TypeParam, float>();
  check_arithmetic<TypeParam, double>();
}

using Floats = kachel::Pack<float, 4>;
using Indices = kachel::Pack<std::int64_t, 4>;

constexpr Floats floats(float a, float b, float c, float d) {
  Floats pack(a);
  pack[1] = b;
  pack[2] = c;
  pack[3] = d;
  return pack;
}

constexpr bool equal(const Floats& a, const Floats& b) {
  for (int i = 0; i < 4; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

TEST(Pack, ComputesInConstantExpressions) {
  constexpr Floats a = floats(1, -2, 3, -4);
  static_assert(Floats::size() == 4);
  static_assert(equal(a + 1, floats(2, -1, 4, -3)));
  static_assert(equal(2 * a, floats(2, -4, 6, -8)));
  static_assert(equal(kachel::max(a, 0), floats(1, 0, 3, 0)));
  static_assert(equal(kachel::min(0, a), floats(0, -2, 0, -4)));
  static_assert(equal(kachel::clamp(a, -1, 2), floats(1, -1, 2, -1)));
  static_assert(equal(kachel::select(a > 0, a, a * 0.5f), floats(1, -1, 3, -2)));
  static_assert(equal(kachel::select(a > 0, 1.0f, a), floats(1, -2, 1, -4)));
  static_assert(equal(kachel::select(a > 0, 1.0f, 0.0f), floats(1, 0, 1, 0)));
}

TEST(Pack, OfIntegersHasBitsAndMasks) {
  constexpr Indices index(12);
  static_assert((index & 10)[0] == 8 && (index | 3)[3] == 15 && (index / 5)[1] == 2);
  constexpr auto odd = (index & 1) == 1;
  static_assert(kachel::is_pack<std::remove_const_t<decltype(odd)>> && !odd[0] && (!odd)[0]);
  static_assert((index % 5)[2] == 2 && kachel::Pack<float, 4>(index)[1] == 12.0f);
  static_assert(!std::is_convertible_v<float, Indices>, "index * 0.5f would be index * 0");
  static_assert(!std::is_convertible_v<kachel::half, Indices> && std::is_convertible_v<kachel::half, Floats>);
  static_assert(!kachel::is_pack<int>);
}

template <class A, class B>
concept HasMinimum = requires(A a, B b) { kachel::min(a, b); };
template <class A, class B>
concept CanBeSelected = requires(A a, B b) { kachel::select(kachel::Pack<bool, 4>(true), a, b); };

TEST(Pack, OfAnotherTypeIsNotConverted) {
  using Doubles = kachel::Pack<double, 4>;
  static_assert(HasMinimum<Floats, Floats> && HasMinimum<Floats, int> && HasMinimum<int, Floats>);
  static_assert(!HasMinimum<Floats, Doubles> && !HasMinimum<Indices, Floats> && !HasMinimum<Indices, float>);
  static_assert(CanBeSelected<Floats, double> && CanBeSelected<int, Floats> && CanBeSelected<float, double>);
  static_assert(!CanBeSelected<Floats, Doubles> && !CanBeSelected<Floats, Indices>);
}

TEST(Pack, OfNaNsComparesAsNaNsDo) {
  const Floats nan(std::numeric_limits<float>::quiet_NaN());
  EXPECT_FALSE((nan == nan)[0] || (nan < nan)[1] || (nan >= 0)[2]);
  EXPECT_TRUE((nan != nan)[3]);
  EXPECT_TRUE(is_nan(kachel::min(nan, 1)[0]) && is_nan(kachel::max(1, nan)[0]) && is_nan(kachel::clamp(nan, 0, 1)[0]));
}

struct Sum {
  KOKKOS_FUNCTION float operator()(float a, std::int64_t b) const { return a + static_cast<float>(b); }
};

TEST(Pack, AppliesAFunctorOfSeveralPacks) {
  const auto result = kachel::apply(Sum{}, floats(1, 2, 3, 4), Indices(10));
  static_assert(std::is_same_v<decltype(result), const Floats>);
  EXPECT_TRUE(equal(result, floats(11, 12, 13, 14)));
}

// One 16-byte access moves a pack of 16 bytes, and no pack asks for more than a cache line.
TEST(Pack, IsAlignedToItsSize) {
  static_assert(alignof(Floats) == 16 && sizeof(Floats) == 16);
  static_assert(alignof(kachel::Pack<double, 64>) == 64 && alignof(kachel::Pack<bool, 4>) == 4);
}

}  // namespace
}  // namespace kachel_test
