// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of 16-bit numbers on a host, and their derivatives: computed, looked up in a table that is there, and in
/// one filled for the call.
#include "measure.hpp"
#include "workloads.hpp"

#include <memory>

namespace bench {

#if defined(KOKKOS_ENABLE_CUDA)

void add_lookups() {}

#else

namespace {

template <class F, class T>
std::string row_prefix(int exponent) {
  return "lookups/" + std::string(F::name) + "/" + std::string(kachel::type_name<T>()) + "/2^" +
         std::to_string(exponent) + "/";
}

int calls_of(int exponent) { return exponent < 22 ? 200 : 1; }

template <class F, class T>
void add_ways(int exponent) {
  using Program = kachel::Map<F, kachel::Tuple<kachel::Dense<T>>, kachel::Tuple<kachel::Dense<const T>>>;
  using Table = kachel::HostTable<T, T, F>;
  const std::int64_t n = std::int64_t{1} << exponent;
  const kachel::ShiftedTiling<T, Space> tiling{n, 0};
  const auto add = [&](const std::string& way, const auto& run) {
    add_row<T>(row_prefix<F, T>(exponent) + way, OfNumber<F>{}, n, calls_of(exponent), run);
  };
  const auto look_up = [=](const Space& space, const Table& table, T* y, const T* x) {
    kachel::launch_tiles("lookups", space, tiling, kachel::LookUp<T, T>{table.results(), x, y}, false);
  };
  add("computed", [=](const Space& space, T* y, const T* x) {
    const kachel::MapMisaligned<Program> program{{F{}, {{{y}}}, {{{x}}}}, true};
    kachel::launch_tiles("lookups", space, tiling, program, false);
  });
  add("looked up", [=](const Space& space, T* y, const T* x) { look_up(space, Table::of_defaults(F{}), y, x); });
  add("filled and looked up", [=](const Space& space, T* y, const T* x) {
    look_up(space, *std::make_unique<const Table>("lookups", space, F{}), y, x);
  });
}

/// The same of the derivative, of which what dy is multiplied by is looked up.
template <class F, class T>
void add_ways_backward(int exponent) {
  using kachel::Dense, kachel::Tuple;
  using Derivative = kachel::Backward<F, T>;
  using Factor = kachel::Factor<Derivative>;
  using Table = kachel::HostTable<float, T, Factor>;
  using Computed = kachel::Map<Derivative, Tuple<Dense<T>>, Tuple<Dense<const T>, Dense<const T>>>;
  using Multiplied = kachel::Map<kachel::Product, Tuple<Dense<T>>, Tuple<Dense<const T>, kachel::LookedUp<const T>>>;
  const std::int64_t n = std::int64_t{1} << exponent;
  const kachel::ShiftedTiling<T, Space> tiling{n, 0};
  const auto add = [&](const std::string& way, const auto& run) {
    add_gradient_row<T>(row_prefix<Derivative, T>(exponent) + way, OfNumber<F>{}, n, calls_of(exponent), run);
  };
  const auto look_up = [=](const Space& space, const Table& table, T* dx, const T* dy, const T* x) {
    const kachel::MapMisaligned<Multiplied> program{{{}, {{{dx}}}, {{{dy}, {{x, table.results()}}}}}, true};
    kachel::launch_tiles("lookups", space, tiling, program, false);
  };
  add("computed", [=](const Space& space, T* dx, const T* dy, const T* x) {
    const kachel::MapMisaligned<Computed> program{{{}, {{{dx}}}, {{{dy}, {x}}}}, true};
    kachel::launch_tiles("lookups", space, tiling, program, false);
  });
  add("looked up", [=](const Space& space, T* dx, const T* dy, const T* x) {
    look_up(space, Table::of_defaults(Factor{}), dx, dy, x);
  });
  add("filled and looked up", [=](const Space& space, T* dx, const T* dy, const T* x) {
    look_up(space, *std::make_unique<const Table>("lookups", space, Factor{}), dx, dy, x);
  });
}

constexpr int exponents[] = {12, 14, 16, 18, 20, 26};

template <class F>
void add_function() {
  for (const int exponent : exponents) {
    add_ways<F, kachel::half>(exponent);
    add_ways<F, kachel::bfloat16>(exponent);
  }
}

template <class F>
void add_derivative() {
  for (const int exponent : exponents) {
    add_ways_backward<F, kachel::half>(exponent);
    add_ways_backward<F, kachel::bfloat16>(exponent);
  }
}

}  // namespace

void add_lookups() {
  add_function<kachel::HardSigmoidAffine>();  // the shortest that has a `wide`
  add_function<kachel::Sigmoid>();
  add_function<kachel::GELU>();
  add_derivative<kachel::Sigmoid>();  // the shortest that has a `narrow_slope`
  add_derivative<kachel::GELU>();
}

#endif

}  // namespace bench
