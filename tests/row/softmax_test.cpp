// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kachel::softmax, held to its definition by a plain loop, and that to exact results.
#include <kachel/softmax.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/rejection.hpp>
#include <support/shape.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace kachel_test {
namespace {

using kachel::detail::Weight;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Numbers of [shift - spread, shift + spread].
template <class T>
std::vector<T> numbers(std::size_t count, float spread, float shift, std::uint64_t seed = 1) {
  std::vector<T> values(count);
  for (T& value : values) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    value = static_cast<T>(shift + spread * (static_cast<float>(seed >> 40) * 0x1p-23f - 1));
  }
  return values;
}

/// The sum of values from a power of two of lanes or chunks, neighbours first.
float tree_sum(const std::vector<float>& values, std::size_t begin, std::size_t count) {
  if (begin >= values.size()) return -0.0f;
  if (count == 1) return values[begin];
  return tree_sum(values, begin, count / 2) + tree_sum(values, begin + count / 2, count / 2);
}

/// The sum of kachel/detail/reduce/sums.hpp.
float sum_of(const std::vector<float>& values) {
  std::vector<float> chunks;
  for (std::size_t begin = 0; begin < values.size(); begin += 512) {
    std::vector<float> lanes(128, -0.0f);
    for (std::size_t i = 0; i < 512 && begin + i < values.size(); ++i) lanes[i % 128] += values[begin + i];
    chunks.push_back(tree_sum(lanes, 0, 128));
  }
  return tree_sum(chunks, 0, std::bit_ceil(chunks.size()));
}

/// softmax of a row, as documented.
template <class T>
std::vector<T> softmax_of(const std::vector<T>& x) {
  float most = -infinity;
  for (const T value : x) most = kachel::max(most, static_cast<float>(value));
  const Weight<T> weight(most);
  std::vector<float> weights;
  for (const T value : x) weights.push_back(weight(static_cast<float>(value)));
  const float sum = sum_of(weights), inverse = 1.0f / sum;
  std::vector<T> y;
  for (const float w : weights) y.push_back(sizeof(T) == 2 ? static_cast<T>(w * inverse) : static_cast<T>(w / sum));
  return y;
}

/// Of all rows of a shape's elements, in memory's order.
template <class T>
std::vector<T> softmax_of(const std::vector<T>& x, const Shape& shape) {
  std::vector<T> y = x;
  const std::size_t length = shape.extents.back();
  for (std::size_t begin = 0; begin < shape.count(); begin += length) {
    std::vector<T> row;
    for (std::size_t i = 0; i < length; ++i) row.push_back(x[shape.place(begin + i)]);
    const std::vector<T> results = softmax_of(row);
    for (std::size_t i = 0; i < length; ++i) y[shape.place(begin + i)] = results[i];
  }
  return y;
}

/// Of contiguous elements, in the order of LayoutLeft or LayoutRight.
Shape dense_shape(const std::vector<std::size_t>& extents, bool is_left) {
  Shape shape{extents, extents};
  std::size_t stride = 1;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::size_t dimension = is_left ? i : extents.size() - 1 - i;
    shape.strides[dimension] = stride;
    stride *= extents[dimension];
  }
  return shape;
}

using RowElements = TypeList<float, kachel::half, kachel::bfloat16>;

template <class C>
class Softmax : public testing::Test {
 public:
  using Space = typename C::Space;
  using T = typename C::Element;

  /// \param offset, offset_of_y  elements before those of x and of y, after an aligned address
  static void check(const std::vector<T>& x, const Shape& of_y, const Shape& of_x, int offset, int offset_of_y) {
    SCOPED_TRACE(testing::PrintToString(of_x.extents) + " y " + testing::PrintToString(of_y.strides) + " x " +
                 testing::PrintToString(of_x.strides) + " offsets " + std::to_string(offset) + ", " +
                 std::to_string(offset_of_y));
    std::vector<T> expected(of_y.span()), results = softmax_of(x, of_x);
    for (std::size_t i = 0; i < of_x.count(); ++i) expected[of_y.place(i)] = results[of_x.place(i)];
    const Guarded<Space, T> input(x, offset), output(std::vector<T>(of_y.span()), offset_of_y);
    kachel::softmax(Space{}, array<Space>(output.data(), of_y), array<Space>(input.data(), of_x));
    EXPECT_TRUE(all_same(expected, output.values()));
    EXPECT_TRUE(output.untouched_around());
    EXPECT_TRUE(input.untouched());
  }

