// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kachel::map over many operands, of types of every size, on every path of the access plan.
#include <kachel/map.hpp>

#include <gtest/gtest.h>
#include <support/entry_points.hpp>
#include <support/identity.hpp>
#include <support/typed_lists.hpp>

#include <array>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace kachel_test {
namespace {

template <class Space, class T>
using Rows = Kokkos::View<T**, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Where 7 rows of 37 elements lie.
struct Places {
  int offset, row, element;

  int at(int i, int j) const { return offset + i * row + j * element; }
  int span() const { return at(6, 36) + 1; }

  template <class Space, class T>
  auto view(T* data) const {
    return Rows<Space, T>(data + offset, Kokkos::LayoutStride(7, row, 37, element));
  }
};

/// Dense, misaligned, rows of several pitches, strided, transposed.
constexpr Places all_places[] = {{0, 37, 1}, {3, 37, 1}, {0, 48, 1}, {5, 41, 1}, {1, 80, 2}, {2, 1, 9}};

template <class Space>
class MapMixed : public testing::Test {};
TYPED_TEST_SUITE(MapMixed, Spaces, Names);

template <class Space, class Y, class X>
void check_types() {
  for (const Places& to : all_places)
    for (const Places& from : all_places) {
      std::vector<X> x(from.span());
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<X>(static_cast<float>(i * 7 % 101));
      const std::vector<Y> before(to.span(), static_cast<Y>(111.0f));
      const Guarded<Space, X> input(x);
      const Guarded<Space, Y> output(before);
      kachel::map(Space{}, to.view<Space>(output.data()), Identity{}, from.view<Space, const X>(input.data()));
      std::vector<Y> expected = before;
      for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 37; ++j) expected[to.at(i, j)] = static_cast<Y>(x[from.at(i, j)]);
      ASSERT_EQ(expected, output.values())
          << sizeof(Y) << " and " << sizeof(X) << " bytes, " << to.row << " and " << from.row;
      ASSERT_TRUE(output.untouched_around() && input.untouched());
    }
}

TYPED_TEST(MapMixed, TypesOfEverySizeOnEveryPath) {
  check_types<TypeParam, std::int8_t, std::int8_t>();
  check_types<TypeParam, std::uint16_t, std::uint8_t>();
  check_types<TypeParam, std::int64_t, std::int8_t>();
  check_types<TypeParam, std::uint8_t, std::int64_t>();
  check_types<TypeParam, std::int8_t, kachel::half>();
  check_types<TypeParam, float, kachel::half>();
  check_types<TypeParam, kachel::bfloat16, double>();
  check_types<TypeParam, int, float>();
}

/// The sum of eight inputs, weighted by their place.
struct WeightedSum {
  KOKKOS_FUNCTION float operator()(float a, int b, float c, float d, float e, int f, float g, float h) const {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
  }
};

TYPED_TEST(MapMixed, EightInputsNumbersAmongThem) {
  for (const Places& to : all_places)
    for (const Places& from : all_places) {
      std::vector<float> floats(from.span());
      std::vector<kachel::half> halves(to.span());
      std::vector<std::int16_t> integers(from.span());
      for (int i = 0; i < from.span(); ++i) floats[i] = static_cast<float>(i % 13), integers[i] = i % 11;
      for (int i = 0; i < to.span(); ++i) halves[i] = static_cast<kachel::half>(static_cast<float>(i % 7));
      const Guarded<TypeParam, float> a(floats), output(std::vector<float>(to.span(), 5.0f));
      const Guarded<TypeParam, std::int16_t> b(integers);
      const Guarded<TypeParam, kachel::half> c(halves);
      const auto x = from.view<TypeParam, const float>(a.data());
      const auto n = from.view<TypeParam, const std::int16_t>(b.data());
      const auto h = to.view<TypeParam, const kachel::half>(c.data());
      kachel::map(TypeParam{}, to.view<TypeParam>(output.data()), WeightedSum{}, x, n, h, 0.5f, x, 3, h,
                  kachel::half(2.0f));
      const std::vector<float> results = output.values();
      for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 37; ++j) {
          const float f = floats[from.at(i, j)], half = static_cast<float>(halves[to.at(i, j)]);
          const float expected = f + 2 * integers[from.at(i, j)] + 3 * half + 4 * 0.5f + 5 * f + 6 * 3 + 7 * half + 16;
          ASSERT_EQ(expected, results[to.at(i, j)]) << i << " " << j << " " << to.row << " " << from.row;
        }
    }
}

