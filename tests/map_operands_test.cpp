// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kachel::map over operands of several element types, numbers, several outputs, and arrays that are no Views.
#include <kachel/activations/hardtanh.hpp>

#include <Kokkos_DynRankView.hpp>
#include <gtest/gtest.h>
#include <support/entry_points.hpp>
#include <support/identity.hpp>
#include <support/rejection.hpp>
#include <support/typed_lists.hpp>

#include <tuple>
#include <utility>
#include <vector>

namespace kachel_test {
namespace {

/// a + b * c, in the common type of the floating-point ones.
struct MultiplyAdd {
  template <class A, class B, class C>
  KOKKOS_FUNCTION auto operator()(A a, B b, C c) const {
    using T = std::conditional_t<std::is_same_v<A, double> || std::is_same_v<C, double>, double, float>;
    return kachel::fma(static_cast<T>(b), static_cast<T>(c), static_cast<T>(a));
  }
};

template <class Space>
class MapOperands : public testing::Test {};
TYPED_TEST_SUITE(MapOperands, Spaces, Names);

constexpr int sizes[] = {1, 7, 64, 65, 127, 1001};

template <class Space, class To, class From>
void check_conversion() {
  for (const int n : sizes)
    for (const int offset : {0, 1}) {
      const std::vector<From> x = varied<From>(n);
      const Guarded<Space, From> input(x, offset);
      const Guarded<Space, To> output(std::vector<To>(x.size()));
      kachel::map(Space{}, output.span(), Identity{}, input.span());
      std::vector<To> expected;
      for (const From value : x) expected.push_back(static_cast<To>(value));
      ASSERT_TRUE(all_same(expected, output.values())) << n;
      ASSERT_TRUE(output.untouched_around());
    }
}

TYPED_TEST(MapOperands, ResultsOfAnotherTypeThanInputs) {
  check_conversion<TypeParam, kachel::bfloat16, float>();
  check_conversion<TypeParam, kachel::half, float>();
  check_conversion<TypeParam, float, kachel::bfloat16>();
  check_conversion<TypeParam, kachel::half, double>();
  check_conversion<TypeParam, double, kachel::half>();
  check_conversion<TypeParam, float, double>();
  check_conversion<TypeParam, kachel::bfloat16, kachel::half>();
}

TYPED_TEST(MapOperands, InputsOfSeveralTypes) {
  for (const int n : sizes) {
    std::vector<float> a(n);
    std::vector<int> b(n);
    std::vector<kachel::half> c(n);
    std::vector<float> expected(n);
    for (int i = 0; i < n; ++i) {
      a[i] = 0.25f * i;
      b[i] = i % 5 - 2;
      c[i] = static_cast<kachel::half>(i % 7 * 0.5f);
      expected[i] = a[i] + static_cast<float>(b[i]) * static_cast<float>(c[i]);
    }
    const Guarded<TypeParam, float> input_a(a), output(std::vector<float>(a.size()), 3);
    const Guarded<TypeParam, int> input_b(b, 1);
    const Guarded<TypeParam, kachel::half> input_c(c, 5);
    kachel::map(TypeParam{}, output.span(), MultiplyAdd{}, input_a.span(), input_b.span(), input_c.span());
    ASSERT_EQ(expected, output.values()) << n;
  }
}

struct IsDouble {
  template <class A, class B>
  KOKKOS_FUNCTION int operator()(A, B) const {
    return std::is_same_v<A, double> + 2 * std::is_same_v<B, double> + 4 * std::is_same_v<B, int>;
  }
};

TYPED_TEST(MapOperands, FloatingPointInputsComeInTheWidestOfTheirTypes) {
  const Guarded<TypeParam, int> output(std::vector<int>(9)), integers(std::vector<int>(9));
  const Guarded<TypeParam, float> floats(std::vector<float>(9));
  const Guarded<TypeParam, double> doubles(std::vector<double>(9));
  const auto type_seen = [&](const auto& a, const auto& b) {
    kachel::map(TypeParam{}, output.span(), IsDouble{}, a, b);
    return output.values()[4];
  };
  EXPECT_EQ(type_seen(floats.span(), floats.span()), 0);
  EXPECT_EQ(type_seen(floats.span(), doubles.span()), 3);
  EXPECT_EQ(type_seen(doubles.span(), integers.span()), 5);
  EXPECT_EQ(type_seen(floats.span(), 2.0), 0);
  EXPECT_EQ(type_seen(doubles.span(), 2.0f), 3);
  EXPECT_EQ(type_seen(floats.span(), 2), 4);
}

TYPED_TEST(MapOperands, IntegersPassUnchanged) {
  std::vector<std::int64_t> x = {0, -1, (std::int64_t{1} << 53) + 1, std::numeric_limits<std::int64_t>::max(),
                                 std::numeric_limits<std::int64_t>::min()};
  const Guarded<TypeParam, std::int64_t> input(x), output(std::vector<std::int64_t>(x.size()));
  kachel::map(TypeParam{}, output.span(), Identity{}, input.span());
  EXPECT_EQ(x, output.values());
}

TYPED_TEST(MapOperands, ANumberStandsForEveryElement) {
  const std::vector<float> x = {1, 2, 3, 4, 5};
  const Guarded<TypeParam, float> input(x), output(x);
  kachel::map(TypeParam{}, output.span(), MultiplyAdd{}, input.span(), 2, 0.1);
  std::vector<float> expected;
  for (const float value : x) expected.push_back(std::fma(2.0f, 0.1f, value));
  EXPECT_EQ(expected, output.values());
}

TYPED_TEST(MapOperands, SeveralResults) {
  for (const int n : sizes) {
    const std::vector<float> a = varied<float>(n), b = varied<float>(n, 3);
    const Guarded<TypeParam, float> input_a(a), input_b(b, 1), sums(std::vector<float>(a.size()), 2);
    const Guarded<TypeParam, kachel::bfloat16> products(std::vector<kachel::bfloat16>(a.size()), 1);
    kachel::map(TypeParam{}, std::tuple(sums.span(), products.span()), SumAndProduct{}, input_a.span(), input_b.span());
    std::vector<float> expected_sums;
    std::vector<kachel::bfloat16> expected_products;
    for (int i = 0; i < n; ++i) {
      expected_sums.push_back(a[i] + b[i]);
      expected_products.push_back(static_cast<kachel::bfloat16>(a[i] * b[i]));
    }
    ASSERT_TRUE(all_same(expected_sums, sums.values())) << n;
    ASSERT_TRUE(all_same(expected_products, products.values())) << n;
    ASSERT_TRUE(sums.untouched_around() && products.untouched_around());
  }
}

TYPED_TEST(MapOperands, SeveralResultsInPlaceAndInRows) {
  const std::vector<float> a = varied<float>(20 * 33), b = varied<float>(20 * 33, 3);
  const Guarded<TypeParam, float> first(a), second(b);
  using Matrix = Kokkos::View<float**, Kokkos::LayoutRight, TypeParam, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const auto columns = [](const Matrix& matrix) { return Kokkos::subview(matrix, Kokkos::ALL, std::pair(1, 30)); };
  const auto y1 = columns(Matrix(first.data(), 20, 33)), y2 = columns(Matrix(second.data(), 20, 33));
  kachel::map(TypeParam{}, std::tie(y1, y2), SumAndProduct{}, y1, y2);
  std::vector<float> expected_sums = a, expected_products = b;
  for (int i = 0; i < 20; ++i)
    for (int j = 1; j < 30; ++j) {
      expected_sums[33 * i + j] = a[33 * i + j] + b[33 * i + j];
      expected_products[33 * i + j] = a[33 * i + j] * b[33 * i + j];
    }
  EXPECT_TRUE(all_same(expected_sums, first.values()));
  EXPECT_TRUE(all_same(expected_products, second.values()));
}

/// Of low cost, and twice is not once.
struct HalfAndOne {
  static constexpr kachel::Cost cost = kachel::Cost::low;

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return Kokkos::fma(T(0.5), x, T(1));
  }
};

template <class Space, class T>
void check_windows_in_place() {
  using Number = std::conditional_t<std::is_same_v<T, double>, double, float>;
  constexpr int rows = 13;
  for (int length = 1; length <= 130; ++length) {
    const int pitch = length + 1;
    const std::vector<T> x = varied<T>(static_cast<std::size_t>(rows * pitch));
    std::vector<T> expected = x;
    for (int i = 0; i < rows * pitch; ++i)
      if (i % pitch < length) expected[i] = static_cast<T>(HalfAndOne{}(static_cast<Number>(x[i])));
    const Guarded<Space, T> memory(x);
    const Kokkos::View<T**, Kokkos::LayoutRight, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> matrix(memory.data(),
                                                                                                        rows, pitch);
    const auto window = Kokkos::subview(matrix, Kokkos::ALL, std::pair(0, length));
    kachel::map(Space{}, window, HalfAndOne{}, window);
    ASSERT_TRUE(all_same(expected, memory.values())) << length;
  }
}

TYPED_TEST(MapOperands, WindowsInPlace) {
  check_windows_in_place<TypeParam, float>();
  check_windows_in_place<TypeParam, double>();
  check_windows_in_place<TypeParam, kachel::half>();
}

TYPED_TEST(MapOperands, DynRankViews) {
  const std::vector<float> x = varied<float>(60);
  const Guarded<TypeParam, float> input(x), output(x);
  using Dynamic = Kokkos::DynRankView<float, TypeParam>;
  kachel::hardtanh(TypeParam{}, Dynamic(output.data(), 4, 15), Dynamic(input.data(), 4, 15));
  std::vector<float> expected;
  for (const float value : x) expected.push_back(kachel::hardtanh(value));
  EXPECT_TRUE(all_same(expected, output.values()));
  EXPECT_EQ(
      rejection_of([&] { kachel::hardtanh(TypeParam{}, Dynamic(output.data(), 4, 15), Dynamic(input.data(), 60)); }),
      "kachel::hardtanh: x has extents (60), expected (4, 15) as y has");
}

TYPED_TEST(MapOperands, DynRankViewsOfAnyStrides) {
  using Dynamic = Kokkos::DynRankView<float, Kokkos::LayoutRight, TypeParam, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const std::vector<float> x = varied<float>(60);
  const Guarded<TypeParam, float> input(x), output(std::vector<float>(60, 9.0f));
  const auto part = [](float* data) {
    return Kokkos::subdynrankview(Dynamic(data, 4, 15), std::pair(0, 4), std::pair(3, 10));
  };
  kachel::hardtanh(part(output.data()), part(input.data()));
  Kokkos::fence();
  std::vector<float> expected(60, 9.0f);
  for (int i = 0; i < 4; ++i)
    for (int j = 3; j < 10; ++j) expected[15 * i + j] = kachel::hardtanh(x[15 * i + j]);
  EXPECT_TRUE(all_same(expected, output.values()));
}

TYPED_TEST(MapOperands, Mdspans) {
  const std::vector<float> x = varied<float>(60);
  const Guarded<TypeParam, float> input(x), output(x);
  using Extents = Kokkos::dextents<int, 2>;
  kachel::hardtanh(TypeParam{}, Kokkos::mdspan<float, Extents>(output.data(), 4, 15),
                   Kokkos::mdspan<const float, Extents>(input.data(), 4, 15));
  std::vector<float> expected;
  for (const float value : x) expected.push_back(kachel::hardtanh(value));
  EXPECT_TRUE(all_same(expected, output.values()));
}

/// hardtanh from x to y, which hold the same elements in the same order, by mdspans of theirs.
template <class Space, class Y, class X>
void check_mdspans(const Y& y, const X& x, const Guarded<Space, float>& output, const Guarded<Space, float>& input) {
  kachel::hardtanh(Space{}, y, x);
  std::vector<float> expected;
  for (const float value : input.values()) expected.push_back(kachel::hardtanh(value));
  EXPECT_TRUE(all_same(expected, output.values()));
}

TYPED_TEST(MapOperands, MdspansOfEveryKind) {
  namespace k = Kokkos;
  const std::vector<float> values = varied<float>(60), one = varied<float>(1, 3);
  const auto check = [&](const auto& of, const std::vector<float>& of_values) {
    const Guarded<TypeParam, float> input(of_values), output(std::vector<float>(of_values.size()));
    check_mdspans(of(output.data()), of(input.data()), output, input);
  };
  check([](float* data) { return k::mdspan<float, k::extents<int, 4, 15>, k::layout_left>(data); }, values);
  check([](float* data) { return k::mdspan<float, k::extents<int>>(data); }, one);
  check(
      [](float* data) {
        using Extents = k::dextents<int, 2>;
        const k::layout_stride::mapping<Extents> mapping(Extents(15, 4), std::array{1, 15});
        return k::mdspan<float, Extents, k::layout_stride>(data, mapping);
      },
      values);
  const k::View<float**, TypeParam> x("x", 5, 7), y("y", 5, 7);
  k::deep_copy(x, 2.5f);
  kachel::hardtanh(TypeParam{}, y.to_mdspan(), x.to_mdspan());
  const auto host = k::create_mirror_view_and_copy(k::HostSpace{}, y);
  for (std::size_t i = 0; i < host.size(); ++i) ASSERT_EQ(host.data()[i], 1.0f);
}

/// A layout of one dimension, of strides, that begins at the other end.
struct Backwards {
  template <class Extents>
  struct mapping {
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    using size_type = typename Extents::size_type;
    using rank_type = typename Extents::rank_type;
    using layout_type = Backwards;