  static void check(const std::vector<T>& x, const Shape& of_y, const Shape& of_x, int offset = 0) {
    check(x, of_y, of_x, offset, offset);
  }

  /// Of one row.
  static std::vector<T> result_of(const std::vector<float>& x) {
    std::vector<T> row;
    for (const float value : x) row.push_back(static_cast<T>(value));
    const Guarded<Space, T> both(row);
    kachel::softmax(both.span(), both.span());
    return both.values();
  }
  static std::vector<float> floats_of(const std::vector<float>& x) {
    std::vector<float> y;
    for (const T value : result_of(x)) y.push_back(static_cast<float>(value));
    return y;
  }
};
using SpacesAndRowElements = ToTesting<CasesOf<RowElements>>::type;
TYPED_TEST_SUITE(Softmax, SpacesAndRowElements, Names);

/// Such that each kernel of aligned rows has a row that fills it, and one that is shorter by an access; and odd ones.
const std::vector<std::size_t> lengths = {1,     2,     7,     32,    33,     40,     127,    128,    129,   256,
                                          257,   384,   511,   512,   513,    768,    1000,   1024,   1025,  2048,
                                          3000,  4095,  4096,  4104,  8192,   8200,   12288,  16384,  16392, 24576,
                                          32767, 32768, 32776, 70001, 131072, 140000, 262144, 262147, 262152};

TYPED_TEST(Softmax, OfRowsOfEachLength) {
  using T = typename TestFixture::T;
  for (const std::size_t length : lengths) {
    const Shape dense{{3, length}, {length, 1}};
    for (const float shift : length < 65536 ? std::vector{0.0f, 700.0f, -50000.0f} : std::vector{700.0f})
      TestFixture::check(numbers<T>(3 * length, 6, shift, length), dense, dense);
  }
}

TYPED_TEST(Softmax, OfRowsThatBeginAnywhere) {
  using T = typename TestFixture::T;
  for (const std::size_t length :
       {1, 40, 65, 128, 129, 255, 257, 385, 512, 513, 769, 1000, 1025, 2049, 4096, 4097, 8193, 32767, 33000, 200001})
    for (const auto& [offset, apart] : {std::pair<int, std::size_t>{1, 0}, {0, 1}, {3, 5}, {8, 8}}) {
      const Shape rows{{3, length}, {length + apart, 1}};
      TestFixture::check(numbers<T>(rows.span(), 6, 0, length), rows, rows, offset);
      TestFixture::check(numbers<T>(rows.span(), 6, 0, length), Shape{{3, length}, {length, 1}}, rows, offset);
    }
}

TYPED_TEST(Softmax, OfAnyLayout) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  const Shape shapes[] = {{{100}, {1}},
                          {{100}, {3}},
                          {{9, 40}, {1, 9}},
                          {{9, 40}, {90, 2}},
                          {{40, 7}, {1, 40}},
                          {{70, 33}, {1, 70}},
                          {{70, 64}, {1, 70}},
                          {{33, 300}, {1, 33}},
                          {{33, 1300}, {1, 33}},
                          {{5, 21, 30}, {630, 1, 21}},
                          {{3, 200}, {400, 2}},
                          {{2, 3000}, {6000, 2}},
                          {{2, 20000}, {40000, 2}},
                          {{2, 33000}, {66000, 2}},
                          {{3, 5, 40}, {200, 40, 1}},
                          {{3, 5, 40}, {40, 120, 1}},
                          {{3, 5, 40}, {1, 3, 15}},
                          {{2, 1, 3, 600}, {1800, 0, 600, 1}},
                          {{2, 3, 2, 2, 33}, {1000, 300, 70, 34, 1}},
                          {{5, 1}, {1, 1}},
                          {{1, 1, 9}, {1, 1, 1}}};
  for (const Shape& shape : shapes) {
    const Shape dense = dense_shape(shape.extents, false);
    const std::vector<T> x = numbers<T>(shape.span(), 6, 0);
    const Guarded<Space, T> both(x);
    kachel::softmax(Space{}, array<Space>(both.data(), shape), array<Space>(both.data(), shape));
    EXPECT_TRUE(all_same(softmax_of(x, shape), both.values())) << testing::PrintToString(shape.strides);
    for (const auto& [offset, offset_of_y] : {std::pair{0, 0}, {1, 3}, {3, 1}}) {
      TestFixture::check(numbers<T>(shape.span(), 6, 0), shape, shape, offset, offset_of_y);
      TestFixture::check(numbers<T>(dense.span(), 6, 0), shape, dense, offset, offset_of_y);
      TestFixture::check(numbers<T>(shape.span(), 6, 0), dense, shape, offset, offset_of_y);
      TestFixture::check(numbers<T>(dense.span(), 6, 0), dense, dense, offset, offset_of_y);
    }
  }
}

