// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kachel::map over spans of every size and alignment; two functors, one of one input and one of two.
#include <kachel/activations/hardtanh.hpp>
#include <kachel/map.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/reference.hpp>
#include <support/tool_events.hpp>
#include <support/typed_lists.hpp>

#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// Functions that any call of Kachel's own with the functor, if not qualified, would find and fail with.
namespace stranger {
struct Negate {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return -x;
  }
};
template <class... A>
void map(const A&...) = delete;
template <class... A>
void apply(const A&...) = delete;
template <class T, class... A>
void compute(const A&...) = delete;
template <class T, int n, class... A>
void any_may_be_halfway(const A&...) = delete;
template <class F, class... A>
void wide_result(const A&...) = delete;
template <class T, class... A>
void for_tiles(const A&...) = delete;
template <class... A>
void launch(const A&...) = delete;
template <class T, int tiles, int blocks, bool rows, class... A>
void launch_body(const A&...) = delete;
template <class T, bool rows, class... A>
void schedule_and_launch(const A&...) = delete;
template <class T, bool rows, class... A>
void specialize_and_launch(const A&...) = delete;
template <class T, class S, class... A>
void run_tile(const A&...) = delete;
template <class T, class S, class... A>
void run_tiles(const A&...) = delete;
}  // namespace stranger

namespace kachel_test {
namespace {

/// A user's functor: nameless, of two inputs that it treats differently.
struct SlopeWhereNegative {
  template <class T>
  KOKKOS_FUNCTION T operator()(T a, T slope) const {
    return kachel::select(a > T(0), a, a * slope);
  }
};

template <class T>
std::vector<T> clamped(const std::vector<T>& x) {
  std::vector<T> y;
  for (const T value : x) y.push_back(static_cast<T>(Reference<kachel::HardTanh>{}(kachel::compute_type<T>(value))));
  return y;
}

template <class T>
std::vector<T> sloped(const std::vector<T>& x, const std::vector<T>& slope) {
  using Compute = kachel::compute_type<T>;
  std::vector<T> y;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto a = static_cast<Compute>(x[i]), b = static_cast<Compute>(slope[i]);
    y.push_back(static_cast<T>(a > 0 ? a : a * b));
  }
  return y;
}

/// Functors whose results are not of the type that they are given.
struct AddInDouble {
  template <class T>
  KOKKOS_FUNCTION double operator()(T x) const {
    return x + 1e-4;
  }
};
struct SignAsInteger {
  template <class T>
  KOKKOS_FUNCTION int operator()(T x) const {
    return x > 0 ? 3 : -2;
  }
};
struct IsPositive {
  template <class T>
  KOKKOS_FUNCTION bool operator()(T x) const {
    return x > 0;
  }
};
template <class Result>
struct ConvertTo {
  template <class T>
  KOKKOS_FUNCTION Result operator()(T x) const {
    return static_cast<Result>(x);
  }
};

/// The bytes from which on a space treats a span as larger than its caches.
template <class Space>
std::int64_t large_bytes() {
  return kachel::tuning(Space{}).large_bytes;
}

template <class C>
class Map : public testing::Test {
 public:
  using T = typename C::Element;
  using Space = typename C::Space;
  static constexpr int width = kachel::Tile<T, Space>::width;

  /// y apart from x, at these offsets in elements from an aligned address.
  static void check_apart(std::size_t size, int x_offset, int y_offset) {
    const std::vector<T> x = varied<T>(size, size + 1);
    const Guarded<Space, T> input(x, x_offset), output(varied<T>(size, 2), y_offset);
    kachel::map(Space{}, output.span(), kachel::HardTanh{}, input.span());
    ASSERT_TRUE(all_same(clamped(x), output.values()));
    ASSERT_TRUE(output.untouched_around()) << "wrote outside of y";
    ASSERT_TRUE(input.untouched()) << "wrote to x";
  }

