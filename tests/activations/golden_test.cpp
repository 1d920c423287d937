// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What PyTorch's CPU kernels give, as golden/make_golden.py wrote it.
#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/reference.hpp>
#include <support/typed_lists.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string>

namespace kachel_test {
namespace {

/// The activations that have columns.
using InGoldenFiles =
    TypeList<kachel::HardTanh, kachel::HardSigmoid, kachel::ReLU, kachel::ReLU6, kachel::Clamp, kachel::HardShrink,
             kachel::SoftShrink, kachel::Threshold, kachel::LeakyReLU, kachel::RReLU, kachel::ReLUSquared,
             kachel::HardSwish, kachel::Sigmoid, kachel::Tanh, kachel::Exp, kachel::Log>;

/// The columns of an element type's file by their names.
template <class T>
std::map<std::string, std::vector<T>> read_golden() {
  const std::string path = std::string(KACHEL_GOLDEN_DIR "/") + std::string(kachel::type_name<T>()) + ".txt";
  std::ifstream file(path);
  std::string line, name;
  std::getline(file, line);
  EXPECT_TRUE(line.starts_with("PyTorch 2.15")) << path << " begins with: " << line;
  std::getline(file, line);
  std::vector<std::string> names;
  for (std::istringstream header(line); header >> name;) names.push_back(name);
  std::map<std::string, std::vector<T>> columns;
  while (std::getline(file, line)) {
    std::istringstream row(line);
    for (const std::string& column : names) {
      std::uint64_t bits = 0;
      row >> std::hex >> bits;
      EXPECT_TRUE(row) << path << ": " << line;
      columns[column].push_back(from_bits<T>(static_cast<BitsOf<T>>(bits)));
    }
  }
  return columns;
}

/// The activation of a column such as hardtanh(-0.3,0.7), if it is an F.
template <class F>
std::optional<F> functor_of(const std::string& column) {
  const std::size_t bracket = column.find('(');
  if (column.substr(0, bracket) != F::name) return std::nullopt;
  if constexpr (kachel::parameter_count<F> > 0) {
    if (bracket != std::string::npos) {
      auto values = kachel::parameter_values(F{});
      const char* text = column.data() + bracket;
      for (double& value : values) {
        char* end = nullptr;
        value = std::strtod(text + 1, &end);
        EXPECT_TRUE(*end == ',' || *end == ')') << column;
        text = end;
      }
      return kachel::bit_cast<F>(values);
    }
  }
  return F{};
}

/// PyTorch's y, but what the rules of docs/numerics.md ask for where it breaks them: hardswish multiplies by
/// relu6(x + 3) before it divides by 6, so that -inf gives NaN, and what is more than a sixth of the largest number
/// infinity.
template <class F, class T>
std::vector<T> expected_results(std::vector<T> y, const std::vector<T>& x) {
  using Compute = kachel::compute_type<T>;
  if constexpr (std::is_same_v<F, kachel::HardSwish>) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto value = static_cast<Compute>(x[i]);
      if (value == -std::numeric_limits<Compute>::infinity()) y[i] = static_cast<T>(-0.0f);
      if (value > std::numeric_limits<Compute>::max() / 6) y[i] = x[i];
    }
  }
  return y;
}

/// The same of its gradients: where x is NaN PyTorch gives 0 or dy, depending on the place. An infinite dy gives NaN
/// where PyTorch makes the derivative of a y that has been rounded to a limit, else dy.
template <class F, class T>
std::vector<T> expected_gradients(std::vector<T> dx, const std::vector<T>& dy, const std::vector<T>& x) {
  using Compute = kachel::compute_type<T>;
  constexpr bool is_of_y =
      std::is_same_v<F, kachel::Sigmoid> || std::is_same_v<F, kachel::Tanh> || std::is_same_v<F, kachel::Exp>;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (is_nan(x[i])) dx[i] = x[i];
    if constexpr (is_of_y)
      if (is_nan(dx[i]) && is_inf(dy[i]) && F{}.backward(Compute(1), static_cast<Compute>(x[i])) > 0) dx[i] = dy[i];
  }
  return dx;
}

