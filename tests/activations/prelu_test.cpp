// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PReLU and its derivatives against plain loops, for every kind of slope, shape and layout. dw is held to the bits of
// the order of summation that docs/numerics.md gives, and to the sum in a wider type.
#include <kachel/activations/prelu.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/rejection.hpp>
#include <support/shape.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace kachel_test {
namespace {

template <class T>
using Compute = kachel::compute_type<T>;

/// Extents in the memory order of a permutation, the last of which is fastest, `step` elements apart.
Shape laid_out(const std::vector<std::size_t>& extents, const std::vector<std::size_t>& order, std::size_t step = 1) {
  Shape shape{extents, std::vector<std::size_t>(extents.size())};
  for (std::size_t i = extents.size(); i-- > 0; step *= std::max<std::size_t>(extents[order[i]], 1))
    shape.strides[order[i]] = step;
  return shape;
}

/// The last dimension fastest, the first, the second, and one with gaps.
std::vector<Shape> layouts(const std::vector<std::size_t>& extents) {
  std::vector<std::size_t> order(extents.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<Shape> shapes = {laid_out(extents, order)};
  if (extents.empty()) return shapes;
  shapes.push_back(laid_out(extents, order, 3));
  if (extents.size() == 1) return shapes;
  std::swap(order[1], order.back());
  shapes.push_back(laid_out(extents, order));
  std::reverse(order.begin(), order.end());
  shapes.push_back(laid_out(extents, order));
  return shapes;
}

// Of the last five each tile of a device has one slope, or slopes of its own; of the last two chunks of its sums are
// aligned tiles of one row, or of a row across channels.
const std::vector<std::vector<std::size_t>> all_extents = {
    {},           {1},    {7},    {1003},      {5, 3},     {1, 70},  {67, 33}, {1100, 9},    {2, 3, 5}, {3, 2, 1500},
    {2, 9, 3, 7}, {0, 3}, {4, 0}, {100000, 0}, {3, 5, 64}, {6, 128}, {1, 48},  {2, 3, 1024}, {700, 64}};

/// The channel of an element, counted with the last dimension fastest.
std::size_t channel_of(const std::vector<std::size_t>& extents, std::size_t index) {
  for (std::size_t i = extents.size(); i-- > 2;) index /= extents[i];
  return extents.size() < 2 ? 0 : index % extents[1];
}

/// `values`, counted with the last dimension fastest, where the shape has them, and sentinels between them.
template <class T>
std::vector<T> placed(const std::vector<T>& values, const Shape& shape) {
  std::vector<T> memory(shape.span(), static_cast<T>(777.0f));
  for (std::size_t i = 0; i < shape.count(); ++i) memory[shape.place(i)] = values[i];
  return memory;
}

/// A case of a test: x, dy, the slopes, and what is expected.
template <class T>
struct Example {
  std::vector<std::size_t> extents;
  std::size_t weights;  ///< 1, or the channels
  std::vector<T> x, dy, w;

  Example(const std::vector<std::size_t>& e, bool per_channel)
      : extents(e),
        weights(per_channel && e.size() > 1 ? e[1] : 1),
        x(varied<T>(Shape{e, {}}.count())),
        dy(varied<T>(x.size(), 9)),
        w(weights) {
    for (std::size_t i = 0; i < weights; ++i) w[i] = static_cast<T>(0.3f - 0.07f * static_cast<float>(i));
    // Some channels without NaN and infinity, whose sums would be NaN all.
    for (std::size_t i = 0; i < x.size(); ++i)
      if (const std::size_t c = slope_of(i); c % 3 != 1) {
        if (i % 2 == 1) x[i] = static_cast<T>(0.37f * static_cast<float>(i % 11) - 2.0f);
        if (i % 2 == 1) dy[i] = static_cast<T>(0.21f * static_cast<float>(i % 13) - 1.0f);
      }
  }

  /// So that a half holds their sum.
  void fill_with_small_ones() {
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<T>(static_cast<float>(i * 7 % 1009) / 8192 - 0.09f);
      dy[i] = static_cast<T>(static_cast<float>(i * 5 % 1013) / 8192 - 0.04f);
    }
  }

  std::size_t slope_of(std::size_t i) const { return weights == 1 ? 0 : channel_of(extents, i); }

  std::vector<T> y() const {
    std::vector<T> values(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto v = static_cast<Compute<T>>(x[i]), slope = static_cast<Compute<T>>(w[slope_of(i)]);
      values[i] = static_cast<T>(v > 0 ? v : slope * v);
    }
    return values;
  }

  std::vector<T> dx() const {
    std::vector<T> values(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto v = static_cast<Compute<T>>(x[i]), g = static_cast<Compute<T>>(dy[i]);
      const auto slope = static_cast<Compute<T>>(w[slope_of(i)]);
      values[i] = static_cast<T>(v > 0 ? g : v == v ? slope * g : v);
    }
    return values;
  }

  /// In the order that is promised.
  std::vector<T> dw() const {
    std::vector<std::vector<std::size_t>> elements(weights);
    for (std::size_t i = 0; i < x.size(); ++i) elements[slope_of(i)].push_back(i);
    std::vector<T> sums;
    for (const std::vector<std::size_t>& own : elements) {
      std::vector<Compute<T>> lanes((own.size() + 511) / 512 * 128, -Compute<T>(0));
      for (std::size_t e = 0; e < own.size(); ++e) {
        const auto v = static_cast<Compute<T>>(x[own[e]]), g = static_cast<Compute<T>>(dy[own[e]]);
        Compute<T>& sum = lanes[e / 512 * 128 + e % 128];
        if (!(v > 0)) sum = std::fma(v, g, sum);
      }
      for (; lanes.size() > 1; lanes.resize((lanes.size() + 1) / 2))
        for (std::size_t i = 0; 2 * i < lanes.size(); ++i)
          lanes[i] = 2 * i + 1 < lanes.size() ? lanes[2 * i] + lanes[2 * i + 1] : lanes[2 * i];
      sums.push_back(static_cast<T>(lanes.empty() ? Compute<T>(0) : lanes[0] + Compute<T>(0)));
    }
    return sums;
  }
};

/// Calls visit(example, shape, offset) for every shape, kind of slope and layout, at several alignments.
template <class T, class Visit>
void for_each_example(const Visit& visit) {
  for (const auto& extents : all_extents)
    for (const bool per_channel : {false, true}) {
      const Example<T> example(extents, per_channel);
      int offset = 0;
      for (const Shape& shape : layouts(extents)) {
        SCOPED_TRACE(testing::PrintToString(extents) + " strides " + testing::PrintToString(shape.strides) +
                     (per_channel ? " per channel" : ""));
        visit(example, shape, offset++ % 3);
      }
    }
}

template <class C>
class PReLU : public testing::Test {
 public:
  using T = typename C::Element;
  using Space = typename C::Space;
};
TYPED_TEST_SUITE(PReLU, SpacesAndElements, Names);

TYPED_TEST(PReLU, IsThatOfPlainLoops) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  for_each_example<T>([](const Example<T>& example, const Shape& shape, int offset) {
    const Guarded<Space, T> x(placed(example.x, shape), offset),
        y(std::vector<T>(shape.span(), static_cast<T>(777.0f))), w(example.w);
    const std::vector<T> expected = placed(example.y(), shape);
    const auto in = array<Space>(x.data(), shape), out = array<Space>(y.data(), shape);
    kachel::prelu(Space{}, out, in, w.span());
    EXPECT_TRUE(all_same(expected, y.values()));
    EXPECT_TRUE(y.untouched_around());
    if (example.weights == 1) {
      kachel::prelu(out, out, T{});  // whatever it is now
      kachel::prelu(Space{}, out, in, example.w[0]);
      EXPECT_TRUE(all_same(expected, y.values()));
    }
    kachel::prelu(in, in, w.span());
    EXPECT_TRUE(all_same(expected, x.values())) << "in place";
  });
}

