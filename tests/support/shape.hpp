// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shapes of any strides, and Views of them.
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>

#include <cstddef>
#include <vector>

namespace kachel_test {

/// Extents, and strides in elements, of up to eight dimensions.
struct Shape {
  std::vector<std::size_t> extents, strides;

  std::size_t count() const {
    std::size_t count = 1;
    for (const std::size_t extent : extents) count *= extent;
    return count;
  }

  /// Elements from the first to behind the last.
  std::size_t span() const {
    std::size_t last = 0;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      if (extents[i] == 0) return 0;
      last += (extents[i] - 1) * strides[i];
    }
    return last + 1;
  }

  /// Where element `index`, counted with the last dimension fastest, lies.
  std::size_t place(std::size_t index) const {
    std::size_t place = 0;
    for (std::size_t i = extents.size(); i-- > 0; index /= extents[i]) place += index % extents[i] * strides[i];
    return place;
  }
};

/// The View of a shape, with dimensions of one element before the others up to rank 8.
template <class Space, class T>
auto view(T* data, const Shape& shape) {
  Kokkos::LayoutStride layout;
  for (std::size_t i = 0, absent = 8 - shape.extents.size(); i < 8; ++i) {
    layout.dimension[i] = i < absent ? 1 : shape.extents[i - absent];
    layout.stride[i] = i < absent ? 0 : shape.strides[i - absent];
  }
  return Kokkos::View<T********, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(data, layout);
}

/// The DynRankView of a shape of up to seven dimensions.
template <class Space, class T>
auto array(T* data, const Shape& shape) {
  Kokkos::LayoutStride layout;
  for (std::size_t i = 0; i < 8; ++i) {
    const bool present = i < shape.extents.size();
    layout.dimension[i] = present ? shape.extents[i] : KOKKOS_INVALID_INDEX;
    layout.stride[i] = present ? shape.strides[i] : 0;
  }
  return Kokkos::DynRankView<T, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(data, layout);
}

}  // namespace kachel_test