    Extents extents_;

    constexpr const Extents& extents() const { return extents_; }
    constexpr index_type required_span_size() const { return extents_.extent(0); }
    constexpr index_type operator()(index_type i) const { return extents_.extent(0) - 1 - i; }
    constexpr index_type stride(rank_type) const { return -1; }
    static constexpr bool is_always_unique() { return true; }
    static constexpr bool is_always_exhaustive() { return true; }
    static constexpr bool is_always_strided() { return true; }
    static constexpr bool is_unique() { return true; }
    static constexpr bool is_exhaustive() { return true; }
    static constexpr bool is_strided() { return true; }
  };
};

TYPED_TEST(MapOperands, MdspansWhoseFirstElementLiesElsewhere) {
  const Guarded<TypeParam, float> input(varied<float>(5)), output(std::vector<float>(5));
  using Extents = Kokkos::dextents<int, 1>;
  const Kokkos::mdspan<float, Extents, Backwards> x(input.data(), Backwards::mapping<Extents>{Extents(5)});
  EXPECT_EQ(rejection_of([&] { kachel::hardtanh(TypeParam{}, output.span(), x); }),
            "kachel::hardtanh: x is an mdspan whose layout puts the first element at 4, expected at 0");
}

/// hardtanh of another library's 16-bit type T, whose bits are those of Ours.
template <class Space, class T, class Ours>
void check_same_as() {
  static_assert(sizeof(T) == sizeof(Ours));
  const std::vector<Ours> x = varied<Ours>(1001);
  const Guarded<Space, Ours> input(x), output(x), expected(x);
  kachel::hardtanh(Space{}, expected.span(), input.span());
  kachel::hardtanh(Space{}, Span<Space, T>(reinterpret_cast<T*>(output.data()), x.size()),
                   Span<Space, const T>(reinterpret_cast<const T*>(input.data()), x.size()));
  EXPECT_TRUE(all_same(expected.values(), output.values()));
}

TYPED_TEST(MapOperands, SixteenBitTypesOfKokkosAndCuda) {
#if defined(KOKKOS_ENABLE_CUDA)
  check_same_as<TypeParam, Kokkos::Experimental::half_t, kachel::half>();
  check_same_as<TypeParam, Kokkos::Experimental::bhalf_t, kachel::bfloat16>();
  check_same_as<TypeParam, __half, kachel::half>();
  check_same_as<TypeParam, __nv_bfloat16, kachel::bfloat16>();
#else
  check_same_as<TypeParam, Kokkos::Experimental::half_t, float>();  // another name of it here
#endif
}

}  // namespace
}  // namespace kachel_test