TYPED_TEST(PReLU, GradientsAreThoseOfPlainLoops) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  for_each_example<T>([](const Example<T>& example, const Shape& shape, int offset) {
    const Guarded<Space, T> x(placed(example.x, shape), offset), dy(placed(example.dy, shape), offset),
        dx(std::vector<T>(shape.span(), static_cast<T>(777.0f))), w(example.w), dw(std::vector<T>(example.weights));
    const std::vector<T> expected = placed(example.dx(), shape), sums = example.dw();
    const auto in = array<Space>(x.data(), shape), gradient = array<Space>(dy.data(), shape),
               out = array<Space>(dx.data(), shape);
    kachel::prelu_backward(Space{}, out, dw.span(), gradient, in, w.span());
    EXPECT_TRUE(all_same(expected, dx.values()));
    EXPECT_TRUE(all_same(sums, dw.values()));
    EXPECT_TRUE(dx.untouched_around() && dw.untouched_around());
    if (example.weights == 1) {
      const Guarded<Space, T> again(std::vector<T>(1));
      kachel::prelu_backward(out, again.span(), gradient, in, example.w[0]);
      EXPECT_TRUE(all_same(expected, dx.values()));
      EXPECT_TRUE(all_same(sums, again.values()));
    }
    kachel::prelu_backward(gradient, w.span(), gradient, in, w.span());
    EXPECT_TRUE(all_same(expected, dy.values())) << "in place";
    EXPECT_TRUE(all_same(sums, w.values())) << "in place";
  });
}

