// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constants of include/kachel/detail/math/from_16_bits.hpp: from those that approximate best, by random steps of a
// few units of the last place, to some with which the result of each 16-bit number is rounded right. The same numbers
// every time.
//   g++ -std=c++20 -O3 -march=native -ffp-contract=off -I tests/math/flags/stand_in -I include
//     tools/from_16_bits/search.cpp -o search && ./search > tools/from_16_bits/constants.txt
#include <kachel/detail/math/from_16_bits.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using Exact = long double;

/// What 16 bits stand for; where half has its infinity its next power of two.
template <int digits>
float decode(std::uint32_t bits) {
  constexpr int fraction_bits = digits - 1, exponent_bits = 15 - fraction_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const auto fraction = static_cast<float>(bits & ((1u << fraction_bits) - 1));
  const int exponent = static_cast<int>(bits >> fraction_bits & ((1u << exponent_bits) - 1));
  const float magnitude = exponent == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                                        : std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  return bits >> 15 != 0 ? -magnitude : magnitude;
}

/// A number, and between which floats its result is rounded right.
struct Case {
  float x, least, most;

  bool holds(float y) const {
    return y >= least && y <= most && std::signbit(y) == std::signbit(most == 0 ? most : least);
  }
};

template <int digits>
Case case_of(float x, Exact y) {
  static const std::vector<float> numbers = [] {
    std::vector<float> magnitudes;
    constexpr std::uint32_t infinity = 0x8000u - (1u << (digits - 1));
    for (std::uint32_t bits = 0; bits <= infinity; ++bits) magnitudes.push_back(decode<digits>(bits));
    return magnitudes;
  }();
  const auto middle = [](std::size_t i) {
    return (Exact(numbers[i]) + Exact(std::min(numbers[i + 1], 0x1.fffffep127f))) / 2;
  };
  const Exact magnitude = std::fabs(y);
  const auto above = std::upper_bound(numbers.begin(), numbers.end(), magnitude);
  std::size_t k = static_cast<std::size_t>(above - numbers.begin()) - 1;
  if (k + 1 < numbers.size() && (magnitude > middle(k) || (magnitude == middle(k) && k % 2 == 1))) ++k;
  // A number half way goes to the even one of its neighbours.
  const bool odd = k % 2 == 1, largest = k + 1 == numbers.size();
  float least = k == 0 ? 0 : static_cast<float>(middle(k - 1)),
        most = largest ? INFINITY : static_cast<float>(middle(k));
  if (odd && k != 0) least = std::nextafter(least, INFINITY);
  if (odd && !largest) most = std::nextafter(most, 0.0f);
  return std::signbit(y) ? Case{x, -most, -least} : Case{x, least, most};
}

template <int digits>
std::vector<Case> cases_of(Exact (*f)(Exact)) {
  std::vector<Case> cases;
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    constexpr std::uint32_t infinity = 0x8000u - (1u << (digits - 1));
    const std::uint32_t magnitude = bits & 0x7fff;
    if (magnitude > infinity) continue;
    const float x = magnitude == infinity ? std::copysign(INFINITY, decode<digits>(bits)) : decode<digits>(bits);
    cases.push_back(case_of<digits>(x, f(x)));
  }
  return cases;
}

/// x / 2 and a little more, which near 0 a number of 64 bits does not hold.
Exact beside_half(Exact x, Exact y) {
  return x != 0 && std::fabs(x) < 0x1p-30L ? std::nextafter(x / 2, std::numeric_limits<Exact>::infinity()) : y;
}

Exact sigmoid(Exact x) { return 1 / (1 + std::exp(-x)); }
Exact silu(Exact x) { return x == -INFINITY ? -0.0L : beside_half(x, x / (1 + std::exp(-x))); }
Exact tanh(Exact x) { return std::tanh(x); }

/// A reciprocal that is some units of the last place off, as NearReciprocal may be.
struct Reciprocal {
  int units;
  float operator()(float x) const {
    const float nearest = 1 / x;
    return std::isnormal(nearest)
               ? kachel::detail::bit_cast<float>(kachel::detail::bit_cast<std::int32_t>(nearest) + units)
               : nearest;
  }
};

/// 2^x, `error` of it off, as NearExp2 may be.
struct Exp2 {
  double error;
  float operator()(float x) const { return static_cast<float>(std::exp2(double{x}) * (1 + error)); }
};

