// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions for results of 16 bits: of every 16-bit number and of a sample of the floats, and in a functor's
// `narrow`.
#include <kachel/map.hpp>
#include <kachel/math/gelu.hpp>
#include <kachel/math/narrow.hpp>

#include <gtest/gtest.h>
#include <support/bits.hpp>
#include <support/inputs.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace kachel_test {
namespace {

struct NarrowSigmoid {
  static constexpr const char* name() { return "sigmoid"; }
  KOKKOS_FUNCTION float operator()(float x) const { return kachel::math::narrow_sigmoid(x); }
  static long double exact(long double x) { return 1 / (1 + std::exp(-x)); }
};
struct NarrowTanh {
  static constexpr const char* name() { return "tanh"; }
  KOKKOS_FUNCTION float operator()(float x) const { return kachel::math::narrow_tanh(x); }
  static long double exact(long double x) { return std::tanh(x); }
};
struct NarrowSiLU {
  static constexpr const char* name() { return "silu"; }
  KOKKOS_FUNCTION float operator()(float x) const { return kachel::math::narrow_silu(x); }
  static long double exact(long double x) { return x / (1 + std::exp(-x)); }
};
struct NarrowGELU {
  static constexpr const char* name() { return "gelu"; }
  KOKKOS_FUNCTION float operator()(float x) const { return kachel::math::narrow_gelu(x); }
  static long double exact(long double x) { return x * std::erfc(-x / std::sqrt(2.0L)) / 2; }
};
struct NarrowGELUTanh {
  static constexpr const char* name() { return "gelu_tanh"; }
  KOKKOS_FUNCTION float operator()(float x) const { return kachel::math::narrow_gelu_tanh(x); }
  static long double exact(long double x) {
    const long double u = std::sqrt(2 / std::acos(-1.0L)) * (x + 0.044715L * x * x * x);
    return x / (1 + std::exp(-2 * u));
  }
};
using NarrowFunctions = TypeList<NarrowSigmoid, NarrowTanh, NarrowSiLU, NarrowGELU, NarrowGELUTanh>;

/// Every number of both 16-bit types, and one of 4099 floats.
std::vector<float> narrow_inputs() {
  std::vector<float> numbers;
  for (std::uint32_t bits = 0; bits < 1u << 16; ++bits) {
    numbers.push_back(static_cast<float>(from_bits<kachel::half>(static_cast<std::uint16_t>(bits))));
    numbers.push_back(static_cast<float>(from_bits<kachel::bfloat16>(static_cast<std::uint16_t>(bits))));
  }
  for (std::uint64_t bits = 0; bits >> 32 == 0; bits += 4099)
    numbers.push_back(from_bits<float>(static_cast<std::uint32_t>(bits)));
  return numbers;
}

template <class F>
struct NarrowOfEach {
  const float* x;
  float* y;
  KOKKOS_FUNCTION void operator()(int i) const { y[i] = F{}(x[i]); }
};

template <class Space, class F>
std::vector<float> narrow_of_each(const std::vector<float>& numbers) {
  const Guarded<Space, float> x(numbers), y(std::vector<float>(numbers.size()));
  Kokkos::parallel_for("narrow function", Kokkos::RangePolicy<Space>(0, static_cast<int>(numbers.size())),
                       NarrowOfEach<F>{x.data(), y.data()});
  return y.values();
}

/// |y - exact| over the greater of |exact| and the smallest normal number; 0 where both are NaN or the same infinity.
double narrow_error(float y, long double exact) {
  if (std::isnan(exact) || std::isnan(y)) return std::isnan(exact) && std::isnan(y) ? 0 : 1;
  const auto nearest = static_cast<float>(exact);
  if (std::isinf(nearest) || std::isinf(y)) return y == nearest ? 0 : 1;
  return static_cast<double>(std::abs(y - exact) /
                             std::max(std::abs(exact), static_cast<long double>(std::numeric_limits<float>::min())));
}

template <class F>
class NarrowFunction : public testing::Test {};
TYPED_TEST_SUITE(NarrowFunction, ToTesting<NarrowFunctions>::type, Names);

TYPED_TEST(NarrowFunction, IsWithin2ToTheMinus15OfItself) {
  const std::vector<float> x = narrow_inputs(), y = narrow_of_each<FirstHostSpace, TypeParam>(x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    // The limit of x f(x) as x goes to -infinity is -0, and the formula says NaN.
    const bool is_limit = x[i] == -std::numeric_limits<float>::infinity() && std::isnan(TypeParam::exact(x[i]));
    const double error = narrow_error(y[i], is_limit ? 0 : TypeParam::exact(x[i]));
    ASSERT_LE(error, 0x1p-15) << TypeParam::name() << " of " << show(x[i]) << " is " << show(y[i]);
  }
}

TYPED_TEST(NarrowFunction, KeepsTheSignOfZero) {
  const TypeParam f;
  if (TypeParam::exact(0) != 0) return;
  EXPECT_TRUE(std::signbit(f(-0.0f)));
  EXPECT_FALSE(std::signbit(f(0.0f)));
}

TYPED_TEST(NarrowFunction, HasTheSameBitsOnEverySpace) {
  const std::vector<float> x = narrow_inputs(), expected = narrow_of_each<FirstHostSpace, TypeParam>(x);
  for_each_type(OtherSpaces{}, [&]<class Space>() {
    EXPECT_TRUE(all_same(expected, narrow_of_each<Space, TypeParam>(x), x))
        << TypeParam::name() << " on " << Space::name();
  });
}

struct NarrowBiasGELU {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x, T bias) const {
    return kachel::math::gelu(x + bias);
  }
  KOKKOS_FUNCTION float narrow(float x, float bias) const { return kachel::math::narrow_gelu(x + bias); }
};