// So many that a device adds what its teams gave by a team, and a host's threads share a channel.
TYPED_TEST(PReLU, SumsAreThoseOfPlainLoopsWhereThereAreMany) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  for (const bool per_channel : {false, true}) {
    Example<T> example({3, 2, 550001}, per_channel);
    example.fill_with_small_ones();
    const Shape shape = layouts(example.extents)[0];
    const Guarded<Space, T> x(example.x), dy(example.dy), w(example.w), dw(std::vector<T>(example.weights));
    const auto gradient = array<Space>(dy.data(), shape);
    kachel::prelu_backward(Space{}, gradient, dw.span(), gradient, array<Space>(x.data(), shape), w.span());
    EXPECT_TRUE(all_same(example.dw(), dw.values()));
    EXPECT_TRUE(all_same(example.dx(), dy.values()));

    std::vector<long double> sums(example.weights), magnitudes(example.weights);
    for (std::size_t i = 0; i < example.x.size(); ++i)
      if (const double v = static_cast<double>(example.x[i]); v <= 0) {
        const long double product = static_cast<long double>(v) * static_cast<double>(example.dy[i]);
        sums[example.slope_of(i)] += product;
        magnitudes[example.slope_of(i)] += std::abs(product);
      }
    // 4 additions in a lane, 7 of lanes, 13 of chunks at most.
    const long double unit = std::numeric_limits<Compute<T>>::epsilon() / 2;
    for (std::size_t c = 0; c < example.weights; ++c)
      EXPECT_LE(std::abs(static_cast<long double>(static_cast<double>(dw.values()[c])) - sums[c]),
                27 * unit * magnitudes[c] + std::numeric_limits<T>::epsilon() * std::abs(sums[c]));
  }
}

// A device reads arrays so large that they fill its cache by other loads, and adds so many parts in blocks, the last of
// which is not full.
TYPED_TEST(PReLU, SumsAreThoseOfPlainLoopsWhereArraysAreLarge) {
  using T = typename TestFixture::T;
  using Space = typename TestFixture::Space;
  const std::size_t row = kachel::detail::is_host_space<Space> ? 1 << 16 : (1 << 22) + 5 * 4096;
  for (const bool per_channel : {false, true}) {
    Example<T> example({4, 2, row}, per_channel);
    example.fill_with_small_ones();
    const Shape shape = layouts(example.extents)[0];
    const Guarded<Space, T> x(example.x), dy(example.dy), dx(example.dy), w(example.w),
        dw(std::vector<T>(example.weights));
    kachel::prelu_backward(Space{}, array<Space>(dx.data(), shape), dw.span(), array<Space>(dy.data(), shape),
                           array<Space>(x.data(), shape), w.span());
    EXPECT_TRUE(all_same(example.dw(), dw.values()));
    EXPECT_TRUE(all_same(example.dx(), dx.values()));
  }
}

TYPED_TEST(PReLU, OfNumbersAndPacksIsThatOfArrays) {
  using T = typename TestFixture::T;
  for (const T x : varied<T>(1000)) {
    const auto v = static_cast<Compute<T>>(x), w = static_cast<Compute<T>>(0.3);
    const T y = static_cast<T>(v > 0 ? v : w * v), dx = static_cast<T>(v > 0 ? v : v == v ? w * v : v);
    EXPECT_TRUE(same(y, kachel::prelu(x, 0.3)));
    EXPECT_TRUE(same(dx, kachel::prelu_backward(x, x, 0.3)));
    const kachel::Pack<T, 4> pack(x);
    EXPECT_TRUE(same(y, kachel::prelu(pack, 0.3)[3]));
    EXPECT_TRUE(same(dx, kachel::prelu_backward(pack, pack, 0.3)[3]));
    const kachel::Pack<T, 4> half_slope(static_cast<T>(0.5f));
    EXPECT_TRUE(same(kachel::prelu(x, 0.5), kachel::prelu(pack, half_slope)[1]));
  }
}

