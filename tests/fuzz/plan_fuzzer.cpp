// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any operands, given to the checks and the plan, against what walking through every element says of them. Inputs may
// have extents of their own, which repeat to the first output's or do not.
#include <kachel/detail/plan.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using kachel::detail::Array;
using kachel::detail::Plan;

alignas(64) unsigned char arena[1 << 16];

/// Fails with what was found, and with the operands.
[[noreturn]] void fail(const char* what, const std::vector<Array>& operands, const std::string& message) {
  std::fprintf(stderr, "%s (%s)\n", what, message.c_str());
  for (const Array& o : operands) {
    std::fprintf(stderr, "  %.*s: %d bytes at %td, extents and strides", static_cast<int>(o.name.size()), o.name.data(),
                 static_cast<int>(o.element_bytes), static_cast<const unsigned char*>(o.data) - arena);
    for (int i = 0; i < o.rank; ++i) std::fprintf(stderr, " %zu:%zu", o.extents[i], o.strides[i]);
    std::fprintf(stderr, "\n");
  }
  std::abort();
}

/// Numbers from the fuzzer's bytes, 0 at their end.
class Source {
 public:
  Source(const std::uint8_t* bytes, std::size_t size) : next_(bytes), end_(bytes + size) {}

  int below(int limit) { return next_ == end_ ? 0 : *next_++ % limit; }

 private:
  const std::uint8_t *next_, *end_;
};

Array read_operand(Source& source, const Array* like) {
  Array operand{};
  operand.name = like == nullptr ? "y" : "x";
  operand.element_bytes = std::size_t{1} << source.below(4);
  const bool misaligned = source.below(16) == 1, null = source.below(32) == 1;
  const std::size_t place = source.below(256) * (misaligned ? 1 : operand.element_bytes);
  operand.data = null ? nullptr : arena + place;
  if (like != nullptr && source.below(16) != 1) {
    operand.rank = like->rank;
    std::copy(std::begin(like->extents), std::end(like->extents), operand.extents);
  } else {
    operand.rank = source.below(kachel::detail::max_rank + 1);
    int elements = 1;
    for (int i = 0; i < operand.rank; ++i) {
      const int extent = source.below(operand.rank > 3 ? 4 : 10);
      operand.extents[i] = elements * extent > 100 ? 1 : extent;
      elements *= std::max(1, static_cast<int>(operand.extents[i]));
    }
  }
  // Dense in a random order, which random strides would rarely be; or what the bytes say.
  const int kind = source.below(4);
  std::size_t dense = 1;
  for (int i = 0; i < operand.rank; ++i) {
    const int dimension = kind == 0 ? i : operand.rank - 1 - i;
    operand.strides[dimension] = kind < 2                       ? dense
                                 : kind == 2 && like != nullptr ? like->strides[dimension]
                                                                : source.below(60) - 12;
    dense *= std::max<std::size_t>(1, operand.extents[dimension]);
    if (source.below(16) == 1) dense += source.below(4);
  }
  return operand;
}

/// The offsets of every element, in elements, the last dimension's fastest.
std::vector<std::size_t> offsets_of(const Array& operand) {
  std::vector<std::size_t> offsets = {0};
  for (int i = 0; i < operand.rank; ++i) {
    std::vector<std::size_t> next;
    for (const std::size_t offset : offsets)
      for (std::size_t place = 0; place < operand.extents[i]; ++place)
        next.push_back(offset + place * operand.strides[i]);
    offsets = std::move(next);
  }
  return offsets;
}

/// An input of fewer dimensions than `like`, or with single elements in some of them; or one that does not fit.
Array read_repeated(Source& source, const Array& like) {
  Array operand = read_operand(source, &like);
  if (operand.rank != like.rank) return operand;
  const int missing = source.below(like.rank + 1);
  operand.rank -= missing;
  for (int i = 0; i < operand.rank; ++i) {
    const int kind = source.below(16);
    operand.extents[i] = kind == 1  ? static_cast<std::size_t>(source.below(4))
                         : kind < 6 ? 1
                                    : like.extents[i + missing];
    operand.strides[i] = operand.strides[i + missing];
  }
  return operand;
}

/// The offset of a repeated operand's element for each of `like`; nothing where the operand does not repeat so.
std::optional<std::vector<std::size_t>> repeated_offsets(const Array& operand, const Array& like) {
  if (operand.rank > like.rank) return std::nullopt;
  Array walk = like;
  for (int i = 0; i < like.rank; ++i) {
    const int own = i - (like.rank - operand.rank);
    const std::size_t extent = own < 0 ? 1 : operand.extents[own];
    if (own >= 0 && extent != 1 && extent != like.extents[i]) return std::nullopt;
    walk.strides[i] = own < 0 || extent == 1 ? 0 : operand.strides[own];
  }
  return offsets_of(walk);
}

