// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kachel::map and the functors' own checks reject, to the letter, before anything is written.
#include <kachel/activations/list.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/kinds.hpp>
#include <support/rejection.hpp>
#include <support/typed_lists.hpp>

#include <limits>
#include <string>
#include <tuple>
#include <utility>

namespace kachel_test {
namespace {

/// The message of the std::invalid_argument that kachel::hardtanh(space, y, x, f) throws.
template <class Space, class Y, class X>
std::string rejection(const Y& y, const X& x, const kachel::HardTanh& f = {}) {
  return rejection_of([&] { kachel::hardtanh(Space{}, y, x, f); });
}

template <class Space>
class MapErrors : public testing::Test {
 public:
  const Guarded<Space, float> x{std::vector<float>(64, 5.0f)}, y{std::vector<float>(64, 7.0f)};

  float* in() const { return x.data(); }
  float* out() const { return y.data(); }

  void TearDown() override { EXPECT_TRUE(x.untouched() && y.untouched()) << "something was written"; }

  using Right = Kokkos::View<float**, Kokkos::LayoutRight, Space>;
};
TYPED_TEST_SUITE(MapErrors, Spaces, Names);

TYPED_TEST(MapErrors, ExtentsThatDiffer) {
  using Right = typename TestFixture::Right;
  EXPECT_EQ(rejection<TypeParam>(Right(this->out(), 4, 8), Right(this->in(), 4, 7)),
            "kachel::hardtanh: x has extents (4, 7), expected (4, 8) as y has");
  EXPECT_EQ(rejection<TypeParam>(Span<TypeParam, float>(this->out(), 0), this->x.span()),
            "kachel::hardtanh: x has extents (64), expected (0) as y has");
}

TYPED_TEST(MapErrors, NullPointers) {
  const Span<TypeParam, float> null(nullptr, 64);
  EXPECT_EQ(rejection<TypeParam>(this->y.span(), null), "kachel::hardtanh: x is a null pointer, expected 64 elements");
  EXPECT_EQ(rejection<TypeParam>(null, this->x.span()), "kachel::hardtanh: y is a null pointer, expected 64 elements");
}

TYPED_TEST(MapErrors, OverlapInPart) {
  using View = Span<TypeParam, float>;
  EXPECT_EQ(
      rejection<TypeParam>(View(this->out(), 20), View(this->out() + 3, 20)),
      "kachel::hardtanh: x overlaps y: it begins 12 bytes after it, expected the same memory or no element in common");
  EXPECT_EQ(
      rejection<TypeParam>(View(this->out() + 19, 20), View(this->out(), 20)),
      "kachel::hardtanh: x overlaps y: it begins 76 bytes before it, expected the same memory or no element in common");
}

TYPED_TEST(MapErrors, ATransposedWindowThatBeginsElsewhere) {
  using Window = Kokkos::View<float**, Kokkos::LayoutStride, TypeParam, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const Window b(this->out() + 1, Kokkos::LayoutStride(6, 7, 6, 1)),
      t(this->out() + 7, Kokkos::LayoutStride(6, 1, 6, 7));
  EXPECT_EQ(
      rejection<TypeParam>(b, t),
      "kachel::hardtanh: x overlaps y: it begins 24 bytes after it, expected the same memory or no element in common");
}

TYPED_TEST(MapErrors, AnInputThatWalksBackwardsIntoTheOutput) {
  using Strided = Kokkos::View<float*, Kokkos::LayoutStride, TypeParam, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const Strided y(this->out() + 16, Kokkos::LayoutStride(16, 1)),
      x(this->out() + 46, Kokkos::LayoutStride(16, static_cast<std::size_t>(-1)));
  EXPECT_EQ(
      rejection<TypeParam>(y, x),
      "kachel::hardtanh: x overlaps y: it begins 120 bytes after it, expected the same memory or no element in common");
}

TYPED_TEST(MapErrors, BoundsThatAreNotInOrder) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto message = [this](double min_val, double max_val) {
    return rejection<TypeParam>(this->y.span(), this->x.span(), {.min_val = min_val, .max_val = max_val});
  };
  EXPECT_EQ(message(2, 1), "kachel::hardtanh: min_val is 2 and max_val is 1, expected min_val <= max_val");
  EXPECT_EQ(message(0.5, -0.25), "kachel::hardtanh: min_val is 0.5 and max_val is -0.25, expected min_val <= max_val");
  EXPECT_EQ(message(1.0000000000000002, 1),
            "kachel::hardtanh: min_val is 1.0000000000000002 and max_val is 1, expected min_val <= max_val");
  EXPECT_EQ(message(nan, 1), "kachel::hardtanh: min_val is nan and max_val is 1, expected min_val <= max_val");
  EXPECT_EQ(message(-1, nan), "kachel::hardtanh: min_val is -1 and max_val is nan, expected min_val <= max_val");
}

TYPED_TEST(MapErrors, ParametersThatAreNotFinite) {
  const auto y = this->y.span(), x = this->x.span();
  const auto message = [&](double alpha, double beta) {
    return rejection_of([&] { kachel::hardsigmoid_affine(TypeParam{}, y, x, {.alpha = alpha, .beta = beta}); });
  };
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message(nan, 0.5), "kachel::hardsigmoid_affine: alpha is nan and beta is 0.5, expected finite numbers");
  EXPECT_EQ(message(0.2, -infinity),
            "kachel::hardsigmoid_affine: alpha is 0.2 and beta is -inf, expected finite numbers");
}

