// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kachel::Compiled, against the calls of kachel.hpp in the same program, whose Kokkos the library does not know.
#include <kachel/compiled.hpp>
#include <kachel/kachel.hpp>

#include <gtest/gtest.h>
#include <support/bits.hpp>
#include <support/inputs.hpp>
#include <support/rejection.hpp>

namespace kachel_test {
namespace {

using kachel::Compiled;

template <class Space>
class CompiledOn : public testing::Test {};
#if defined(KOKKOS_ENABLE_OPENMP)
using Spaces = testing::Types<Kokkos::DefaultExecutionSpace, Kokkos::OpenMP, Kokkos::Serial>;
#else
using Spaces = testing::Types<Kokkos::DefaultExecutionSpace, Kokkos::Serial>;
#endif
TYPED_TEST_SUITE(CompiledOn, Spaces);

template <class T, class Layout, class Space>
void expect_calls(const Space& space) {
  using View = Kokkos::View<T**, Layout, Space>;
  const View x("x", 30, 41), dy("dy", 30, 41), y("y", 30, 41), expected("expected", 30, 41);
  const auto fill = [&](const View& view, int seed) {
    const auto host = Kokkos::create_mirror_view(view);
    const auto values = varied<T>(view.size(), seed);
    for (std::size_t i = 0; i < view.size(); ++i) host(i / 41, i % 41) = values[i];
    Kokkos::deep_copy(view, host);
  };
  fill(x, 1);
  fill(dy, 2);
  const auto expect_same = [&](const char* what) {
    const auto own = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, y);
    const auto of_call = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, expected);
    for (std::size_t i = 0; i < y.size(); ++i)
      ASSERT_TRUE(same(own(i / 41, i % 41), of_call(i / 41, i % 41))) << what << " at " << i;
  };
  Compiled("gelu")(space, y, x);
  kachel::gelu(space, expected, x);
  expect_same("gelu");
  Compiled("hardtanh", {{"min_val", -0.5}, {"max_val", 2}})(space, y, x);
  kachel::hardtanh(space, expected, x, {.min_val = -0.5, .max_val = 2});
  expect_same("hardtanh");
  Compiled("tanh_backward")(space, y, dy, Kokkos::View<const T**, Layout, Space>(x));
  kachel::tanh_backward(space, expected, dy, x);
  expect_same("tanh_backward");

  const Kokkos::View<T*, Space> w("w", 41), dw("dw", 41), expected_dw("expected dw", 41);
  Kokkos::deep_copy(w, Kokkos::subview(x, 3, Kokkos::ALL));
  Compiled("prelu")(space, y, x, w);
  kachel::prelu(space, expected, x, w);
  expect_same("prelu");
  Compiled("prelu_backward")(space, y, dw, dy, x, w);
  kachel::prelu_backward(space, expected, expected_dw, dy, x, w);
  expect_same("prelu_backward");
  const auto own = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, dw),
             of_call = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, expected_dw);
  for (std::size_t i = 0; i < w.size(); ++i) ASSERT_TRUE(same(own(i), of_call(i))) << "dw at " << i;
}

TYPED_TEST(CompiledOn, HasTheBitsOfTheCalls) {
  const TypeParam space;
  expect_calls<float, Kokkos::LayoutRight>(space);
  expect_calls<kachel::half, Kokkos::LayoutLeft>(space);
  expect_calls<kachel::bfloat16, Kokkos::LayoutRight>(space);
  expect_calls<double, Kokkos::LayoutLeft>(space);
}

TYPED_TEST(CompiledOn, RunsManyElementsAndMasks) {
  const TypeParam space;
  const Kokkos::View<float*, TypeParam> x("x", 1 << 20), y("y", 1 << 20), expected("expected", 1 << 20);
  const Kokkos::View<std::uint8_t*, TypeParam> mask("mask", 1 << 17), expected_mask("expected mask", 1 << 17);
  kachel::map(space, x, KOKKOS_LAMBDA(std::int64_t i) { return static_cast<float>(i % 7 - 3); }, kachel::index(0));
  Compiled("relu_with_mask")(space, y, mask, x);
  kachel::relu_with_mask(space, expected, expected_mask, x);
  space.fence();
  const auto differ = [&](const auto& a, const auto& b) {
    int count = 0;
    Kokkos::parallel_reduce(
        Kokkos::RangePolicy<TypeParam>(space, 0, a.size()),
        KOKKOS_LAMBDA(std::size_t i, int& sum) { sum += a(i) != b(i); }, count);
    return count;
  };
  EXPECT_EQ(differ(y, expected), 0);
  EXPECT_EQ(differ(mask, expected_mask), 0);
}

TEST(Compiled, Refuses) {
  const Kokkos::Serial space;
  const Kokkos::View<float*, Kokkos::HostSpace> y("y", 4), x("x", 4), longer("longer", 5);
  const Kokkos::View<double*, Kokkos::HostSpace> doubles("doubles", 4);
  EXPECT_EQ(rejection_of([&] { Compiled("gelo"); }),
            "kachel::Compiled: there is no operation gelo, expected a name that kachel_operations has");
  EXPECT_EQ(rejection_of([&] { Compiled("gelu")(space, y); }), "kachel::gelu: 1 arrays are given, expected 2");
  EXPECT_EQ(rejection_of([&] { Compiled("gelu")(space, y, doubles); }),
            "kachel::gelu: y has elements of float32, expected float64 as x has");
  EXPECT_EQ(rejection_of([&] { Compiled("gelu", {{"beta", 1}})(space, y, x); }),
            "kachel::gelu: there is no parameter beta, expected none");
  EXPECT_EQ(rejection_of([&] { Compiled("gelu")(space, y, longer); }),
            "kachel::gelu: x has extents (5), expected (4) as y has");
  EXPECT_EQ(rejection_of([&] { Compiled("prelu")(space, y, x, longer); }),
            "kachel::prelu: w has extents (5), expected (1): it is along dimension 1 of y, whose extents are (4)");
  EXPECT_EQ(
      rejection_of([&] { Compiled("prelu_backward")(space, y, longer, x, x, Kokkos::subview(x, std::pair(0, 1))); }),
      "kachel::prelu_backward: dw has extents (5), expected (1) as w has");
}

}  // namespace
}  // namespace kachel_test
