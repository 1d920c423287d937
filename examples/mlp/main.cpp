// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A network with two hidden layers learns to multiply two numbers. Kokkos runs the sums. Kachel runs what is
// elementwise: gelu, its derivative and the optimiser.
//
// The program prints the same digits on every machine and backend. Two habits are enough for that: a product feeds an
// addition through fma alone, and each sum has one order. docs/numerics.md has the rule.
#include <kachel/kachel.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <tuple>

using Vector = Kokkos::View<float*, Kokkos::SharedSpace>;
using Matrix = Kokkos::View<float**, Kokkos::SharedSpace>;

/// z = x w + bias. The last row of w is the bias, as if x had one more column, of ones.
struct Layer {
  Matrix x;      // the input: a sample in each row
  Matrix w, dw;  // the weights, and the loss's derivatives with respect to them
  Matrix z, dz;  // the output before its activation, and the loss's derivatives with respect to it
};
using Network = std::array<Layer, 3>;

/// The elements of a matrix, for a kernel that computes one of them in each call.
Kokkos::MDRangePolicy<Kokkos::Rank<2>> elements(const Matrix& matrix) {
  return {{0, 0}, {matrix.extent_int(0), matrix.extent_int(1)}};
}

void compute_output(const Layer& layer) {
  const int inputs = layer.x.extent_int(1);
  Kokkos::parallel_for(
      "output", elements(layer.z), KOKKOS_LAMBDA(int sample, int j) {
        float sum = layer.w(inputs, j);
        for (int k = 0; k < inputs; ++k) sum = kachel::fma(layer.x(sample, k), layer.w(k, j), sum);
        layer.z(sample, j) = sum;
      });
}

void differentiate_by_weights(const Layer& layer) {
  const int samples = layer.x.extent_int(0), inputs = layer.x.extent_int(1);
  Kokkos::parallel_for(
      "by weights", elements(layer.dw), KOKKOS_LAMBDA(int k, int j) {
        float sum = 0;
        for (int i = 0; i < samples; ++i) sum = kachel::fma(k < inputs ? layer.x(i, k) : 1.0f, layer.dz(i, j), sum);
        layer.dw(k, j) = sum;
      });
}

void differentiate_by_input(const Matrix& dx, const Layer& layer) {
  const int outputs = layer.z.extent_int(1);
  Kokkos::parallel_for(
      "by input", elements(dx), KOKKOS_LAMBDA(int sample, int k) {
        float sum = 0;
        for (int j = 0; j < outputs; ++j) sum = kachel::fma(layer.dz(sample, j), layer.w(k, j), sum);
        dx(sample, k) = sum;
      });
}

/// The mean of (z - target)^2.
double forward(const Network& network, const Matrix& target) {
  for (std::size_t l = 0; l < network.size(); ++l) {
    compute_output(network[l]);
    if (l + 1 < network.size()) kachel::gelu(network[l + 1].x, network[l].z);
  }
  Kokkos::fence();  // a GPU's kernels are asynchronous: the host reads their results once they are done
  double sum = 0;
  for (int i = 0; i < target.extent_int(0); ++i) {
    const double error = network.back().z(i, 0) - target(i, 0);
    sum = std::fma(error, error, sum);
  }
  return sum / target.extent_int(0);
}

/// Its gradient.
void backward(const Network& network, const Matrix& target) {
  const float scale = 2.0f / target.extent_int(0);
  kachel::map(network.back().dz, KOKKOS_LAMBDA(float z, float t) { return scale * (z - t); }, network.back().z, target);
  for (std::size_t l = network.size() - 1; l > 0; --l) {
    differentiate_by_weights(network[l]);
    const Layer& before = network[l - 1];
    differentiate_by_input(before.dz, network[l]);
    kachel::gelu_backward(before.dz, before.dz, before.z);  // an output may be an input: in place
  }
  differentiate_by_weights(network.front());
}

