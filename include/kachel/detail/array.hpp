// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What kachel::map takes: Views, mdspans, numbers; and what its checks and its kernels need to know of them.
#pragma once

#include <kachel/broadcast.hpp>
#include <kachel/detail/cursor.hpp>
#include <kachel/detail/plan.hpp>
#include <kachel/detail/types/storage.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>

#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kachel::detail {

/// A View that begins at other indices than 0, which a call would not heed.
template <class A>
concept OffsetArray = requires(const A& array) { array.begins(); };

/// A DualView: two Views, of which a call would not know which one is meant.
template <class A>
concept DualArray = requires(const A& array) {
  array.view_device();
  array.view_host();
};

/// A View, a DynRankView, or an mdspan.
template <class A>
concept ArrayOperand =
    !OffsetArray<A> && (Kokkos::is_view_v<A> || Kokkos::is_dyn_rank_view_v<A> || requires(const A& array) {
      typename A::accessor_type;
      array.data_handle();
      array.mapping();
    });

/// A number that stands for every element.
template <class A>
concept NumberOperand = std::is_arithmetic_v<A> || is_float16<storage_type<A>>;

template <class A>
inline constexpr bool is_along = false;
template <class A>
inline constexpr bool is_along<Along<A>> = ArrayOperand<A>;

/// An input whose elements are in memory.
template <class A>
concept StoredOperand = ArrayOperand<A> || is_along<A>;

/// An input that has a stride for each dimension.
template <class A>
concept PlacedOperand = StoredOperand<A> || std::is_same_v<A, Index>;

template <class A>
concept InputOperand = PlacedOperand<A> || NumberOperand<A>;

/// The array in which an operand's elements are; of an index a number, which has none.
template <class A>
struct ArrayOf {
  using type = A;
};
template <class A>
struct ArrayOf<Along<A>> {
  using type = A;
};
template <>
struct ArrayOf<Index> {
  using type = std::int64_t;
};
template <class A>
using array_of = typename ArrayOf<A>::type;

template <class A>
inline constexpr bool is_array_tuple = false;
template <class... A>
inline constexpr bool is_array_tuple<std::tuple<A...>> = sizeof...(A) > 0 &&
                                                         (ArrayOperand<std::remove_cvref_t<A>> && ...);

/// What a call writes to: an array, or a std::tuple of several.
template <class A>
concept OutputOperand = ArrayOperand<A> || is_array_tuple<A>;

/// The element type as which an array is stored, or a number's type.
template <class A>
struct StoredElement {
  using type = storage_type<A>;
};
template <ArrayOperand A>
struct StoredElement<A> {
  using type = storage_type<std::remove_const_t<typename A::value_type>>;
};
template <class A>
struct StoredElement<Along<A>> : StoredElement<A> {};
template <>
struct StoredElement<Index> {
  using type = std::int64_t;
};
template <class A>
using stored_element = typename StoredElement<A>::type;

/// The type in which floating-point inputs are computed, which arrays decide.
template <class... X>
using common_type_of =
    typename CommonComputeType<std::conditional_t<StoredOperand<X>, stored_element<X>, void>...>::type;

/// The rank, -1 if it is not known at compile time, 0 of a number.
template <class A>
constexpr int static_rank() {
  if constexpr (Kokkos::is_dyn_rank_view_v<A>)
    return -1;
  else if constexpr (ArrayOperand<A>)
    return static_cast<int>(A::rank());
  else
    return 0;
}

/// The extent of a dimension, 0 if it is not known at compile time.
template <ArrayOperand A>
constexpr std::size_t static_extent(std::size_t dimension) {
  if constexpr (Kokkos::is_view_v<A>)
    return A::static_extent(dimension);
  else if constexpr (Kokkos::is_dyn_rank_view_v<A>)
    return 0;
  else
    return A::static_extent(dimension) == static_cast<std::size_t>(-1) ? 0 : A::static_extent(dimension);
}

/// Whether inputs have the extents of the outputs, or may repeat to them, or the last one alone: prelu's weights.
enum class Extents { equal, weighted, repeating };

