// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What Kokkos Tools see of a scope: kernels' names, fences, allocations.
#pragma once

#include <Kokkos_Core.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kachel_test {

struct ToolEvents {
  std::vector<std::string> labels;  ///< of every parallel_for
  std::size_t ended = 0;            ///< how many of these have ended
  std::vector<std::string> fences, allocations;
};

/// Records from construction to destruction. One at a time.
class ToolRecorder {
 public:
  ToolRecorder() : before_(Kokkos::Tools::Experimental::get_callbacks()) {
    namespace tools = Kokkos::Tools::Experimental;
    recorded() = {};
    tools::set_begin_parallel_for_callback(
        [](const char* name, const std::uint32_t, std::uint64_t*) { recorded().labels.emplace_back(name); });
    tools::set_end_parallel_for_callback([](const std::uint64_t) { ++recorded().ended; });
    // Kokkos fences for a tool's sake around each of its callbacks.
    tools::set_begin_fence_callback([](const char* name, const std::uint32_t, std::uint64_t*) {
      if (!std::string_view(name).starts_with("Kokkos::Tools::")) recorded().fences.emplace_back(name);
    });
    tools::set_allocate_data_callback([](const Kokkos_Profiling_SpaceHandle, const char* name, const void*,
                                         const std::uint64_t) { recorded().allocations.emplace_back(name); });
  }
  ~ToolRecorder() { Kokkos::Tools::Experimental::set_callbacks(before_); }
  ToolRecorder(const ToolRecorder&) = delete;
  ToolRecorder& operator=(const ToolRecorder&) = delete;

  const ToolEvents& events() const { return recorded(); }

 private:
  // Kokkos' callbacks carry no state of their own.
  static ToolEvents& recorded() {
    static ToolEvents events;
    return events;
  }

  Kokkos::Tools::Experimental::EventSet before_;
};

}  // namespace kachel_test
