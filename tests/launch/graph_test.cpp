// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every entry point captured in a CUDA graph, by the stream and by Kokkos' own graphs.
#include <gtest/gtest.h>
#include <support/entry_points.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

#include <Kokkos_Graph.hpp>

namespace kachel_test {
namespace {

/// Holds results before, after the first and after the second replay to what the calls give without a graph.
template <class Replay>
void check_replays(const EntryPoints<Kokkos::Cuda>& calls, const Replay& replay) {
  const EntryPoints<Kokkos::Cuda> direct;
  const std::vector<float> before = direct.results();
  EXPECT_EQ(before, calls.results()) << "capturing ran something";
  direct.run(Kokkos::Cuda{});
  for (int repetition = 0; repetition < 2; ++repetition) {
    replay();
    EXPECT_TRUE(all_same(direct.results(), calls.results()));
  }
}

// The strictest mode, in which a call that allocates or waits is an error.
TEST(CudaGraph, CapturesAStream) {
  const Kokkos::Cuda space = Kokkos::Experimental::partition_space(Kokkos::Cuda{}, 1)[0];
  const EntryPoints<Kokkos::Cuda> calls;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  ASSERT_EQ(cudaStreamBeginCapture(space.cuda_stream(), cudaStreamCaptureModeGlobal), cudaSuccess);
  calls.run(space);
  ASSERT_EQ(cudaStreamEndCapture(space.cuda_stream(), &graph), cudaSuccess);
  std::size_t nodes = 0;
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, EntryPoints<Kokkos::Cuda>::labels().size()) << "more than the kernels was captured";
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  check_replays(calls, [&] {
    ASSERT_EQ(cudaGraphLaunch(executable, space.cuda_stream()), cudaSuccess);
    space.fence();
  });
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

// Nodes of the graph take and give back what the parts of a sum need.
TEST(CudaGraph, CapturesSums) {
  const Kokkos::Cuda space = Kokkos::Experimental::partition_space(Kokkos::Cuda{}, 1)[0];
  std::vector<float> values(100000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 7 % 1009) / 512 - 1;
  const Guarded<Kokkos::Cuda, float> x(values), dx(values), w({0.5f}), dw({0.0f}), expected({0.0f});
  kachel::prelu_backward(Kokkos::Cuda{}, dx.span(), expected.span(), x.span(), x.span(), w.span());
  Kokkos::fence();
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  ASSERT_EQ(cudaStreamBeginCapture(space.cuda_stream(), cudaStreamCaptureModeGlobal), cudaSuccess);
  kachel::prelu_backward(space, dx.span(), dw.span(), x.span(), x.span(), w.span());
  ASSERT_EQ(cudaStreamEndCapture(space.cuda_stream(), &graph), cudaSuccess);
  EXPECT_TRUE(dw.untouched()) << "capturing ran something";
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  for (int repetition = 0; repetition < 2; ++repetition) {
    ASSERT_EQ(cudaMemset(dw.data(), 0, sizeof(float)), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(executable, space.cuda_stream()), cudaSuccess);
    space.fence();
    EXPECT_TRUE(all_same(expected.values(), dw.values()));
  }
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST(CudaGraph, IsANodeOfAKokkosGraph) {
  const auto instances = Kokkos::Experimental::partition_space(Kokkos::Cuda{}, 1, 1);
  const EntryPoints<Kokkos::Cuda> calls;
  Kokkos::Experimental::Graph<Kokkos::Cuda> graph(instances[0]);
  const auto node = graph.root_node().cuda_capture(instances[1], [&](const Kokkos::Cuda& space) { calls.run(space); });
  graph.instantiate();
  check_replays(calls, [&] {
    graph.submit(instances[0]);
    instances[0].fence();
  });
}

}  // namespace
}  // namespace kachel_test

#endif
