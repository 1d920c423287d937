// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// kachel_bench: every row that the documents have.
#include "workloads.hpp"

#include <utility>

void bench::add_rows() {
  add_bandwidth();
  []<int... part>(std::integer_sequence<int, part...>) {
    (add_activations<part>(), ...);
  }(std::make_integer_sequence<int, KACHEL_PARTS>{});
  add_prelu();
  add_sizes();
  add_calls();
  add_views();
  add_columns();
  add_broadcast();
  add_softmax();
  add_backward();
  add_saved();
  add_levers();
  add_lookups();
  add_cycles();
  add_loops();
  add_eviction();
  add_pipelining();
}
