// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// for_tiles: a program of the caller's own over tiles.
#pragma once

#include <kachel/detail/backend/launch_body.hpp>

#include <string>
#include <type_traits>

namespace kachel {

/// Runs program(tile) for every tile of a span of `size` elements whose widest type is T.
/// Asynchronous on a device, blocking on a host.
/// \param label    the kernel's name, as Kokkos Tools show it
/// \param space    the execution space instance
/// \param size     elements; nothing runs unless it is above 0
/// \param program  callable with a const Tile<T, Space>&, on Space; called once a tile, in any order
/// \param in_place  whether the program writes memory that it also reads; decides speed alone
/// \throws std::logic_error  Kokkos is not initialised
template <class T, class Space, class Program>
  requires Kokkos::is_execution_space_v<Space>
void for_tiles(const std::string& label, const Space& space, std::int64_t size, const Program& program,
               bool in_place = false) {
  static_assert(std::is_invocable_v<const Program&, const Tile<T, Space>&>,
                "kachel::for_tiles: program is expected to be callable, when const, with a const Tile<T, Space>&");
  detail::check_initialized(label);
  if (size <= 0) return;
  const Schedule schedule =
      detail::choose_schedule(label, detail::contiguous_plan(size, in_place),
                              {.element_bytes = sizeof(T), .rows = false, .shifted = false}, tuning(space));
  detail::launch(label, space, schedule, detail::Span<T, Space>{size}, detail::TileProgram<T, Space, Program>{program});
}

/// The same under the label "kachel::for_tiles".
template <class T, class Space, class Program>
  requires Kokkos::is_execution_space_v<Space>
void for_tiles(const Space& space, std::int64_t size, const Program& program, bool in_place = false) {
  static const std::string label = "kachel::for_tiles";
  kachel::for_tiles<T>(label, space, size, program, in_place);
}

}  // namespace kachel
