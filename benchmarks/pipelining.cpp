// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of several lengths over a large span on CUDA: by a tile a thread, and with several tiles a thread under
/// way, in blocks of which a multiprocessor holds as many as named.
#include "measure.hpp"
#include "workloads.hpp"

namespace bench {

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

template <class F, class T = float>
void add_function() {
  const std::int64_t n = options.rows * options.columns;
  const auto add = [&](const std::string& candidate, kachel::Kernel kernel, int blocks) {
    add_row<T>(
        "pipelining/" + std::string(F::name) + "/" + std::string(kachel::detail::type_name<T>()) + "/" + candidate,
        OfNumber<F>{}, n, 1, [=](const Space& space, T* y, const T* x) {
          const kachel::ScheduleOverride forced([=](kachel::Schedule& schedule) {
            schedule.kernel = kernel;
            schedule.blocks = blocks;
          });
          kachel::map(space, Span<T>(y, n), F{}, Span<const T>(x, n));
        });
  };
  add("a tile a thread", kachel::Kernel::direct, 0);
  using Row = kachel::detail::Tuple<T>;
  using Special = kachel::detail::specialized<F, Row, Row>;
  constexpr kachel::Cost cost = kachel::detail::cost_of<Special>();
  constexpr kachel::detail::Staging staging =
      kachel::detail::staging_of(cost, 1, 0, sizeof(T), kachel::detail::HasNarrow<Special, kachel::compute_type<T>>);
  if (cost != kachel::Cost::low)
    for (const int blocks : {6, 7, 8, 9, 10, 12, 14})
      add(std::to_string(staging.tiles) + " tiles, " + std::to_string(blocks) + " blocks of " +
              std::to_string(kachel::detail::staged_block_size),
          kachel::Kernel::staged, blocks);
}

}  // namespace

void add_pipelining() {
  add_function<kachel::HardTanh>();
  add_function<kachel::Sigmoid>();
  add_function<kachel::SiLU>();
  add_function<kachel::Softplus>();
  add_function<kachel::GELUTanh>();
  add_function<kachel::GELU>();
  add_function<kachel::HardSwish>();
  add_function<kachel::HardSwish, kachel::half>();
  add_function<kachel::HardSwish, kachel::bfloat16>();
  add_function<kachel::Sigmoid, kachel::half>();
  add_function<kachel::Sigmoid, kachel::bfloat16>();
  add_function<kachel::SiLU, kachel::half>();
  add_function<kachel::SiLU, kachel::bfloat16>();
  add_function<kachel::Tanh, kachel::bfloat16>();
}

#else

void add_pipelining() {}

#endif

}  // namespace bench