/// Such that each kernel of rows that are nearer to each other than their elements has a row that fills it.
TYPED_TEST(Softmax, OfRowsNearerThanTheirElements) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  for (const std::size_t length : {1,   3,   4,   5,   8,   9,   16,   17,   32,   33,   64,   65,  128,
                                   129, 200, 256, 257, 512, 513, 1024, 1025, 2048, 2049, 4096, 4099})
    for (const std::size_t rows : {1, 2, 31, 34})
      for (const std::size_t apart : {0, 1, 2}) {
        const Shape left{{rows, length}, {1, rows + apart}};
        const std::vector<T> x = numbers<T>(left.span(), 6, 0, length + rows);
        TestFixture::check(x, left, left, 0, 0);
        if (length % 2 == 0) continue;
        TestFixture::check(x, left, left, 1, 3);
        const Guarded<Space, T> both(x);
        kachel::softmax(Space{}, array<Space>(both.data(), left), array<Space>(both.data(), left));
        EXPECT_TRUE(all_same(softmax_of(x, left), both.values())) << rows << ", " << length << ", " << apart;
      }
  for (const std::size_t length : {40, 300}) {
    const Shape layers{{6, 34, length}, {34 * length, 1, 34}}, across{{7, 6, length}, {6, 1, 42}},
        joined{{4, 10, length}, {10, 1, 40}};
    for (const Shape& shape : {layers, across, joined})
      TestFixture::check(numbers<T>(shape.span(), 6, 0, length), shape, shape, 0, 0);
  }
}

/// As of an array that is expanded.
TYPED_TEST(Softmax, OfInputsThatRepeatTheirRows) {
  using T = typename TestFixture::T;
  for (const std::size_t length : {1, 7, 8, 40, 128, 129, 256, 300, 1000, 5000})
    for (const Shape& repeated : {Shape{{100, length}, {0, 1}}, Shape{{5, 20, length}, {length, 0, 1}},
                                  Shape{{5, 20, length}, {0, length, 1}}, Shape{{100, length}, {0, 3}}})
      for (const bool is_left : {false, true})
        TestFixture::check(numbers<T>(repeated.span(), 6, 0, length), dense_shape(repeated.extents, is_left), repeated);
}

TYPED_TEST(Softmax, OfMoreRowsThanFillADevice) {
  using T = typename TestFixture::T;
  constexpr bool is_host = kachel::detail::is_host_space<typename TestFixture::Space>;
  for (const auto& [length, most_rows] : {std::pair<std::size_t, std::size_t>{3, 300001}, {24, 150001}, {65, 40001}}) {
    const std::size_t rows = is_host ? 1001 : most_rows;
    const Shape dense{{rows, length}, {length, 1}}, padded{{rows, length}, {length + 8, 1}},
        left{{rows, length}, {1, rows}};
    TestFixture::check(numbers<T>(dense.span(), 6, 0), dense, dense, 0, 0);
    TestFixture::check(numbers<T>(dense.span(), 6, 0), left, dense, 1, 0);
    TestFixture::check(numbers<T>(left.span(), 6, 0), dense, left, 0, 3);
    TestFixture::check(numbers<T>(padded.span(), 6, 0), padded, padded, 1, 1);
  }
}

TYPED_TEST(Softmax, OfManyRowsAndInPlace) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  for (const auto& [rows, length] :
       {std::pair<std::size_t, std::size_t>{1001, 40}, {77, 1000}, {5000, 3}, {1001, 65}, {77, 1001}, {5, 33001}}) {
    const Shape dense{{rows, length}, {length, 1}};
    const std::vector<T> x = numbers<T>(rows * length, 6, 0);
    TestFixture::check(x, dense, dense);
    const Guarded<Space, T> both(x);
    kachel::softmax(Space{}, array<Space>(both.data(), dense), array<Space>(both.data(), dense));
    EXPECT_TRUE(all_same(softmax_of(x, dense), both.values())) << rows << ", " << length;
  }
}

