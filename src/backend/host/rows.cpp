// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/detail/backend/host/rows.hpp>
#include <kachel/detail/divisor.hpp>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace kachel::detail {
namespace {

/// All buffers of a thread, and one of them at most, in bytes: the first-level cache holds them, or nearly.
constexpr std::int64_t buffers_bytes = 32 << 10, most_buffer_bytes = 16 << 10;

/// How far a block reaches along the neighbours of each array, in bytes of them, before it grows in other directions,
/// and how large it then grows. In blocks of 16 KiB, doubles of 4 to 8 columns take 1.1 to 1.2 times as long on a
/// Zen 3. In blocks of 4 KiB, changes of layout in cache take 1.03 to 1.08 times as long on a Zen 5, of up to 20
/// columns 1.1 to 1.25. With one cache line instead of four a change of layout takes 1.3 to 3 times as long on a Zen 3,
/// since it reads lines again that the cache has lost.
constexpr std::int64_t neighbours_bytes = 4 * host_line, grown_bytes = 8 << 10;

/// A block of which nothing is copied, in bytes of the widest elements: its call costs little beside it.
constexpr std::int64_t uncopied_bytes = 64 << 10;

/// From so many bytes on, rows of the output may take turns. Of 8 KiB in bfloat16 they would take 1.08 of the time, of
/// 16 KiB 0.9 (an EPYC, Zen 4). A costly op would read its constants again each turn: `bias_gelu` would take 1.08.
constexpr std::int64_t turns_bytes = 16 << 10;

/// Whether a row ends with a tile that may not be full, and its stores may go past the cache.
/// \param width  of a tile
constexpr bool is_long(std::int64_t length, std::int64_t width) { return length >= 16 * width; }

/// Runs visit() at every place in the dimensions [first, rank), the first fastest. move(i, steps) goes along one.
template <class Extent, class Visit, class Move>
void for_each_place(int first, int rank, const Extent& extent, const Visit& visit, const Move& move) {
  std::int64_t places[max_rank] = {};
  for (;;) {
    visit();
    int i = first;
    for (; i < rank && ++places[i] == extent(i); ++i) {
      places[i] = 0;
      move(i, 1 - extent(i));
    }
    if (i >= rank) return;
    move(i, 1);
  }
}

/// A dimension of what is copied: elements, and bytes from each to the next.
struct Dimension {
  std::int64_t count, to, from;
};

/// Copies elements one by one.
/// \tparam to_step, from_step  the strides of `inner` in elements, -1 where they are any
template <std::int64_t bytes, int to_step, int from_step>
void copy_each(std::byte* __restrict to, const std::byte* __restrict from, const Dimension& inner,
               const Dimension& outer) {
  const std::int64_t to_stride = to_step < 0 ? inner.to : to_step * bytes,
                     from_stride = from_step < 0 ? inner.from : from_step * bytes;
  for (std::int64_t k = 0; k < outer.count; ++k) {
    std::byte* row = to + k * outer.to;
    const std::byte* from_row = from + k * outer.from;
    std::byte first[std::size_t{bytes}];  // a copy, which compilers know to stay as it is
    if constexpr (from_step == 0) {
      std::memcpy(first, from_row, bytes);
      from_row = first;
    }
    const auto copy = [&](std::int64_t i) { std::memcpy(row + i * to_stride, from_row + i * from_stride, bytes); };
    std::int64_t left = inner.count;
    if constexpr (to_step != 1)  // where compilers make no vectors, four at a time
      for (; left >= 4; left -= 4, row += 4 * to_stride, from_row += 4 * from_stride) {
        copy(0);
        copy(1);
        copy(2);
        copy(3);
      }
    for (std::int64_t i = 0; i < left; ++i) copy(i);
  }
}

template <std::int64_t bytes>
void copy_each(std::byte* to, const std::byte* from, const Dimension& a, const Dimension& b) {
  const auto& [inner, outer] = a.count >= b.count ? std::tie(a, b) : std::tie(b, a);
  if (inner.to == bytes && inner.from == 0)
    copy_each<bytes, 1, 0>(to, from, inner, outer);
  else if (inner.to == bytes && inner.from == 2 * bytes)
    copy_each<bytes, 1, 2>(to, from, inner, outer);
  else if (inner.to == 2 * bytes && inner.from == bytes)
    copy_each<bytes, 2, 1>(to, from, inner, outer);
  else
    copy_each<bytes, -1, -1>(to, from, inner, outer);
}

/// Copies rows of `bytes` bytes, at least `step`. The last access of a row may overlap the one before it.
template <std::size_t step>
void copy_rows(std::byte* to, const std::byte* from, std::size_t bytes, const Dimension& rows) {
  if constexpr (step <= 8) {  // of few bytes by columns, in half the time on a Zen 3
    constexpr Dimension one{1, 0, 0};
    copy_each<std::int64_t{step}, -1, -1>(to, from, rows, one);
    if (bytes > step) copy_each<std::int64_t{step}, -1, -1>(to + bytes - step, from + bytes - step, rows, one);
  } else {
    for (std::int64_t row = 0; row < rows.count; ++row, to += rows.to, from += rows.from) {
      for (std::size_t i = 0; i + step < bytes; i += step) std::memcpy(to + i, from + i, step);
      std::memcpy(to + bytes - step, from + bytes - step, step);
    }
  }
}

void copy_rows(std::byte* to, const std::byte* from, std::size_t bytes, const Dimension& rows) {
  constexpr decltype(&copy_rows<1>) by_log2[] = {copy_rows<1>, copy_rows<2>,  copy_rows<4>,
                                                 copy_rows<8>, copy_rows<16>, copy_rows<32>};
  by_log2[std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(bytes)) - 1, std::size(by_log2) - 1)](
      to, from, bytes, rows);
}

