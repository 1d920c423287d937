// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A body over the tiles of a plan, by the kernel that a schedule names.
#pragma once

#include <kachel/detail/backend/cuda/launch_staged.hpp>
#include <kachel/detail/backend/device/launch.hpp>
#include <kachel/detail/backend/host/launch.hpp>

namespace kachel::detail {

/// The span of aligned arrays on a device.
template <class T, class Space, class Body>
Span<T, Space> aligned_span(const Plan& plan, const Schedule& schedule) {
  Span<T, Space> span{plan.size};
  if constexpr (requires { Body::input_bytes; })
    if constexpr (Body::input_bytes > 0) {
      span.restoring_items =
          std::min(plan.size, schedule.restored_bytes / Body::input_bytes) / Span<T, Space>::restored_by_item;
      span.policy = CachePolicy(span.restoring_items > 0);
    }
  return span;
}

/// \tparam T       the type that decides a tile's width
/// \tparam tiles, blocks  of the staged kernel, of which there is one if blocks > 0
/// \tparam rows    whether there is a kernel of rows
template <class T, int tiles, int blocks, bool rows, class Space, class Body>
void launch_body(const std::string& label, const Space& space, const Plan& plan, const Schedule& schedule,
                 const Body& body) {
  if constexpr (rows)
    if (schedule.kernel == Kernel::rows) {
      const Rows<T, ThreadSpace<Space>, Body::arrays> tiling(plan);
      if constexpr (is_host_space<Space>)
        return detail::launch(label, space, schedule, tiling, body);
      else
        return detail::launch<Kernel::rows>(label, space, schedule, tiling, body);
    }
  if constexpr (is_host_space<Space>) {
    detail::launch(label, space, schedule, Span<T, AnyHost>{.size = plan.size, .shift = plan.shift}, body);
  } else {
    if (schedule.kernel == Kernel::shifted)
      return detail::launch<Kernel::shifted>(label, space, schedule,
                                             Span<T, Space>{.size = plan.size, .shift = plan.shift}, body);
    const Span<T, Space> span = detail::aligned_span<T, Space, Body>(plan, schedule);
#if defined(KOKKOS_ENABLE_CUDA)
    if constexpr (blocks > 0)
      if (schedule.kernel == Kernel::staged)
        return detail::launch_staged<tiles, blocks>(label, space, schedule, span, body);
#endif
    detail::launch<Kernel::direct>(label, space, schedule, span, body);
  }
}

}  // namespace kachel::detail
