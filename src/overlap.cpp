// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "overlap.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace kachel::detail {
namespace {

/// How an operand's elements lie along a dimension, counted in elements.
struct Dimension {
  std::int64_t stride, steps;
};

Dimension dimension(const Array& operand, int i) {
  return {static_cast<std::int64_t>(operand.strides[i]), static_cast<std::int64_t>(operand.extents[i]) - 1};
}

/// Where an operand's memory begins and ends.
struct Range {
  std::intptr_t begin, end;

  explicit Range(const Array& operand) : begin(reinterpret_cast<std::intptr_t>(operand.data)) {
    const auto bytes = static_cast<std::int64_t>(operand.element_bytes);
    end = begin + bytes;
    for (int i = 0; i < operand.rank; ++i) {
      const auto [stride, steps] = dimension(operand, i);
      if (steps > 0) (stride < 0 ? begin : end) += stride * steps * bytes;
    }
  }
};

/// Whether numbers 0 <= n[i] <= most[i] exist for which the sum of n[i] * length[i] is a given target.
///
/// Lengths are tried from the longest on. What the shorter ones can add leaves few n for each, and of those only every
/// some-th, since the rest of the target must be a multiple of the shorter lengths' common divisor. Where strides nest,
/// as in all usual arrays, that leaves one or two. The problem is as hard as that of the knapsack, so the search has a
/// bound.
class BoundedSums {
 public:
  void add(std::int64_t length, std::int64_t most) {
    if (length == 0 || most == 0) return;
    int place = count_;
    for (; place > 0 && terms_[place - 1].length <= length; --place) {
      if (terms_[place - 1].length == length) {
        terms_[place - 1].most += most;
        return;
      }
    }
    for (int i = count_++; i > place; --i) terms_[i] = terms_[i - 1];
    terms_[place] = {.length = length, .most = most, .divisor = 0, .reach = 0, .period = 1, .inverse = 0};
  }

  Found reach(std::int64_t target) {
    std::int64_t sum = 0;
    for (int i = count_ - 1; i >= 0; --i) terms_[i].reach = sum += terms_[i].length * terms_[i].most;
    if (target < 0 || target > sum) return Found::no;
    std::int64_t left = target;
    for (int i = 0; i < count_; ++i) {  // the usual arrays' one number for each length, without divisors
      const auto [lowest, highest] = numbers(i, left);
      if (lowest > highest) return Found::no;
      if (lowest < highest) return search_by_divisors(target);
      left -= lowest * terms_[i].length;
    }
    return left == 0 ? Found::yes : Found::no;
  }

 private:
  /// A length, and what holds for it and those that follow: their greatest common divisor and the longest sum. Only
  /// each `period`-th number of it leaves a rest that the divisor of the others divides.
  struct Term {
    std::int64_t length, most, divisor, reach, period, inverse;
  };

  /// The least and the greatest number of a length that leave the shorter ones a rest within their reach.
  std::pair<std::int64_t, std::int64_t> numbers(int i, std::int64_t target) const {
    const Term& term = terms_[i];
    const std::int64_t rest = term.reach - term.length * term.most;
    return {target > rest ? (target - rest - 1) / term.length + 1 : 0, std::min(term.most, target / term.length)};
  }

  Found search_by_divisors(std::int64_t target) {
    std::int64_t rest = 0;
    for (int i = count_ - 1; i >= 0; --i) {
      Term& term = terms_[i];
      term.divisor = std::gcd(term.length, rest);
      if (rest != 0) {
        term.period = rest / term.divisor;
        term.inverse = inverse(term.length / term.divisor % term.period, term.period);
      }
      rest = term.divisor;
    }
    return target % rest == 0 ? search(0, target) : Found::no;
  }

  /// \param target  at most the terms' reach, and a multiple of their divisor
  Found search(int i, std::int64_t target) {
    if (i + 1 == count_) return Found::yes;
    const Term& term = terms_[i];
    const auto [lowest, highest] = numbers(i, target);
    const std::int64_t first = product_modulo(target / term.divisor % term.period, term.inverse, term.period);
    const std::int64_t after = (first - lowest % term.period + term.period) % term.period;
    for (std::int64_t n = lowest + after; n <= highest; n += term.period) {
      if (--budget_ < 0) return Found::undecided;
      const Found found = search(i + 1, target - n * term.length);
      if (found != Found::no) return found;
    }
    return Found::no;
  }

