// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Elements in the memory of an execution space, at any alignment, between sentinels.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

namespace kachel_test {

/// An unmanaged one-dimensional View, the shape that most tests call with.
template <class Space, class T>
using Span = Kokkos::View<T*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// A copy of `values` in Space's memory that begins `offset` elements after a multiple of 64 bytes. The bytes around it
/// hold a pattern, and untouched() says whether they still do.
template <class Space, class T>
class Guarded {
 public:
  explicit Guarded(const std::vector<T>& values, int offset = 0)
      : count_(values.size()),
        begin_(guard_bytes + offset * sizeof(T)),
        image_(begin_ + count_ * sizeof(T) + guard_bytes, pattern),
        bytes_(Kokkos::view_alloc("guarded", Kokkos::WithoutInitializing), image_.size()) {
    if (count_ > 0) std::memcpy(image_.data() + begin_, values.data(), count_ * sizeof(T));
    Kokkos::deep_copy(bytes_, Host(image_.data(), image_.size()));
  }

  T* data() const { return reinterpret_cast<T*>(bytes_.data() + begin_); }

  Span<Space, T> span() const { return Span<Space, T>(data(), count_); }

  /// The elements as they are now.
  std::vector<T> values() const {
    const std::vector<unsigned char> now = bytes();
    std::vector<T> values(count_);
    if (count_ > 0) std::memcpy(values.data(), now.data() + begin_, count_ * sizeof(T));
    return values;
  }

  /// Whether every byte before and after the elements is as it was.
  bool untouched_around() const {
    const std::vector<unsigned char> now = bytes();
    for (std::size_t i = 0; i < now.size(); ++i)
      if ((i < begin_ || i >= begin_ + count_ * sizeof(T)) && now[i] != pattern) return false;
    return true;
  }

  /// Whether the elements too are as they were.
  bool untouched() const { return bytes() == image_; }

 private:
  using Host = Kokkos::View<unsigned char*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  static constexpr std::size_t guard_bytes = 256;
  static constexpr unsigned char pattern = 0xa5;

  std::vector<unsigned char> bytes() const {
    std::vector<unsigned char> now(image_.size());
    Kokkos::fence();
    Kokkos::deep_copy(Host(now.data(), now.size()), bytes_);
    return now;
  }

  std::size_t count_, begin_;
  std::vector<unsigned char> image_;
  Kokkos::View<unsigned char*, Space> bytes_;
};

}  // namespace kachel_test
