// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every way into the library, and every path of the access plan, as one sequence of calls on one instance.
#pragma once

#include <kachel/activations/list.hpp>
#include <kachel/activations/prelu.hpp>
#include <kachel/for_tiles.hpp>

#include <support/inputs.hpp>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace kachel_test {

struct SumAndProduct {
  template <class T>
  KOKKOS_FUNCTION Kokkos::Array<T, 2> operator()(T a, T b) const {
    return {a + b, a * b};
  }
};

/// y = hardtanh(x) by loads and stores.
struct HardTanhProgram {
  const float* x;
  float* y;

  template <class Tile>
  KOKKOS_FUNCTION void operator()(const Tile& tile) const {
    tile.store(y, kachel::hardtanh(tile.load(x)));
  }
};

/// The memory of the calls, each of which writes to a part of its own.
template <class Space>
class EntryPoints {
 public:
  void run(const Space& space) const {
    const auto a = Span<Space, const float>(a_.data(), n), b = Span<Space, const float>(b_.data(), n);
    kachel::hardtanh(space, part(0), a);
    kachel::hardsigmoid(space, part(1), a);
    kachel::hardsigmoid_affine(space, part(2), a, {.alpha = 0.3});
    kachel::hardtanh_backward(space, part(3), b, a);
    kachel::hardsigmoid_backward(space, part(4), b, a);
    kachel::hardsigmoid_affine_backward(space, part(5), b, a);
    kachel::map(space, std::tuple(part(6), part(7)), SumAndProduct{}, a, b);
    kachel::hardtanh(space, part(0), part(0), {.min_val = -0.5});
    kachel::hardtanh(space, part(8, 1), Span<Space, const float>(a_.data() + 2, n));
    kachel::hardtanh(space, matrix(part(9).data(), 50, 1), matrix(a_.data(), 51, 1));
    kachel::hardtanh(space, matrix(part(10).data(), 100, 2), matrix(a_.data(), 1, 22));
    kachel::for_tiles<float>(space, n, HardTanhProgram{a_.data(), part(11).data()});
    kachel::for_tiles<float>("my program", space, n, HardTanhProgram{b_.data(), part(12).data()});
    kachel::prelu(space, matrix(part(13).data(), 41, 1), matrix(a_.data(), 41, 1),
                  Span<Space, const float>(b_.data(), 41));
  }

  /// The kernels' names, in order.
  static std::vector<std::string> labels() {
    return {"kachel::hardtanh<float>",
            "kachel::hardsigmoid<float>",
            "kachel::hardsigmoid_affine<float>",
            "kachel::hardtanh_backward<float>",
            "kachel::hardsigmoid_backward<float>",
            "kachel::hardsigmoid_affine_backward<float>",
            "kachel::map<float>",
            "kachel::hardtanh<float>",
            "kachel::hardtanh<float>",
            "kachel::hardtanh<float>",
            "kachel::hardtanh<float>",
            "kachel::for_tiles",
            "my program",
            "kachel::prelu<float>"};
  }

  /// What the calls have written so far, of all.
  std::vector<float> results() const { return results_.values(); }

 private:
  static constexpr int n = 1003, parts = 14, inputs = 2 * n + 10;

  Span<Space, float> part(int index, int offset = 0) const {
    return Span<Space, float>(results_.data() + index * (2 * n + 2) + offset, n);
  }

  template <class T>
  static auto matrix(T* data, int row_stride, int element_stride) {
    return Kokkos::View<T**, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        data, Kokkos::LayoutStride(20, row_stride, 41, element_stride));
  }

  Guarded<Space, float> a_{varied<float>(inputs)}, b_{varied<float>(inputs, 7)},
      results_{std::vector<float>(parts * (2 * n + 2), 12345.0f)};
};

}  // namespace kachel_test