/// Prints constants with which `approximate` is rounded right in all cases, whatever its errors.
template <std::size_t count, class Approximate>
void search(const char* name, const std::vector<Case>& cases, std::array<float, count> constants,
            const Approximate& approximate) {
  constexpr bool is_exact = std::is_invocable_v<Approximate, float, const std::array<float, count>&>;
  const auto with_errors = [&](float x, const std::array<float, count>& with, const auto& visit) {
    if constexpr (is_exact)
      visit(approximate(x, with));
    else
      for (const int units : {0, -1, 1})
        for (const double error : {0.0, -0x1p-22, 0x1p-22}) visit(approximate(x, with, Reciprocal{units}, Exp2{error}));
  };
  const auto units_off = [&](const Case& c, const std::array<float, count>& with) {
    double most = 0;
    with_errors(c.x, with, [&](float y) {
      if (c.holds(y)) return;
      const double distance = std::max(Exact(c.least) - y, Exact(y) - c.most);
      most = std::max(most, 1 + std::min(4.0, 0.02 * distance / (std::fabs(y) * 0x1p-24 + 1e-45)));
    });
    return most;
  };
  const auto wrong_with = [&](const std::array<float, count>& with) {
    return std::count_if(cases.begin(), cases.end(), [&](const Case& c) { return units_off(c, with) != 0; });
  };
  // Those that a step may change.
  std::vector<Case> near;
  for (const Case& c : cases) {
    bool is_near = false;
    with_errors(c.x, constants, [&](float y) {
      const float reach = std::max(std::fabs(y) * 0x1p-15f, 0x1p-148f);
      is_near |= !c.holds(y - reach) || !c.holds(y + reach);
    });
    if (is_near) near.push_back(c);
  }
  const auto cost_of = [&](const std::array<float, count>& with) {
    double sum = 0;
    for (const Case& c : near) sum += units_off(c, with);
    return sum;
  };

  std::printf("%s: %td wrong at first", name, wrong_with(constants));
  std::mt19937_64 random(1);
  double cost = cost_of(constants);
  long steps = 0;
  for (; cost > 0; ++steps) {
    auto next = constants;
    for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      float& constant = next[random() % count];
      const auto reach = std::int32_t{1} << random() % 8;
      const auto step = static_cast<std::int32_t>(random() % (2 * static_cast<std::uint64_t>(reach) + 1)) - reach;
      constant = kachel::detail::bit_cast<float>(kachel::detail::bit_cast<std::int32_t>(constant) + step);
    }
    const double next_cost = cost_of(next), chance = static_cast<double>(random() >> 11) * 0x1p-53;
    if (next_cost <= cost || chance < std::exp((cost - next_cost) / 0.3)) constants = next, cost = next_cost;
  }
  std::printf(", %td after %ld steps:", wrong_with(constants), steps);
  for (const float constant : constants) std::printf(" %a", static_cast<double>(constant));
  std::printf("\n");
  if (wrong_with(constants) != 0) std::exit(1);
}

template <int digits>
void search_all() {
  using namespace kachel::detail;
  const char* const type = digits == 11 ? "half" : "bfloat16";
  char name[64];
  if constexpr (digits == 11) {
    // Of 2^f those of tools/sollya/constants.txt.
    const std::array exp2 = {-0x1.715476p0f, -0x1.715476p0f, 1.0f,          0x1.62e42ap-1f,
                             0x1.ebf9b8p-3f, 0x1.c6b69ap-5f, 0x1.3cebdp-7f, 0x1.5bfe92p-10f};
    const auto constants_of = [](const auto& c) {
      return Exp2Constants{c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]};
    };
    search("sigmoid, half", cases_of<digits>(sigmoid), exp2,
           [&](float x, const auto& c) { return sigmoid_from_half(x, constants_of(c)); });
    search("silu, half", cases_of<digits>(silu), exp2,
           [&](float x, const auto& c) { return silu_from_half(x, constants_of(c)); });
  } else {
    search("sigmoid, bfloat16", cases_of<digits>(sigmoid), std::array{0x1p-16f},
           [](float x, const auto& c, Reciprocal inverse, Exp2 exp2) {
             return sigmoid_from_bfloat16(x, c[0], exp2, inverse);
           });
    search("silu, bfloat16", cases_of<digits>(silu), std::array{0x1p-16f},
           [](float x, const auto& c, Reciprocal inverse, Exp2 exp2) {
             return silu_from_bfloat16(x, c[0], exp2, inverse);
           });
  }
  // Of tanh those of fit_tanh.py, in the order of TanhConstants; the denominator's last is a power of two.
  std::array<float, digits == 11 ? 7 : 5> quotient;
  if constexpr (digits == 11)
    quotient = {0x1.67673ap0f,  0x1.69e838p-3f, 0x1.d4eb72p-9f, 0x1.67673ap0f,
                0x1.4a1426p-1f, 0x1.004796p-5f, 0x1.000456p-17f};
  else
    quotient = {0x1.1babd2p0f, 0x1.e2ba96p-4f, 0x1.d7325p-11f, 0x1.1bac5p0f, 0x1.f2d97ap-2f};
  std::snprintf(name, sizeof(name), "tanh, %s", type);
  search(name, cases_of<digits>(tanh), quotient, [](float x, const auto& c, Reciprocal inverse, Exp2) {
    TanhConstants constants = tanh_constants<digits>();
    constants.p0 = c[0], constants.p1 = c[1], constants.p2 = c[2], constants.q0 = c[3], constants.q1 = c[4];
    if constexpr (digits == 11) constants.q2 = c[5], constants.p3 = c[6];
    return tanh_from_16_bits<digits>(x, constants, inverse);
  });
}

}  // namespace

int main() {
  search_all<11>();
  search_all<8>();
}