bool same_extents(const Array& a, const Array& b) {
  return a.rank == b.rank && std::equal(a.extents, a.extents + a.rank, b.extents);
}

bool same_strides(const Array& a, const Array& b) {
  for (int i = 0; i < a.rank; ++i)
    if (a.extents[i] > 1 && a.strides[i] != b.strides[i]) return false;
  return true;
}

/// The addresses of the bytes that an operand's elements lie in, in order.
std::vector<std::uintptr_t> bytes_of(const Array& operand) {
  std::vector<std::uintptr_t> bytes;
  for (const std::size_t offset : offsets_of(operand))
    for (std::size_t byte = 0; byte < operand.element_bytes; ++byte)
      bytes.push_back(reinterpret_cast<std::uintptr_t>(operand.data) + offset * operand.element_bytes + byte);
  std::sort(bytes.begin(), bytes.end());
  return bytes;
}

bool is_dense(const Array& operand) {
  std::vector<std::size_t> offsets = offsets_of(operand);
  std::sort(offsets.begin(), offsets.end());
  for (std::size_t i = 0; i < offsets.size(); ++i)
    if (offsets[i] != i) return false;
  return true;
}

bool writes_twice(const Array& operand) {
  std::vector<std::size_t> offsets = offsets_of(operand);
  std::sort(offsets.begin(), offsets.end());
  return std::adjacent_find(offsets.begin(), offsets.end()) != offsets.end();
}

bool share_bytes(const Array& a, const Array& b) {
  const auto of_a = bytes_of(a), of_b = bytes_of(b);
  return std::any_of(of_a.begin(), of_a.end(),
                     [&](std::uintptr_t byte) { return std::binary_search(of_b.begin(), of_b.end(), byte); });
}

bool may_be_same(const Array& a, const Array& b) {
  return a.data == b.data && a.element_bytes == b.element_bytes && same_strides(a, b);
}

int unit_of(const Array& operand, const kachel::detail::TileShape& tile) {
  return std::max(1, std::min(tile.width, tile.access_bytes / static_cast<int>(operand.element_bytes)));
}

