// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The names of the kernels launched in a scope, as Kokkos Tools show them.
#pragma once

#include <Kokkos_Core.hpp>

#include <string>
#include <vector>

namespace kachel_test {

/// Records the label of every parallel_for from construction to destruction. One at a time.
class KernelLabels {
 public:
  KernelLabels() : before_(Kokkos::Tools::Experimental::get_callbacks()) {
    seen().clear();
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(
        [](const char* name, const std::uint32_t, std::uint64_t*) { seen().emplace_back(name); });
  }
  ~KernelLabels() { Kokkos::Tools::Experimental::set_callbacks(before_); }
  KernelLabels(const KernelLabels&) = delete;
  KernelLabels& operator=(const KernelLabels&) = delete;

  static std::vector<std::string>& seen() {
    static std::vector<std::string> names;
    return names;
  }

 private:
  Kokkos::Tools::Experimental::EventSet before_;
};

}  // namespace kachel_test