  static void check_in_place(std::size_t size, int offset) {
    const std::vector<T> x = varied<T>(size, size + 1);
    const Guarded<Space, T> both(x, offset);
    kachel::map(Space{}, both.span(), kachel::HardTanh{}, both.span());
    ASSERT_TRUE(all_same(clamped(x), both.values()));
    ASSERT_TRUE(both.untouched_around());
  }

  static void check_two_inputs(std::size_t size, int x_offset, int slope_offset, int y_offset) {
    const std::vector<T> x = varied<T>(size, 3), slope = varied<T>(size, 4);
    const Guarded<Space, T> input(x, x_offset), second(slope, slope_offset), output(x, y_offset);
    kachel::map(Space{}, output.span(), SlopeWhereNegative{}, input.span(), second.span());
    ASSERT_TRUE(all_same(sloped(x, slope), output.values()));
    ASSERT_TRUE(output.untouched_around() && input.untouched() && second.untouched());
    kachel::map(Space{}, second.span(), SlopeWhereNegative{}, input.span(), second.span());
    ASSERT_TRUE(all_same(sloped(x, slope), second.values()));
  }

  /// f on x against f on one number at a time; sizes with full tiles and a partial one.
  template <class F>
  static void check_functor(const F& f) {
    for (const std::size_t size : {3, 200}) {
      const std::vector<T> x = varied<T>(size);
      std::vector<T> expected;
      for (const T value : x) expected.push_back(static_cast<T>(f(static_cast<kachel::compute_type<T>>(value))));
      const Guarded<Space, T> input(x), output(x);
      kachel::map(Space{}, output.span(), f, input.span());
      EXPECT_TRUE(all_same(expected, output.values())) << size;
    }
  }

  static std::vector<std::size_t> small_sizes() {
    const std::size_t w = width;
    return {0, 1, w - 1, w, w + 1, 2 * w - 1, 2 * w + 1, 15, 16, 17, 127, 128, 129};
  }

  /// Every misalignment; a few for a host's threads, which run the same code as one, and are slow to start.
  static std::vector<int> offsets() {
    if constexpr (kachel::detail::is_host_space<Space> && !std::is_same_v<Space, FirstHostSpace>)
      return {0, 1, width - 1};
    std::vector<int> every(width);
    std::iota(every.begin(), every.end(), 0);
    return every;
  }
};
TYPED_TEST_SUITE(Map, SpacesAndElements, Names);

TYPED_TEST(Map, OfEverySmallSizeAtEveryAlignment) {
  for (const std::size_t size : TestFixture::small_sizes())
    for (const int offset : TestFixture::offsets())
      for (const auto& [x, y] : {std::pair(offset, offset), {offset, 0}, {0, offset}, {offset, (offset + 1) % 64}}) {
        SCOPED_TRACE(testing::Message() << size << " elements, x off by " << x << ", y by " << y);
        TestFixture::check_apart(size, x, y);
        if (this->HasFatalFailure()) return;
      }
}

TYPED_TEST(Map, OfLargerSizes) {
  for (const std::size_t size : {4095, 4096, 4097, 100003})
    for (const auto& [x, y] : {std::pair(0, 0), {1, 1}, {0, 1}, {1, 0}, {3, 5}}) {
      SCOPED_TRACE(testing::Message() << size << " elements, x off by " << x << ", y by " << y);
      TestFixture::check_apart(size, x, y);
    }
}

// Beyond the size from which a host writes past its cache.
TYPED_TEST(Map, OfSpansLargerThanACache) {
  const std::size_t size = large_bytes<typename TypeParam::Space>() / sizeof(typename TestFixture::T) + 37;
  TestFixture::check_apart(size, 0, 0);
  TestFixture::check_apart(size, 1, 3);
  TestFixture::check_in_place(size, 0);
  TestFixture::check_in_place(size, 1);
  TestFixture::check_two_inputs(size, 0, 0, 0);
}

TYPED_TEST(Map, InPlace) {
  for (const std::size_t size : TestFixture::small_sizes())
    for (const int offset : TestFixture::offsets()) TestFixture::check_in_place(size, offset);
  for (const std::size_t size : {4095, 4096, 4097, 100003}) TestFixture::check_in_place(size, 1);
}

TYPED_TEST(Map, OfTwoInputs) {
  for (const std::size_t size : TestFixture::small_sizes())
    for (const auto& [x, slope, y] : {std::tuple(0, 0, 0), {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 2, 3}, {3, 3, 3}})
      TestFixture::check_two_inputs(size, x, slope, y);
  TestFixture::check_two_inputs(100003, 0, 1, 2);
}

TYPED_TEST(Map, OfFunctorsWhoseResultsHaveAnotherType) {
  TestFixture::check_functor(AddInDouble{});
  TestFixture::check_functor(SignAsInteger{});
  TestFixture::check_functor(IsPositive{});
  TestFixture::check_functor(ConvertTo<float>{});
  TestFixture::check_functor(ConvertTo<kachel::half>{});
  TestFixture::check_functor(ConvertTo<kachel::bfloat16>{});
}

/// A functor whose member has the name that others give themselves.
struct NamedNegate {
  const char* name;
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return -x;
  }
};