TYPED_TEST(PReLU, KeepsZerosAndNaN) {
  using T = typename TestFixture::T;
  const T zero = static_cast<T>(0.0f), minus_zero = static_cast<T>(-0.0f),
          infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  EXPECT_TRUE(same(minus_zero, kachel::prelu(minus_zero, 0.25)));
  EXPECT_TRUE(same(zero, kachel::prelu(minus_zero, -0.25)));
  EXPECT_TRUE(is_nan(kachel::prelu(nan, 0.25)));
  EXPECT_TRUE(is_nan(kachel::prelu(static_cast<T>(-infinity), 0.0)));
  EXPECT_TRUE(same(infinity, kachel::prelu(infinity, nan)));
  EXPECT_TRUE(same(static_cast<T>(0.25f), kachel::prelu_backward(static_cast<T>(1.0f), zero, 0.25)));
  EXPECT_TRUE(is_nan(kachel::prelu_backward(static_cast<T>(1.0f), nan, 0.25)));
}

template <class Space>
class PReLUOf : public testing::Test {};
TYPED_TEST_SUITE(PReLUOf, Spaces, Names);

TYPED_TEST(PReLUOf, SlopesOfAnotherType) {
  const std::vector<kachel::half> x = varied<kachel::half>(300);
  const std::vector<float> w = {0.1f, -0.7f, 3.0f};
  const std::vector<double> wide(w.begin(), w.end());
  const Guarded<TypeParam, kachel::half> in(x), y(x), z(x);
  const Guarded<TypeParam, float> slopes(w);
  const Guarded<TypeParam, double> wide_slopes(wide);
  using Array = Kokkos::View<kachel::half***, Kokkos::LayoutRight, TypeParam>;
  kachel::prelu(Array(y.data(), 4, 3, 25), Array(in.data(), 4, 3, 25), slopes.span());
  kachel::prelu(Array(z.data(), 4, 3, 25), Array(in.data(), 4, 3, 25), wide_slopes.span());
  std::vector<kachel::half> expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto v = static_cast<float>(x[i]);
    expected[i] = static_cast<kachel::half>(v > 0 ? v : w[i / 25 % 3] * v);
  }
  EXPECT_TRUE(all_same(expected, y.values()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto v = static_cast<double>(static_cast<float>(x[i]));
    expected[i] = kachel::detail::convert_to<kachel::half>(v > 0 ? v : wide[i / 25 % 3] * v);
  }
  EXPECT_TRUE(all_same(expected, z.values()));
}

TYPED_TEST(PReLUOf, SlopesWithAStride) {
  const Example<float> example({21, 40, 3}, true);
  std::vector<float> apart(80, 777.0f);
  for (std::size_t i = 0; i < 40; ++i) apart[2 * i] = example.w[i];
  for (const Shape& shape : layouts(example.extents)) {
    const Guarded<TypeParam, float> x(placed(example.x, shape)), y(placed(example.x, shape)),
        dy(placed(example.dy, shape)), w(apart), dw(apart);
    const Shape half{{40}, {2}};
    const auto in = array<TypeParam>(x.data(), shape), out = array<TypeParam>(y.data(), shape),
               slopes = array<TypeParam>(w.data(), half);
    kachel::prelu(out, in, slopes);
    EXPECT_TRUE(all_same(placed(example.y(), shape), y.values()));
    kachel::prelu_backward(out, array<TypeParam>(dw.data(), half), array<TypeParam>(dy.data(), shape), in, slopes);
    EXPECT_TRUE(all_same(placed(example.dx(), shape), y.values()));
    std::vector<float> sums = apart;
    for (std::size_t i = 0; i < 40; ++i) sums[2 * i] = example.dw()[i];
    EXPECT_TRUE(all_same(sums, dw.values()));
  }
}

TYPED_TEST(PReLUOf, AnyNumberOfThreads) {
  const Example<float> example({5, 12, 333}, true);
  const Shape shape = layouts(example.extents)[0];
  for (const TypeParam& space : Kokkos::Experimental::partition_space(TypeParam{}, 1, 1)) {
    const Guarded<TypeParam, float> x(example.x), dy(example.dy), w(example.w), dw(example.w);
    const auto gradient = array<TypeParam>(dy.data(), shape);
    kachel::prelu_backward(space, gradient, dw.span(), gradient, array<TypeParam>(x.data(), shape), w.span());
    space.fence();
    EXPECT_TRUE(all_same(example.dw(), dw.values()));
  }
}