/// The greatest distance of a derivative from the quotient of differences. Check every backward pass of your own so.
double error_of_gradient(const Network& network, const Matrix& target, const Vector& weights, const Vector& gradient) {
  forward(network, target);
  backward(network, target);
  Kokkos::fence();
  constexpr float h = 0x1p-7f;
  double greatest = 0;
  for (int i = 0; i < weights.extent_int(0); ++i) {
    const float weight = weights(i);
    weights(i) = weight + h;
    const double above = forward(network, target);
    weights(i) = weight - h;
    const double below = forward(network, target);
    weights(i) = weight;
    greatest = std::max(greatest, std::abs((above - below) / (2 * h) - gradient(i)));
  }
  return greatest;
}

/// A step of Adam for one weight: a functor with four inputs and three outputs. It keeps running means of the gradient
/// g and of its square. They begin at 0, so each is divided by the running mean that ones alone would have.
struct Adam {
  static constexpr float rate = 0.02f, share = 0.1f, share_of_square = 0.001f;
  float ones = 0, ones_of_square = 0;

  void begin_step() {
    ones = kachel::fma(share, 1 - ones, ones);
    ones_of_square = kachel::fma(share_of_square, 1 - ones_of_square, ones_of_square);
  }

  KOKKOS_FUNCTION Kokkos::Array<float, 3> operator()(float w, float mean, float square, float g) const {
    mean = kachel::fma(share, g - mean, mean);
    square = kachel::fma(share_of_square, kachel::fma(g, g, -square), square);
    const float step = (mean / ones) / (kachel::math::square_root(square / ones_of_square) + 1e-8f);
    return {kachel::fma(-rate, step, w), mean, square};
  }
};

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int side = 9, samples = side * side, steps = 300, widths[] = {2, 16, 8, 1};

  // The samples: a grid on the square from -1 to 1.
  const Matrix input("input", samples, 2), target("target", samples, 1);
  for (int i = 0; i < samples; ++i) {
    input(i, 0) = (i / side - 4) / 4.0f;
    input(i, 1) = (i % side - 4) / 4.0f;
    target(i, 0) = input(i, 0) * input(i, 1);
  }

  // All weights lie in one array, so that the optimiser is one call.
  int size = 0;
  for (int l = 0; l < 3; ++l) size += (widths[l] + 1) * widths[l + 1];
  const Vector weights("weights", size), gradient("gradient", size), mean("mean", size), square("square", size);
  Network network;
  for (int l = 0, begin = 0; l < 3; ++l) {
    const int rows = widths[l] + 1, columns = widths[l + 1];
    network[l] = {l == 0 ? input : Matrix("x", samples, widths[l]), Matrix(&weights(begin), rows, columns),
                  Matrix(&gradient(begin), rows, columns), Matrix("z", samples, columns),
                  Matrix("dz", samples, columns)};
    begin += rows * columns;
  }
  std::uint32_t state = 1;  // of a linear congruential generator, which gives the same numbers everywhere
  for (int i = 0; i < size; ++i) {
    state = 1664525 * state + 1013904223;
    weights(i) = static_cast<float>(state >> 8) * 0x1p-24f - 0.5f;
  }

  const double error = error_of_gradient(network, target, weights, gradient);
  std::printf("the gradient's greatest error: %.6f\n", error);

  Adam adam;
  double loss = forward(network, target);
  std::printf("step    0: loss %.6f\n", loss);
  for (int step = 1; step <= steps; ++step) {
    backward(network, target);
    adam.begin_step();
    kachel::map(std::tie(weights, mean, square), adam, weights, mean, square, gradient);
    loss = forward(network, target);
    if (step % 100 == 0) std::printf("step %4d: loss %.6f\n", step, loss);
  }
  const int i = 6 * side + 1;
  std::printf("%g * %g = %g, learned %.4f\n", input(i, 0), input(i, 1), target(i, 0), network.back().z(i, 0));
  return error < 1e-4 && loss < 1e-4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