TYPED_TEST(Map, OfAFunctorWithAMemberCalledName) { TestFixture::check_functor(NamedNegate{"negate"}); }

TYPED_TEST(Map, TakesNothingFromTheFunctorsNamespace) { TestFixture::check_functor(stranger::Negate{}); }

TYPED_TEST(Map, OnInstancesOfTheSpace) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  const auto instances = Kokkos::Experimental::partition_space(Space{}, 1, 1);
  const std::vector<T> x = varied<T>(10007);
  const Guarded<Space, T> input(x), first(x), second(x);
  kachel::map(instances[0], first.span(), kachel::HardTanh{}, input.span());
  kachel::map(instances[1], second.span(), kachel::HardTanh{}, input.span());
  instances[0].fence();
  instances[1].fence();
  EXPECT_TRUE(all_same(clamped(x), first.values()));
  EXPECT_TRUE(all_same(clamped(x), second.values()));
}

TYPED_TEST(Map, ShowsOperationAndTypeToKokkosTools) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  const std::string type(kachel::detail::type_name<T>());
  const Guarded<Space, T> x(varied<T>(100)), y(varied<T>(100));
  std::vector<std::string> seen;
  {
    const ToolRecorder recorder;
    kachel::hardtanh(Space{}, y.span(), x.span());
    kachel::map(Space{}, y.span(), SlopeWhereNegative{}, x.span(), x.span());
    seen = recorder.events().labels;
    EXPECT_EQ(recorder.events().ended, seen.size());
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"kachel::hardtanh<" + type + ">", "kachel::map<" + type + ">"}));
}

/// Throws where it is called on a host.
struct Throws {
  KOKKOS_FUNCTION float operator()(float x) const {
    KOKKOS_IF_ON_HOST((if (x == x) throw std::runtime_error("thrown by f");))
    return x;
  }
};

TYPED_TEST(Map, EndsForKokkosToolsWhereTheFunctorThrows) {
  using Space = typename TestFixture::Space;
  // Which has small calls on the calling thread; another thread could not throw, and Serial's kernels are Kokkos' own.
  if (std::string_view(Space::name()) == "OpenMP") {
    const Guarded<Space, float> both(std::vector<float>(3));
    const ToolRecorder recorder;
    EXPECT_THROW(kachel::map(Space{}, both.span(), Throws{}, both.span()), std::runtime_error);
    EXPECT_EQ(recorder.events().ended, recorder.events().labels.size());
  }
}

TEST(ElementTypes, HaveNames) {
  static_assert(kachel::detail::type_name<float>() == "float" && kachel::detail::type_name<double>() == "double");
  static_assert(kachel::detail::type_name<kachel::half>() == "half" &&
                kachel::detail::type_name<kachel::bfloat16>() == "bfloat16");
}

}  // namespace
}  // namespace kachel_test
