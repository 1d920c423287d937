// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forward pass of a transformer's block: causal attention with linear biases, then two dense layers with gelu
// between them. Kokkos runs the matrix products. Kachel runs what stands around them: inputs that repeat, softmax, gelu
// of a sum.
//
// The program prints the same digits on every machine and backend: a product feeds an addition through fma alone, and
// each sum has one order. docs/numerics.md has the rule.
#include <kachel/kachel.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using Vector = Kokkos::View<float*, Kokkos::SharedSpace>;
using Matrix = Kokkos::View<float**, Kokkos::SharedSpace>;
using Heads = Kokkos::View<float***, Kokkos::SharedSpace>;  // a matrix for each head

constexpr int tokens = 6, heads = 2, head_width = 4, width = heads * head_width, hidden = 16;

/// The scores before softmax: x / sqrt(head_width), less the slope of the head times the distance to the key. Keys
/// after the query are left out (Press, Smith, Lewis, Train Short, Test Long, 2022).
struct Score {
  KOKKOS_FUNCTION float operator()(float x, float slope, std::int64_t query, std::int64_t key) const {
    return key > query ? -INFINITY : kachel::fma(0.5f, x, slope * static_cast<float>(key - query));
  }
};

/// gelu(x + bias). `narrow` serves arrays of half or bfloat16: the same function by fewer instructions.
struct BiasGELU {
  static constexpr kachel::Cost cost = kachel::Cost::high;

  template <class T>
  KOKKOS_FUNCTION T operator()(T x, T bias) const {
    return kachel::gelu(x + bias);
  }
  KOKKOS_FUNCTION float narrow(float x, float bias) const { return kachel::math::narrow_gelu(x + bias); }
};

struct Weights {
  Matrix query{"query", width, width}, key{"key", width, width}, value{"value", width, width};
  Matrix first{"first", width, hidden}, second{"second", hidden, width};
  Vector first_bias{"first_bias", hidden}, second_bias{"second_bias", width}, slopes{"slopes", heads};
};

/// y = x w.
void multiply(const Matrix& y, const Matrix& x, const Matrix& w) {
  const int inputs = x.extent_int(1);
  Kokkos::parallel_for(
      "multiply", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {y.extent_int(0), y.extent_int(1)}),
      KOKKOS_LAMBDA(int i, int j) {
        float sum = 0;
        for (int k = 0; k < inputs; ++k) sum = kachel::fma(x(i, k), w(k, j), sum);
        y(i, j) = sum;
      });
}

/// What each query has in common with each key, by head.
void multiply_by_keys(const Heads& scores, const Matrix& q, const Matrix& k) {
  Kokkos::parallel_for(
      "scores", Kokkos::MDRangePolicy<Kokkos::Rank<3>>({0, 0, 0}, {heads, tokens, tokens}),
      KOKKOS_LAMBDA(int head, int query, int key) {
        float sum = 0;
        for (int c = head * head_width; c < (head + 1) * head_width; ++c)
          sum = kachel::fma(q(query, c), k(key, c), sum);
        scores(head, query, key) = sum;
      });
}

/// The mean of the values, weighted by attention.
void average(const Matrix& y, const Heads& attention, const Matrix& v) {
  Kokkos::parallel_for(
      "average", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {tokens, width}), KOKKOS_LAMBDA(int query, int c) {
        float sum = 0;
        for (int key = 0; key < tokens; ++key) sum = kachel::fma(attention(c / head_width, query, key), v(key, c), sum);
        y(query, c) = sum;
      });
}

/// Of the input x to the block. Gives the attention too.
Matrix block(const Heads& attention, const Matrix& x, const Weights& weights) {
  const Matrix q("q", tokens, width), k("k", tokens, width), v("v", tokens, width), y("y", tokens, width);
  multiply(q, x, weights.query);
  multiply(k, x, weights.key);
  multiply(v, x, weights.value);
  multiply_by_keys(attention, q, k);
  kachel::map(attention, Score{}, attention, kachel::along(weights.slopes, 0), kachel::index(1), kachel::index(2));
  kachel::softmax(attention, attention);  // in place
  average(y, attention, v);
  kachel::map(y, KOKKOS_LAMBDA(float a, float b) { return a + b; }, y, x);

  const Matrix inner("inner", tokens, hidden), z("z", tokens, width);
  multiply(inner, y, weights.first);
  kachel::map(inner, BiasGELU{}, inner, weights.first_bias);  // a row, for every token
  multiply(z, inner, weights.second);
  kachel::map(z, KOKKOS_LAMBDA(float a, float bias, float b) { return a + bias + b; }, z, weights.second_bias, y);
  Kokkos::fence();
  return z;
}

/// Numbers from -1/2 to 1/2, of a linear congruential generator, which gives the same ones everywhere.
template <class View>
void fill(const View& view, std::uint32_t& state) {
  for (std::size_t i = 0; i < view.size(); ++i) {
    state = 1664525 * state + 1013904223;
    view.data()[i] = static_cast<float>(state >> 8) * 0x1p-24f - 0.5f;
  }
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Weights weights;
  const Matrix x("x", tokens, width);
  const Heads attention("attention", heads, tokens, tokens);
  std::uint32_t state = 1;
  fill(x, state);
  for (const Matrix& matrix : {weights.query, weights.key, weights.value, weights.first, weights.second})
    fill(matrix, state);
  fill(weights.first_bias, state);
  fill(weights.second_bias, state);
  weights.slopes(0) = 0.5f;
  weights.slopes(1) = 0.0625f;

  const Matrix y = block(attention, x, weights);
  for (int head = 0; head < heads; ++head) {
    std::printf("head %d, the last token's attention:", head);
    for (int key = 0; key < tokens; ++key) std::printf(" %.4f", attention(head, tokens - 1, key));
    std::printf("\n");
  }
  std::printf("the last token's result:");
  for (int c = 0; c < width; ++c) std::printf(" %.4f", y(tokens - 1, c));
  std::printf("\n");

  // Attention is causal: another last token leaves the bits of all others.
  for (int c = 0; c < width; ++c) x(tokens - 1, c) = 1;
  const Matrix changed = block(attention, x, weights);
  int same = 0;
  for (int token = 0; token < tokens; ++token) {
    bool is_same = true;
    for (int c = 0; c < width; ++c) is_same &= changed(token, c) == y(token, c);
    same += is_same;
  }
  std::printf("with another last token %d of %d tokens have the same bits\n", same, tokens);
  return same == tokens - 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