/// The distance from a finite number to the next one further from 0.
template <class T>
double unit_of(T value) {
  const BitsOf<T> bits = magnitude_bits(value);
  return static_cast<double>(from_bits<T>(static_cast<BitsOf<T>>(bits + 1))) - static_cast<double>(from_bits<T>(bits));
}

/// How far from PyTorch's y Kachel's may be: no distance where both have the bits of a formula. PyTorch's 16-bit
/// results are those of float32, rounded once more, which `wide` saves Kachel's from.
template <class F, class T>
double tolerance(T y) {
  if constexpr (kachel::is_float16<T>)
    return kachel::HasWide<F, float> ? unit_of(y) : 0;
  else
    return HasWiderReference<F> ? (F::contract.ulp + 2) * unit_of(y) : 0;
}

/// The same of dx. PyTorch makes the derivatives of sigmoid, tanh and exp of y as it is rounded to T: 1 - y and 1 - y^2
/// lose what y's rounding has lost, an error in units of 1. So does x / 3 + 1 / 2, its derivative of hardswish.
template <class F, class T>
double gradient_tolerance(T dx, T dy) {
  constexpr double units = kachel::is_float16<T> ? 2 : F::contract.gradient_ulp + 4;
  constexpr auto epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
  return HasWiderReference<F> ? units * unit_of(dx) + epsilon * std::abs(static_cast<double>(dy)) : 0;
}

/// Expects the same bits, or a distance of at most limit(i) of the i-th.
template <class T, class Limit>
void expect_near(const std::vector<T>& expected, std::vector<T> actual, const Limit& limit, const std::vector<T>& x,
                 const std::string& column) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double distance = std::abs(static_cast<double>(actual[i]) - static_cast<double>(expected[i]));
    if (std::isfinite(distance) && distance > 0 && distance <= limit(i)) actual[i] = expected[i];
  }
  EXPECT_TRUE(all_same(expected, actual, x)) << column;
}

/// Compares the columns of an activation, and of its derivative.
template <class Space, class T>
struct AgreesWithPyTorch {
  const std::map<std::string, std::vector<T>>& golden;
  std::size_t& compared;

  template <class F>
  void operator()() const {
    const std::vector<T>&x = golden.at("x"), &dy = golden.at("dy");
    for (const auto& [column, values] : golden) {
      const std::size_t suffix = column.rfind("_backward");
      const std::optional<F> f = functor_of<F>(column.substr(0, suffix));
      if (!f) continue;
      ++compared;
      if (suffix == std::string::npos) {
        const std::vector<T> expected = expected_results<F>(values, x);
        const auto limit = [&](std::size_t i) { return tolerance<F>(expected[i]); };
        expect_near(expected, map_over<Space>(*f, x), limit, x, column);
      } else if (!std::is_same_v<F, kachel::HardSigmoid> || !std::is_same_v<T, double>) {
        // Not in double, where PyTorch's hardsigmoid multiplies by the float next to 1/6.
        const std::vector<T> expected = expected_gradients<F>(values, dy, x);
        const auto limit = [&](std::size_t i) { return gradient_tolerance<F>(expected[i], dy[i]); };
        const Guarded<Space, T> input(x), gradient(dy), output(dy);
        kachel::map(Space{}, output.span(), kachel::Backward<F>{*f}, gradient.span(), input.span());
        expect_near(expected, output.values(), limit, x, column);
      }
    }
  }
};

template <class C>
class Golden : public testing::Test {};
TYPED_TEST_SUITE(Golden, SpacesAndElements, Names);

TYPED_TEST(Golden, AgreesWithPyTorch) {
  using T = typename TypeParam::Element;
  const auto golden = read_golden<T>();
  ASSERT_GT(golden.at("x").size(), 800u);
  std::size_t compared = 0;
  for_each_type(InGoldenFiles{}, AgreesWithPyTorch<typename TypeParam::Space, T>{golden, compared});
  EXPECT_EQ(compared, golden.size() - 2) << "columns, of which x and dy are of no activation";
}

}  // namespace
}  // namespace kachel_test
