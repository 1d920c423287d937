// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks of one bit an element: what the forward pass writes, what the derivative makes of it, errors.
#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/reference.hpp>
#include <support/rejection.hpp>
#include <support/typed_lists.hpp>

#include <cstdint>
#include <vector>

namespace kachel_test {
namespace {

using TwoSlopes = TypeList<kachel::HardTanh, kachel::HardSigmoid, kachel::HardSigmoidAffine, kachel::ReLU,
                           kachel::ReLU6, kachel::Clamp, kachel::HardShrink, kachel::SoftShrink, kachel::Threshold,
                           kachel::LeakyReLU, kachel::RReLU>;

TEST(TwoSlopesOf, ThoseThatHaveThemAlone) {
  for_each_type(kachel::Activations{},
                [&]<class F>() { EXPECT_EQ(kachel::HasTwoSlopes<F>, is_among<F>(TwoSlopes{})) << F::name; });
}

/// A bit for each element, by a plain loop: whether the derivative there is that inside, or x is NaN.
template <class F, class T>
std::vector<std::uint8_t> expected_mask(const F& f, const std::vector<T>& x) {
  std::vector<std::uint8_t> mask((x.size() + 7) / 8);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (is_nan(x[i]) || f.passes(static_cast<kachel::compute_type<T>>(x[i])))
      mask[i / 8] = static_cast<std::uint8_t>(mask[i / 8] | 1 << i % 8);
  return mask;
}

template <class C>
class Mask : public testing::Test {
 public:
  using T = typename C::Element;
  using Space = typename C::Space;

  /// Forward and backward, with y and dx beginning `offset` elements after an aligned address, x and dy `shift`
  /// further.
  template <class F>
  static void check(const F& f, const std::vector<T>& x, int offset = 0, int shift = 0) {
    const std::vector<T> dy = varied<T>(x.size(), 5), y = map_over<Space>(f, x);
    const std::vector<std::uint8_t> bits = expected_mask(f, x);
    const Guarded<Space, T> input(x, offset + shift), output(dy, offset), gradient(dy, offset + shift), dx(x, offset);
    const Guarded<Space, std::uint8_t> mask(std::vector<std::uint8_t>(bits.size(), 0x5a), shift);
    kachel::PointwiseWithMask<F>{}(Space{}, output.span(), mask.span(), input.span(), f);
    EXPECT_TRUE(all_same(y, output.values(), x)) << show_case(f);
    EXPECT_EQ(mask.values(), bits) << show_case(f) << " of " << x.size();
    kachel::PointwiseBackwardFromMask<F>{}(Space{}, dx.span(), gradient.span(), mask.span(), f);
    std::vector<T> expected = dx.values();
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!is_nan(x[i])) expected[i] = kachel::PointwiseBackward<F>{}(dy[i], x[i], f);
    EXPECT_TRUE(all_same(expected, dx.values(), x)) << show_case(f);
    EXPECT_TRUE(mask.untouched_around() && output.untouched_around() && dx.untouched_around()) << show_case(f);
  }
};
TYPED_TEST_SUITE(Mask, SpacesAndElements, Names);

TYPED_TEST(Mask, HasTheBitsOfEveryActivation) {
  using T = typename TestFixture::T;
  for_each_type(kachel::Activations{}, [&]<class F>() {
    if constexpr (kachel::HasTwoSlopes<F>)
      for (const F& f : parameter_cases<F>()) TestFixture::check(f, varied<T>(1000));
  });
}

TYPED_TEST(Mask, HasThoseOfAnySize) {
  using T = typename TestFixture::T;
  for (std::size_t size = 0; size <= 200; ++size) TestFixture::check(kachel::HardTanh{}, varied<T>(size));
  for (const std::size_t size : {4095, 65537}) TestFixture::check(kachel::LeakyReLU{}, varied<T>(size));
}

TYPED_TEST(Mask, IsOfOperandsThatBeginAnywhere) {
  using T = typename TestFixture::T;
  for (int offset = 0; offset < 9; ++offset)
    for (int shift = 0; shift < 9; ++shift) TestFixture::check(kachel::HardSigmoid{}, varied<T>(333), offset, shift);
}

TYPED_TEST(Mask, IsWrittenAndReadInPlace) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  const std::vector<T> x = varied<T>(777), dy = varied<T>(777, 5);
  const Guarded<Space, T> both(x), gradient(dy), dx(dy);
  const Guarded<Space, std::uint8_t> mask(std::vector<std::uint8_t>(98));
  kachel::relu6_with_mask(both.span(), mask.span(), both.span());
  EXPECT_TRUE(all_same(map_over<Space>(kachel::ReLU6{}, x), both.values()));
  EXPECT_EQ(mask.values(), expected_mask(kachel::ReLU6{}, x));
  kachel::relu6_backward_from_mask(Space{}, dx.span(), gradient.span(), mask.span());
  kachel::relu6_backward_from_mask(gradient.span(), gradient.span(), mask.span());
  EXPECT_TRUE(all_same(dx.values(), gradient.values()));
}

