// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rows on CUDA whose elements are neighbours and begin anywhere, by aligned accesses: the threads of a group shift
/// what they and their neighbours have.
#pragma once

#include <kachel/detail/backend/cuda/launch_staged.hpp>
#include <kachel/detail/evaluate.hpp>
#include <kachel/detail/tile/access.hpp>

#if defined(KOKKOS_ENABLE_CUDA)

namespace kachel::detail {

/// Loads a row that begins anywhere. Every thread of a warp comes here, also without a row. Each loads aligned
/// accesses, which begin with elements before its own, and gets the rest from the thread after it. Beyond the row its
/// last element is repeated, which changes no maximum. Loads have no cache policy: evict_last is for rows that are
/// aligned.
template <class Row, class Input, class T>
__device__ void load_shifted(const Row& row, Input& x, const T* from) {
  using Words = typename Input::Words;
  constexpr int width = Row::width, group = Row::group, accesses = Row::accesses, words = widest_access / 4;
  const int lane = row.thread % group;
  const auto offset = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(from + row.first()) % widest_access);
  const int before = static_cast<int>(offset / sizeof(T)), left = row.length > 0 ? row.left(0) + before : 0;
  const T* const begin = from + row.first() - before;
  const auto is_full = [=](int access) { return left - access * group * width >= width; };
  // Loads first, so that all are on their way.
#pragma unroll
  for (int access = 0; access < accesses; ++access)
    if (is_full(access)) {
      const auto* const own = reinterpret_cast<const Words*>(begin + access * group * width);
      if (access < Input::registers)
        x.place(access) = *own;
      else
        copy_async(&x.place(access), own, CachePolicy(false));
    }
  const Pack<T, width> repeated(row.length > 0 ? from[row.length - 1] : T());
  const auto filling = bit_cast<Words>(repeated);
  Words beyond = filling;  // the 16 bytes after those of the group, of its first thread
  if (lane == 0 && is_full(accesses)) beyond = *reinterpret_cast<const Words*>(begin + accesses * group * width);
  // The access that the row ends in.
  const int end = left / (group * width), of_end = left - end * group * width;
  Pack<T, width> elements = repeated;
  if (of_end > 0 && of_end < width)
#pragma unroll
    for (int i = 0; i < width; ++i)
      if (i < of_end) elements[i] = begin[end * group * width + i];
  const auto ending = bit_cast<Words>(elements);
#pragma unroll
  for (int access = 0; access < accesses; ++access)
    if (!is_full(access)) x.place(access) = access == end ? ending : filling;
  if (lane == 0 && end == accesses && !is_full(accesses)) beyond = ending;
  await_copies<0>();
  Words own = x.place(0);
#pragma unroll
  for (int access = 0; access < accesses; ++access) {
    const Words next = access + 1 < accesses ? x.place(access + 1) : beyond;
    Words both[2];
#pragma unroll
    for (int i = 0; i < words; ++i) {
      both[0][i] = own[i];
      both[1][i] = __shfl_sync(~0u, lane == 0 ? next[i] : own[i], (lane + 1) & (group - 1), group);
    }
    x.place(access) = detail::shifted<1>(both, offset);
    own = next;
  }
}

/// Stores the results of a row that begins anywhere. Every thread of a warp comes here, also without a row. Each stores
/// what it and the thread before have of 16 aligned bytes.
template <class Row, class T, class V>
__device__ void store_shifted(const Row& row, T* to, const V& results) {
  constexpr int width = Row::width, group = Row::group, words = widest_access / 4;
  using Words = Pack<std::uint32_t, words>;
  const int lane = row.thread % group, first = row.first(), begin = first - lane * width,
            end = Kokkos::min(begin + Row::accesses * group * width, row.length);
  const auto before_first = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(to + first) % widest_access);
  // The elements from `from` on that are the group's.
  const auto store_part = [&](int from, const Pack<T, width>& elements) {
#pragma unroll
    for (int i = 0; i < width; ++i)
      if (from + i >= begin && from + i < end) to[from + i] = elements[i];
  };
  Words own(0u);
  Pack<T, width> last{};
  int last_from = end;
#pragma unroll
  for (int access = 0; access <= Row::accesses; ++access) {
    const Words former = own;
    if (access < Row::accesses && row.has(access)) own = bit_cast<Words>(detail::converted<T>(results.at(access)));
    Words both[2];
#pragma unroll
    for (int i = 0; i < words; ++i) {
      const std::uint32_t before =
          __shfl_sync(~0u, lane == group - 1 ? former[i] : own[i], (lane - 1) & (group - 1), group);
      both[0][i] = before_first == 0 ? own[i] : before;
      both[1][i] = own[i];
    }
    const auto aligned = detail::shifted<1>(both, (widest_access - before_first) % widest_access);
    const int from = first + access * group * width - static_cast<int>(before_first / sizeof(T));
    if (from >= begin && from + width <= end) {
      __stcs(reinterpret_cast<uint4*>(to + from), bit_cast<uint4>(aligned));
    } else if (access == 0) {
      store_part(from, bit_cast<Pack<T, width>>(aligned));
    } else if (from < end) {
      last = bit_cast<Pack<T, width>>(aligned);
      last_from = from;
    }
  }
  store_part(last_from, last);
}

}  // namespace kachel::detail

#endif