#if defined(__SSE2__)
/// Registers of 16 bytes, one after another in memory or apart.
template <int lanes>
struct Registers;
template <>
struct Registers<1> {
  using Type = __m128i;
  /// \param row  where row `lane` of the register begins
  static Type load(const auto& row) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(row(0))); }
  static void store(std::byte* to, Type values) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), values); }
  /// The elements of the lower halves of two registers in turn, or of the upper ones.
  template <std::int64_t bytes, bool upper>
  static Type interleave(Type a, Type b) {
    if constexpr (bytes == 1) return upper ? _mm_unpackhi_epi8(a, b) : _mm_unpacklo_epi8(a, b);
    if constexpr (bytes == 2) return upper ? _mm_unpackhi_epi16(a, b) : _mm_unpacklo_epi16(a, b);
    if constexpr (bytes == 4) return upper ? _mm_unpackhi_epi32(a, b) : _mm_unpacklo_epi32(a, b);
    if constexpr (bytes == 8) return upper ? _mm_unpackhi_epi64(a, b) : _mm_unpacklo_epi64(a, b);
  }
};
#if defined(__AVX2__)
template <>
struct Registers<2> {
  using Type = __m256i;
  static Type load(const auto& row) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(Registers<1>::load(row)),
                                   Registers<1>::load([&](int) { return row(1); }), 1);
  }
  static void store(std::byte* to, Type values) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), values); }
  template <std::int64_t bytes, bool upper>
  static Type interleave(Type a, Type b) {
    if constexpr (bytes == 1) return upper ? _mm256_unpackhi_epi8(a, b) : _mm256_unpacklo_epi8(a, b);
    if constexpr (bytes == 2) return upper ? _mm256_unpackhi_epi16(a, b) : _mm256_unpacklo_epi16(a, b);
    if constexpr (bytes == 4) return upper ? _mm256_unpackhi_epi32(a, b) : _mm256_unpacklo_epi32(a, b);
    if constexpr (bytes == 8) return upper ? _mm256_unpackhi_epi64(a, b) : _mm256_unpacklo_epi64(a, b);
  }
};
#endif