template <class T>
class NarrowMember : public testing::Test {};
TYPED_TEST_SUITE(NarrowMember, SpacesAndFloat16, Names);

TYPED_TEST(NarrowMember, GivesTheResultsOf16BitsAndNoOthers) {
  using Space = typename TypeParam::Space;
  using T = typename TypeParam::Element;
  const int rows = 33, columns = 100;
  std::vector<T> x, bias;
  for (int i = 0; i < rows * columns; ++i) x.push_back(static_cast<T>(static_cast<float>(i % 801 - 400) / 64));
  for (int i = 0; i < columns; ++i) bias.push_back(static_cast<T>(static_cast<float>(i % 7) / 8));
  using Matrix = Kokkos::View<const T**, Kokkos::LayoutRight, Space, Kokkos::MemoryUnmanaged>;
  using Row = Kokkos::View<const T*, Space, Kokkos::MemoryUnmanaged>;
  const Guarded<Space, T> of_x(x), of_bias(bias), of_y(std::vector<T>(x.size()));
  const Guarded<Space, float> of_floats(std::vector<float>(x.size()));
  const Matrix x_view(of_x.data(), rows, columns);
  const Row bias_view(of_bias.data(), columns);
  kachel::map(Space(),
              Kokkos::View<T**, Kokkos::LayoutRight, Space, Kokkos::MemoryUnmanaged>(of_y.data(), rows, columns),
              NarrowBiasGELU{}, x_view, bias_view);
  kachel::map(
      Space(),
      Kokkos::View<float**, Kokkos::LayoutRight, Space, Kokkos::MemoryUnmanaged>(of_floats.data(), rows, columns),
      NarrowBiasGELU{}, x_view, bias_view);
  const std::vector<T> y = of_y.values();
  const std::vector<float> floats = of_floats.values();
  bool differ = false;
  for (int i = 0; i < rows * columns; ++i) {
    const float sum = static_cast<float>(x[i]) + static_cast<float>(bias[i % columns]);
    ASSERT_TRUE(same(y[i], static_cast<T>(kachel::math::narrow_gelu(sum)))) << sum;
    ASSERT_TRUE(same(floats[i], kachel::math::gelu(sum))) << sum;
    differ |= kachel::math::narrow_gelu(sum) != kachel::math::gelu(sum);
  }
  EXPECT_TRUE(differ);
}

}  // namespace
}  // namespace kachel_test