TYPED_TEST(Softmax, OfEachNumberOfRows) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  for (std::size_t rows = 1; rows <= 35; ++rows)
    for (const std::size_t length : {1, 7, 8, 15, 16, 20, 40, 128}) {
      const Shape dense{{rows, length}, {length, 1}};
      const std::vector<T> x = numbers<T>(rows * length, 6, 0, rows);
      TestFixture::check(x, dense, dense);
      const Guarded<Space, T> both(x);
      kachel::softmax(Space{}, array<Space>(both.data(), dense), array<Space>(both.data(), dense));
      EXPECT_TRUE(all_same(softmax_of(x, dense), both.values())) << rows << ", " << length;
    }
}

TYPED_TEST(Softmax, OfNothing) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  const Kokkos::View<T**, Space> no_rows("x", 0, 5), empty_rows("x", 5, 0);
  kachel::softmax(no_rows, no_rows);
  kachel::softmax(empty_rows, empty_rows);
}

TYPED_TEST(Softmax, OfWhatIsNotFinite) {
  using Floats = std::vector<float>;
  const auto expect_nan = [](const Floats& y) {
    for (const float value : y) EXPECT_TRUE(std::isnan(value)) << testing::PrintToString(y);
  };
  for (const std::size_t length : {1, 3, 300, 301, 5000, 5001, 40000, 40001})
    for (const std::size_t place : {std::size_t{0}, length / 2, length - 1})
      for (const float value : {nan, -nan, infinity}) {
        Floats x(length, 1.0f);
        x[place] = value;
        expect_nan(TestFixture::floats_of(x));
      }
  expect_nan(TestFixture::floats_of({-infinity}));
  expect_nan(TestFixture::floats_of(Floats(300, -infinity)));
  expect_nan(TestFixture::floats_of({infinity, -infinity}));
  EXPECT_EQ(TestFixture::floats_of({-infinity, 3, -infinity}), (Floats{0, 1, 0}));
  Floats masked(5000, -infinity), expected(5000, 0.0f);
  masked[4321] = masked[17] = -7, expected[4321] = expected[17] = 0.5f;
  EXPECT_EQ(TestFixture::floats_of(masked), expected);
}

TYPED_TEST(Softmax, OfNumbersOfAnyMagnitude) {
  using T = typename TestFixture::T;
  using Floats = std::vector<float>;
  const auto largest = static_cast<float>(std::is_same_v<T, kachel::half> ? T(65504.0f) : T(3.3e38f));
  for (const float x : {0.0f, -0.0f, 1e-30f, 0.3f, 77.0f, -512.0f, 513.0f, 32768.0f, -33000.0f, largest, -largest}) {
    EXPECT_EQ(TestFixture::floats_of({x}), Floats{1}) << x;
    EXPECT_EQ(TestFixture::floats_of({x, x}), (Floats{0.5f, 0.5f})) << x;
    EXPECT_EQ(TestFixture::floats_of(Floats(4096, x)), Floats(4096, 0x1p-12f)) << x;
  }
  EXPECT_EQ(TestFixture::floats_of({-largest, largest, 0}), (Floats{0, 1, 0}));
  EXPECT_EQ(TestFixture::floats_of({-86.5f, 0}), (Floats{0, 1}));  // less than 2^-124
}

template <class T>
class SoftmaxOf : public testing::Test {};
TYPED_TEST_SUITE(SoftmaxOf, ToTesting<RowElements>::type, Names);

/// What a result may differ by from the exact one, in a row of so many elements: of docs/numerics.md.
template <class T>
double allowed_error(long double exact, std::size_t length) {
  constexpr bool is_half = std::is_same_v<T, kachel::half>;
  if (exact < 0x1p-120L && !is_half) return 0x1p-124;
  const auto chunks = static_cast<unsigned>((length + 511) / 512);
  const double additions = std::bit_width(std::bit_ceil(chunks)) - 1 + std::min(10.0, std::ceil(std::log2(length)));
  if (sizeof(T) == 4) return static_cast<double>((4 + additions) * 0x1p-24 * exact);
  constexpr double units = is_half ? 0.58 : 0.55;  // in the last place
  constexpr int least_exponent = is_half ? -14 : -126, fraction_bits = is_half ? 10 : 7;
  return units * std::ldexp(1.0, std::max(std::ilogb(exact), least_exponent) - fraction_bits);
}

template <class T>
double error_of(T y, long double exact) {
  return static_cast<double>(std::abs(static_cast<long double>(static_cast<float>(y)) - exact));
}

