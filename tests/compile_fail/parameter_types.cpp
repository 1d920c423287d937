// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel: an activation with is_valid() is expected to have members of type double alone
#include <kachel/activations/pointwise.hpp>

struct Power {
  static constexpr kachel::Contract contract{
      .formula = "scale x^n", .parameters = {"scale", "n"}, .expected = "n above 0", .ulp = 1};

  double scale = 1;
  int n = 1;

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x;
  }

  KOKKOS_FUNCTION constexpr bool is_valid() const { return n > 0; }
};

void call(Kokkos::View<float*> y) { kachel::map(y, Power{}, y); }
