// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of several lengths over a large span on CUDA: by a tile a thread, and with several tiles a thread under
/// way, in blocks of which a multiprocessor holds as many as named.
#include "measure.hpp"
#include "workloads.hpp"

namespace bench {

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

template <class F>
void add_function() {
  using Program = kachel::Map<F, kachel::Tuple<kachel::Dense<float>>, kachel::Tuple<kachel::Dense<const float>>>;
  using Tiling = kachel::RestoringTiling<float, Space>;
  const std::int64_t n = options.rows * options.columns;
  const auto add = [&](const std::string& candidate, const auto& launch) {
    add_row<float>("pipelining/" + std::string(F::name) + "/" + candidate, F{}, n, 1,
                   [=](const Space& space, float* y, const float* x) {
                     launch(space, Tiling(n, kachel::tuning<Space>.restored_bytes / sizeof(float)),
                            Program{{}, {{{y}}}, {{{x}}}});
                   });
  };
  add("a tile a thread", [](const Space& space, const Tiling& tiling, const Program& program) {
    kachel::launch_tiles("tiles", space, tiling, kachel::MapEvictingLast<Program>{program}, false);
  });
  const auto add_pipeline = [&]<class Pipeline>(Pipeline) {
    add(std::to_string(Pipeline::tiles) + " tiles, " + std::to_string(Pipeline::blocks) + " blocks of " +
            std::to_string(Pipeline::block_size),
        [](const Space& space, const Tiling& tiling, const Program& program) {
          kachel::launch_pipelined<Pipeline>("pipelined", space, tiling, program);
        });
  };
  constexpr int block_size = kachel::tuning<Space>.pipelined_block_size;
  add_pipeline(kachel::Pipeline<2, block_size, 16>());
  add_pipeline(kachel::Pipeline<2, block_size, 12>());
  add_pipeline(kachel::Pipeline<3, block_size, 8>());
  add_pipeline(kachel::Pipeline<3, block_size, 9>());
  add_pipeline(kachel::Pipeline<3, block_size, 10>());
  add_pipeline(kachel::Pipeline<4, block_size, 12>());
  add_pipeline(kachel::Pipeline<5, block_size, 10>());
  add_pipeline(kachel::Pipeline<6, block_size, 12>());
  add_pipeline(kachel::Pipeline<6, block_size / 2, 24>());
  add_pipeline(kachel::Pipeline<8, block_size, 12>());
}

}  // namespace

void add_pipelining() {
  add_function<kachel::HardTanh>();
  add_function<kachel::Sigmoid>();
  add_function<kachel::SiLU>();
  add_function<kachel::Softplus>();
  add_function<kachel::GELUTanh>();
  add_function<kachel::GELU>();
}

#else

void add_pipelining() {}

#endif

}  // namespace bench