TYPED_TEST(SoftmaxOf, EachElementIsNearTheExactResult) {
  using T = TypeParam;
  for (const std::size_t length : {2, 3, 40, 1000, 8192, 32768})
    for (const auto& [spread, shift] :
         {std::pair{0.5f, 0.0f}, {6.0f, 0.0f}, {40.0f, 0.0f}, {6.0f, 500.0f}, {6.0f, -30000.0f}, {6.0f, 50000.0f}}) {
      const std::vector<T> x = numbers<T>(length, spread, shift, length + 5);
      const std::vector<T> y = softmax_of(x);
      long double most = static_cast<float>(x[0]), sum = 0;
      for (const T value : x) most = std::max<long double>(most, static_cast<float>(value));
      for (const T value : x) sum += std::exp(static_cast<float>(value) - most);
      double worst = 0;
      for (std::size_t i = 0; i < length; ++i) {
        const long double exact = std::exp(static_cast<float>(x[i]) - most) / sum;
        worst = std::max(worst, error_of(y[i], exact) / allowed_error<T>(exact, length));
      }
      EXPECT_LE(worst, 1) << length << ", " << spread << ", " << shift;
    }
}

/// Each number of 16 bits, and of float those whose other bits are 0.
TYPED_TEST(SoftmaxOf, EachNumberIsNearTheExactResultBesideTheNextBelow) {
  using T = TypeParam;
  using Bits = kachel_test::BitsOf<T>;
  constexpr int spare_bits = 8 * sizeof(T) - 16;
  for (std::uint32_t i = 0; i < 1u << 16; ++i) {
    const auto bits = static_cast<Bits>(static_cast<Bits>(i) << spare_bits);
    const auto most = kachel_test::from_bits<T>(bits);
    const bool is_negative = i >> 15 != 0;
    if ((i & 0x7fffu) == 0) continue;
    for (const Bits step : std::set<Bits>{1, static_cast<Bits>(Bits{1} << spare_bits)}) {
      const auto below = kachel_test::from_bits<T>(static_cast<Bits>(is_negative ? bits + step : bits - step));
      const long double weight =
          std::exp(static_cast<long double>(static_cast<float>(below)) - static_cast<float>(most));
      if (!std::isfinite(static_cast<float>(most)) || !std::isfinite(static_cast<float>(below))) continue;
      const std::vector<T> y = softmax_of(std::vector<T>{most, below});
      for (const auto& [result, exact] : {std::pair{y[0], 1 / (1 + weight)}, {y[1], weight / (1 + weight)}})
        if (error_of(result, exact) > allowed_error<T>(exact, 2))
          FAIL() << "of " << static_cast<float>(most) << " and " << static_cast<float>(below) << ": "
                 << static_cast<float>(result) << ", expected " << exact;
    }
  }
}

TEST(Softmax, WalksRowsAsTheyLie) {
  const Kokkos::View<float****, Kokkos::LayoutLeft, Kokkos::HostSpace> x("x", 2, 3, 4, 5);
  kachel::detail::Array arrays[2];
  for (kachel::detail::Array& array : arrays) kachel::detail::describe(array, "softmax", "x", x);
  const kachel::detail::RowPlan plan = kachel::detail::plan_rows("softmax", arrays);
  EXPECT_EQ(plan.rank, 1);
  EXPECT_EQ(plan.rows, 24);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(plan.strides[k][0], 1);
    EXPECT_EQ(plan.element_strides[k], 24);
  }
}

TEST(Softmax, OfNumbersFarBelowTheLargestIsSmallOrZero) {
  std::vector<float> x(32768, 0.0f);
  for (const float far : {-83.0f, -85.7f, -86.2f, -86.3f, -100.0f}) {
    x[7] = far;
    EXPECT_NEAR(softmax_of(x)[7], std::exp(static_cast<double>(far)) / 32768, 0x1p-124);
    EXPECT_NEAR(softmax_of(std::vector{0.0f, far})[1], std::exp(static_cast<double>(far)), 0x1p-124);
  }
}

TEST(SoftmaxWeight, OfNumbersFarBelowTheLargestIsZero) {
  for (const float most : {0.0f, 1.0f, -7.3f, 500.0f, 30000.0f, 1e6f, -3e38f}) {
    const Weight<float> weight(most);
    EXPECT_NEAR(weight(most), 1.0f, 0.42f) << most;
    EXPECT_EQ(weight(-infinity), 0) << most;
    EXPECT_TRUE(std::isnan(weight(nan))) << most;
    if (std::abs(most) > 1e6f) continue;
    EXPECT_EQ(weight(most - 88), 0) << most;
    EXPECT_GT(weight(most - 85), 0x1p-124f) << most;
  }
}