/// False where ranks, or two extents of one dimension, are known to differ.
template <class A, class B>
constexpr bool shapes_can_agree() {
  if constexpr (ArrayOperand<A> && ArrayOperand<B>) {
    if (static_rank<A>() < 0 || static_rank<B>() < 0) return true;
    if (static_rank<A>() != static_rank<B>()) return false;
    for (int dimension = 0; dimension < static_rank<A>(); ++dimension) {  // nvcc warns of an unsigned one for rank 0
      const auto i = static_cast<std::size_t>(dimension);
      const std::size_t a = static_extent<A>(i), b = static_extent<B>(i);
      if (a != 0 && b != 0 && a != b) return false;
    }
  }
  return true;
}

/// False where an input is known not to repeat to an output's extents: dimensions match from the last, and have one
/// extent, or the input's is 1 or missing. The dimension of an along is one of them.
template <class Output, class Input>
constexpr bool can_repeat() {
  if constexpr (ArrayOperand<Input>) {
    const int missing = static_rank<Output>() - static_rank<Input>();
    bool possible = missing >= 0;
    for (int dimension = 0; possible && dimension < static_rank<Input>(); ++dimension) {
      const std::size_t a = static_extent<Output>(static_cast<std::size_t>(dimension + missing)),
                        b = static_extent<Input>(static_cast<std::size_t>(dimension));
      possible = a == 0 || b <= 1 || a == b;
    }
    return possible || static_rank<Output>() < 0 || static_rank<Input>() < 0;
  } else if constexpr (is_along<Input>) {
    const std::size_t extent = static_extent<array_of<Input>>(0);
    bool possible = extent <= 1 || static_rank<Output>() < 0;
    for (int dimension = 0; !possible && dimension < static_rank<Output>(); ++dimension) {
      const std::size_t own = static_extent<Output>(static_cast<std::size_t>(dimension));
      possible = own == 0 || own == extent;
    }
    return possible;
  }
  return true;
}

/// Whether an input may have, or repeat to, an output's extents.
template <Extents extents, class Output, class Input>
constexpr bool input_shape_can_fit() {
  if constexpr (extents != Extents::repeating)
    return shapes_can_agree<Output, Input>();
  else
    return can_repeat<Output, Input>();
}

/// Whether an input is known to repeat, but for outputs of single extents.
template <class Output, class Input>
constexpr bool is_known_to_repeat() {
  if constexpr (ArrayOperand<Input>) {
    bool known = static_rank<Output>() > static_rank<Input>();
    for (int dimension = 0; !known && dimension < static_rank<Input>(); ++dimension) {
      const auto i = static_cast<std::size_t>(dimension);
      known = static_extent<Input>(i) == 1 && static_extent<Output>(i) != 1;
    }
    return known && static_rank<Output>() >= 0 && static_rank<Input>() >= 0;
  }
  return PlacedOperand<Input>;
}

/// False of an along whose array is known not to have one dimension.
template <class A>
constexpr bool is_line() {
  return !is_along<A> || static_rank<array_of<A>>() == -1 || static_rank<array_of<A>>() == 1;
}

/// Whether an array is known to be one row of stride 1, whatever its extents. True of a number, which has no strides.
template <InputOperand A>
constexpr bool is_always_contiguous() {
  if constexpr (ArrayOperand<A>)
    if constexpr (static_rank<A>() == 0 || static_rank<A>() == 1) return A::is_always_exhaustive();
  return NumberOperand<A>;
}

/// Whether an execution space reaches an array's memory. An mdspan that is no View's does not say where it lies.
template <class Space, class A>
constexpr bool can_reach() {
  if constexpr (requires { typename A::memory_space; })
    return Kokkos::SpaceAccessibility<Space, typename A::memory_space>::accessible;
  else if constexpr (requires { typename A::accessor_type; })
    return can_reach<Space, typename A::accessor_type>();
  else
    return true;
}

template <class A>
inline constexpr bool is_atomic_array = requires { requires A::traits::memory_traits::is_atomic; };

/// Whether an array's elements are what lies in memory: of an mdspan, that its accessor is the default one or that of
/// the mdspan of a View, and gives references.
template <class A>
constexpr bool has_plain_elements() {
  if constexpr (Kokkos::is_view_v<A> || Kokkos::is_dyn_rank_view_v<A> || NumberOperand<A>) {
    return true;
  } else {
    using Accessor = typename A::accessor_type;
    using Element = typename A::element_type;
    return std::is_same_v<typename Accessor::reference, Element&> &&
           (std::is_same_v<Accessor, Kokkos::default_accessor<Element>> ||
            requires { typename Accessor::memory_space; });
  }
}