/// \param outputs  how many of the operands are outputs
void check_plan(const Plan& plan, const kachel::detail::TileShape& tile, const std::vector<Array>& operands,
                std::size_t outputs) {
  const std::size_t size = offsets_of(operands[0]).size();
  if (plan.size != static_cast<std::int64_t>(size)) fail("wrong size", operands, "");
  if (size == 0) return;

  // Each element of the first operand meets the same elements of the others.
  const auto meetings = [&](const auto& offsets_by_operand) {
    std::vector<std::vector<std::size_t>> all(size);
    for (std::size_t i = 0; i < size; ++i)
      for (const auto& offsets : offsets_by_operand) all[i].push_back(offsets[i]);
    std::sort(all.begin(), all.end());
    return all;
  };
  std::vector<std::vector<std::size_t>> given, planned, row_begins;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    given.push_back(offsets_of(operands[k]));
    Array walk = operands[k];
    walk.rank = plan.rank;
    for (int i = 0; i < plan.rank; ++i) {
      walk.extents[i] = plan.extents[i];
      walk.strides[i] = plan.strides[k][i];
    }
    planned.push_back(offsets_of(walk));
    if (planned.back().size() != size) fail("the plan has another size", operands, "");
    walk.extents[0] = 1;
    row_begins.push_back(offsets_of(walk));
  }
  if (meetings(given) != meetings(planned)) fail("the plan walks elsewhere", operands, "");

  if (plan.unit != unit_of(operands[0], tile)) fail("wrong unit", operands, "");
  const auto element = [&](std::size_t k, std::size_t offset) {  // its address, in elements
    return reinterpret_cast<std::uintptr_t>(operands[k].data) / operands[k].element_bytes + offset;
  };
  if (plan.shift != static_cast<int>(element(0, 0) % plan.unit)) fail("wrong shift", operands, "");

  bool in_place = false;
  for (std::size_t output = 0; output < outputs; ++output)
    for (std::size_t input = outputs; input < operands.size(); ++input)
      in_place |= may_be_same(operands[output], operands[input]);
  if (plan.in_place != in_place) fail("in place, or not", operands, "");

  const bool dense = is_dense(operands[0]) &&
                     std::all_of(given.begin(), given.end(), [&](const auto& offsets) { return offsets == given[0]; });
  if ((plan.layout == kachel::detail::Layout::contiguous) != dense || (dense && plan.rank != 1))
    fail("dense, or not", operands, "");

  // Wherever a tile may begin in a row, be it before or after the row itself.
  bool aligned = true;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].broadcast && plan.strides[k][0] == 0) continue;  // read once
    aligned &= plan.strides[k][0] == 1;
    for (std::size_t row = 0; row < row_begins[0].size(); ++row)
      for (int i = 0; i < tile.width; ++i)
        if (element(0, row_begins[0][row] + i) % plan.unit == 0)
          aligned &= element(k, row_begins[k][row] + i) % unit_of(operands[k], tile) == 0;
  }
  if (plan.aligned != aligned) fail("aligned, or not", operands, "");

  bool dense_but_broadcast = is_dense(operands[0]);
  for (std::size_t k = 0; k < operands.size(); ++k)
    dense_but_broadcast &= operands[k].broadcast || given[k] == given[0];
  if (plan.contiguous_but_broadcast != dense_but_broadcast) fail("dense but what repeats, or not", operands, "");
  for (std::size_t k = outputs; k < operands.size() && dense_but_broadcast; ++k) {
    const kachel::detail::Cycle cycle = kachel::detail::cycle_of(plan, static_cast<int>(k));
    if (!operands[k].broadcast || cycle.run == 0) continue;
    for (std::int64_t i = 0; i < plan.size; ++i) {
      std::int64_t left = i, offset = 0;
      for (int d = 0; d < plan.rank; left /= plan.extents[d++]) offset += left % plan.extents[d] * plan.strides[k][d];
      if (offset != i / cycle.run % cycle.elements) fail("another cycle", operands, "");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static const Kokkos::ScopeGuard kokkos(*argc, *argv);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t byte_count) {
  Source source(bytes, byte_count);
  const kachel::detail::TileShape tile = {4 << source.below(5), 16 << source.below(3)};
  std::vector<Array> operands = {read_operand(source, nullptr)};
  const int outputs = 1 + source.below(4), inputs = source.below(9);
  while (static_cast<int>(operands.size()) < outputs + inputs) {
    const bool repeats = static_cast<int>(operands.size()) >= outputs && source.below(4) == 1;
    if (!repeats) {
      operands.push_back(read_operand(source, &operands[0]));
      continue;
    }
    Array operand = read_repeated(source, operands[0]);
    const auto expected = repeated_offsets(operand, operands[0]);
    std::string error;
    try {
      kachel::detail::repeat("fuzz", operand, operands[0]);
    } catch (const std::invalid_argument& rejection) {
      error = rejection.what();
    }
    const bool unusable =
        operand.data == nullptr || reinterpret_cast<std::uintptr_t>(operand.data) % operand.element_bytes != 0;
    operands.push_back(operand);
    if (expected.has_value() == (error.find("expected each from the last on") != error.npos))
      fail("repeats, or not", operands, error);
    if (!error.empty() && expected && !unusable) fail("an input that repeats is refused", operands, error);
    if (!error.empty()) return 0;
    if (offsets_of(operand) != *expected) fail("repeats otherwise", operands, "");
  }

  std::string message;
  Plan plan;
  try {
    plan = kachel::detail::plan_call("fuzz", tile, operands, static_cast<std::size_t>(outputs));
  } catch (const std::invalid_argument& error) {
    message = error.what();
  }

  const bool differ =
      std::any_of(operands.begin(), operands.end(), [&](const Array& o) { return !same_extents(o, operands[0]); });
  const auto says = [&](const char* words) { return message.find(words) != message.npos; };
  if (differ != (says("has extents") && !says("with strides"))) fail("extents differ, or do not", operands, message);
  if (differ) return 0;
  if (offsets_of(operands[0]).empty()) {
    if (!message.empty() || plan.size != 0) fail("no elements are no error", operands, message);
    return 0;
  }
  const bool null = std::any_of(operands.begin(), operands.end(), [](const Array& o) { return o.data == nullptr; });
  const bool between = std::any_of(operands.begin(), operands.end(), [](const Array& o) {
    return reinterpret_cast<std::uintptr_t>(o.data) % o.element_bytes != 0;
  });
  bool twice = false, share = false;
  for (int k = 0; k < outputs && !null && !between; ++k) {
    twice |= writes_twice(operands[k]);
    for (int other = 0; other < static_cast<int>(operands.size()); ++other) {
      if (other == k || (other < outputs && other > k)) continue;
      const bool input = other >= outputs;
      if (input && may_be_same(operands[k], operands[other])) continue;
      share |= share_bytes(operands[k], operands[other]);
    }
  }
  if (message.empty()) {
    if (null) fail("a null pointer is accepted", operands, message);
    if (between) fail("an address within an element is accepted", operands, message);
    if (twice) fail("an element is written twice", operands, message);
    if (share) fail("operands that meet are accepted", operands, message);
    check_plan(plan, tile, operands, outputs);
  } else {
    if (says("null pointer") && !null) fail("no pointer is null", operands, message);
    if (says("no multiple") && !between) fail("no address is within an element", operands, message);
    if (says("apart") && !null && !between && !twice) fail("no element is written twice", operands, message);
    if (says("overlap") && !share) fail("no element is shared", operands, message);
    if (!says("null pointer") && !says("no multiple") && !says("apart") && !says("overlap"))
      fail("an unknown message", operands, message);
  }
  return 0;
}