/// A sum s 2^n of weights, as one pass finds it.
struct State {
  float n = -1e30f, s = -0.0f;
};

/// Neighbours, of which the one of the greater n gives it to both.
State merged(const State& a, const State& b) {
  const float n = std::max(a.n, b.n);
  const auto scaled = [n](const State& state) {
    return std::ldexp(state.s, static_cast<int>(std::max(state.n - n, -1000.0f)));
  };
  return {n, scaled(a) + scaled(b)};
}

State tree_merge(const std::vector<State>& states, std::size_t begin, std::size_t count) {
  if (begin >= states.size()) return {};
  if (count == 1) return states[begin];
  return merged(tree_merge(states, begin, count / 2), tree_merge(states, begin + count / 2, count / 2));
}

template <class T>
class SoftmaxSum : public testing::Test {};
TYPED_TEST_SUITE(SoftmaxSum, ToTesting<RowElements>::type, Names);

TYPED_TEST(SoftmaxSum, IsThatOfOnePass) {
  using T = TypeParam;
  constexpr bool is_half = std::is_same_v<T, kachel::half>;
  constexpr int lowest = is_half ? 0 : Weight<T>::lowest;  // half has it in its least x alone
  for (const std::size_t length : {1, 40, 513, 5000, 32768})
    for (const auto& [spread, shift] : {std::pair{6.0f, 0.0f}, {40.0f, 3.0f}, {6.0f, -20000.0f}}) {
      const std::vector<T> x = numbers<T>(length, spread, shift, length);
      // Each weight beside its own exponent, as no largest number is known yet.
      const auto state_of = [](float value) {
        const Weight<T> own(value);
        const float n = kachel::detail::integer_shift<float> + static_cast<float>(lowest) - own.shift;
        return State{n, own(value)};
      };
      std::vector<State> chunks;
      for (std::size_t begin = 0; begin < length; begin += 512) {
        std::vector<State> lanes(128);
        for (std::size_t i = 0; i < 512 && begin + i < length; ++i)
          lanes[i % 128] = merged(lanes[i % 128], state_of(static_cast<float>(x[begin + i])));
        chunks.push_back(tree_merge(lanes, 0, 128));
      }
      const State sum = tree_merge(chunks, 0, std::bit_ceil(chunks.size()));
      float most = -infinity;
      for (const T value : x) most = std::max(most, static_cast<float>(value));
      const Weight<T> weight(most);
      std::vector<float> weights;
      for (const T value : x) weights.push_back(weight(static_cast<float>(value)));
      EXPECT_EQ(sum.s, sum_of(weights)) << length << ", " << spread << ", " << shift;
    }
}

TEST(SoftmaxErrors, NameTheOperand) {
  using Space = FirstHostSpace;
  using Matrix = Kokkos::View<float**, Kokkos::LayoutRight, Space, Kokkos::MemoryUnmanaged>;
  const Kokkos::View<float**, Space> a("a", 3, 4), b("b", 3, 5);
  EXPECT_EQ(rejection_of([&] { kachel::softmax(a, b); }),
            "kachel::softmax: x has extents (3, 5), expected (3, 4) as y has");
  float number = 0;
  const auto scalar = array<Space>(&number, Shape{});
  EXPECT_EQ(rejection_of([&] { kachel::softmax(scalar, scalar); }),
            "kachel::softmax: y has no dimension, expected rows along its last one");
  EXPECT_EQ(rejection_of([&] { kachel::softmax(Matrix(nullptr, 3, 4), a); }),
            "kachel::softmax: y is a null pointer, expected 12 elements");
  EXPECT_EQ(
      rejection_of([&] { kachel::softmax(Matrix(a.data() + 1, 2, 4), Matrix(a.data(), 2, 4)); }),
      "kachel::softmax: x overlaps y: it begins 4 bytes before it, expected the same memory or no element in common");
  EXPECT_EQ(rejection_of([&] {
              kachel::softmax(array<Space>(a.data(), Shape{{2, 4}, {0, 1}}),
                              array<Space>(b.data(), Shape{{2, 4}, {4, 1}}));
            }),
            "kachel::softmax: y has extents (2, 4) with strides (0, 1), expected strides that keep its elements apart");
}

}  // namespace
}  // namespace kachel_test
