// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The derivatives against a CUDA kernel by hand, at the target size; and a training step of 50 calls on 2^16 elements,
/// captured in a CUDA graph.
#include "measure.hpp"
#include "peers/peers.hpp"
#include "workloads.hpp"

#include <vector>

namespace bench {

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

/// Kachel's derivative.
struct KachelBackward {
  template <class F, class T>
  void operator()(const Space& space, const F&, T* dx, const T* dy, const T* x, std::int64_t n) const {
    kachel::PointwiseBackward<typename F::Kachel>{}(space, Span<T>(dx, n), Span<const T>(dy, n), Span<const T>(x, n));
  }
};

/// Kokkos' own parallel_for, an element a work item.
struct KokkosBackward {
  template <class F, class T>
  void operator()(const Space& space, const F& f, T* dx, const T* dy, const T* x, std::int64_t n) const {
    Kokkos::parallel_for(
        "plain", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, n),
        KOKKOS_LAMBDA(std::int64_t i) { dx[i] = apply_backward(f, dy[i], x[i]); });
  }
};

/// In place, dx is dy.
template <class F, class T, class Run>
void add_backward(const std::string& candidate_name, const Run& run, bool in_place) {
  const auto row = [=](benchmark::State& state) {
    const std::int64_t n = options.rows * options.columns;
    auto& [xs, ys] = buffers(n * sizeof(T));
    const Kokkos::View<T*, Space> gradient(Kokkos::view_alloc("dy", Kokkos::WithoutInitializing), n);
    auto* const x = reinterpret_cast<T*>(xs.data());
    auto* const dy = gradient.data();
    auto* const dx = in_place ? dy : reinterpret_cast<T*>(ys.data());
    fill(x, n);
    fill(dy, n, first_dy);
    const Work candidate = [=](const Space& space) { run(space, F{}, dx, static_cast<const T*>(dy), x, n); };
    const Work baseline = [=](const Space& space) { peers::cuda_float4_backward(space, F{}, dx, dy, x, n); };
    candidate(Space{});
    if (const std::int64_t wrong = count_wrong_gradients(F{}, dx, x, n); wrong > 0)
      state.SkipWithError((std::to_string(wrong) + " results are wrong").c_str());
    else
      measure(state, 3.0 * n * sizeof(T), 1, candidate, baseline);
  };
  const std::string name = "backward/" + std::string(F::Kachel::name) + "/" +
                           std::string(kachel::detail::type_name<T>()) + "/" + (in_place ? "in place" : "separate") +
                           "/" + candidate_name;
  register_row(name, row);
}

/// 25 layers, by turns hardtanh and hardsigmoid, forward and then backward: 50 calls.
template <class T>
class TrainingStep {
 public:
  static constexpr int layers = 25;
  static constexpr std::int64_t n = 1 << 16;

  TrainingStep() : values_("values", layers + 1, n), gradient_("gradient", n) { reset(); }

  void reset() const {
    fill(value(0), n);
    fill(gradient_.data(), n, first_dy);
    Kokkos::fence();
  }

  void by_kachel(const Space& space) const {
    for_each_layer([&](auto f, int k, bool forward) {
      using F = typename decltype(f)::Kachel;
      const Span<T> x(value(k), n), y(value(k + 1), n), d(gradient_.data(), n);
      if (forward)
        kachel::Pointwise<F>{}(space, y, x);
      else
        kachel::PointwiseBackward<F>{}(space, d, d, x);
    });
  }

  void by_hand(const Space& space) const {
    for_each_layer([&](auto f, int k, bool forward) {
      if (forward)
        peers::cuda_float4(space, f, value(k + 1), value(k), n);
      else
        peers::cuda_float4_backward(space, f, gradient_.data(), gradient_.data(), value(k), n);
    });
  }

  /// What both gave, after a reset and one of the above.
  std::vector<T> results() const {
    Kokkos::fence();
    std::vector<T> results((layers + 2) * n);
    Kokkos::deep_copy(Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(results.data(), (layers + 1) * n),
                      Span<T>(values_.data(), (layers + 1) * n));
    Kokkos::deep_copy(
        Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(results.data() + (layers + 1) * n, n), gradient_);
    return results;
  }

 private:
  template <class Visit>
  static void for_each_layer(const Visit& visit) {
    const auto layer = [&](int k, bool forward) {
      if (k % 2 == 0)
        visit(HardTanh{}, k, forward);
      else
        visit(HardSigmoid{}, k, forward);
    };
    for (int k = 0; k < layers; ++k) layer(k, true);
    for (int k = layers - 1; k >= 0; --k) layer(k, false);
  }

  T* value(int layer) const { return values_.data() + layer * n; }

  Kokkos::View<T**, Kokkos::LayoutRight, Space> values_;
  Kokkos::View<T*, Space> gradient_;
};

template <class T>
void add_training_step() {
  const auto row = [](benchmark::State& state) {
    const TrainingStep<T> step;
    const Space instance = Kokkos::Experimental::partition_space(Space{}, 1)[0];
    const Work candidate = captured(instance, [&](const Space& space) { step.by_kachel(space); });
    const Work baseline = captured(instance, [&](const Space& space) { step.by_hand(space); });
    baseline(Space{});
    const std::vector<T> expected = step.results();
    step.reset();
    candidate(Space{});
    const std::vector<T> given = step.results();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) wrong += !same_value(expected[i], given[i]);
    const double calls_bytes = (2.0 + 3.0) * TrainingStep<T>::layers * TrainingStep<T>::n * sizeof(T);
    if (wrong > 0)
      state.SkipWithError((std::to_string(wrong) + " results are wrong").c_str());
    else
      measure(state, calls_bytes, 1, candidate, baseline);
  };
  register_row("backward/training step/" + std::string(kachel::detail::type_name<T>()) + "/captured/kachel", row);
}

}  // namespace

void add_backward() {
  const auto add_type = []<class F, class T>(F, T) {
    for (const bool in_place : {false, true}) {
      add_backward<F, T>("kachel", KachelBackward{}, in_place);
      add_backward<F, T>("kokkos", KokkosBackward{}, in_place);
    }
  };
  add_type(HardTanh{}, float{});
  add_type(HardTanh{}, kachel::bfloat16{});
  add_type(HardSigmoid{}, float{});
  add_type(HardSigmoid{}, kachel::bfloat16{});
  add_training_step<float>();
  add_training_step<kachel::bfloat16>();
}

#else

void add_backward() {}

#endif

}  // namespace bench
