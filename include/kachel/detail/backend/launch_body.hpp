// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A body over the tiles of a plan, by the kernel that a schedule names.
#pragma once

#include <kachel/detail/backend/cuda/launch_staged.hpp>
#include <kachel/detail/backend/device/launch.hpp>
#include <kachel/detail/backend/host/rows.hpp>

namespace kachel::detail {

/// \tparam T       the type that decides a tile's width
/// \tparam layouts  how the arrays may lie
/// \tparam tiles, blocks  of the staged kernel, of which there is one if blocks > 0
template <class T, Layouts layouts, int tiles, int blocks, class Space, class Body>
void launch_body(const std::string& label, const Space& space, const Plan& plan, const Schedule& schedule,
                 const Body& body) {
  if constexpr (layouts.rows)
    if (!layouts.contiguous || schedule.kernel == Kernel::rows) {
      if constexpr (is_host_space<Space>) {
        return detail::launch(label, space, schedule, HostRows<T, Body>(plan, body), body);
      } else {
        return detail::launch<Kernel::rows>(label, space, schedule, Rows<T, ThreadSpace<Space>, Body::arrays>(plan),
                                            body);
      }
    }
  if constexpr (layouts.contiguous) {
    Span<T, ThreadSpace<Space>> span{.size = plan.size, .shift = plan.shift};
    if constexpr (!is_host_space<Space>) {
      if constexpr (layouts.misaligned)
        if (schedule.kernel == Kernel::shifted)
          return detail::launch<Kernel::shifted>(label, space, schedule, span, body);
      if constexpr (Body::input_bytes > 0)
        span.restoring_items = std::min(plan.size, schedule.restored_bytes / Body::input_bytes) / span.restored_by_item;
      span.policy = CachePolicy(span.restoring_items > 0);
#if defined(KOKKOS_ENABLE_CUDA)
      if constexpr (blocks > 0)
        if (schedule.kernel == Kernel::staged)
          return detail::launch_staged<tiles, blocks>(label, space, schedule, span, body);
#endif
    }
    detail::launch(label, space, schedule, span, body);
  }
}

}  // namespace kachel::detail
