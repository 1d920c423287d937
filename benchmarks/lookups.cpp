// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of 16-bit numbers on a host: computed, looked up in a table that is there, and in one filled for the call.
#include "measure.hpp"
#include "workloads.hpp"

#include <memory>

namespace bench {

#if defined(KOKKOS_ENABLE_CUDA)

void add_lookups() {}

#else

namespace {

template <class F, class T>
void add_ways(int exponent) {
  using Program = kachel::Map<F, kachel::Tuple<kachel::Dense<T>>, kachel::Tuple<kachel::Dense<const T>>>;
  using Table = kachel::HostTable<T, T, F>;
  const std::int64_t n = std::int64_t{1} << exponent;
  const kachel::ShiftedTiling<T, Space> tiling{n, 0};
  const auto add = [&](const std::string& way, const auto& run) {
    add_row<T>("lookups/" + std::string(F::name) + "/" + std::string(kachel::type_name<T>()) + "/2^" +
                   std::to_string(exponent) + "/" + way,
               OfNumber<F>{}, n, exponent < 22 ? 200 : 1, run);
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

template <class F>
void add_function() {
  for (const int exponent : {12, 14, 16, 18, 20, 26}) {
    add_ways<F, kachel::half>(exponent);
    add_ways<F, kachel::bfloat16>(exponent);
  }
}

}  // namespace

void add_lookups() {
  add_function<kachel::HardSigmoidAffine>();  // the shortest that has a `wide`
  add_function<kachel::Sigmoid>();
  add_function<kachel::GELU>();
}

#endif

}  // namespace bench
