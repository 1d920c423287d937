// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// show_as_kernel: what Kokkos does not launch, to Kokkos' tools.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace kachel::detail {

/// Runs run(), which Kokkos' tools see as a parallel_for on an execution space instance.
template <class Space, class Run>
void show_as_kernel(const std::string& label, const Space& space, const Run& run) {
  std::uint64_t id = 0;
  const bool profiled = Kokkos::Tools::profileLibraryLoaded();
  if (profiled) Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(space), &id);
  struct End {
    bool profiled;
    std::uint64_t id;
    ~End() {
      if (profiled) Kokkos::Tools::endParallelFor(id);
    }
  };
  const End end{profiled, id};  // where run throws, too
  run();
}

}  // namespace kachel::detail
