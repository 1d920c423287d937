// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of 16-bit numbers on a host, and their derivatives: computed, looked up in a table that is there, and in
/// one filled for the call.
#include "measure.hpp"
#include "workloads.hpp"

namespace bench {

#if defined(KOKKOS_ENABLE_CUDA)

void add_lookups() {}

#else

namespace {

int calls_of(int exponent) { return exponent < 22 ? 200 : 1; }

/// Runs a call by the kernel that is named.
template <class Call>
void call_by(kachel::Kernel kernel, const Call& call) {
  const kachel::ScheduleOverride forced([=](kachel::Schedule& schedule) { schedule.kernel = kernel; });
  call();
}

/// F with a member more, so that it is not what NotDefault{} is: its table is not kept.
template <class F>
struct NotDefault {
  using Activation = F;

  F f = {};
  int more = 1;

  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return f(x);
  }
  KOKKOS_FUNCTION double wide(double x) const { return f.wide(x); }
};

template <class F, class T>
void add_ways(int exponent) {
  const std::int64_t n = std::int64_t{1} << exponent;
  const auto add = [&](const std::string& way, kachel::Kernel kernel, const auto& f) {
    add_row<T>(row_of<F, T>("lookups", "2^" + std::to_string(exponent), way), OfNumber<F>{}, n, calls_of(exponent),
               [=](const Space& space, T* y, const T* x) {
                 call_by(kernel, [&] { kachel::map(space, Span<T>(y, n), f, Span<const T>(x, n)); });
               });
  };
  add("computed", kachel::Kernel::direct, F{});
  add("looked up", kachel::Kernel::table, F{});
  add("filled and looked up", kachel::Kernel::table, NotDefault<F>{.more = 2});
}

/// The same of the derivative, of which what dy is multiplied by is looked up.
template <class F, class T>
void add_ways_backward(int exponent) {
  using Derivative = kachel::Backward<F, T>;
  const std::int64_t n = std::int64_t{1} << exponent;
  const auto add = [&](const std::string& way, kachel::Kernel kernel) {
    add_gradient_row<T>(row_of<Derivative, T>("lookups", "2^" + std::to_string(exponent), way), OfNumber<F>{}, n,
                        calls_of(exponent), [=](const Space& space, T* dx, const T* dy, const T* x) {
                          call_by(kernel, [&] {
                            kachel::map(space, Span<T>(dx, n), Derivative{}, Span<const T>(dy, n), Span<const T>(x, n));
                          });
                        });
  };
  add("computed", kachel::Kernel::direct);
  add("looked up", kachel::Kernel::table);
}

/// add(exponent) for each size of 2^exponent elements that the command line wants.
template <class Add>
void for_sizes(const Add& add) {
  for (const int exponent : {12, 14, 16, 18, 20, 26})
    if (exponent <= options.largest_size) add(exponent);
}

template <class F>
void add_function() {
  for_sizes([](int exponent) {
    add_ways<F, kachel::half>(exponent);
    add_ways<F, kachel::bfloat16>(exponent);
  });
}

template <class F>
void add_derivative() {
  for_sizes([](int exponent) {
    add_ways_backward<F, kachel::half>(exponent);
    add_ways_backward<F, kachel::bfloat16>(exponent);
  });
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