struct Second {
  template <class T>
  KOKKOS_FUNCTION T operator()(T, T b) const {
    return b;
  }
};

TYPED_TEST(MapErrors, NameTheInputAmongSeveral) {
  const Span<TypeParam, float> y = this->y.span(), x = this->x.span(), short_one(this->in(), 63);
  EXPECT_EQ(rejection_of([&] { kachel::map(TypeParam{}, y, Second{}, x, short_one); }),
            "kachel::map: x2 has extents (63), which do not repeat to (64) as y has, expected each from the last on to "
            "be the same, or 1, or missing");
}

struct NamedSecond : Second {
  static constexpr std::string_view input_names[] = {"a", "b"};
};

TYPED_TEST(MapErrors, NameInputsAsTheFunctorDoes) {
  const Span<TypeParam, float> y = this->y.span(), x = this->x.span(), short_one(this->in(), 63);
  EXPECT_EQ(rejection_of([&] { kachel::map(TypeParam{}, y, NamedSecond{}, x, short_one); }),
            "kachel::map: b has extents (63), which do not repeat to (64) as y has, expected each from the last on to "
            "be the same, or 1, or missing");
}

TYPED_TEST(MapErrors, OfActivations) {
  const auto y = this->y.span();
  const Span<TypeParam, float> x(this->in(), 63);
  for_each_type(kachel::Kinds{}, [&]<class F>() {
    const std::string name = "kachel::" + std::string(F::name);
    const std::string forward = name + ": x has extents (63), expected (64) as y has";
    EXPECT_EQ(rejection_of([&] { kachel::Pointwise<F>{}(TypeParam{}, y, x); }), forward);
    EXPECT_EQ(rejection_of([&] { kachel::Pointwise<F>{}(y, x); }), forward);
    const std::string backward = name + "_backward: dy has extents (63), expected (64) as dx has";
    EXPECT_EQ(rejection_of([&] { kachel::PointwiseBackward<F>{}(TypeParam{}, y, x, y); }), backward);
    EXPECT_EQ(rejection_of([&] { kachel::PointwiseBackward<F>{}(y, x, y); }), backward);
  });
}

struct Both {
  KOKKOS_FUNCTION Kokkos::Array<float, 2> operator()(float x) const { return {x, x}; }
};

TYPED_TEST(MapErrors, OfSeveralOutputs) {
  const auto x = this->x.span(), y = this->y.span();
  const auto message = [&](const auto& y1, const auto& y2) {
    return rejection_of([&] { kachel::map(TypeParam{}, std::tuple(y1, y2), Both{}, x); });
  };
  EXPECT_EQ(message(y, Span<TypeParam, float>(this->in(), 63)),
            "kachel::map: y2 has extents (63), expected (64) as y1 has");
  EXPECT_EQ(message(y, y), "kachel::map: y1 overlaps y2: both begin at one address, expected no element in common");
  EXPECT_EQ(message(y, Span<TypeParam, float>(nullptr, 64)), "kachel::map: y2 is a null pointer, expected 64 elements");
}

TYPED_TEST(MapErrors, OfAddressesWithinAnElement) {
  auto* const within = reinterpret_cast<float*>(reinterpret_cast<char*>(this->in()) + 2);
  EXPECT_EQ(rejection<TypeParam>(this->y.span(), Span<TypeParam, float>(within, 64)),
            "kachel::hardtanh: x begins at an address that is no multiple of its element's 4 bytes");
}

TYPED_TEST(MapErrors, OfBackward) {
  const auto x = this->x.span(), dx = this->y.span();
  const auto message = [&](const auto& dy) {
    return rejection_of([&] { kachel::hardtanh_backward(TypeParam{}, dx, dy, x); });
  };
  EXPECT_EQ(message(Span<TypeParam, float>(nullptr, 64)),
            "kachel::hardtanh_backward: dy is a null pointer, expected 64 elements");
  EXPECT_EQ(message(Span<TypeParam, float>(this->out() + 1, 64)),
            "kachel::hardtanh_backward: dy overlaps dx: it begins 4 bytes after it, expected the same memory or no "
            "element in common");
}

TYPED_TEST(MapErrors, OfOutputsThatWriteAnElementTwice) {
  const Kokkos::View<float**, Kokkos::LayoutStride, TypeParam> y(this->out(), Kokkos::LayoutStride(4, 0, 8, 1));
  EXPECT_EQ(
      rejection<TypeParam>(y, typename TestFixture::Right(this->in(), 4, 8)),
      "kachel::hardtanh: y has extents (4, 8) with strides (0, 1), expected strides that keep its elements apart");
}

}  // namespace
}  // namespace kachel_test
