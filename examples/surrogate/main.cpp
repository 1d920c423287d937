// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flame runs along a tube: du/dt = d2u/dx2 + (1 - u) rate(u), where u is the temperature, from 0 to 1. It runs once
// with the exact rate of reaction and once with a small network in its place, which each cell evaluates in each step.
// Here the exact rate is a single exp, which makes the two easy to compare. A surrogate pays where it replaces
// thousands of operations, such as detailed chemistry.
//
// The program prints the same digits on every machine and backend: a product feeds an addition through fma alone, and
// exp and tanh are Kachel's. docs/numerics.md has the rule.
#include <kachel/kachel.hpp>

#include <cstdio>
#include <cstdlib>
#include <utility>

using Field = Kokkos::View<float*, Kokkos::SharedSpace>;

/// Arrhenius' law.
struct ExactRate {
  KOKKOS_FUNCTION float operator()(float u) const {
    const float below = 1 - u;
    return 12.5f * kachel::exp(-5 * below / kachel::fma(-0.8f, below, 1.0f));
  }
};

/// A network with one hidden layer of four tanh. The weights are a least-squares fit to ExactRate at 257 equally spaced
/// temperatures, each square times (1.02 - u)^2. They are members, as weights that a program reads from a file would
/// be.
struct LearnedRate {
  static constexpr int width = 4;
  float w1[width] = {5.3704f, 0.0251f, 3.0846f, 3.8404f};
  float b1[width] = {-4.4038f, -1.6384f, -3.6881f, -1.9238f};
  float w2[width] = {0.4035f, -12.4797f, 28.1042f, -0.5579f};
  float b2 = 16.3660f;

  KOKKOS_FUNCTION float operator()(float u) const {
    float sum = b2;
    for (int j = 0; j < width; ++j) sum = kachel::fma(w2[j], kachel::tanh(kachel::fma(w1[j], u, b1[j])), sum);
    return sum;
  }
};

/// A step in time, for one cell. The kernel is the program's own: Kachel's functions of numbers work in any.
template <class Rate>
struct Step {
  static constexpr float dx = 1.0f / 8, dt = 1.0f / 256;
  Field next, u;
  Rate rate;

  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    const std::size_t last = u.extent(0) - 1;
    const float left = u(i > 0 ? i - 1 : 0), here = u(i), right = u(i < last ? i + 1 : last);  // no flux at the ends
    const float diffusion = ((left - here) - (here - right)) / (dx * dx);
    next(i) = kachel::fma(dt, kachel::fma(1 - here, rate(here), diffusion), here);
  }
};

template <class Rate>
class Flame {
 public:
  Flame() {
    for (int i = 0; i < 8; ++i) u_(i) = 1;  // ignited at the left end
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      Kokkos::parallel_for("flame", u_.extent(0), Step<Rate>{next_, u_, {}});
      std::swap(u_, next_);
    }
  }

  const Field& temperature() const { return u_; }

 private:
  Field u_{"u", 128}, next_{"next", 128};
};

/// How far the flame has come: the length of what is hotter than 1/2.
float position(const Field& u) {
  int cells = 0;
  Kokkos::parallel_reduce(
      "position", u.extent(0), KOKKOS_LAMBDA(std::size_t i, int& count) { count += u(i) > 0.5f; }, cells);
  return cells * Step<ExactRate>::dx;
}

/// A maximum is the same in every order.
float greatest_difference(const Field& u, const Field& v) {
  float greatest = 0;
  Kokkos::parallel_reduce(
      "difference", u.extent(0),
      KOKKOS_LAMBDA(std::size_t i, float& most) { most = kachel::max(most, Kokkos::abs(u(i) - v(i))); },
      Kokkos::Max<float>(greatest));
  return greatest;
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  Flame<ExactRate> exact;
  Flame<LearnedRate> learned;
  float difference = 0;
  std::printf("time  position  learned  greatest difference of temperatures\n");
  for (int time = 2; time <= 8; time += 2) {
    exact.run(512);
    learned.run(512);
    difference = greatest_difference(exact.temperature(), learned.temperature());
    std::printf("%4d  %8.3f  %7.3f  %.5f\n", time, position(exact.temperature()), position(learned.temperature()),
                difference);
  }
  return difference < 0.01f ? EXIT_SUCCESS : EXIT_FAILURE;
}