/// Transposes a square of n rows of 16 bytes, or `lanes` of them below each other. Writes the first `stored` rows.
/// \param row  where row i begins
template <std::int64_t bytes, int lanes, class Row>
inline void transpose_square(std::byte* to, std::int64_t to_stride, std::int64_t stored, const Row& row) {
  constexpr int n = 16 / bytes;
  using R = Registers<lanes>;
  typename R::Type rows[std::size_t{n}], next[std::size_t{n}];
  for (int i = 0; i < n; ++i) rows[i] = R::load([&](int lane) { return row(i + lane * n); });
  for (int step = 1; step < n; step *= 2) {
    for (int i = 0; i < n / 2; ++i) {
      next[2 * i] = R::template interleave<bytes, false>(rows[i], rows[i + n / 2]);
      next[2 * i + 1] = R::template interleave<bytes, true>(rows[i], rows[i + n / 2]);
    }
    for (int i = 0; i < n; ++i) rows[i] = next[i];
  }
  for (int i = 0; i < n; ++i)
    if (i < stored) R::store(to + i * to_stride, rows[i]);
}

/// The last squares overlap those before them. Of few columns, a column of squares has the inner loop: of 3 doubles, to
/// LayoutLeft, 65,536 take 0.85 of the time (a Zen 5).
/// \tparam fetches  whether the cache lines that follow along b are asked for, a square's at a time. Of arrays beyond
///                  the cache, changes of layout take 0.76 to 0.9 of the time (a Zen 5). A block's at once: 1.2 to 1.7
template <std::int64_t bytes, int lanes, bool fetches>
void transpose_squares(std::byte* to, const std::byte* from, const Dimension& a, const Dimension& b) {
  constexpr std::int64_t n = 16 / bytes, rows = lanes * n;
  const std::int64_t to_stride = b.to, from_stride = a.from, a_last = a.count - rows, b_last = b.count - n;
  const auto transpose = [=](std::byte* square_to, const std::byte* square_from) {
    transpose_square<bytes, lanes>(square_to, to_stride, n, [=](int i) { return square_from + i * from_stride; });
  };
  const auto transpose_row = [=](std::byte* row_to, const std::byte* row_from) {
    for (std::int64_t j = 0; j < b_last; j += n) {
      if (fetches && j * bytes % host_line == 0)
        for (int i = 0; i < rows; ++i) detail::prefetch(row_from + i * from_stride, (b_last + n + j) * bytes);
      transpose(row_to + j * to_stride, row_from + j * bytes);
    }
    transpose(row_to + b_last * to_stride, row_from + b_last * bytes);
  };
  const auto transpose_column = [=](std::byte* column_to, const std::byte* column_from) {
    for (std::int64_t i = 0; i < a_last; i += rows) transpose(column_to + i * bytes, column_from + i * from_stride);
    transpose(column_to + a_last * bytes, column_from + a_last * from_stride);
  };
  if (b.count <= 2 * n)
    for (std::int64_t j = 0; j < b.count; j += n) {
      const std::int64_t column = std::min(j, b_last);
      transpose_column(to + column * to_stride, from + column * bytes);
    }
  else
    for (std::int64_t i = 0; i < a.count; i += rows) {
      const std::int64_t row = std::min(i, a_last);
      transpose_row(to + row * bytes, from + row * from_stride);
    }
}

/// Transposes where an element of b has few neighbours in `to` and no gap follows them: what a square writes beyond
/// them is written again by the next. 65,536 doubles of 3 columns, to LayoutRight, take 0.75 of the time that squares
/// take which overlap (a Zen 5).
/// \return how many of b are transposed. The last, whose squares would write beyond all, are not
template <std::int64_t bytes, int lanes>
std::int64_t transpose_few(std::byte* to, const std::byte* from, const Dimension& a, const Dimension& b) {
  constexpr std::int64_t n = 16 / bytes, rows = lanes * n;
  const std::int64_t to_stride = b.to, end = b.count - rows;
  std::int64_t offsets[std::size_t{rows}], j = 0;
  for (std::int64_t i = 0; i < rows; ++i) offsets[i] = std::min(i, a.count - 1) * a.from;
  for (; j + n <= end; j += n)
    transpose_square<bytes, lanes>(to + j * to_stride, to_stride, n,
                                   [&](int i) { return from + j * bytes + offsets[i]; });
  return j;
}
#endif

