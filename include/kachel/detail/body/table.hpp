// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which bodies can be run by a table of the results of a 16-bit number, and how.
#pragma once

#include <kachel/detail/backend/cuda/table.hpp>
#include <kachel/detail/backend/host/table.hpp>
#include <kachel/detail/body/map.hpp>

namespace kachel::detail {

/// Whether a table spares a host arithmetic for results of type Y: where `wide` may decide, or of a form for 16 bits of
/// an op that is not of low cost. HardSwish's form, of medium cost, takes 0.73 to 0.97 of the time of a table in half
/// (row `activations/hardswish/half`, AMD EPYC 9004).
template <class Y, class F>
inline constexpr bool is_looked_up_on_hosts = needs_wide<Y, F, float>;
template <class F, class T>
inline constexpr bool is_looked_up_on_hosts<T, Of16Bits<F, T>> = cost_of<F>() != Cost::low;

/// Runs an op of one 16-bit number on a host by a table; of most bodies there is none.
/// \return whether it was run
template <class Space, class F, class Y, class X>
  requires(is_host_space<Space> && is_float16<X> && is_looked_up_on_hosts<Y, F>)
bool run_by_table(const std::string& label, const Space& space, const Plan& plan, const Schedule& schedule,
                  const Map<F, Tuple<Cursor<Y, 0>>, Tuple<Cursor<const X, 1>>>& body) {
  detail::with_results<Y, X>(label, space, schedule.threads, body.f, [&](const Y* results) {
    detail::launch(label, space, schedule, Span<std::uint8_t, AnyHost>{.size = plan.size, .shift = plan.shift},
                   LookUp<Y, X>{results, get<0>(body.x).data, get<0>(body.y).data});
  });
  return true;
}

/// The same where such an op is what a second number is multiplied by. Inputs of kachel::map, which may repeat, do not
/// where their layout is contiguous.
template <class Space, class F, class Y, class A, class X>
  requires(is_host_space<Space> && is_array<A> && is_array<X> && is_float16<Y> && is_float16<element_of<A>> &&
           is_float16<element_of<X>> && HasFactor<F>)
bool run_by_table(const std::string& label, const Space& space, const Plan& plan, const Schedule& schedule,
                  const Map<F, Tuple<Cursor<Y, 0>>, Tuple<A, X>>& body) {
  detail::with_results<float, element_of<X>>(
      label, space, schedule.threads, typename F::Factor{body.f.f}, [&](const float* factors) {
        detail::launch(label, space, schedule, Span<Y, AnyHost>{.size = plan.size, .shift = plan.shift},
                       detail::map_of(Product{}, body.y,
                                      tuple_of(Cursor<const element_of<A>, 1>{get<0>(body.x).data},
                                               LookedUp<element_of<X>, 2>{get<1>(body.x).data, factors})));
      });
  return true;
}

#if defined(KOKKOS_ENABLE_CUDA)
/// An op of one 16-bit number on CUDA.
template <class F, class Y, class X>
  requires(is_float16<X> && needs_wide<Y, F, float>)
bool run_by_table(const std::string& label, const CudaInstance& space, const Plan& plan, const Schedule& schedule,
                  const Map<F, Tuple<Cursor<Y, 0>>, Tuple<Cursor<const X, 1>>>& body) {
  return detail::launch_lookup(label, space, body.f, get<0>(body.y).data, get<0>(body.x).data, plan.size,
                               schedule.restored_bytes > 0);
}
#endif

}  // namespace kachel::detail
