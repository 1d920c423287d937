// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call without Kokkos::initialize is refused with a message. A program of its own, since the tests' main initialises.
#include <kachel/activations/hardtanh.hpp>

#include <iostream>
#include <stdexcept>
#include <string_view>

int main() {
  using Space = Kokkos::DefaultHostExecutionSpace;
  float y[4] = {5, 5, 5, 5};
  const Kokkos::View<float*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> view(y, 4);
  try {
    kachel::hardtanh(view, view);
  } catch (const std::logic_error& error) {
    constexpr std::string_view expected =
        "kachel::hardtanh: Kokkos is not initialized, expected a call between Kokkos::initialize and finalize";
    std::cout << error.what() << '\n';
    return error.what() == expected && y[0] == 5 ? 0 : 1;
  }
  std::cout << "accepted\n";
  return 1;
}
