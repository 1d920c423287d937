// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/kachel.hpp>

#include <cstdio>

using Team = Kokkos::TeamPolicy<>::member_type;

/// y = hardsigmoid(W x + b), a team for each row of W.
struct DenseLayer {
  Kokkos::View<float**, Kokkos::SharedSpace> w;
  Kokkos::View<float*, Kokkos::SharedSpace> x, b, y;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int i = team.league_rank();
    float sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, x.extent_int(0)), [&](int j, float& part) { part += w(i, j) * x(j); }, sum);
    Kokkos::single(Kokkos::PerTeam(team), [&] { y(i) = kachel::hardsigmoid(sum + b(i)); });
  }
};

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const DenseLayer layer{{"w", 3, 64}, {"x", 64}, {"b", 3}, {"y", 3}};
  for (int i = 0; i < 3; ++i) layer.b(i) = i - 1.5f;
  Kokkos::deep_copy(layer.w, 0.125f);
  Kokkos::deep_copy(layer.x, 0.25f);

  Kokkos::parallel_for("dense layer", Kokkos::TeamPolicy<>(3, Kokkos::AUTO), layer);
  Kokkos::fence();

  for (int i = 0; i < 3; ++i) std::printf("%.3f\n", layer.y(i));
}