struct FourPowers {
  KOKKOS_FUNCTION Kokkos::Array<float, 4> operator()(float x) const { return {x, x * x, x * x * x, -x}; }
};

TYPED_TEST(MapMixed, FourOutputsOnPathsOfTheirOwn) {
  for (int first = 0; first < 3; ++first) {
    const Places y[] = {all_places[first], all_places[first + 1], all_places[first + 2], all_places[0]};
    std::vector<float> x(7 * 37);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 5);
    const Guarded<TypeParam, float> input(x, 1), one(std::vector<float>(y[0].span(), 9.0f)),
        cube(std::vector<float>(y[2].span(), 9.0f), 2);
    const Guarded<TypeParam, kachel::half> square(std::vector<kachel::half>(y[1].span()), 3);
    const Guarded<TypeParam, double> negative(std::vector<double>(y[3].span(), 9.0));
    kachel::map(TypeParam{},
                std::tuple(y[0].view<TypeParam>(one.data()), y[1].view<TypeParam>(square.data()),
                           y[2].view<TypeParam>(cube.data()), y[3].view<TypeParam>(negative.data())),
                FourPowers{}, Places{0, 37, 1}.view<TypeParam, const float>(input.data()));
    const auto ones = one.values(), cubes = cube.values();
    const auto squares = square.values();
    const auto negatives = negative.values();
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j < 37; ++j) {
        const float value = x[37 * i + j];
        ASSERT_EQ(ones[y[0].at(i, j)], value);
        ASSERT_EQ(static_cast<float>(squares[y[1].at(i, j)]), value * value);
        ASSERT_EQ(cubes[y[2].at(i, j)], value * value * value);
        ASSERT_EQ(negatives[y[3].at(i, j)], -value);
      }
    EXPECT_TRUE(one.untouched_around() && square.untouched_around() && cube.untouched_around());
  }
}

/// Fails, on a host by a signal, for a divisor that no operand holds, and outside of its table.
struct DivideAndLookUp {
  const int* table;  ///< the first is at 1

  KOKKOS_FUNCTION int operator()(int a, int b) const { return a / b + table[b - 1]; }
};

struct DivideAndMultiply {
  KOKKOS_FUNCTION Kokkos::Array<int, 2> operator()(int a, int b) const { return {a / b, a * b}; }
};

TYPED_TEST(MapMixed, FunctorsSeeOnlyValuesThatTheirOperandsHold) {
  const Guarded<TypeParam, int> table({10, 20, 30});
  for (const int n : {1, 3, 5, 15, 65, 129, 1000})
    for (const int stride : {1, 2}) {
      std::vector<int> a(n * stride), b(n * stride), expected(n * stride), products(n * stride);
      for (int i = 0; i < n; ++i) {
        a[i * stride] = i, b[i * stride] = 1 + i % 3;
        expected[i * stride] = i / b[i * stride] + 10 * b[i * stride];
        products[i * stride] = i * b[i * stride];
      }
      const Guarded<TypeParam, int> input_a(a, 1), input_b(b), output(std::vector<int>(a.size())),
          second(std::vector<int>(a.size()));
      const auto view = [&](const auto& memory) {
        return Kokkos::View<int*, Kokkos::LayoutStride, TypeParam, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
            memory.data(), Kokkos::LayoutStride(n, stride));
      };
      kachel::map(TypeParam{}, view(output), DivideAndLookUp{table.data()}, view(input_a), view(input_b));
      ASSERT_EQ(expected, output.values()) << n << " " << stride;
      kachel::map(TypeParam{}, std::tuple(view(output), view(second)), DivideAndMultiply{}, view(input_a),
                  view(input_b));
      ASSERT_EQ(products, second.values()) << n << " " << stride;
    }
}