/// Copies elements that are neighbours along b in `from`, and along a in `to` if in any dimension.
template <std::int64_t bytes, bool fetches>
void transpose(std::byte* to, const std::byte* from, Dimension a, Dimension b) {
#if defined(__SSE2__)
  constexpr std::int64_t n = 16 / bytes;
  if (a.to == bytes) {
    const auto skip = [&](Dimension& of, std::int64_t count) {
      of.count -= count;
      to += count * of.to;
      from += count * of.from;
    };
#if defined(__AVX2__)
    if (a.count >= 2 * n && b.count >= n) return transpose_squares<bytes, 2, fetches>(to, from, a, b);
    if (b.to == a.count * bytes && a.count > n) skip(b, transpose_few<bytes, 2>(to, from, a, b));
#endif
    if (a.count >= n && b.count >= n) return transpose_squares<bytes, 1, fetches>(to, from, a, b);
    // Few neighbours in `from`, and no gaps: what a square has beyond them is of its next rows.
    if (a.from == b.count * bytes)
      for (; a.count >= 2 * n; skip(a, n))
        transpose_square<bytes, 1>(to, b.to, b.count, [&](int i) { return from + i * a.from; });
    if (b.to == a.count * bytes) skip(b, transpose_few<bytes, 1>(to, from, a, b));
  }
#endif
  copy_each<bytes>(to, from, a, b);
}

/// Copies elements in two dimensions.
template <std::int64_t bytes, bool fetches>
void copy_plane(std::byte* to, const std::byte* from, const Dimension& a, const Dimension& b) {
  if (a.to == bytes && a.from == bytes)
    copy_rows(to, from, static_cast<std::size_t>(a.count * bytes), b);
  else if (b.from == bytes && (a.from != 0 || a.count < b.count))
    transpose<bytes, fetches>(to, from, a, b);
  else
    copy_each<bytes>(to, from, a, b);
}

/// copy_plane of elements of so many bytes.
template <bool fetches>
auto copy_of(std::int64_t bytes) {
  return bytes == 1   ? copy_plane<1, fetches>
         : bytes == 2 ? copy_plane<2, fetches>
         : bytes == 4 ? copy_plane<4, fetches>
                      : copy_plane<8, fetches>;
}

/// Copies a block of elements between arrays that share no memory. Strides are in elements.
/// \param fetches  whether the cache lines that the next block has instead are asked for
void copy_block(int rank, const std::int64_t* counts, std::byte* to, const std::int64_t* to_strides,
                const std::byte* from, const std::int64_t* from_strides, std::int64_t bytes, bool fetches) {
  Dimension dimensions[std::max(max_rank, 2)];
  int count = 0;
  for (int i = 0; i < rank; ++i) {
    if (counts[i] == 1) continue;
    const Dimension next{counts[i], to_strides[i] * bytes, from_strides[i] * bytes};
    Dimension& last = dimensions[std::max(count - 1, 0)];
    if (count > 0 && next.to == last.to * last.count && next.from == last.from * last.count)
      last.count *= next.count;
    else
      dimensions[count++] = next;
  }
  while (count < 2) dimensions[count++] = {1, 0, 0};
  // First the neighbours in `to`, then those in `from`, else the longest.
  const auto bring_to = [&](int place, const auto& rank_of) {
    std::swap(dimensions[place],
              *std::min_element(dimensions + place, dimensions + count,
                                [&](const Dimension& a, const Dimension& b) { return rank_of(a) < rank_of(b); }));
  };
  bring_to(0, [&](const Dimension& a) { return a.to != bytes; });
  bring_to(1, [&](const Dimension& a) { return std::pair(a.from != bytes, -a.count); });
  const auto copy = fetches ? copy_of<true>(bytes) : copy_of<false>(bytes);
  for_each_place(
      2, count, [&](int i) { return dimensions[i].count; }, [&] { copy(to, from, dimensions[0], dimensions[1]); },
      [&](int i, std::int64_t steps) {
        to += steps * dimensions[i].to;
        from += steps * dimensions[i].from;
      });
}