  /// a * b modulo m, for a, b < m.
  static std::int64_t product_modulo(std::int64_t a, std::int64_t b, std::int64_t m) {
    constexpr std::int64_t half_of_the_digits = std::int64_t{1} << 31;
    if (m <= half_of_the_digits) return a * b % m;
    std::int64_t product = 0;
    for (; b > 0; b >>= 1) {
      if ((b & 1) != 0) product = product >= m - a ? product - (m - a) : product + a;
      a = a >= m - a ? a - (m - a) : a + a;
    }
    return product;
  }

  /// What gives 1 modulo m when multiplied by a, which has no divisor in common with m: Euclid's algorithm.
  static std::int64_t inverse(std::int64_t a, std::int64_t m) {
    std::int64_t remainder = m, next = a, factor = 0, next_factor = 1;
    while (next != 0) {
      const std::int64_t quotient = remainder / next;
      remainder = std::exchange(next, remainder - quotient * next);
      factor = std::exchange(next_factor, factor - quotient * next_factor);
    }
    return factor < 0 ? factor + m : factor % m;
  }

  Term terms_[2 * max_rank + 1];  // not set beyond the first count_: a call's cost is counted in nanoseconds
  int count_ = 0;
  int budget_ = 1 << 16;  // steps of the search, some milliseconds
};

}  // namespace

Found meets_itself(const Array& operand) {
  Dimension dimensions[max_rank];  // those of more than one element, the shortest stride first
  int rank = 0;
  for (int i = operand.rank - 1; i >= 0; --i) {
    const auto [stride, steps] = dimension(operand, i);
    if (steps == 0) continue;
    if (stride == 0) return Found::yes;
    int place = rank++;
    for (; place > 0 && dimensions[place - 1].stride > std::abs(stride); --place)
      dimensions[place] = dimensions[place - 1];
    dimensions[place] = {std::abs(stride), steps};
  }
  std::int64_t reach = 0;  // of the dimensions before
  for (int i = 0; i < rank; ++i) {
    const auto [stride, steps] = dimensions[i];
    if (stride <= reach) {  // a dimension of a longer stride steps over all that those before it reach
      // Two elements that differ in this dimension and in none after it, so that their distance is 0 = n * stride +
      // what the dimensions before add or take away, n > 0. Turned into sums of numbers that are not negative.
      BoundedSums sums;
      sums.add(stride, steps - 1);
      for (int before = 0; before < i; ++before) sums.add(dimensions[before].stride, 2 * dimensions[before].steps);
      const Found found = sums.reach(reach + stride * steps);
      if (found != Found::no) return found;
    }
    reach += stride * steps;
  }
  return Found::no;
}

Found share_memory(const Array& a, const Array& b) {
  const Range of_a(a), of_b(b);
  if (of_a.end <= of_b.begin || of_b.end <= of_a.begin) return Found::no;
  // The parts of an element that are as large as the smaller of the two are one dimension more.
  const auto part = static_cast<std::int64_t>(std::min(a.element_bytes, b.element_bytes));
  const auto parts_a = static_cast<std::int64_t>(a.element_bytes) / part,
             parts_b = static_cast<std::int64_t>(b.element_bytes) / part;
  // What a's dimensions add leads from its first byte to a place in b, what b's take away from b's last byte. Strides
  // count as positive, since both begin at an end of their memory.
  BoundedSums sums;
  sums.add(1, parts_a - 1 + parts_b - 1);
  const auto add_dimensions = [&](const Array& operand, std::int64_t parts) {
    for (int i = 0; i < operand.rank; ++i)
      if (const auto [stride, steps] = dimension(operand, i); steps > 0) sums.add(std::abs(stride) * parts, steps);
  };
  add_dimensions(a, parts_a);
  add_dimensions(b, parts_b);
  return sums.reach((of_b.end - of_a.begin) / part - 1);
}

}  // namespace kachel::detail
