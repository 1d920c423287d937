// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// explain: what a call of kachel::map would do.
#pragma once

#include <kachel/map.hpp>

#include <string>

namespace kachel {

/// What kachel::map(space, y, f, x...) would do with these arguments, and why: how its arrays are walked, which kernel
/// runs them, with how many threads, and what is asked of caches. Launches nothing, and reads and writes no element.
/// \param space, y, f, x  as kachel::map takes them; an activation is f by its functor: kachel::GELU{}
/// \return lines for people; "no elements" for empty arrays
/// \throws std::logic_error, std::invalid_argument  as kachel::map does
template <class Space, class Y, class F, class... X>
  requires Kokkos::is_execution_space_v<Space>
std::string explain(const Space& space, const Y& y, const F& f, const X&... x) {
  std::string text = std::string(detail::operation_label<F>()) + ": no elements\n";
  detail::map_or_explain<detail::Extents::repeating>(space, y, f, &text, x...);
  return text;
}

}  // namespace kachel