template <class Space, class Y, class X>
std::vector<Y> converted(const std::vector<X>& x) {
  const Guarded<Space, X> input(x);
  const Guarded<Space, Y> output(std::vector<Y>(x.size()));
  kachel::map(Space{}, output.span(), Identity{}, input.span());
  return output.values();
}

TYPED_TEST(MapMixed, NumbersBecomeIntegersTowardsZeroWithinTheirRange) {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x = {2.7f, -2.7f, 300, -300, 1e10f, -1e10f, infinity, -infinity, nan, -0.5f};
  constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  EXPECT_EQ((converted<TypeParam, int>(x)), (std::vector{2, -2, 300, -300, most, least, most, least, 0, 0}));
  EXPECT_EQ((converted<TypeParam, std::uint8_t>(x)), (std::vector<std::uint8_t>{2, 0, 255, 0, 255, 0, 255, 0, 0, 0}));
  const std::vector<double> wide = {0x1p63, -0x1p63, 0x1p62, 0x1p64, std::nan("")};
  EXPECT_EQ(
      (converted<TypeParam, std::int64_t>(wide)),
      (std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(),
                                 std::int64_t{1} << 62, std::numeric_limits<std::int64_t>::max(), 0}));
}

struct ToHalf {
  KOKKOS_FUNCTION kachel::half operator()(float x) const { return kachel::half(x); }
};

TYPED_TEST(MapMixed, ResultsOf16BitsBecomeIntegersWithinTheirRange) {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x = {2.7f, -2.7f, infinity, -infinity, nan};
  const Guarded<TypeParam, float> input(x);
  const Guarded<TypeParam, std::int8_t> output(std::vector<std::int8_t>(x.size()));
  kachel::map(TypeParam{}, output.span(), ToHalf{}, input.span());
  EXPECT_EQ(output.values(), (std::vector<std::int8_t>{2, -2, 127, -128, 0}));
}

/// Callable with these types alone.
struct OfThreeTypes {
  KOKKOS_FUNCTION double operator()(int a, float b, double c) const { return a + 2.0 * b + 4.0 * c; }
  template <class A, class B, class C>
  double operator()(A, B, C) const = delete;
};

TYPED_TEST(MapMixed, NumbersBesideIntegersKeepTheirTypes) {
  const Guarded<TypeParam, int> input({1, 2, 3});
  const Guarded<TypeParam, double> output(std::vector<double>(3));
  kachel::map(TypeParam{}, output.span(), OfThreeTypes{}, input.span(), 0.5f, 0.125);
  EXPECT_EQ(output.values(), (std::vector<double>{2.5, 3.5, 4.5}));
}

TYPED_TEST(MapMixed, WideIntegersAreRoundedOnce) {
  const std::int64_t above_half = (std::int64_t{1} << 62) + (std::int64_t{1} << 54) + 1;
  const std::vector<std::int64_t> x = {above_half, -above_half, above_half - 1, (std::int64_t{1} << 53) + 1, 65519};
  const std::vector<kachel::bfloat16> y = converted<TypeParam, kachel::bfloat16>(x);
  EXPECT_EQ(static_cast<float>(y[0]), 0x1.02p62f);
  EXPECT_EQ(static_cast<float>(y[1]), -0x1.02p62f);
  EXPECT_EQ(static_cast<float>(y[2]), 0x1p62f);
  EXPECT_EQ(static_cast<float>(y[3]), 0x1p53f);
  EXPECT_EQ(static_cast<float>((converted<TypeParam, kachel::half>(x))[4]), 65504.0f);
}

}  // namespace
}  // namespace kachel_test
