// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spans of 16-bit numbers on hosts whose results are looked up in a table, or what multiplies them is: the bits of
// elements computed one by one.
#include <kachel/activations/hardsigmoid_affine.hpp>
#include <kachel/activations/mish.hpp>
#include <kachel/activations/sigmoid.hpp>
#include <kachel/activations/softplus.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/tool_events.hpp>
#include <support/typed_lists.hpp>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace kachel_test {
namespace {

template <class T, class F>
std::vector<T> one_by_one(const F& f, const std::vector<T>& x) {
  std::vector<T> y;
  for (const T value : x) y.push_back(kachel::detail::evaluate<T>(f, static_cast<float>(value)));
  return y;
}

template <class DX, class F, class DY, class X>
std::vector<DX> gradients_one_by_one(const F& f, const std::vector<DY>& dy, const std::vector<X>& x) {
  std::vector<DX> dx;
  for (std::size_t i = 0; i < x.size(); ++i)
    dx.push_back(static_cast<DX>(static_cast<float>(dy[i]) * f.narrow_slope(static_cast<float>(x[i]))));
  return dx;
}

/// x / 3, counted.
struct CountedThird {
  static inline std::atomic<std::int64_t> calls = 0;

  double scale = 1;

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    KOKKOS_IF_ON_HOST((++calls;))
    return x * static_cast<T>(scale) / 3;
  }
  KOKKOS_FUNCTION double wide(double x) const { return x * scale / 3; }
};

/// A derivative, counted.
struct CountedSlope {
  static inline std::atomic<std::int64_t> calls = 0;
  static constexpr std::string_view name = "counted_slope";
  static constexpr kachel::Contract contract{.formula = "x + scale", .ulp = 1, .gradient_ulp = 1};

  double scale = 1;

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x + static_cast<T>(scale);
  }
  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T) const {
    return dy;
  }
  KOKKOS_FUNCTION float narrow_slope(float) const {
    KOKKOS_IF_ON_HOST((++calls;))
    return 1;
  }
};

/// x with the sign of a parameter.
struct SignOf {
  double parameter = 0;

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return Kokkos::copysign(x, static_cast<T>(parameter));
  }
  KOKKOS_FUNCTION double wide(double x) const { return (*this)(x); }

  /// A name of the library's, by chance.
  friend bool is_default(const SignOf&) { return true; }
};

/// A function that nothing but its own test calls.
struct Unused : kachel::Sigmoid {
  /// A name of the library's, by chance.
  friend float wide_result(const Unused&, float) { return 77; }
};

template <class C>
class HostLookup : public testing::Test {
 public:
  using Space = typename C::Space;
  using T = typename C::Element;

  static inline const std::int64_t least = kachel::host_tuning().table_bytes / 2;          ///< of any parameters
  static inline const std::int64_t own_least = kachel::host_tuning().own_table_bytes / 2;  ///< of others than F{}'s

  template <class F>
  static void check(const F& f, std::size_t size, int x_offset, int y_offset) {
    const std::vector<T> x = varied<T>(size, size);
    const Guarded<Space, T> input(x, x_offset), output(varied<T>(size, 2), y_offset), both(x, x_offset);
    kachel::map(Space{}, output.span(), f, input.span());
    kachel::map(Space{}, both.span(), f, both.span());
    const std::vector<T> expected = one_by_one(f, x);
    EXPECT_TRUE(all_same(expected, output.values(), x)) << size << ", " << x_offset << ", " << y_offset;
    EXPECT_TRUE(all_same(expected, both.values(), x)) << size << " in place, " << x_offset;
    EXPECT_TRUE(output.untouched_around() && both.untouched_around()) << size << ": wrote outside of y";
    EXPECT_TRUE(input.untouched()) << size << ": wrote to x";
  }

