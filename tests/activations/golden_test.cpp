// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What PyTorch's CPU kernels give, as golden/make_golden.py wrote it. Compared are functions of a number, whose bits
// arrays have in every space: list_test.cpp tests that.
#include <kachel/activations/prelu.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/reference.hpp>
#include <support/typed_lists.hpp>

#include <algorithm>
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
using Compared = TypeList<kachel::HardTanh, kachel::HardSigmoid, kachel::ReLU, kachel::ReLU6, kachel::Clamp,
                          kachel::HardShrink, kachel::SoftShrink, kachel::Threshold, kachel::LeakyReLU, kachel::RReLU,
                          kachel::HardSwish, kachel::Sigmoid, kachel::Tanh, kachel::Exp, kachel::Log, kachel::ELU,
                          kachel::SELU, kachel::CELU, kachel::SiLU, kachel::GELU, kachel::GELUTanh, kachel::Mish,
                          kachel::LogSigmoid, kachel::Softplus, kachel::Softsign, kachel::TanhShrink>;

/// The columns of an element type's file by their names.
template <class T>
std::map<std::string, std::vector<T>> read_golden() {
  const std::string path = std::string(KACHEL_GOLDEN_DIR "/") + std::string(kachel::detail::type_name<T>()) + ".txt";
  std::ifstream file(path);
  std::string line, name;
  std::getline(file, line);
  EXPECT_TRUE(line.starts_with("PyTorch 2.15")) << path << " begins with: " << line;
  std::map<std::string, std::vector<T>> columns;
  while (std::getline(file, line)) {
    std::istringstream column(line);
    column >> name >> std::hex;
    for (std::uint64_t bits = 0; column >> bits;) columns[name].push_back(from_bits<T>(static_cast<BitsOf<T>>(bits)));
    EXPECT_TRUE(column.eof()) << path << ", " << name;
    EXPECT_EQ(columns[name].size(), columns["x"].size()) << path << ", " << name;
  }
  return columns;
}

/// The activation of a column such as hardtanh(-0.3,0.7), if it is an F.
template <class F>
std::optional<F> functor_of(const std::string& column) {
  const std::size_t bracket = column.find('(');
  if (column.substr(0, bracket) != F::name) return std::nullopt;
  if constexpr (kachel::detail::parameter_count<F> > 0) {
    if (bracket != std::string::npos) {
      auto values = kachel::detail::parameter_values(F{});
      const char* text = column.data() + bracket;
      for (double& value : values) {
        char* end = nullptr;
        value = std::strtod(text + 1, &end);
        EXPECT_TRUE(*end == ',' || *end == ')') << column;
        text = end;
      }
      return kachel::detail::bit_cast<F>(values);
    }
  }
  return F{};
}

template <class T>
long double exactly(T value) {
  return static_cast<kachel::compute_type<T>>(value);
}

/// Whether PyTorch's functions may lose a number on their way: it is infinite, or a small multiple of it is.
template <class T>
bool is_lost(long double value) {
  return std::abs(value) > static_cast<long double>(std::numeric_limits<kachel::compute_type<T>>::max()) / 8;
}

/// PyTorch's y, but for the deviations that docs/numerics.md lists: NaN of an infinity that has a limit, infinity of a
/// number that is too large for a step on the way. hardswish multiplies by relu6(x + 3) before it divides by 6, so that
/// -inf gives NaN, and what is more than a sixth of the largest number infinity.
template <class F, class T>
std::vector<T> expected_results(const F& f, std::vector<T> y, const std::vector<T>& x) {
  using Compute = kachel::compute_type<T>;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if constexpr (HasWiderReference<F>)
      if (is_lost<T>(exactly(x[i])) && (is_nan(y[i]) || is_inf(y[i])))
        y[i] = static_cast<T>(static_cast<Compute>(reference_of<Compute>(f).value(exactly(x[i]))));
  }
  if constexpr (std::is_same_v<F, kachel::HardSwish>) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto value = static_cast<Compute>(x[i]);
      if (value == -std::numeric_limits<Compute>::infinity()) y[i] = static_cast<T>(-0.0f);
      if (value > std::numeric_limits<Compute>::max() / 6) y[i] = x[i];
    }
  }
  return y;
}

/// The same of its gradients: where x is NaN PyTorch gives 0 or dy, depending on the place. Of a smooth function it
/// gives NaN for some infinities, and infinity where a step on the way is too large, in gelu_tanh x^2: there dy times
/// the derivative.
template <class F, class T>
std::vector<T> expected_gradients(const F& f, std::vector<T> dx, const std::vector<T>& dy, const std::vector<T>& x) {
  using Compute = kachel::compute_type<T>;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (is_nan(x[i])) dx[i] = x[i];
    if constexpr (requires { reference_of<Compute>(f).derivative(1.0L); }) {
      const bool has_lost_square = std::is_same_v<F, kachel::GELUTanh> && is_lost<T>(exactly(x[i]) * exactly(x[i]));
      if ((is_lost<T>(exactly(x[i])) || is_lost<T>(exactly(dy[i])) || has_lost_square) &&
          (is_nan(dx[i]) || is_inf(dx[i]))) {
        const auto slope = static_cast<Compute>(reference_of<Compute>(f).derivative(exactly(x[i])));
        dx[i] = static_cast<T>(static_cast<Compute>(dy[i]) * slope);
      }
    }
  }
  return dx;
}

/// The distance from a finite number to the next one further from 0.
template <class T>
double unit_of(T value) {
  const BitsOf<T> bits = magnitude_bits(value);
  return static_cast<double>(from_bits<T>(static_cast<BitsOf<T>>(bits + 1))) - static_cast<double>(from_bits<T>(bits));
}

