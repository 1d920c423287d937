// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compiled: an operation of kachel.h, compiled ahead, as a function of Views. A source that includes this header alone
/// compiles no kernel.
#pragma once

#include <kachel/detail/cuda_instance.hpp>
#include <kachel/kachel.h>
#include <kachel/types/element.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kachel {

/// An operation with the values of its parameters. A program that calls it is linked to kachel::c.
class Compiled {
 public:
  /// \param name        hardtanh, hardtanh_backward, hardtanh_backward_from_output, hardtanh_with_mask
  /// \param parameters  those that differ from their defaults: {{"min_val", -2}}; the names outlive this
  /// \throws std::invalid_argument  there is no such operation
  explicit Compiled(const char* name, std::initializer_list<std::pair<const char*, double>> parameters = {})
      : operation_(kachel_find(name)) {
    if (operation_ == nullptr)
      throw std::invalid_argument("kachel::Compiled: there is no operation " + std::string(name) +
                                  ", expected a name that kachel_operations has");
    for (const auto& [parameter, value] : parameters) parameters_.push_back({parameter, value});
  }

  /// Runs it as the call of kachel.hpp of that name: the same bits, checks and errors.
  /// \param space   the execution space instance: of a host, or CUDA
  /// \param arrays  Views of one element type, outputs first; a mask is one of std::uint8_t
  /// \throws std::invalid_argument  as that call, and for a parameter that the operation has not, another number of
  ///         arrays, or elements of several types
  /// \throws std::runtime_error     a launch failed
  template <class Space, class... Views>
    requires Kokkos::is_execution_space_v<Space> && (Kokkos::is_view_v<Views> && ...)
  void operator()(const Space& space, const Views&... arrays) const {
    constexpr std::size_t count = sizeof...(Views);
    if (static_cast<std::size_t>(operation_->arrays) != count)
      throw std::invalid_argument("kachel::" + std::string(operation_->name) + ": " + std::to_string(count) +
                                  " arrays are given, expected " + std::to_string(operation_->arrays));
    const Place place = place_of(space);
    std::array<Description, count> descriptions{describe(arrays, place.device)...};
    std::array<const kachel_array*, count> pointers;
    for (std::size_t k = 0; k < count; ++k) {
      kachel_array& array = descriptions[k].array;
      array.extents = descriptions[k].extents;
      array.strides = descriptions[k].strides;
      pointers[k] = &array;
    }
    char message[512] = "";
    const kachel_status status =
        kachel_run(operation_, pointers.data(), parameters_.data(), parameters_.size(), place.stream,
                   place.threads.run == nullptr ? nullptr : &place.threads, message, sizeof(message));
    if (status == KACHEL_FAILED) throw std::runtime_error(message);
    if (status != KACHEL_SUCCESS) throw std::invalid_argument(message);
  }

 private:
  struct Description {
    kachel_array array;
    std::int64_t extents[8], strides[8];
  };

  /// Where a call runs.
  struct Place {
    kachel_device device;
    void* stream;
    kachel_threads threads;
  };

  template <class View>
  static Description describe(const View& view, const kachel_device& device) {
    using T = detail::storage_type<typename View::non_const_value_type>;
    constexpr bool known = is_floating<T> || std::is_same_v<T, std::uint8_t>;
    static_assert(known, "kachel::Compiled: expected Views of float, double, half or bfloat16, and of std::uint8_t");
    constexpr std::uint8_t unsigned_integer = 1, ieee = 2, brain = 4;
    Description description{};
    kachel_array& array = description.array;
    array.data = const_cast<void*>(static_cast<const void*>(view.data()));
    array.device = device;
    array.rank = static_cast<std::int32_t>(View::rank());
    array.type = {std::is_same_v<T, std::uint8_t> ? unsigned_integer
                  : std::is_same_v<T, bfloat16>   ? brain
                                                  : ieee,
                  8 * sizeof(T), 1};
    for (std::size_t i = 0; i < View::rank(); ++i) {
      description.extents[i] = static_cast<std::int64_t>(view.extent(i));
      description.strides[i] = static_cast<std::int64_t>(view.stride(i));
    }
    return description;
  }

  template <class Space>
  static Place place_of(const Space& space) {
    constexpr std::int32_t cpu = 1, cuda = 2;
    if constexpr (detail::is_cuda<Space>) {
      return {{cuda, space.cuda_device()}, space.cuda_stream(), {}};
    } else {
      static_assert(Kokkos::SpaceAccessibility<Space, Kokkos::HostSpace>::accessible,
                    "kachel::Compiled: operations run on the execution spaces of hosts and on CUDA");
      if (space.concurrency() == 1) return {{cpu, 0}, nullptr, {}};
      const auto run = [](void* of, std::int64_t items, void (*work)(const void*, std::int64_t), const void* context) {
        const auto& own = *static_cast<const Space*>(of);
        Kokkos::parallel_for("kachel::Compiled",
                             Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(own, 0, items),
                             [=](std::int64_t item) { work(context, item); });
        own.fence("kachel::Compiled");
      };
      return {{cpu, 0}, nullptr, {static_cast<int>(space.concurrency()), run, const_cast<Space*>(&space)}};
    }
  }

  const kachel_operation* operation_;
  std::vector<kachel_parameter> parameters_;
};

}  // namespace kachel
