// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks of operands and the plan, from plain data. Messages are held to the letter.
#include <kachel/detail/plan.hpp>

#include <gtest/gtest.h>
#include <support/rejection.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace kachel_test {
namespace {

using kachel::detail::Array;
using kachel::detail::Layout;
using kachel::detail::Plan;

/// A float operand at an address that is only compared, never read.
Array operand(std::string_view name, std::uintptr_t address, const std::vector<std::size_t>& extents,
              const std::vector<std::size_t>& strides) {
  Array result{name, reinterpret_cast<const void*>(address), 4, static_cast<int>(extents.size()), {}, {}};
  std::copy(extents.begin(), extents.end(), result.extents);
  std::copy(strides.begin(), strides.end(), result.strides);
  return result;
}

Plan plan(const Array& y, const std::vector<Array>& x) {
  std::vector<Array> arrays = {y};
  arrays.insert(arrays.end(), x.begin(), x.end());
  return kachel::detail::plan_call("kachel::test", {.width = 4, .access_bytes = 16}, arrays, 1);
}

std::string rejection(const Array& y, const std::vector<Array>& x) {
  return rejection_of([&] { plan(y, x); });
}

TEST(Plan, CountsElementsOfEveryRank) {
  EXPECT_EQ(plan(operand("y", 4096, {}, {}), {operand("x", 8192, {}, {})}).size, 1);
  EXPECT_EQ(plan(operand("y", 4096, {7}, {1}), {operand("x", 8192, {7}, {1})}).size, 7);
  const std::vector<std::size_t> extents(8, 2), strides = {128, 64, 32, 16, 8, 4, 2, 1};
  EXPECT_EQ(plan(operand("y", 4096, extents, strides), {operand("x", 8192, extents, strides)}).size, 256);
}

TEST(Plan, CountsBeyond32Bits) {
  const std::vector<std::size_t> extents = {1 << 20, 1 << 14}, strides = {1 << 14, 1};
  const std::uintptr_t far = std::uintptr_t{1} << 40;
  EXPECT_EQ(plan(operand("y", 4096, extents, strides), {operand("x", far, extents, strides)}).size,
            std::int64_t{1} << 34);
  const std::size_t pitch = std::size_t{1} << 33;
  const Plan rows = plan(operand("y", 4096, {4, 8}, {pitch, 1}), {operand("x", 8192, {4, 8}, {pitch, 1})});
  EXPECT_EQ(rows.strides[1][1], std::int64_t{1} << 33);
}

TEST(Plan, RefusesWhatOverflows) {
  const auto twice = [](const std::vector<std::size_t>& extents, const std::vector<std::size_t>& strides) {
    return rejection(operand("y", 4096, extents, strides), {operand("x", 4096, extents, strides)});
  };
  const std::string expected = ", expected elements that lie within 2^62 bytes";
  EXPECT_EQ(twice({static_cast<std::size_t>(-5)}, {1}), "kachel::test: y has extents (-5) with strides (1)" + expected);
  constexpr std::size_t many = std::size_t{1} << 32, far = std::size_t{1} << 62;
  EXPECT_EQ(twice({many, many}, {many, 1}),
            "kachel::test: y has extents (4294967296, 4294967296) with strides (4294967296, 1)" + expected);
  EXPECT_EQ(twice({2, 2}, {far, far}),
            "kachel::test: y has extents (2, 2) with strides (4611686018427387904, 4611686018427387904)" + expected);
  EXPECT_EQ(twice({0, many, many}, {1, 1, 1}), "accepted");
}

TEST(Plan, KnowsAlignmentAndPlace) {
  const auto at = [](std::uintptr_t y, std::uintptr_t x1, std::uintptr_t x2) {
    return plan(operand("y", y, {8}, {1}), {operand("x1", x1, {8}, {1}), operand("x2", x2, {8}, {1})});
  };
  EXPECT_TRUE(at(4096, 8192, 8208).aligned);
  EXPECT_FALSE(at(4100, 8192, 8192).aligned);
  EXPECT_FALSE(at(4096, 8196, 8192).aligned);
  EXPECT_FALSE(at(4096, 8192, 8196).aligned);
  EXPECT_FALSE(at(4096, 8192, 8192).in_place);
  EXPECT_TRUE(at(4096, 4096, 8192).in_place);
  EXPECT_TRUE(at(4096, 8192, 4096).in_place);
}

TEST(Plan, MisalignedAlikeIsAlignedAfterAShorterTile) {
  const Plan alike = plan(operand("y", 4108, {80}, {1}), {operand("x", 8204, {80}, {1})});
  EXPECT_EQ(alike.unit, 4);
  EXPECT_EQ(alike.shift, 3);
  EXPECT_TRUE(alike.aligned);
  EXPECT_FALSE(plan(operand("y", 4108, {80}, {1}), {operand("x", 8200, {80}, {1})}).aligned);
}

/// Extents and strides of a plan, operand by operand.
std::vector<std::vector<std::int64_t>> walk(const Plan& plan, int operands) {
  std::vector<std::vector<std::int64_t>> result = {{plan.extents, plan.extents + plan.rank}};
  for (int k = 0; k < operands; ++k) result.emplace_back(plan.strides[k], plan.strides[k] + plan.rank);
  return result;
}
using Walk = std::vector<std::vector<std::int64_t>>;

TEST(Plan, WalksDimensionsThatJoinAsOne) {
  const Plan right = plan(operand("y", 4096, {5, 4, 3}, {12, 3, 1}), {operand("x", 8192, {5, 4, 3}, {12, 3, 1})});
  EXPECT_EQ(right.layout, Layout::contiguous);
  EXPECT_EQ(walk(right, 2), (Walk{{60}, {1}, {1}}));
  const Plan left = plan(operand("y", 4096, {5, 4, 3}, {1, 5, 20}), {operand("x", 8192, {5, 4, 3}, {1, 5, 20})});
  EXPECT_EQ(left.layout, Layout::contiguous);
  EXPECT_EQ(walk(left, 2), (Walk{{60}, {1}, {1}}));
  const Plan pitch = plan(operand("y", 4096, {5, 4, 3}, {16, 4, 1}), {operand("x", 8192, {5, 4, 3}, {12, 3, 1})});
  EXPECT_NE(pitch.layout, Layout::contiguous);
  EXPECT_EQ(walk(pitch, 2), (Walk{{3, 20}, {1, 4}, {1, 3}}));
}

TEST(Plan, WalksInTheOrderOfTheOutputsMemory) {
  const Plan mixed = plan(operand("y", 4096, {4, 3}, {3, 1}), {operand("x", 8192, {4, 3}, {1, 4})});
  EXPECT_NE(mixed.layout, Layout::contiguous);
  EXPECT_FALSE(mixed.aligned);
  EXPECT_EQ(walk(mixed, 2), (Walk{{3, 4}, {1, 3}, {4, 1}}));
  const Plan column = plan(operand("y", 4096, {7, 1}, {5, 1}), {operand("x", 8192, {7, 1}, {2, 9})});
  EXPECT_NE(column.layout, Layout::contiguous);
  EXPECT_EQ(walk(column, 2), (Walk{{7}, {5}, {2}}));
}

TEST(Plan, RowsAreContiguousBesideAnElementThatIsReadOnce) {
  const Array y = operand("y", 4096, {5, 3, 8}, {24, 8, 1}), x = operand("x", 8192, {5, 3, 8}, {24, 8, 1});
  Array w = operand("w", 12292, {3}, {2});
  EXPECT_EQ(plan(y, {x, operand("w", 12292, {5, 3, 8}, {0, 2, 0})}).layout, Layout::strided);
  kachel::detail::repeat_along("kachel::test", w, 1, y);
  const Plan rows = plan(y, {x, w});
  EXPECT_EQ(walk(rows, 3), (Walk{{8, 3, 5}, {1, 8, 24}, {1, 8, 24}, {0, 2, 0}}));
  EXPECT_EQ(rows.layout, Layout::rows);
  EXPECT_TRUE(rows.aligned);
  EXPECT_EQ(plan(operand("y", 4096, {5, 3, 8}, {48, 16, 2}), {x, w}).layout, Layout::strided);
}

TEST(Plan, KnowsHowAnOperandRepeatsBesideDenseOnes) {
  const auto cycle = [](const std::vector<std::size_t>& extents, const std::vector<std::size_t>& strides,
                        std::size_t weights, std::size_t step = 1) {
    const Array y = operand("y", 4096, extents, strides);
    Array w = operand("w", 1 << 20, {weights}, {step});
    kachel::detail::repeat_along("kachel::test", w, 1, y);
    const Plan found = plan(y, {operand("x", 8192, extents, strides), w});
    if (!found.contiguous_but_broadcast) return std::pair<std::int64_t, std::int64_t>(-1, -1);
    const kachel::detail::Cycle result = kachel::detail::cycle_of(found, 2);
    return std::pair(result.run, result.elements);
  };
  const auto run_and_elements = [](std::int64_t run, std::int64_t elements) { return std::pair(run, elements); };
  EXPECT_EQ(cycle({5, 3, 8}, {24, 8, 1}, 3), run_and_elements(8, 3));
  EXPECT_EQ(cycle({5, 3, 2, 4}, {24, 8, 4, 1}, 3), run_and_elements(8, 3));
  EXPECT_EQ(cycle({5, 3, 8}, {1, 40, 5}, 3), run_and_elements(40, 3));
  EXPECT_EQ(cycle({5, 3, 8}, {1, 5, 15}, 3), run_and_elements(5, 3));
  EXPECT_EQ(cycle({9, 6}, {6, 1}, 6), run_and_elements(1, 6));
  EXPECT_EQ(cycle({1, 6}, {6, 1}, 6), run_and_elements(1, 6));
  EXPECT_EQ(cycle({5, 3, 8}, {24, 8, 1}, 1), run_and_elements(120, 1));
  EXPECT_EQ(cycle({5, 1, 8}, {8, 8, 1}, 1), run_and_elements(40, 1));
  EXPECT_EQ(cycle({7}, {1}, 1), run_and_elements(7, 1));
  EXPECT_EQ(cycle({5, 3, 8}, {24, 8, 1}, 3, 2), run_and_elements(0, 0)) << "not one after the other";
  EXPECT_EQ(cycle({5, 3, 8}, {48, 16, 2}, 3), run_and_elements(-1, -1)) << "not dense";
}

TEST(Plan, RowsAreAlignedWhereEveryPitchKeepsThemSo) {
  const auto rows = [](std::uintptr_t x, std::size_t y_pitch, std::size_t x_pitch) {
    return plan(operand("y", 4096, {9, 30}, {y_pitch, 1}), {operand("x", x, {9, 30}, {x_pitch, 1})}).aligned;
  };
  EXPECT_TRUE(rows(8192, 32, 36));
  EXPECT_TRUE(rows(8192, 33, 37));
  EXPECT_FALSE(rows(8192, 33, 36));
  EXPECT_FALSE(rows(8196, 32, 36));
}

TEST(Plan, AcceptsInputsThatRepeatAnElement) {
  const Plan repeated = plan(operand("y", 4096, {9, 30}, {30, 1}), {operand("x", 8192, {9, 30}, {1, 0})});
  EXPECT_EQ(walk(repeated, 2), (Walk{{30, 9}, {1, 30}, {0, 1}}));
}

TEST(Plan, OfNoElementsAcceptsNullPointersAndAnyStrides) {
  const Plan empty = plan(operand("y", 0, {3, 0}, {1, 9}), {operand("x", 0, {3, 0}, {5, 5})});
  EXPECT_EQ(empty.size, 0);
}

TEST(Plan, IgnoresTheStridesOfExtentsOfOne) {
  EXPECT_EQ(rejection(operand("y", 4096, {1, 5}, {5, 1}), {operand("x", 8192, {1, 5}, {1, 1})}), "accepted");
}

TEST(Plan, AcceptsNeighboursThatTouch) {
  EXPECT_EQ(rejection(operand("y", 4096, {8}, {1}), {operand("x", 4128, {8}, {1})}), "accepted");
  EXPECT_EQ(rejection(operand("y", 4128, {8}, {1}), {operand("x", 4096, {8}, {1})}), "accepted");
}

TEST(Plan, RejectsExtentsThatDiffer) {
  EXPECT_EQ(rejection(operand("y", 4096, {4, 3}, {3, 1}), {operand("x", 8192, {4, 2}, {2, 1})}),
            "kachel::test: x has extents (4, 2), expected (4, 3) as y has");
  EXPECT_EQ(rejection(operand("y", 4096, {0}, {1}), {operand("x", 8192, {1}, {1})}),
            "kachel::test: x has extents (1), expected (0) as y has");
  EXPECT_EQ(rejection(operand("y", 4096, {5}, {1}), {operand("x1", 8192, {5}, {1}), operand("x2", 8192, {6}, {1})}),
            "kachel::test: x2 has extents (6), expected (5) as y has");
}

TEST(Plan, RejectsNullPointers) {
  EXPECT_EQ(rejection(operand("y", 0, {4, 3}, {3, 1}), {operand("x", 8192, {4, 3}, {3, 1})}),
            "kachel::test: y is a null pointer, expected 12 elements");
  EXPECT_EQ(rejection(operand("y", 4096, {7}, {1}), {operand("x", 0, {7}, {1})}),
            "kachel::test: x is a null pointer, expected 7 elements");
}

TEST(Plan, RejectsAddressesWithinAnElement) {
  EXPECT_EQ(rejection(operand("y", 4096, {7}, {1}), {operand("x", 8194, {7}, {1})}),
            "kachel::test: x begins at an address that is no multiple of its element's 4 bytes");
}

TEST(Plan, RejectsOutputsThatWriteAnElementTwice) {
  EXPECT_EQ(rejection(operand("y", 4096, {4, 3}, {3, 0}), {operand("x", 8192, {4, 3}, {3, 1})}),
            "kachel::test: y has extents (4, 3) with strides (3, 0), expected strides that keep its elements apart");
  EXPECT_EQ(rejection(operand("y", 4096, {4, 8}, {1, 1}), {operand("x", 8192, {4, 8}, {8, 1})}),
            "kachel::test: y has extents (4, 8) with strides (1, 1), expected strides that keep its elements apart");
  EXPECT_NE(rejection(operand("y", 4096, {4, 3}, {2, 3}), {operand("x", 8192, {4, 3}, {3, 1})}), "accepted");
}

TEST(Plan, AcceptsOutputsWhoseDimensionsInterleave) {
  EXPECT_EQ(rejection(operand("y", 4096, {3, 2}, {2, 3}), {operand("x", 8192, {3, 2}, {2, 1})}), "accepted");
  EXPECT_EQ(rejection(operand("y", 4096, {3, 4}, {2, 3}), {operand("x", 8192, {3, 4}, {4, 1})}), "accepted");
  EXPECT_EQ(rejection(operand("y", 4096, {4, 3}, {3, 2}), {operand("x", 8192, {4, 3}, {3, 1})}), "accepted");
  EXPECT_EQ(rejection(operand("y", 4096, {4, 3}, {1, 4}), {operand("x", 8192, {4, 3}, {3, 1})}), "accepted");
}

TEST(Plan, RejectsTheSameMemoryInAnotherOrder) {
  EXPECT_EQ(rejection(operand("y", 4096, {4, 3}, {3, 1}), {operand("x", 4096, {4, 3}, {1, 4})}),
            "kachel::test: x overlaps y: both begin at one address with other strides, expected the same memory or no "
            "element in common");
}

TEST(Plan, AcceptsOperandsBetweenEachOthersElements) {
  EXPECT_EQ(rejection(operand("y", 4096, {8}, {2}), {operand("x", 4100, {8}, {2})}), "accepted");
  EXPECT_EQ(rejection(operand("y", 4096, {5, 8}, {20, 1}), {operand("x", 4096 + 32, {5, 8}, {20, 1})}), "accepted");
  EXPECT_EQ(rejection(operand("y", 4096, {5, 8}, {20, 1}), {operand("x", 4096 - 32, {5, 8}, {20, 1})}), "accepted");
  EXPECT_EQ(rejection(operand("y", 4096, {8}, {1}), {operand("x", 4092, {8}, {9})}), "accepted");
}

TEST(Plan, RejectsRowsOfOneMatrixThatMeet) {
  EXPECT_EQ(
      rejection(operand("y", 4096, {5, 8}, {20, 1}), {operand("x", 4096 - 28, {5, 8}, {20, 1})}),
      "kachel::test: x overlaps y: it begins 28 bytes before it, expected the same memory or no element in common");
  EXPECT_NE(rejection(operand("y", 4096, {5, 8}, {20, 1}), {operand("x", 4096 + 80 + 4, {5, 8}, {20, 1})}), "accepted");
  EXPECT_NE(rejection(operand("y", 4096, {8}, {3}), {operand("x", 4096 + 7 * 12, {8}, {3})}), "accepted");
}

TEST(Plan, RejectsColumnsOfOneMatrixThatMeet) {
  const Array y = operand("y", 4096, {8, 5}, {1, 20});
  EXPECT_EQ(
      rejection(y, {operand("x", 4096 + 80, {8, 5}, {1, 20})}),
      "kachel::test: x overlaps y: it begins 80 bytes after it, expected the same memory or no element in common");
  EXPECT_NE(rejection(y, {operand("x", 4096 - 80 + 7 * 4, {8, 5}, {1, 20})}), "accepted");
  EXPECT_EQ(rejection(y, {operand("x", 4096 + 8 * 4, {8, 5}, {1, 20})}), "accepted");
  EXPECT_EQ(rejection(y, {operand("x", 4096 + 5 * 80, {8, 5}, {1, 20})}), "accepted");
  const Array block = operand("y", 4096, {8, 1, 7, 4}, {1, 3, 10, 100});
  EXPECT_NE(rejection(block, {operand("x", 4096 + 40, {8, 1, 7, 4}, {1, 3, 10, 100})}), "accepted");
  const Array narrow = operand("y", 4096, {5, 1, 7, 4}, {1, 3, 10, 100});
  EXPECT_EQ(rejection(narrow, {operand("x", 4096 + 20, {5, 1, 7, 4}, {1, 3, 10, 100})}), "accepted");
}

TEST(Plan, RejectsInterleavedOperandsThatMeetFarAway) {
  const Array y = operand("y", 4096, {4, 9}, {9, 4});
  EXPECT_NE(rejection(y, {operand("x", 4096 + 4 * 1, {4, 9}, {9, 4})}), "accepted");
  EXPECT_NE(rejection(y, {operand("x", 4096 + 4 * 23, {4, 9}, {9, 4})}), "accepted");
  EXPECT_EQ(rejection(y, {operand("x", 4096 + 4 * 58, {4, 9}, {9, 4})}), "accepted");
}

TEST(Plan, RejectsOneAddressInAnotherOrderBetweenGaps) {
  const Array y = operand("y", 4096, {7, 7}, {8, 1});
  EXPECT_EQ(rejection(y, {operand("x", 4096, {7, 7}, {1, 8})}),
            "kachel::test: x overlaps y: both begin at one address with other strides, expected the same memory or no "
            "element in common");
}

TEST(Plan, AcceptsAnOperandThatBeginsWhereAnotherEnds) {
  EXPECT_EQ(rejection(operand("y", 4096, {4, 2}, {3, 1}), {operand("x", 4096 + 4 * 11, {4, 2}, {3, 1})}), "accepted");
}

TEST(Plan, RejectsStridedInputsThatBeginOrEndInADenseOutput) {
  const Array y = operand("y", 4096, {4, 8}, {8, 1});
  EXPECT_EQ(rejection(y, {operand("x", 4096 + 32, {4, 8}, {0, 1})}),
            "kachel::test: x overlaps y: it begins 32 bytes after it, expected no element in common, since it repeats: "
            "pass a copy of it");
  EXPECT_NE(rejection(y, {operand("x", 4096 - 4, {4, 8}, {0, 1})}), "accepted");
  EXPECT_NE(rejection(operand("y", 4096, {8}, {5}), {operand("x", 4096 + 4 * 35, {8}, {1})}), "accepted");
}

TEST(Plan, RejectsTheSameAddressOfElementsOfAnotherSize) {
  Array x = operand("x", 4096, {8}, {1});
  x.element_bytes = 2;
  EXPECT_EQ(rejection(operand("y", 4096, {8}, {1}), {x}),
            "kachel::test: x overlaps y: both begin at one address, expected no element in common");
}

TEST(Plan, RejectsATransposedWindowThatBeginsElsewhere) {
  EXPECT_EQ(
      rejection(operand("y", 4096 + 4, {9, 9}, {10, 1}), {operand("x", 4096 + 40, {9, 9}, {1, 10})}),
      "kachel::test: x overlaps y: it begins 36 bytes after it, expected the same memory or no element in common");
  EXPECT_EQ(rejection(operand("y", 4096, {4, 4}, {10, 1}), {operand("x", 4096 + 16, {4, 4}, {1, 10})}), "accepted");
}

TEST(Plan, RejectsAnInputThatWalksBackwardsIntoTheOutput) {
  constexpr auto backwards = static_cast<std::size_t>(-1);
  const Array y = operand("y", 4096 + 4 * 32, {65}, {1});
  EXPECT_EQ(rejection(y, {operand("x", 4096 + 4 * 161, {65}, {backwards})}), "accepted");
  EXPECT_EQ(
      rejection(y, {operand("x", 4096 + 4 * 160, {65}, {backwards})}),
      "kachel::test: x overlaps y: it begins 512 bytes after it, expected the same memory or no element in common");
  EXPECT_EQ(rejection(operand("y", 4096, {2, 65}, {3, backwards}), {operand("x", 8192, {2, 65}, {65, 1})}),
            "kachel::test: y has extents (2, 65) with strides (3, -1), expected strides that keep its elements apart");
}

TEST(Plan, RejectsThreeDimensionsThatMeetOnlyTogether) {
  EXPECT_EQ(
      rejection(operand("y", 4096, {2, 2, 2}, {3, 4, 7}), {operand("x", 8192, {2, 2, 2}, {4, 2, 1})}),
      "kachel::test: y has extents (2, 2, 2) with strides (3, 4, 7), expected strides that keep its elements apart");
}

/// The bytes of an operand's elements.
std::vector<std::uintptr_t> bytes_of(const Array& operand) {
  std::vector<std::uintptr_t> bytes = {reinterpret_cast<std::uintptr_t>(operand.data)};
  const auto repeat = [&](std::size_t count, std::uintptr_t distance) {
    std::vector<std::uintptr_t> all;
    for (const std::uintptr_t byte : bytes)
      for (std::size_t i = 0; i < count; ++i) all.push_back(byte + i * distance);
    bytes = std::move(all);
  };
  for (int i = 0; i < operand.rank; ++i) repeat(operand.extents[i], operand.strides[i] * operand.element_bytes);
  repeat(operand.element_bytes, 1);
  std::sort(bytes.begin(), bytes.end());
  return bytes;
}

TEST(Plan, FindsWhereSmallOperandsMeet) {
  std::mt19937 random(1);
  const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
  int met = 0, apart = 0;
  for (int repetition = 0; repetition < 50000; ++repetition) {
    const int rank = 1 + below(4);
    const auto any = [&](const char* name) {
      Array operand{};
      operand.name = name;
      operand.element_bytes = std::size_t{1} << below(4);
      operand.data = reinterpret_cast<const void*>(std::uintptr_t{4096} + 8 * static_cast<std::uintptr_t>(below(64)));
      operand.rank = rank;
      for (int i = 0; i < rank; ++i) operand.strides[i] = static_cast<std::size_t>(below(33) - 12);
      return operand;
    };
    Array y = any("y"), x = any("x");
    for (int i = 0; i < rank; ++i) y.extents[i] = x.extents[i] = 1 + random() % 4;
    const auto of_y = bytes_of(y), of_x = bytes_of(x);
    std::vector<std::uintptr_t> common;
    std::set_intersection(of_y.begin(), of_y.end(), of_x.begin(), of_x.end(), std::back_inserter(common));
    const std::string said = rejection(y, {x});
    if (std::adjacent_find(of_y.begin(), of_y.end()) != of_y.end()) {
      EXPECT_NE(said.find("expected strides that keep its elements apart"), said.npos) << said;
    } else if (common.empty()) {
      EXPECT_EQ(said, "accepted");
      ++apart;
    } else if (said != "accepted" || x.data != y.data || x.element_bytes != y.element_bytes) {
      EXPECT_NE(said.find("x overlaps y"), said.npos) << said;
      ++met;
    }
  }
  EXPECT_GT(met, 1000);
  EXPECT_GT(apart, 1000);
}

TEST(Plan, RejectsStridesThatTakeTooLongToSearch) {
  std::mt19937_64 random(1);
  const std::vector<std::size_t> extents(8, 5);
  std::vector<std::size_t> nested = {(std::size_t{1} << 37) + 12345},
                           unusual = {(std::size_t{1} << 36) + random() % (std::size_t{1} << 37)};
  for (int i = 1; i < 8; ++i) {
    nested.push_back(5 * nested.back() + 2);
    unusual.push_back((std::size_t{1} << 36) + random() % (std::size_t{1} << 37));
  }
  const Array y = operand("y", std::uintptr_t{1} << 42, extents, nested);
  const Array x = operand("x", (std::uintptr_t{1} << 42) + (std::uintptr_t{1} << 40), extents, unusual);
  EXPECT_EQ(rejection(y, {x}),
            "kachel::test: x may overlap y: it begins 1099511627776 bytes after it, with strides too irregular for a "
            "search of bounded length, expected the same memory or no element in common");
  const std::string said = rejection(x, {y});
  EXPECT_NE(said.find(", too irregular for a search of bounded length, expected strides that keep its elements apart"),
            said.npos)
      << said;
}

TEST(Plan, IsNotAlignedWhereAnInputsAccessIsWiderThanTheFirstOutputs) {
  Array x = operand("x", 8192 + 8, {64}, {1});
  x.element_bytes = 2;
  const Array arrays[] = {operand("y", 4096, {64}, {1}), x};
  EXPECT_FALSE(kachel::detail::plan_call("kachel::test", {.width = 8, .access_bytes = 16}, arrays, 1).aligned);
}

TEST(Plan, RejectsOutputsThatMeet) {
  const Array arrays[] = {operand("y1", 4096, {8}, {1}), operand("y2", 4096, {8}, {1}), operand("x", 8192, {8}, {1})};
  const auto plan_both = [&] {
    kachel::detail::plan_call("kachel::test", {.width = 4, .access_bytes = 16}, arrays, 2);
  };
  EXPECT_EQ(rejection_of(plan_both),
            "kachel::test: y1 overlaps y2: both begin at one address, expected no element in common");
}

TEST(Plan, RejectsOverlapInPart) {
  EXPECT_EQ(rejection(operand("y", 4096, {8}, {1}), {operand("x", 4100, {8}, {1})}),
            "kachel::test: x overlaps y: it begins 4 bytes after it, expected the same memory or no element in common");
  EXPECT_EQ(
      rejection(operand("y", 4096, {8}, {1}), {operand("x", 4068, {8}, {1})}),
      "kachel::test: x overlaps y: it begins 28 bytes before it, expected the same memory or no element in common");
}

}  // namespace
}  // namespace kachel_test