/// Writes the indices of a block, the first of which is `first`.
void fill_indices(int rank, const std::int64_t* counts, std::byte* to, std::int64_t first,
                  const std::int64_t* strides) {
  for_each_place(
      1, rank, [&](int i) { return counts[i]; },
      [&] {
        for (std::int64_t i = 0; i < counts[0]; ++i) {
          const std::int64_t index = first + i * strides[0];
          std::memcpy(to, &index, sizeof(index));
          to += sizeof(index);
        }
      },
      [&](int i, std::int64_t steps) { first += steps * strides[i]; });
}

/// Asks for the cache lines of a block's rows, each of contiguous elements, to be written. Of arrays beyond the cache,
/// changes to LayoutLeft take 0.93 of the time (a Zen 5). Inlined, since GCC drops the call of a function that does
/// nothing else.
#if defined(__GNUC__)
[[gnu::always_inline]]
#endif
inline void fetch_rows([[maybe_unused]] int rank, [[maybe_unused]] const std::int64_t* counts,
                       [[maybe_unused]] const std::byte* data, [[maybe_unused]] const std::int64_t* strides,
                       [[maybe_unused]] std::int64_t bytes) {
#if defined(__SSE2__)
  for_each_place(
      1, rank, [&](int i) { return counts[i]; },
      [&] {
        for (std::int64_t i = 0; i < counts[0] * bytes; i += host_line)
          _mm_prefetch(reinterpret_cast<const char*>(data + i), _MM_HINT_ET0);
      },
      [&](int i, std::int64_t steps) { data += steps * strides[i] * bytes; });
#endif
}

/// The widest tile that a row fills: `width` elements, or half as often as it takes, but not fewer than `least`.
std::int64_t filled_tile(std::int64_t width, std::int64_t length, std::int64_t least = 1) {
  while (width > length && width > least) width /= 2;
  return width;
}

/// How many registers a tile of a host has.
#if defined(__AVX512F__)
constexpr int registers_of_tile = 1;
#elif defined(__AVX__)
constexpr int registers_of_tile = 2;
#else
constexpr int registers_of_tile = 4;
#endif

}  // namespace

