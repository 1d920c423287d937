// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call before Kokkos::initialize or after finalize is refused with a message. A program of its own, since the tests'
// main initialises.
#include <kachel/activations/hardtanh.hpp>
#include <kachel/for_tiles.hpp>

#include <iostream>
#include <stdexcept>
#include <string>

namespace {

using Space = Kokkos::DefaultHostExecutionSpace;

struct NoProgram {
  template <class Tile>
  KOKKOS_FUNCTION void operator()(const Tile&) const {}
};

/// Whether `call` throws the message that begins with `operation`.
template <class Call>
bool is_refused(const std::string& operation, const Call& call) {
  try {
    call();
  } catch (const std::logic_error& error) {
    std::cout << error.what() << '\n';
    return error.what() ==
           operation + ": Kokkos is not initialized, expected a call between Kokkos::initialize and finalize";
  }
  std::cout << operation << " is accepted\n";
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  float y[4] = {5, 5, 5, 5};
  const Kokkos::View<float*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> view(y, 4);
  const auto hardtanh = [&] { kachel::hardtanh(view, view); };
  bool refused = is_refused("kachel::hardtanh", hardtanh);
  Kokkos::initialize(argc, argv);
  const Space space;
  refused &= y[0] == 5;
  hardtanh();
  const bool accepted = y[0] == 1;
  Kokkos::finalize();
  refused &= is_refused("kachel::hardtanh", hardtanh);
  refused &= is_refused("kachel::hardtanh", [&] { kachel::hardtanh(space, view, view); });
  refused &= is_refused("kachel::hardtanh_backward", [&] { kachel::hardtanh_backward(space, view, view, view); });
  refused &= is_refused("kachel::hardtanh", [&] { kachel::map(std::tuple(view), kachel::HardTanh{}, view); });
  refused &= is_refused("kachel::for_tiles", [&] { kachel::for_tiles<float>(space, 4, NoProgram{}); });
  refused &= is_refused("my program", [&] { kachel::for_tiles<float>("my program", space, 4, NoProgram{}); });
  return refused && accepted ? 0 : 1;
}
