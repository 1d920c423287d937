// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel::Backward: f.narrow_slope is expected to be callable, when const, with a float, and to return a
// float
#include <kachel/kachel.hpp>

struct Square {
  static constexpr std::string_view name = "square";

  float operator()(float x) const { return x * x; }
  float backward(float dy, float x) const { return dy * (2 * x); }
  float narrow_slope(float dy, float x) const { return dy * (2 * x); }
};

void call(Kokkos::View<kachel::half*> x) { kachel::PointwiseBackward<Square>{}(x, x, x); }
