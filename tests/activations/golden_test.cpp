// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits that PyTorch's CPU kernels give, as golden/make_golden.py wrote them.
#include <kachel/activations/list.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/typed_lists.hpp>

#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>

namespace kachel_test {
namespace {

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
      std::istringstream numbers(column.substr(bracket + 1));
      for (double& value : values) EXPECT_TRUE(numbers >> value && numbers.get()) << column;
      return kachel::bit_cast<F>(values);
    }
  }
  return F{};
}

/// Compares the columns of an activation, and of its derivative.
template <class Space, class T>
struct BitsArePyTorchs {
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
        EXPECT_TRUE(all_same(values, map_over<Space>(*f, x), x)) << column;
      } else if (!std::is_same_v<F, kachel::HardSigmoid> || !std::is_same_v<T, double>) {
        // Not in double, where PyTorch's hardsigmoid multiplies by the float next to 1/6.
        expect_gradients(*f, values, dy, x, column);
      }
    }
  }

 private:
  /// Where x is NaN PyTorch's gradient is 0 or dy, depending on the place, Kachel's is NaN.
  template <class F>
  static void expect_gradients(const F& f, std::vector<T> expected, const std::vector<T>& dy, const std::vector<T>& x,
                               const std::string& column) {
    for (std::size_t i = 0; i < x.size(); ++i)
      if (is_nan(x[i])) expected[i] = x[i];
    const Guarded<Space, T> input(x), gradient(dy), output(dy);
    kachel::map(Space{}, output.span(), kachel::Backward<F>{f}, gradient.span(), input.span());
    EXPECT_TRUE(all_same(expected, output.values(), x)) << column;
  }
};

template <class C>
class Golden : public testing::Test {};
TYPED_TEST_SUITE(Golden, SpacesAndElements, Names);

TYPED_TEST(Golden, BitsArePyTorchs) {
  using T = typename TypeParam::Element;
  const auto golden = read_golden<T>();
  ASSERT_GT(golden.at("x").size(), 800u);
  std::size_t compared = 0;
  for_each_type(kachel::Activations{}, BitsArePyTorchs<typename TypeParam::Space, T>{golden, compared});
  EXPECT_EQ(compared, golden.size() - 2) << "columns, of which x and dy are of no activation";
}

}  // namespace
}  // namespace kachel_test