  template <class F>
  static void check_backward(const F& f, std::size_t size, int dy_offset, int x_offset, int dx_offset) {
    const std::vector<T> dy = varied<T>(size, 3), x = varied<T>(size, size);
    const Guarded<Space, T> gradient(dy, dy_offset), input(x, x_offset), output(varied<T>(size, 2), dx_offset),
        over_dy(dy, dy_offset), over_x(x, x_offset);
    const kachel::PointwiseBackward<F> backward;
    backward(Space{}, output.span(), gradient.span(), input.span(), f);
    backward(Space{}, over_dy.span(), over_dy.span(), input.span(), f);
    backward(Space{}, over_x.span(), gradient.span(), over_x.span(), f);
    const std::vector<T> expected = gradients_one_by_one<T>(f, dy, x);
    EXPECT_TRUE(all_same(expected, output.values(), x)) << size << ", " << dy_offset << ", " << x_offset;
    EXPECT_TRUE(all_same(expected, over_dy.values(), x)) << size << " over dy, " << dy_offset << ", " << x_offset;
    EXPECT_TRUE(all_same(expected, over_x.values(), x)) << size << " over x, " << dy_offset << ", " << x_offset;
    EXPECT_TRUE(output.untouched_around() && over_dy.untouched_around() && over_x.untouched_around())
        << size << ": wrote outside of dx";
    EXPECT_TRUE(gradient.untouched() && input.untouched()) << size << ": wrote to an input";
  }

  /// Derivatives that a call computes by name, and by map.
  static std::array<std::int64_t, 2> slopes_of(const CountedSlope& f, std::int64_t size) {
    const Kokkos::View<T*, Space> dy("dy", size), x("x", size), dx("dx", size);
    const std::int64_t before = CountedSlope::calls;
    kachel::PointwiseBackward<CountedSlope>{}(Space{}, dx, dy, x, f);
    const std::int64_t by_name = CountedSlope::calls - before;
    kachel::map(Space{}, dx, kachel::Backward<CountedSlope, T>{f}, dy, x);
    return {by_name, CountedSlope::calls - before - by_name};
  }

  static std::int64_t calls_of(const CountedThird& f, std::int64_t size) {
    const Kokkos::View<T*, Space> x("x", size), y("y", size);
    const std::int64_t before = CountedThird::calls;
    kachel::map(Space{}, y, f, x);
    return CountedThird::calls - before;
  }
};
using HostSpacesAndFloat16 = ToTesting<Product<HostSpaces, Float16List>::type>::type;
TYPED_TEST_SUITE(HostLookup, HostSpacesAndFloat16, Names);

TYPED_TEST(HostLookup, GivesEveryResultOfArithmetic) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  const std::vector<T>& x = all_inputs<T>();
  EXPECT_TRUE(all_same(one_by_one(kachel::Sigmoid{}, x), map_over<Space>(kachel::Sigmoid{}, x), x));
  EXPECT_TRUE(all_same(one_by_one(kachel::HardSigmoidAffine{}, x), map_over<Space>(kachel::HardSigmoidAffine{}, x), x));
}

TYPED_TEST(HostLookup, GivesEveryDerivativeOfArithmetic) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  const std::vector<T>& x = all_inputs<T>();
  const std::vector<T> dy(x.rbegin(), x.rend());
  const Guarded<Space, T> gradient(dy), input(x), output(x);
  kachel::mish_backward(Space{}, output.span(), gradient.span(), input.span());
  EXPECT_TRUE(all_same(gradients_one_by_one<T>(kachel::Mish{}, dy, x), output.values(), x));
}

TYPED_TEST(HostLookup, OfDerivativesOfBoth16BitTypes) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  using Other = std::conditional_t<std::is_same_v<T, kachel::half>, kachel::bfloat16, kachel::half>;
  const std::vector<T>& x = all_inputs<T>();
  const std::vector<T> dy = varied<T>(x.size(), 3);
  const std::vector<Other> other_dy = varied<Other>(x.size(), 3);
  const Guarded<Space, T> input(x), gradient(dy), output(x);
  const Guarded<Space, Other> other_gradient(other_dy), other_output(other_dy);
  kachel::mish_backward(Space{}, output.span(), other_gradient.span(), input.span());
  EXPECT_TRUE(all_same(gradients_one_by_one<T>(kachel::Mish{}, other_dy, x), output.values(), x));
  kachel::mish_backward(Space{}, other_output.span(), gradient.span(), input.span());
  EXPECT_TRUE(all_same(gradients_one_by_one<Other>(kachel::Mish{}, dy, x), other_output.values(), other_dy));
}

