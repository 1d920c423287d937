// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// PerDevice: what is found out once about each CUDA device.
#pragma once

#include <Kokkos_Core.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

namespace kachel::detail {

/// A T for each device, found out when it is first asked for.
template <class T>
class PerDevice {
 public:
  /// \param find_out  returns the device's T; called once, before any call returns
  template <class FindOut>
  T& get(int device, const FindOut& find_out) {
    Slot& slot = slots_[static_cast<std::size_t>(device)];
    std::call_once(slot.once, [&] {
      slot.value = find_out();
      slot.is_made = true;
    });
    return slot.value;
  }

  /// Whether it has been asked for.
  bool is_made(int device) const { return slots_[static_cast<std::size_t>(device)].is_made; }

 private:
  struct Slot {
    std::once_flag once;
    std::atomic<bool> is_made = false;
    T value{};
  };

  static std::size_t count() {
    int devices = 0;
    cudaGetDeviceCount(&devices);
    return static_cast<std::size_t>(devices);
  }

  std::vector<Slot> slots_ = std::vector<Slot>(count());
};

}  // namespace kachel::detail

#endif
