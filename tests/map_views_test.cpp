// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kachel::map over every kind of View. What a View's kind decides is decided on the host, so that float is enough.
#include <kachel/activations/hardtanh.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace kachel_test {
namespace {

std::vector<float> clamped(const std::vector<float>& x) {
  std::vector<float> y;
  for (const float value : x) y.push_back(value < -1 ? -1 : value > 1 ? 1 : value);
  return y;
}

/// y and x of one shape, each in its own memory, y in place too.
template <class Space, class Y, class X = Y, class... Extents>
void check_shape(const Extents... extents) {
  float anywhere = 0;
  const std::size_t count = Y(&anywhere, extents...).size();
  const std::vector<float> values = varied<float>(count);
  const Guarded<Space, float> input(values), output(std::vector<float>(count, 9.0f));
  const Y y(output.data(), extents...);
  kachel::hardtanh(Space{}, y, X(input.data(), extents...));
  EXPECT_TRUE(all_same(clamped(values), output.values()));
  EXPECT_TRUE(output.untouched_around() && input.untouched());
  const Y both(input.data(), extents...);
  kachel::hardtanh(both, both);
  EXPECT_TRUE(all_same(clamped(values), input.values()));
}

template <class Space, class Layout>
struct Shapes {
  template <class Data>
  using Of = Kokkos::View<Data, Layout, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  static void check_dynamic() {
    check_shape<Space, Of<float*>>(1027);
    check_shape<Space, Of<float**>>(31, 33);
    check_shape<Space, Of<float***>>(5, 7, 11);
    check_shape<Space, Of<float****>>(5, 1, 7, 11);
    check_shape<Space, Of<float*****>>(2, 3, 4, 5, 6);
    check_shape<Space, Of<float******>>(2, 3, 1, 2, 3, 5);
    check_shape<Space, Of<float*******>>(2, 3, 1, 2, 3, 2, 2);
    check_shape<Space, Of<float********>>(2, 3, 1, 2, 3, 2, 2, 3);
    check_shape<Space, Of<float**>>(0, 33);
    check_shape<Space, Of<float***>>(1, 1, 1);
  }

  static void check_static() {
    check_shape<Space, Of<float>>();
    check_shape<Space, Of<float[129]>>();
    check_shape<Space, Of<float[17][9]>>();
    check_shape<Space, Of<float[2][3][4][5][2][1][3][2]>>();
    check_shape<Space, Of<float* [9]>>(17);
    check_shape<Space, Of<float** [3][5]>>(4, 7);
  }

  static void check_mixed() {
    check_shape<Space, Of<float[17][9]>, Of<float**>>(17, 9);
    check_shape<Space, Of<float**>, Of<const float**>>(17, 9);
    check_shape<Space, Of<float* [9]>, Of<const float[17][9]>>(17, 9);
  }
};

template <class Space>
class MapOfViews : public testing::Test {};
TYPED_TEST_SUITE(MapOfViews, Spaces, Names);

TYPED_TEST(MapOfViews, OfDynamicExtentsOfEveryRank) {
  Shapes<TypeParam, Kokkos::LayoutLeft>::check_dynamic();
  Shapes<TypeParam, Kokkos::LayoutRight>::check_dynamic();
}

TYPED_TEST(MapOfViews, OfStaticExtents) {
  Shapes<TypeParam, Kokkos::LayoutLeft>::check_static();
  Shapes<TypeParam, Kokkos::LayoutRight>::check_static();
}

TYPED_TEST(MapOfViews, OfStaticExtentsBesideDynamicAndOfConstInputs) {
  Shapes<TypeParam, Kokkos::LayoutLeft>::check_mixed();
  Shapes<TypeParam, Kokkos::LayoutRight>::check_mixed();
}

// A row's order is the same in every layout.
TYPED_TEST(MapOfViews, OfLayoutsThatDifferInNameAlone) {
  const std::vector<float> values = varied<float>(200);
  const Guarded<TypeParam, float> input(values), output(values);
  const Kokkos::View<const float**, Kokkos::LayoutLeft, TypeParam> x(input.data(), 200, 1);
  const Kokkos::View<float**, Kokkos::LayoutRight, TypeParam> y(output.data(), 200, 1);
  kachel::hardtanh(TypeParam{}, y, x);
  EXPECT_TRUE(all_same(clamped(values), output.values()));
}

TYPED_TEST(MapOfViews, ThatOwnTheirMemory) {
  const Kokkos::View<float[33][5], TypeParam> x("x"), y("y");
  Kokkos::deep_copy(x, 2.5f);
  kachel::hardtanh(y, x);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, y);
  EXPECT_TRUE(std::all_of(host.data(), host.data() + host.size(), [](float value) { return value == 1.0f; }));
}