/// AVX-512's conversion to bfloat16, by which PyTorch rounds there, takes subnormal numbers as 0.
template <class T>
constexpr double flushed = std::is_same_v<T, kachel::bfloat16> ? double{std::numeric_limits<float>::min()} : 0;

/// How far from PyTorch's y Kachel's may be: no distance where both have the bits of a formula. PyTorch's 16-bit
/// results are those of float32, rounded once more, which `wide` or `narrow` saves Kachel's from. Where y is a small
/// difference or a product by one, 1 + erf and the like, PyTorch's has the error of a number as large as x;
/// tanhshrink's are of T.
template <class F, class T>
double tolerance(T y, T x) {
  constexpr bool subtracts = std::is_same_v<F, kachel::TanhShrink>;
  constexpr bool cancels = subtracts || std::is_same_v<F, kachel::GELU> || std::is_same_v<F, kachel::GELUTanh>;
  using Lossy = std::conditional_t<subtracts, T, kachel::compute_type<T>>;
  constexpr double lost = 4 * static_cast<double>(std::numeric_limits<Lossy>::epsilon());
  const double distance = cancels ? lost * std::abs(static_cast<double>(x)) + flushed<T> : 0;
  if constexpr (kachel::is_float16<T>)
    return kachel::detail::HasWide<F, float> || kachel::detail::HasNarrow<F, float> ? unit_of(y) + distance : 0;
  else
    return HasWiderReference<F> ? (F::contract.ulp + 2) * unit_of(y) + distance : 0;
}

/// The same of dx. PyTorch makes the derivatives of sigmoid, tanh and exp of y as it is rounded to T: 1 - y and 1 - y^2
/// lose what y's rounding has lost, an error in units of 1. So does x / 3 + 1 / 2, its derivative of hardswish. Those
/// of gelu and its like are sums of such numbers times x, of gelu_tanh times x^3 until tanh is 1.
template <class F, class T>
double gradient_tolerance(T dx, T dy, T x) {
  constexpr double units = kachel::is_float16<T> ? 2 : F::contract.gradient_ulp + 4;
  constexpr auto epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
  constexpr auto compute_epsilon = static_cast<double>(std::numeric_limits<kachel::compute_type<T>>::epsilon());
  const double size = std::min(std::abs(static_cast<double>(x)), 10.0);
  const double factor = std::is_same_v<F, kachel::GELUTanh> ? size * size * size : size;
  const double lost = epsilon + compute_epsilon * factor;
  return HasWiderReference<F> ? units * unit_of(dx) + lost * std::abs(static_cast<double>(dy)) + flushed<T> : 0;
}

/// Expects a distance of at most limit(i) of the i-th, where that is above 0; else the same bits.
template <class T, class Limit>
void expect_near(const std::vector<T>& expected, std::vector<T> actual, const Limit& limit, const std::vector<T>& x,
                 const std::string& column) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double distance = std::abs(static_cast<double>(actual[i]) - static_cast<double>(expected[i]));
    if (limit(i) > 0 && distance <= limit(i)) actual[i] = expected[i];
  }
  EXPECT_TRUE(all_same(expected, actual, x)) << column;
}

/// Compares the columns of an activation, and of its derivative.
template <class T>
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
        const std::vector<T> expected = expected_results(*f, values, x);
        const auto limit = [&](std::size_t i) { return tolerance<F>(expected[i], x[i]); };
        std::vector<T> y(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) y[i] = kachel::Pointwise<F>{}(x[i], *f);
        expect_near(expected, y, limit, x, column);
      } else if (!std::is_same_v<F, kachel::HardSigmoid> || !std::is_same_v<T, double>) {
        // Not in double, where PyTorch's hardsigmoid multiplies by the float next to 1/6.
        const std::vector<T> expected = expected_gradients(*f, values, dy, x);
        const auto limit = [&](std::size_t i) { return gradient_tolerance<F>(expected[i], dy[i], x[i]); };
        std::vector<T> dx(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) dx[i] = kachel::PointwiseBackward<F>{}(dy[i], x[i], *f);
        expect_near(expected, dx, limit, x, column);
      }
    }
  }
};

template <class C>
class Golden : public testing::Test {};
TYPED_TEST_SUITE(Golden, Elements, Names);

TYPED_TEST(Golden, AgreesWithPyTorch) {
  using T = TypeParam;
  const auto golden = read_golden<T>();
  ASSERT_GT(golden.at("x").size(), 600u);
  std::size_t compared = 0;
  for_each_type(Compared{}, AgreesWithPyTorch<T>{golden, compared});
  EXPECT_EQ(compared, golden.size() - 4) << "columns, of which x and dy are of no activation, two of prelu";
}

TYPED_TEST(Golden, PReLUAgreesWithPyTorch) {
  using T = TypeParam;
  using Space = Kokkos::DefaultExecutionSpace;
  const auto golden = read_golden<T>();
  const std::vector<T>&x = golden.at("x"), &dy = golden.at("dy");
  const Guarded<Space, T> input(x), gradient(dy), output(dy), sum(std::vector<T>(1));
  kachel::prelu(output.span(), input.span(), 0.75);
  EXPECT_TRUE(all_same(golden.at("prelu(0.75)"), output.values(), x));
  kachel::prelu_backward(output.span(), sum.span(), gradient.span(), input.span(), 0.75);
  EXPECT_TRUE(
      all_same(expected_gradients(kachel::PReLU{}, golden.at("prelu(0.75)_backward"), dy, x), output.values(), x));
}

}  // namespace
}  // namespace kachel_test