TYPED_TEST(PReLUOf, RejectsWhatDoesNotFit) {
  const Guarded<TypeParam, float> x(std::vector<float>(60, 5.0f)), y(std::vector<float>(60, 7.0f)),
      w(std::vector<float>(60, 3.0f));
  using Array = Kokkos::View<float***, Kokkos::LayoutRight, TypeParam>;
  using Row = Span<TypeParam, float>;
  const Array in(x.data(), 5, 3, 4), out(y.data(), 5, 3, 4);
  const auto forward = [&](const auto& to, const auto& slope) {
    return rejection_of([&] { kachel::prelu(TypeParam{}, to, in, slope); });
  };
  EXPECT_EQ(forward(out, Row(w.data(), 4)),
            "kachel::prelu: w has extents (4), expected (1) or (3): it is along dimension 1 of y, whose extents are "
            "(5, 3, 4)");
  EXPECT_EQ(forward(out, Row(nullptr, 3)), "kachel::prelu: w is a null pointer, expected 3 elements");
  EXPECT_EQ(forward(Array(y.data(), 5, 3, 3), 0.5),
            "kachel::prelu: x has extents (5, 3, 4), expected (5, 3, 3) as y has");
  EXPECT_EQ(forward(out, Row(y.data() + 2, 3)),
            "kachel::prelu: w overlaps y: it begins 8 bytes after it, expected no element in common, since it repeats: "
            "pass a copy of it");
  EXPECT_EQ(rejection_of([&] { kachel::prelu(y.span(), x.span(), Row(w.data(), 2)); }),
            "kachel::prelu: w has extents (2), expected (1): it is along dimension 1 of y, whose extents are (60)");
  const auto backward = [&](const auto& dw, const auto& slope) {
    return rejection_of([&] { kachel::prelu_backward(TypeParam{}, out, dw, in, in, slope); });
  };
  const Row slopes(w.data(), 3);
  EXPECT_EQ(backward(Row(w.data() + 9, 1), slopes),
            "kachel::prelu_backward: dw has extents (1), expected (3) as w has");
  EXPECT_EQ(backward(Row(w.data() + 9, 3), 0.5), "kachel::prelu_backward: dw has extents (3), expected (1)");
  EXPECT_EQ(backward(Row(nullptr, 3), slopes), "kachel::prelu_backward: dw is a null pointer, expected 3 elements");
  EXPECT_EQ(backward(Row(y.data() + 7, 3), slopes),
            "kachel::prelu_backward: dw overlaps dx: it begins 28 bytes after it, expected no element in common");
  EXPECT_EQ(backward(Row(x.data() + 7, 3), slopes),
            "kachel::prelu_backward: dw overlaps dy: it begins 28 bytes after it, expected no element in common");
  EXPECT_EQ(backward(Row(w.data() + 9, 3), Row(w.data(), 2)),
            "kachel::prelu_backward: w has extents (2), expected (1) or (3): it is along dimension 1 of dx, whose "
            "extents are (5, 3, 4)");
  EXPECT_TRUE(x.untouched() && y.untouched() && w.untouched()) << "something was written";
}

#if defined(KOKKOS_ENABLE_OPENMP)
TEST(PReLUOnOpenMP, SumsFewElementsWithinAParallelRegion) {
  const Example<float> example({3, 5, 7}, true);
  const Shape shape = layouts(example.extents)[0];
  const Guarded<Kokkos::OpenMP, float> x(example.x), dy(example.dy), dx(example.x), w(example.w), dw(example.w);
#pragma omp parallel num_threads(2)
#pragma omp single
  kachel::prelu_backward(Kokkos::OpenMP{}, array<Kokkos::OpenMP>(dx.data(), shape), dw.span(),
                         array<Kokkos::OpenMP>(dy.data(), shape), array<Kokkos::OpenMP>(x.data(), shape), w.span());
  EXPECT_TRUE(all_same(example.dx(), dx.values()));
  EXPECT_TRUE(all_same(example.dw(), dw.values()));
}
#endif

}  // namespace
}  // namespace kachel_test