HostBlocks::HostBlocks(const Plan& plan, std::span<const HostArray> arrays, std::size_t outputs, int width, Cost cost)
    : plan_(plan), arrays_(arrays.size()), outputs_(outputs), width_(width) {
  // Rows of an op that is not of low cost stay where they are if they fill half a tile, and if not too much is computed
  // for nothing: a quarter of what a row has, or as much again at medium cost. Else copying takes less time. On a Zen 4
  // columns beside rows of 24 and 33 floats by a product, whose cost is not known, take 0.33 and 0.5 of the time of
  // copies, sigmoid 0.85. Copied, gelu of rows of 13 and 15 floats takes 0.75 and 0.83 of the time. On a Zen 3 that of
  // rows of 5 and 7 takes 0.5 and 0.8.
  const std::int64_t length = plan.extents[0], least = width / (cost == Cost::low ? 4 : 2);
  const std::int64_t tile = filled_tile(width, length, least);
  const std::int64_t computed = divide_up(length, tile) * std::max<std::int64_t>(tile, width / registers_of_tile);
  const bool pays = cost == Cost::low || 4 * computed <= length * (cost == Cost::medium ? 8 : 5);
  // In place a tile that overlaps another would read what that one has written. So narrower tiles take a row's rest, if
  // each has 7 / 16 of a tile before it. On a Zen 4 `hardtanh` then takes 0.27 to 1.3 of the time of copies, else 1 to
  // 2.8.
  const std::int64_t rest = length % filled_tile(width, length);
  const int narrower = std::popcount(static_cast<std::uint64_t>(rest));
  const bool may_stay = !plan.in_place || rest == 0 || is_long(length, width) ||
                        (cost == Cost::low && 7 * narrower * width <= 16 * length);
  in_rows_ = length >= least && pays && may_stay;
  std::int64_t widest = 1, copied = 0;
  for (std::size_t k = 0; k < arrays_; ++k) {
    array_[k] = arrays[k];
    widest = std::max(widest, arrays[k].element_bytes);
    copied += is_copied(k);
  }
  buffer_bytes_ =
      std::min(buffers_bytes / std::max<std::int64_t>(copied, 1) / host_line * host_line, most_buffer_bytes);
  std::fill(block_, block_ + plan.rank, 1);
  std::int64_t size = 1;
  const auto grow = [&](int i, std::int64_t wanted, std::int64_t most_bytes) {
    const std::int64_t extent = plan.extents[i], room = std::min(wanted, most_bytes / widest * block_[i] / size);
    if (room <= block_[i]) return;
    std::int64_t count = std::min(extent, room);
    if (count < extent && room >= width_) {  // equal shares of whole tiles
      const std::int64_t shares = divide_up(extent, room / width_ * width_);
      count = divide_up(divide_up(extent, shares), width_) * width_;
    }
    size = size / block_[i] * count;
    block_[i] = count;
  };
  // A dimension that has at most twice as many is taken whole: 33 columns of doubles in cache, to LayoutRight, take
  // 0.77 of the time that halves of them take, 63 columns 0.84 (a Zen 4).
  const auto reach = [](std::int64_t extent, std::int64_t wanted) { return extent <= 2 * wanted ? extent : wanted; };
  if (copied > 0)
    for (std::size_t k = 0; k < arrays_; ++k)
      for (int i = 0; i < plan.rank; ++i)
        if (plan.strides[k][i] == 1 && plan.strides[k][0] != 0)
          grow(i, reach(plan.extents[i], neighbours_bytes / array_[k].element_bytes), buffer_bytes_);
  take_turns_ = false;
  if (cost == Cost::low && copied == 0 && plan.rank > 1 && length * array_[0].element_bytes >= turns_bytes)
    for (std::size_t k = 0; k < arrays_; ++k)
      take_turns_ |= array_[k].broadcast && plan.strides[k][0] == 1 && plan.strides[k][1] == 0;
  const std::int64_t block_bytes = copied > 0 ? std::min(buffer_bytes_, grown_bytes) : uncopied_bytes;
  for (int i = 0; i < plan.rank; ++i)
    grow(i, plan.extents[i], take_turns_ && i == 0 ? block_bytes / rows_in_turn : block_bytes);
}

std::int64_t HostBlocks::tiles() const {
  std::int64_t tiles = 1;
  for (int i = 0; i < plan_.rank; ++i) tiles *= divide_up(plan_.extents[i], block_[i]);
  return tiles;
}

bool HostBlocks::is_copied(std::size_t array) const {
  const std::int64_t step = plan_.strides[array][0];
  return !in_rows_ || !(array_[array].is_index || step == 1 || (step == 0 && array_[array].broadcast));
}

