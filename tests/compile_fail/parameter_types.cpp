// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::expect_parameters: f is expected to have members of type double alone
#include <kachel/activations/pointwise.hpp>

struct Power {
  static constexpr kachel::Contract contract{
      .formula = "scale x^n", .parameters = {"scale", "n"}, .expected = "n above 0", .ulp = 1};

  double scale = 1;
  int n = 1;

  void check(std::string_view operation) const { kachel::expect_parameters(operation, *this, n > 0); }
};

void call() { Power{}.check("power"); }