TYPED_TEST(HostLookup, OfDerivativesInEveryLayout) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  constexpr int rows = 300, columns = 77;
  const auto check = [](const auto& dx, const auto& dy, const auto& x) {
    std::vector<T> of_dy = varied<T>(rows * columns, 3), of_x = varied<T>(rows * columns, 5), found;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) dy(i, j) = of_dy[i * columns + j], x(i, j) = of_x[i * columns + j];
    kachel::mish_backward(Space{}, dx, dy, x);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) found.push_back(dx(i, j));
    EXPECT_TRUE(all_same(gradients_one_by_one<T>(kachel::Mish{}, of_dy, of_x), found, of_x));
  };
  const Kokkos::View<T**, Kokkos::LayoutLeft, Space> left[] = {
      {"dx", rows, columns}, {"dy", rows, columns}, {"x", rows, columns}};
  const Kokkos::View<T**, Kokkos::LayoutRight, Space> right[] = {
      {"dx", rows, columns + 3}, {"dy", rows, columns + 3}, {"x", rows, columns}};
  const auto part = [](const auto& view) { return Kokkos::subview(view, Kokkos::ALL, std::pair(2, columns + 2)); };
  check(left[0], left[1], left[2]);
  check(left[0], left[1], right[2]);
  check(part(right[0]), part(right[1]), right[2]);
}

TYPED_TEST(HostLookup, OfAnySizeAndAlignment) {
  for (const int more : {-1, 0, 1, 15, 16, 17, 63, 64, 1000})
    for (const auto& [x_offset, y_offset] : {std::pair{0, 0}, {1, 1}, {3, 0}, {0, 17}})
      TestFixture::check(kachel::Sigmoid{}, TestFixture::least + more, x_offset, y_offset);
  for (const int more : {-1, 0, 1, 15, 16, 17, 63, 64, 1000})
    for (const auto& [dy_offset, x_offset, dx_offset] : {std::tuple{0, 0, 0}, {1, 1, 1}, {3, 0, 17}, {0, 5, 0}})
      TestFixture::check_backward(kachel::Mish{}, TestFixture::least + more, dy_offset, x_offset, dx_offset);
}

TYPED_TEST(HostLookup, PastTheCache) {
  const kachel::ScheduleOverride past_the_cache([](kachel::Schedule& schedule) {
    schedule.streams = schedule.fetches_ahead = true;
    schedule.threads = 0;
  });
  const std::size_t size = TestFixture::own_least + 77;
  TestFixture::check(kachel::HardSigmoidAffine{}, size, 1, 2);
  TestFixture::check_backward(kachel::Mish{}, size, 3, 1, 2);
}

TYPED_TEST(HostLookup, OfEveryParameter) {
  for (const double alpha : {0.2, 1e-9, 0.2, 0.7})
    for (const std::int64_t size : {TestFixture::least, TestFixture::own_least - 1, TestFixture::own_least + 5})
      TestFixture::check(kachel::HardSigmoidAffine{.alpha = alpha}, size, 0, 1);
  for (const double beta : {1.0, 0.3, 1.0})
    for (const std::int64_t size : {TestFixture::least, TestFixture::own_least - 1, TestFixture::own_least + 5})
      TestFixture::check_backward(kachel::Softplus{.beta = beta}, size, 0, 0, 1);
  for (const double sign : {0.0, -0.0, 0.0}) TestFixture::check(SignOf{sign}, TestFixture::least, 0, 0);
}