/// Whether an array's layout is known to be one of strides.
template <class A>
inline constexpr bool has_strides = !requires { requires !A::mapping_type::is_always_strided(); };

/// Where an array's elements begin.
template <ArrayOperand A>
auto* data_of(const A& array) {
  if constexpr (requires { array.data(); })
    return array.data();
  else if constexpr (requires { array.data_handle().get(); })
    return array.data_handle().get();  // that of a managed View's mdspan counts references
  else
    return array.data_handle();
}

/// Tells the checks what they need to know of an array.
/// \throws std::invalid_argument  as check_first_element says
template <ArrayOperand A>
void describe(Array& operand, std::string_view operation, std::string_view name, const A& array) {
  operand.name = name;
  operand.data = data_of(array);
  operand.element_bytes = sizeof(typename A::value_type);
  operand.rank = static_cast<int>(array.rank());
  if constexpr (static_rank<A>() != 0) {  // an mdspan of rank 0 has no strides
    for (std::size_t dimension = 0; dimension < array.rank(); ++dimension) {
      operand.extents[dimension] = static_cast<std::size_t>(array.extent(dimension));
      operand.strides[dimension] = static_cast<std::size_t>(array.stride(dimension));
    }
  }
  if constexpr (!Kokkos::is_view_v<A> && !Kokkos::is_dyn_rank_view_v<A>)
    if (array.size() > 0)
      check_first_element(operation, name, [&]<std::size_t... dimension>(std::index_sequence<dimension...>) {
        return static_cast<std::size_t>(array.mapping()((0 * dimension)...));
      }(std::make_index_sequence<A::rank()>{}));
}

/// The same of an input, of a call whose first output is `output`.
/// \throws std::invalid_argument  as check_first_element, check_dimension, repeat and repeat_along say
template <Extents extents, class A>
void describe_input(Array& operand, std::string_view operation, std::string_view name, const A& input,
                    const Array& output) {
  if constexpr (std::is_same_v<A, Index>) {
    operand.name = name;
    check_dimension(operation, name, input.dimension, output);
    describe_index(operand, input.dimension, output);
  } else if constexpr (is_along<A>) {
    detail::describe(operand, operation, name, input.array);
    if constexpr (extents == Extents::repeating) check_dimension(operation, name, input.dimension, output);
    repeat_along(operation, operand, input.dimension, output);
  } else {
    detail::describe(operand, operation, name, input);
    if constexpr (extents == Extents::repeating) repeat(operation, operand, output);
  }
}

/// Whether an array's elements cannot be written.
template <ArrayOperand A>
inline constexpr bool is_const_array =
    std::is_const_v<std::remove_pointer_t<decltype(data_of(std::declval<const A&>()))>>;

/// What a kernel needs to know of an output, the k-th array of the call.
template <int k, ArrayOperand A>
auto output_cursor(const A& array) {
  using T = std::conditional_t<is_const_array<A>, const stored_element<A>, stored_element<A>>;
  return Cursor<T, k>{reinterpret_cast<T*>(data_of(array))};
}

/// What is known at compile time of whether an input repeats.
enum class Repeats { never, perhaps, always };

/// The same of an input beside others whose common compute type is Common.
template <class Common, int k, Repeats repeats, InputOperand A>
auto input_cursor(const A& input) {
  using T = stored_element<A>;
  if constexpr (std::is_same_v<A, Index>)
    return IndexCursor<k>{};
  else if constexpr (is_along<A>)
    return Broadcast<const T, k, true>{{reinterpret_cast<const T*>(data_of(input.array))}};
  else if constexpr (ArrayOperand<A> && repeats == Repeats::never)
    return Cursor<const T, k>{reinterpret_cast<const T*>(data_of(input))};
  else if constexpr (ArrayOperand<A>)
    return Broadcast<const T, k, repeats == Repeats::always>{{reinterpret_cast<const T*>(data_of(input))}};
  else
    return Number<argument_type<Common, T>>{static_cast<argument_type<Common, T>>(bit_cast<T>(input))};
}

}  // namespace kachel::detail
