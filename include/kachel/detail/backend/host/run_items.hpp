// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// run_items: how a kernel of a host's execution space gets its threads. Called by what cuts an operation into shares;
/// knows nothing of arrays and tiles.
#pragma once

#include <kachel/detail/backend/show_as_kernel.hpp>
#include <kachel/detail/tile/host_memory.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace kachel::detail {

/// A reference to what a work item does, by which Kokkos' launch is compiled once and not for every kernel.
class HostWork {
 public:
  template <class Work>
  HostWork(const Work& work)
      : work_(&work), run_([](const void* of, std::int64_t item) { (*static_cast<const Work*>(of))(item); }) {}

  void operator()(std::int64_t item) const { run_(work_, item); }

 private:
  const void* work_;
  void (*run_)(const void*, std::int64_t);
};

/// Threads of the program that makes a call, for which Kokkos need not be initialised.
struct CallerThreads {
  using memory_space = Kokkos::HostSpace;

  int count;  ///< how many there are at most
  /// Runs work(i) for i < items, to the end.
  void (*run)(void* context, std::int64_t items, const HostWork& work);
  void* context;

  int concurrency() const { return count; }
};

#if defined(KOKKOS_ENABLE_OPENMP)
/// Runs work(0) on the calling thread, after kernels of other threads on the same instance, as Kokkos would. A small
/// call waits for nothing in a kernel or another parallel region: the kernel around it may hold the instance.
void run_on_calling_thread(const Kokkos::OpenMP& space, bool is_small, const HostWork& work);

/// How many threads a kernel of the instance has.
/// \param label  of the kernel, for the message
/// \throws std::logic_error  the call is in a kernel or another parallel region, and either Kokkos would refuse the
///         launch or the instance is in use, as it is where the kernel around the call is of that instance
int available_threads(std::string_view label, const Kokkos::OpenMP& space);
#endif

/// How many threads a kernel of a space other than OpenMP has.
template <class Space>
int available_threads(std::string_view, const Space& space) {
  return space.concurrency();
}

/// Runs work(i) for i < items, to the end. A single one runs on the calling thread.
inline void run_items(const std::string&, const CallerThreads& threads, std::int64_t items, bool, HostWork work) {
  if (items == 1)
    work(0);
  else
    threads.run(threads.context, items, work);
}

/// The same of an execution space. A single item has the calling thread on OpenMP, whose others need not begin
/// then.
/// \param is_small  whether the call gets one thread because it is small, not because there are no more
template <class Space>
  requires is_host_space<Space>
void run_items(const std::string& label, const Space& space, std::int64_t items, [[maybe_unused]] bool is_small,
               HostWork work) {
#if defined(KOKKOS_ENABLE_OPENMP)
  if constexpr (std::is_same_v<Space, Kokkos::OpenMP>)
    if (items == 1)
      return detail::show_as_kernel(label, space, [&] { detail::run_on_calling_thread(space, is_small, work); });
#endif
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, items), work);
#if defined(KOKKOS_ENABLE_HPX)  // which does not wait for its kernels
  if constexpr (std::is_same_v<Space, Kokkos::Experimental::HPX>) space.fence("kachel: a kernel's arguments are used");
#endif
}

}  // namespace kachel::detail
