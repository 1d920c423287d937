// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/detail/backend/host/run_items.hpp>

#if defined(KOKKOS_ENABLE_OPENMP)
#if KOKKOS_VERSION >= 60000
#error "Kachel expects Kokkos 5, whose OpenMP kernels lock the m_instance_mutex of their instance"
#endif

#include <omp.h>

#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace kachel::detail {
namespace {

using Instance = Kokkos::Impl::OpenMPInternal;

/// The instance of the kernel that run_on_calling_thread runs on this thread, outside of any parallel region; else
/// null.
thread_local const Instance* running = nullptr;

/// The mutex by which Kokkos lets one kernel at a time have an instance. It is no part of Kokkos' interface, so nothing
/// else names it, and the version is checked above.
std::mutex& mutex_of(Instance& instance) { return instance.m_instance_mutex; }

/// Whether the calling thread is in a parallel region that began after the instance. A region of one thread is one,
/// too.
bool is_in_region(const Instance& instance) { return omp_get_level() > instance.get_level(); }

/// Whether Kokkos launches a kernel from the region: in one region at most, and only if OpenMP may nest another.
bool may_nest() { return omp_get_level() == 1 && omp_get_max_active_levels() > 1; }

[[noreturn]] void reject(std::string_view label, const std::string& reason, const char* expected) {
  throw std::logic_error(std::string(label) + ": " + reason + ", expected " + expected +
                         "Kokkos::Serial, which runs on the calling thread");
}

/// Waits for a while until nobody has the instance. The kernel around the call may have it and would never give it
/// back; from another thread's kernel it looks the same. The thread that began that kernel may be this one: its
/// try_lock fails, as that of any mutex of POSIX does.
void wait_until_free(std::string_view label, Instance& instance) {
  constexpr std::chrono::seconds patience{2};
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!mutex_of(instance).try_lock()) {
    if (std::chrono::steady_clock::now() > end)
      reject(label,
             "its Kokkos::OpenMP instance has been in use for " + std::to_string(patience.count()) +
                 " seconds, by the kernel that calls it or by another thread",
             "an instance that is free, or ");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  mutex_of(instance).unlock();
}

}  // namespace

void run_on_calling_thread(const Kokkos::OpenMP& space, bool is_small, const HostWork& work) {
  Instance& instance = *space.impl_internal_space_instance();
  if (is_small && (running != nullptr || is_in_region(instance))) return work(0);
  struct Running {
    const Instance* around = running;
    explicit Running(const Instance& of) { running = &of; }
    ~Running() { running = around; }
  };
  const std::lock_guard lock(mutex_of(instance));
  const Running until_done(instance);
  work(0);
}

int available_threads(std::string_view label, const Kokkos::OpenMP& space) {
  Instance& instance = *space.impl_internal_space_instance();
  if (is_in_region(instance)) {
    if (!may_nest())
      reject(label,
             "called from a kernel or another parallel region of OpenMP, where Kokkos::OpenMP launches no kernel",
             "a call from outside, or ");
    wait_until_free(label, instance);
  } else if (running == &instance) {
    reject(label, "called from a kernel of the same Kokkos::OpenMP instance", "a call from outside, or ");
  } else if (running != nullptr) {
    wait_until_free(label, instance);
  }
  return instance.thread_pool_size();
}

}  // namespace kachel::detail
#endif