void HostBlocks::run_blocks(std::int64_t first, std::int64_t last, Caching caching, RunRows run,
                            const void* body) const {
  alignas(host_line) std::byte buffers[buffers_bytes];
  const int rank = plan_.rank;
  const bool fetches = caching != Caching::cached;
  bool copies_inputs = false;
  for (std::size_t k = outputs_; k < arrays_; ++k) copies_inputs |= is_copied(k);
  std::int64_t place[max_rank], counts[max_rank], dense[max_rank];
  // What buffers hold: an input that repeats is not copied again.
  std::int64_t held_counts[max_rank] = {}, held_offsets[max_operands];
  std::fill(held_offsets, held_offsets + arrays_, -1);
  for (std::int64_t i = 0, left = first; i < rank; ++i) {
    const std::int64_t blocks = divide_up(plan_.extents[i], block_[i]);
    place[i] = left % blocks * block_[i];
    left /= blocks;
  }
  for (; first < last; ++first) {
    std::int64_t size = 1;
    for (int i = 0; i < rank; ++i) {
      counts[i] = std::min(block_[i], plan_.extents[i] - place[i]);
      dense[i] = size;
      size *= counts[i];
    }
    const bool as_before = std::equal(counts, counts + rank, held_counts);
    std::copy(counts, counts + rank, held_counts);
    HostBlockRows rows;
    rows.caching = caching;
    rows.in_memory = true;
    const std::int64_t* strides[max_operands];
    std::int64_t offsets[max_operands];
    std::byte* buffer = buffers;
    for (std::size_t k = 0; k < arrays_; ++k) {
      const HostArray& array = array_[k];
      std::int64_t offset = 0;
      bool is_dense = !array.is_index;
      for (int i = 0; i < rank; ++i) {
        offset += place[i] * plan_.strides[k][i];
        is_dense &= counts[i] == 1 || plan_.strides[k][i] == dense[i];
      }
      rows.data[k] = array.data;
      rows.offsets[k] = offsets[k] = offset;
      strides[k] = plan_.strides[k];
      if (!is_copied(k)) {
        rows.in_memory &= is_dense;
        if (fetches && copies_inputs && k < outputs_ && !is_dense)
          fetch_rows(rank, counts, array.data + offset * array.element_bytes, plan_.strides[k], array.element_bytes);
        continue;
      }
      if (!is_dense) {
        rows.data[k] = buffer;
        rows.offsets[k] = 0;
        strides[k] = dense;
        const bool is_held = as_before && held_offsets[k] == offset;
        held_offsets[k] = offset;
        if (k < outputs_)
          rows.caching = Caching::cached;
        else if (array.is_index && !is_held)
          fill_indices(rank, counts, buffer, offset, plan_.strides[k]);
        else if (!is_held)
          copy_block(rank, counts, buffer, dense, array.data + offset * array.element_bytes, plan_.strides[k],
                     array.element_bytes, fetches);
      }
      buffer += buffer_bytes_;
    }
    if (rows.in_memory) {
      rows.length = size;
      rows.rows = 1;
      rows.tiles = RowTiles::span;
      rows.take_turns = false;
      std::fill(rows.steps, rows.steps + arrays_, 1);
      std::fill(rows.pitches, rows.pitches + arrays_, 0);
      run(body, rows);
    } else {
      rows.length = counts[0];
      rows.rows = rank > 1 ? counts[1] : 1;
      const bool ends_full = rows.length % filled_tile(width_, rows.length) == 0;
      rows.tiles = is_long(rows.length, width_)   ? RowTiles::span
                   : !plan_.in_place || ends_full ? RowTiles::overlapping
                                                  : RowTiles::apart;
      rows.take_turns = take_turns_;
      for (std::size_t k = 0; k < arrays_; ++k) {
        rows.steps[k] = strides[k][0];
        rows.pitches[k] = rank > 1 ? strides[k][1] : 0;
      }
      for_each_place(
          2, rank, [&](int i) { return counts[i]; }, [&] { run(body, rows); },
          [&](int i, std::int64_t steps) {
            for (std::size_t k = 0; k < arrays_; ++k) rows.offsets[k] += steps * strides[k][i];
          });
    }
    buffer = buffers;
    for (std::size_t k = 0; k < outputs_; ++k)
      if (is_copied(k)) {
        if (strides[k] == dense)
          copy_block(rank, counts, array_[k].data + offsets[k] * array_[k].element_bytes, plan_.strides[k], buffer,
                     dense, array_[k].element_bytes, false);
        buffer += buffer_bytes_;
      }
    for (int i = 0; i < rank && (place[i] += block_[i]) >= plan_.extents[i]; ++i) place[i] = 0;
  }
}

}  // namespace kachel::detail
