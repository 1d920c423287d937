// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a forward pass leaves for the derivative: x, y or a bit an element. hardtanh with each, at the target size,
/// against copies of as many bytes as each moves.
#include "measure.hpp"
#include "workloads.hpp"

#include <algorithm>
#include <cstdint>

namespace bench {
namespace {

/// The derivative as the mask has it: dy passes where x is NaN.
struct FromMask : HardTanh {
  template <class T>
  KOKKOS_FUNCTION T backward(T dy, T x) const {
    return x == x ? HardTanh::backward(dy, x) : dy;
  }
};

/// The operands: x, or y in its place; dy; dx, or y; the mask.
template <class T>
struct Operands {
  Span<T> x, dx;
  Kokkos::View<T*, Space> dy;
  Kokkos::View<std::uint8_t*, Space> mask;
};

/// \param per_element  bytes that run(space, operands) moves
/// \param prepare      what runs once before, on the same operands
/// \param count        how many results are wrong then
template <class T, class Prepare, class Run, class Count>
void add_saved_row(const std::string& what, double per_element, const Prepare& prepare, const Run& run,
                   const Count& count) {
  const auto row = [=](benchmark::State& state) {
    const std::int64_t n = options.rows * options.columns;
    const auto copied = static_cast<std::size_t>(per_element * static_cast<double>(n) / 2);
    auto& [xs, ys] = buffers(std::max(copied, n * sizeof(T)));
    const Operands<T> operands{Span<T>(reinterpret_cast<T*>(xs.data()), n), Span<T>(reinterpret_cast<T*>(ys.data()), n),
                               Kokkos::View<T*, Space>(Kokkos::view_alloc("dy", Kokkos::WithoutInitializing), n),
                               Kokkos::View<std::uint8_t*, Space>("mask", (n + 7) / 8)};
    fill(operands.x.data(), n);
    fill(operands.dy.data(), n, first_dy);
    prepare(operands);
    const Work candidate = [=](const Space& space) { run(space, operands); };
    const Work baseline = [=](const Space& space) { copy(space, operands.dx.data(), operands.x.data(), copied); };
    candidate(Space{});
    Kokkos::fence();
    if (const std::int64_t wrong = count(operands, n); wrong > 0)
      state.SkipWithError((std::to_string(wrong) + " results are wrong").c_str());
    else
      measure(state, 2.0 * static_cast<double>(copied), 1, candidate, baseline);
  };
  const std::string name = "saved/hardtanh/" + std::string(kachel::detail::type_name<T>()) + "/" + what;
  register_row(name, row);
}

template <class T>
void add_saved_type() {
  constexpr double size = sizeof(T), bit = 1.0 / 8;
  const auto nothing = [](const Operands<T>&) {};
  const auto count_results = [](const Operands<T>& o, std::int64_t n) {
    return count_wrong(HardTanh{}, o.x.data(), o.dx.data(), n);
  };
  const auto count_gradients = [](const Operands<T>& o, std::int64_t n) {
    return count_wrong_gradients(HardTanh{}, o.dx.data(), o.x.data(), n);
  };
  add_saved_row<T>(
      "forward", 2 * size, nothing,
      [](const Space& space, const Operands<T>& o) { kachel::hardtanh(space, o.dx, o.x); }, count_results);
  add_saved_row<T>(
      "forward with mask", 2 * size + bit, nothing,
      [](const Space& space, const Operands<T>& o) { kachel::hardtanh_with_mask(space, o.dx, o.mask, o.x); },
      count_results);
  add_saved_row<T>(
      "backward from x", 3 * size, nothing,
      [](const Space& space, const Operands<T>& o) { kachel::hardtanh_backward(space, o.dx, o.dy, o.x); },
      count_gradients);
  // Of y the derivative is that of x: at the bounds 0.
  add_saved_row<T>(
      "backward from y", 3 * size, [](const Operands<T>& o) { kachel::hardtanh(o.x, o.x); },
      [](const Space& space, const Operands<T>& o) { kachel::hardtanh_backward_from_output(space, o.dx, o.dy, o.x); },
      count_gradients);
  add_saved_row<T>(
      "backward from mask", 2 * size + bit, [](const Operands<T>& o) { kachel::hardtanh_with_mask(o.dx, o.mask, o.x); },
      [](const Space& space, const Operands<T>& o) { kachel::hardtanh_backward_from_mask(space, o.dx, o.dy, o.mask); },
      [](const Operands<T>& o, std::int64_t n) {
        return count_wrong_gradients(FromMask{}, o.dx.data(), o.x.data(), n);
      });
}

}  // namespace

void add_saved() {
  add_saved_type<float>();
  add_saved_type<kachel::bfloat16>();
}

}  // namespace bench