TYPED_TEST(Mask, LetsTheGradientPassWhereTheInputIsNaN) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const Guarded<Space, T> x(std::vector<T>(9, nan)), y(std::vector<T>(9)), dy(varied<T>(9, 5));
  const Guarded<Space, std::uint8_t> mask(std::vector<std::uint8_t>(2));
  kachel::leaky_relu_with_mask(Space{}, y.span(), mask.span(), x.span());
  EXPECT_EQ(mask.values(), (std::vector<std::uint8_t>{0xff, 1}));
  EXPECT_TRUE(all_same(y.values(), x.values()));
  kachel::leaky_relu_backward_from_mask(Space{}, y.span(), dy.span(), mask.span());
  EXPECT_TRUE(all_same(dy.values(), y.values()));
}

TYPED_TEST(Mask, FollowsTheOrderOfMemory) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  using Matrix = Kokkos::View<T**, Kokkos::LayoutLeft, Space, Kokkos::MemoryUnmanaged>;
  const std::vector<T> x = varied<T>(7 * 13);
  const Guarded<Space, T> input(x), output(x);
  const Guarded<Space, std::uint8_t> mask(std::vector<std::uint8_t>(20, 0x5a));
  kachel::relu_with_mask(Space{}, Matrix(output.data(), 7, 13), mask.span(), Matrix(input.data(), 7, 13));
  std::vector<std::uint8_t> expected = expected_mask(kachel::ReLU{}, x);
  expected.resize(20, 0x5a);
  EXPECT_EQ(mask.values(), expected) << "a longer mask keeps its rest";
}

template <class Space>
class MaskErrors : public testing::Test {};
TYPED_TEST_SUITE(MaskErrors, Spaces, Names);

TYPED_TEST(MaskErrors, NameTheArguments) {
  using Space = TypeParam;
  using Matrix = Kokkos::View<float**, Kokkos::LayoutStride, Space, Kokkos::MemoryUnmanaged>;
  const Guarded<Space, float> a(std::vector<float>(32)), b(std::vector<float>(32));
  const Guarded<Space, std::uint8_t> bytes(std::vector<std::uint8_t>(8));
  const Span<Space, float> y(a.data(), 25), x(b.data(), 25);
  const Span<Space, std::uint8_t> mask(bytes.data(), 4);
  const auto forward = [](const auto& to, const auto& bits, const auto& from, const kachel::HardTanh& f = {}) {
    return rejection_of([&] { kachel::hardtanh_with_mask(Space{}, to, bits, from, f); });
  };
  EXPECT_EQ(forward(y, mask, x), "accepted");
  EXPECT_EQ(forward(y, mask, Span<Space, float>(b.data(), 24)),
            "kachel::hardtanh_with_mask: x has extents (24), expected (25) as y has");
  EXPECT_EQ(forward(y, Span<Space, std::uint8_t>(bytes.data(), 3), x),
            "kachel::hardtanh_with_mask: mask has extents (3), expected at least (4), a bit for each of 25 elements");
  EXPECT_EQ(forward(y, Span<Space, std::uint8_t>(nullptr, 4), x),
            "kachel::hardtanh_with_mask: mask is a null pointer, expected 4 elements");
  EXPECT_EQ(forward(y, Span<Space, std::uint8_t>(reinterpret_cast<std::uint8_t*>(a.data()) + 3, 4), x),
            "kachel::hardtanh_with_mask: mask overlaps y: it begins 3 bytes after it, expected no element in common");
  EXPECT_EQ(forward(y, Span<Space, std::uint8_t>(reinterpret_cast<std::uint8_t*>(b.data()) - 3, 4), x),
            "kachel::hardtanh_with_mask: mask overlaps x: it begins 3 bytes before it, expected no element in common");
  EXPECT_EQ(forward(y, mask, x, {.min_val = 2}),
            "kachel::hardtanh_with_mask: min_val is 2 and max_val is 1, expected min_val <= max_val");
  const Kokkos::LayoutStride rows(4, 6, 5, 1), columns(4, 1, 5, 4);
  EXPECT_EQ(forward(Matrix(a.data(), rows), mask, Matrix(b.data(), rows)),
            "kachel::hardtanh_with_mask: y has extents (4, 5) with strides (6, 1), expected dense elements, as a mask "
            "needs");
  EXPECT_EQ(forward(Matrix(a.data(), columns), mask, Matrix(b.data(), Kokkos::LayoutStride(4, 5, 5, 1))),
            "kachel::hardtanh_with_mask: x has extents (4, 5) with strides (5, 1), expected (1, 4) as y has");
  using Apart = Kokkos::View<std::uint8_t*, Kokkos::LayoutStride, Space, Kokkos::MemoryUnmanaged>;
  EXPECT_EQ(forward(y, Apart(bytes.data(), Kokkos::LayoutStride(4, 2)), x),
            "kachel::hardtanh_with_mask: mask has extents (4) with strides (2), expected dense elements");
  EXPECT_EQ(rejection_of([&] { kachel::hardtanh_backward_from_mask(y, Span<Space, float>(b.data(), 24), mask); }),
            "kachel::hardtanh_backward_from_mask: dy has extents (24), expected (25) as dx has");
  EXPECT_TRUE(bytes.untouched_around());
}

}  // namespace
}  // namespace kachel_test