TYPED_TEST(MapOfViews, OfEveryMemoryTrait) {
  namespace k = Kokkos;
  const std::vector<float> values = varied<float>(203);
  const Guarded<TypeParam, float> input(values), output(values, 1);
  const auto check = [&]<unsigned of_y, unsigned of_x>(k::MemoryTraits<of_y>, k::MemoryTraits<of_x>) {
    kachel::map(TypeParam{}, k::View<float*, TypeParam, k::MemoryTraits<of_y | k::Unmanaged>>(output.data(), 203),
                kachel::HardTanh{},
                k::View<const float*, TypeParam, k::MemoryTraits<of_x | k::Unmanaged>>(input.data(), 203));
    EXPECT_TRUE(all_same(clamped(values), output.values())) << of_y << " and " << of_x;
    EXPECT_TRUE(output.untouched_around() && input.untouched());
  };
  check(k::MemoryTraits<k::Restrict>{}, k::MemoryTraits<k::Restrict>{});
  check(k::MemoryTraits<0>{}, k::MemoryTraits<k::RandomAccess>{});
  check(k::MemoryTraits<k::Restrict>{}, k::MemoryTraits<k::RandomAccess | k::Restrict>{});
  const k::View<float*, TypeParam, k::MemoryTraits<k::Aligned>> aligned(input.data(), 203);
  kachel::hardtanh(aligned, aligned);
  EXPECT_TRUE(all_same(clamped(values), input.values()));
}

TYPED_TEST(MapOfViews, WithoutMemory) {
  kachel::hardtanh(Kokkos::View<float*, TypeParam>(), Kokkos::View<const float*, TypeParam>());
  kachel::hardtanh(TypeParam{}, Kokkos::View<float** [3], TypeParam>(),
                   Kokkos::View<float** [3], Kokkos::LayoutStride, TypeParam>());
}

/// Of every memory space that the execution space reaches, also from one to another.
template <class Space, class YMemory, class XMemory>
void check_memory_spaces() {
  const std::vector<float> values = varied<float>(1003);
  const Kokkos::View<float*, XMemory> x("x", 1003);
  const Kokkos::View<float*, YMemory> y("y", 1003);
  Kokkos::deep_copy(x, Span<Kokkos::HostSpace, const float>(values.data(), 1003));
  kachel::hardtanh(Space{}, y, x);
  Kokkos::fence();
  std::vector<float> results(1003);
  Kokkos::deep_copy(Span<Kokkos::HostSpace, float>(results.data(), 1003), y);
  EXPECT_TRUE(all_same(clamped(values), results)) << YMemory::name() << " and " << XMemory::name();
}

TYPED_TEST(MapOfViews, InSharedAndPinnedMemory) {
  using Own = typename TypeParam::memory_space;
  check_memory_spaces<TypeParam, Kokkos::SharedSpace, Kokkos::SharedSpace>();
  check_memory_spaces<TypeParam, Kokkos::SharedHostPinnedSpace, Own>();
  check_memory_spaces<TypeParam, Own, Kokkos::SharedHostPinnedSpace>();
  check_memory_spaces<TypeParam, Kokkos::SharedSpace, Own>();
}

TYPED_TEST(MapOfViews, OfSomeRows) {
  const std::vector<float> values = varied<float>(20 * 33);
  const Guarded<TypeParam, float> memory(values);
  const Kokkos::View<float**, Kokkos::LayoutRight, TypeParam> matrix(memory.data(), 20, 33);
  const auto rows = Kokkos::subview(matrix, std::pair(3, 11), Kokkos::ALL);
  kachel::hardtanh(TypeParam{}, rows, rows);
  std::vector<float> expected = values;
  const std::vector<float> inside = clamped(std::vector<float>(values.begin() + 3 * 33, values.begin() + 11 * 33));
  std::copy(inside.begin(), inside.end(), expected.begin() + 3 * 33);
  EXPECT_TRUE(all_same(expected, memory.values()));
}

TYPED_TEST(MapOfViews, OfOneColumnInLayoutLeft) {
  const std::vector<float> values = varied<float>(20 * 33);
  const Guarded<TypeParam, float> memory(values), output(std::vector<float>(20));
  const Kokkos::View<float**, Kokkos::LayoutLeft, TypeParam> matrix(memory.data(), 20, 33);
  kachel::hardtanh(TypeParam{}, output.span(), Kokkos::subview(matrix, Kokkos::ALL, 7));
  EXPECT_TRUE(all_same(clamped(std::vector<float>(values.begin() + 7 * 20, values.begin() + 8 * 20)), output.values()));
}

}  // namespace
}  // namespace kachel_test
