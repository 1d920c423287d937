// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits that PyTorch's CPU kernels give, as golden/make_golden.py wrote them.
#include <kachel/activations/hardsigmoid.hpp>
#include <kachel/activations/hardtanh.hpp>

#include <gtest/gtest.h>
#include <support/inputs.hpp>
#include <support/typed_lists.hpp>

#include <fstream>
#include <map>
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

template <class C>
class Golden : public testing::Test {};
TYPED_TEST_SUITE(Golden, SpacesAndElements, Names);

TYPED_TEST(Golden, BitsArePyTorchs) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  auto golden = read_golden<T>();
  const std::vector<T> x = golden["x"];
  ASSERT_GT(x.size(), 800u);
  EXPECT_TRUE(all_same(golden["hardtanh"], map_over<Space>(kachel::HardTanh{}, x), x));
  EXPECT_TRUE(all_same(golden["hardtanh(-0.3,0.7)"], map_over<Space>(kachel::HardTanh{-0.3, 0.7}, x), x));
  EXPECT_TRUE(all_same(golden["hardsigmoid"], map_over<Space>(kachel::HardSigmoid{}, x), x));
}

/// dx of every gradient dy at x, and PyTorch's, both without the places where x is NaN: PyTorch's gradient is 0 or dy
/// there, depending on the place, Kachel's is NaN.
template <class Space, class F, class T>
void expect_gradients(const std::string& column, const F& f, std::map<std::string, std::vector<T>>& golden) {
  const std::vector<T>&x = golden["x"], &dy = golden["dy"];
  ASSERT_EQ(golden[column].size(), x.size());
  const Guarded<Space, T> input(x), gradient(dy), output(dy);
  kachel::map(Space{}, output.span(), kachel::Backward<F>{f}, gradient.span(), input.span());
  std::vector<T> expected = golden[column];
  for (std::size_t i = 0; i < x.size(); ++i)
    if (is_nan(x[i])) expected[i] = x[i];
  EXPECT_TRUE(all_same(expected, output.values(), x)) << column;
}

TYPED_TEST(Golden, GradientsArePyTorchs) {
  using T = typename TypeParam::Element;
  using Space = typename TypeParam::Space;
  auto golden = read_golden<T>();
  expect_gradients<Space>("hardtanh_backward", kachel::HardTanh{}, golden);
  expect_gradients<Space>("hardtanh(-0.3,0.7)_backward", kachel::HardTanh{-0.3, 0.7}, golden);
  // In double PyTorch multiplies by the float next to 1/6.
  if (!std::is_same_v<T, double>) expect_gradients<Space>("hardsigmoid_backward", kachel::HardSigmoid{}, golden);
}

}  // namespace
}  // namespace kachel_test
