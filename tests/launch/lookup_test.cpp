// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large spans of 16-bit numbers on CUDA, whose results are looked up in a table: the bits of small spans, which are
// computed one by one.
#include <kachel/activations/hardsigmoid_affine.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/typed_lists.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

namespace kachel_test {
namespace {

constexpr kachel::HardSigmoidAffine f{.alpha = 1e-9, .beta = 0.5 + 0x1p-12};

template <class T>
using Numbers = Kokkos::View<T*, Kokkos::Cuda>;

/// Element i holds the pattern i * 40503, so that neighbours differ and all patterns appear.
template <class T>
struct Fill {
  Numbers<T> x;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    x(i) = T::from_bits(static_cast<std::uint16_t>(static_cast<std::uint64_t>(i) * 40503u));
  }
};

/// Element i holds the pattern i.
template <class T>
struct FillAll {
  Numbers<T> x;
  KOKKOS_FUNCTION void operator()(int i) const { x(i) = T::from_bits(static_cast<std::uint16_t>(i)); }
};

/// Counts the elements of y that are not what the table gives for the pattern that Fill has put in their places.
template <class T>
struct Compare {
  Numbers<T> y, table;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& wrong) const {
    wrong += y(i).bits() != table(static_cast<std::uint16_t>(static_cast<std::uint64_t>(i) * 40503u)).bits();
  }
};

/// Counts the elements that differ among the first 8 and the last 3.
template <class T>
struct CompareAround {
  Numbers<T> before, after;
  std::int64_t size;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& changed) const {
    const std::int64_t place = i < 8 ? i : size - 11 + i;
    changed += before(place).bits() != after(place).bits();
  }
};

template <class T>
class Lookup : public testing::Test {
 public:
  static inline const std::int64_t least = kachel::DeviceTuning().table_bytes / 2;

  /// The results for all patterns, which are too few for a table.
  static Numbers<T> expected() {
    const Numbers<T> all("all", 1 << 16), results("results", 1 << 16);
    Kokkos::parallel_for("fill", Kokkos::RangePolicy<Kokkos::Cuda>(0, 1 << 16), FillAll<T>{all});
    kachel::hardsigmoid_affine(results, all, f);
    return results;
  }

  static Numbers<T> inputs(std::int64_t size) {
    const Numbers<T> x(Kokkos::view_alloc("x", Kokkos::WithoutInitializing), size);
    Kokkos::parallel_for("fill", range(size), Fill<T>{x});
    return x;
  }

  static std::int64_t wrong(const Numbers<T>& y) {
    std::int64_t count = 0;
    Kokkos::parallel_reduce("compare", range(y.extent(0)), Compare<T>{y, expected()}, count);
    return count;
  }

 private:
  static auto range(std::int64_t size) {
    return Kokkos::RangePolicy<Kokkos::Cuda, Kokkos::IndexType<std::int64_t>>(0, size);
  }
};
TYPED_TEST_SUITE(Lookup, Float16Types, Names);

TYPED_TEST(Lookup, GivesTheBitsOfArithmetic) {
  // What is left of a vector, of a chunk, of the chunks of all groups; one element more or less.
  constexpr std::int64_t chunk = 8 * 1536, rest = chunk - TestFixture::least % chunk;
  for (const std::int64_t more : {std::int64_t{0}, std::int64_t{1}, std::int64_t{7}, std::int64_t{8}, rest - 1, rest,
                                  rest + 1, chunk * 264 + 13}) {
    const std::int64_t size = TestFixture::least + more;
    const auto x = TestFixture::inputs(size);
    const Numbers<TypeParam> y(Kokkos::view_alloc("y", Kokkos::WithoutInitializing), size);
    kachel::hardsigmoid_affine(y, x, f);
    EXPECT_EQ(TestFixture::wrong(y), 0) << size;
  }
}

TYPED_TEST(Lookup, MayBeInPlace) {
  const auto both = TestFixture::inputs(TestFixture::least + 5);
  kachel::hardsigmoid_affine(both, both, f);
  EXPECT_EQ(TestFixture::wrong(both), 0);
}

TYPED_TEST(Lookup, LeavesWhatIsAroundAlone) {
  const std::int64_t size = TestFixture::least + 8;
  const auto x = TestFixture::inputs(size), y = TestFixture::inputs(size);
  const auto part = std::make_pair(std::int64_t{8}, size - 3);
  kachel::hardsigmoid_affine(Kokkos::subview(y, part), Kokkos::subview(x, part), f);
  std::int64_t changed = 0;
  Kokkos::parallel_reduce("around", Kokkos::RangePolicy<Kokkos::Cuda>(0, 11),
                          CompareAround<TypeParam>{TestFixture::inputs(size), y, size}, changed);
  EXPECT_EQ(changed, 0);
}

TYPED_TEST(Lookup, OfSeveralStreamsAtOnce) {
  const auto spaces = Kokkos::Experimental::partition_space(Kokkos::Cuda{}, 1, 1);
  const auto x = TestFixture::inputs(TestFixture::least);
  std::vector<Numbers<TypeParam>> y;
  for (int i = 0; i < 6; ++i) y.emplace_back(Kokkos::view_alloc("y", Kokkos::WithoutInitializing), x.extent(0));
  Kokkos::fence();
  for (int i = 0; i < 6; ++i) kachel::hardsigmoid_affine(spaces[i % 2], y[i], x, f);
  Kokkos::fence();
  for (const auto& results : y) EXPECT_EQ(TestFixture::wrong(results), 0);
}

// A captured call has no memory for a table: it computes.
TYPED_TEST(Lookup, IsNotNeededInAGraph) {
  const Kokkos::Cuda space = Kokkos::Experimental::partition_space(Kokkos::Cuda{}, 1)[0];
  const auto x = TestFixture::inputs(TestFixture::least);
  const Numbers<TypeParam> y("y", x.extent(0));
  Kokkos::fence();
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  ASSERT_EQ(cudaStreamBeginCapture(space.cuda_stream(), cudaStreamCaptureModeGlobal), cudaSuccess);
  kachel::hardsigmoid_affine(space, y, x, f);
  ASSERT_EQ(cudaStreamEndCapture(space.cuda_stream(), &graph), cudaSuccess);
  std::size_t nodes = 0;
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 1u);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  for (int repetition = 0; repetition < 2; ++repetition) {
    Kokkos::deep_copy(y, TypeParam(0.0f));
    Kokkos::fence();
    ASSERT_EQ(cudaGraphLaunch(executable, space.cuda_stream()), cudaSuccess);
    space.fence();
    EXPECT_EQ(TestFixture::wrong(y), 0);
  }
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

}  // namespace
}  // namespace kachel_test

#endif