TYPED_TEST(HostLookup, ComputesATableOnceOrOnceACall) {
  using Fixture = TestFixture;
  constexpr CountedThird other{.scale = 0.5};
  EXPECT_GE(Fixture::calls_of({}, Fixture::least - 1), Fixture::least - 1);
  Fixture::calls_of({}, Fixture::least);
  EXPECT_EQ(Fixture::calls_of({}, Fixture::least), 0);
  EXPECT_GE(Fixture::calls_of(other, Fixture::own_least - 1), Fixture::own_least - 1);
  EXPECT_LE(Fixture::calls_of(other, Fixture::own_least), 2 * 65536);  // those in doubt are computed again

  constexpr CountedSlope other_slope{.scale = 0.5};
  const auto expect_at_least = [](std::int64_t count, const auto& slopes) {
    for (const std::int64_t each : slopes) EXPECT_GE(each, count);
  };
  using Slopes = std::array<std::int64_t, 2>;
  expect_at_least(Fixture::least - 1, Fixture::slopes_of({}, Fixture::least - 1));
  Fixture::slopes_of({}, Fixture::least);
  EXPECT_EQ(Fixture::slopes_of({}, Fixture::least), (Slopes{0, 0}));
  expect_at_least(Fixture::own_least - 1, Fixture::slopes_of(other_slope, Fixture::own_least - 1));
  EXPECT_EQ(Fixture::slopes_of(other_slope, Fixture::own_least), (Slopes{65536, 65536}));
}

// Of no parameters no byte may decide whether they are the default ones: it would be one that nobody has written.
TYPED_TEST(HostLookup, OfADerivativeWithoutParametersIsThatOfTheDefaults) {
  using T = typename TestFixture::T;
  EXPECT_TRUE((kachel::detail::is_stateless<kachel::Backward<kachel::Mish, T>>));
  EXPECT_TRUE((kachel::detail::is_stateless<kachel::BackwardFromOutput<kachel::Sigmoid, T>>));
  EXPECT_FALSE((kachel::detail::is_stateless<kachel::Backward<kachel::ELU, T>>));
  const Guarded<typename TestFixture::Space, T> both(varied<T>(static_cast<std::size_t>(TestFixture::least)));
  auto kernel = kachel::Kernel::rows;
  const kachel::ScheduleOverride seen([&](kachel::Schedule& schedule) { kernel = schedule.kernel; });
  kachel::mish_backward(both.span(), both.span(), both.span());
  EXPECT_EQ(kernel, kachel::Kernel::table);
}

TYPED_TEST(HostLookup, RunsUnderTheNameOfItsCall) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  const Kokkos::View<T*, Space> x("x", TestFixture::own_least), y("y", TestFixture::own_least);
  ToolEvents seen;
  {
    const ToolRecorder recorder;
    kachel::sigmoid(Space{}, y, x);
    kachel::hardsigmoid_affine(Space{}, y, x, {.alpha = 0.7});
    kachel::mish_backward(Space{}, y, y, x);
    seen = recorder.events();
  }
  const std::string type(kachel::detail::type_name<T>()), own = "kachel::hardsigmoid_affine<" + type + ">";
  const std::string backward = "kachel::mish_backward<" + type + ">";
  EXPECT_EQ(seen.labels, (std::vector<std::string>{"kachel::sigmoid<" + type + ">", own, own, backward}));
  EXPECT_EQ(seen.fences, std::vector<std::string>());
  EXPECT_EQ(seen.allocations, std::vector<std::string>());
}

TYPED_TEST(HostLookup, IsFilledOnceByThreadsAtOnce) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  const std::vector<T>& x = all_inputs<T>();
  const auto instances = Kokkos::Experimental::partition_space(Space{}, 1, 1);
  const Guarded<Space, T> input(x), outputs[2] = {Guarded<Space, T>(x), Guarded<Space, T>(x)};
  std::vector<std::thread> threads;
  for (int k = 0; k < 2; ++k)
    threads.emplace_back([&, k] { kachel::map(instances[k], outputs[k].span(), Unused{}, input.span()); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& output : outputs) EXPECT_TRUE(all_same(one_by_one(Unused{}, x), output.values(), x));
}

}  // namespace
}  // namespace kachel_test
