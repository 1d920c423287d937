// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The lists over which tests are typed: execution spaces, element types, pairs of both.
#pragma once

#include <kachel/activations/list.hpp>

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>

namespace kachel_test {

using kachel::TypeList;

/// An execution space and an element type.
template <class SpaceType, class ElementType>
struct Case {
  using Space = SpaceType;
  using Element = ElementType;
};

template <class... Lists>
struct Concatenation {
  using type = TypeList<>;
};
template <class... A>
struct Concatenation<TypeList<A...>> {
  using type = TypeList<A...>;
};
template <class... A, class... B, class... Rest>
struct Concatenation<TypeList<A...>, TypeList<B...>, Rest...> : Concatenation<TypeList<A..., B...>, Rest...> {};

/// Whether a list holds T.
template <class T, class... U>
constexpr bool is_among(TypeList<U...>) {
  return (std::is_same_v<T, U> || ...);
}

template <class Spaces, class Elements>
struct Product;
template <class... Spaces, class... Elements>
struct Product<TypeList<Spaces...>, TypeList<Elements...>> {
  template <class Space>
  using Row = TypeList<Case<Space, Elements>...>;
  using type = typename Concatenation<Row<Spaces>...>::type;
};

/// Part `part` of a list that is cut into `parts`.
template <class List, int part, int parts, class Numbers = void>
struct Part;
template <class... T, int part, int parts>
struct Part<TypeList<T...>, part, parts> : Part<TypeList<T...>, part, parts, std::index_sequence_for<T...>> {};
template <class... T, int part, int parts, std::size_t... k>
struct Part<TypeList<T...>, part, parts, std::index_sequence<k...>> {
  static constexpr bool holds(std::size_t number) { return number * parts / sizeof...(T) == part; }
  using type = typename Concatenation<TypeList<>, std::conditional_t<holds(k), TypeList<T>, TypeList<>>...>::type;
};

template <class List>
struct ToTesting;
template <class... T>
struct ToTesting<TypeList<T...>> {
  using type = testing::Types<T...>;
};

using HostSpaces = Concatenation<TypeList<>
#if defined(KOKKOS_ENABLE_SERIAL)
                                 ,
                                 TypeList<Kokkos::Serial>
#endif
// Beside CUDA one host space is enough: what it compiles to is the other's, which a build without CUDA tests.
#if defined(KOKKOS_ENABLE_OPENMP) && !(defined(KOKKOS_ENABLE_SERIAL) && defined(KOKKOS_ENABLE_CUDA))
                                 ,
                                 TypeList<Kokkos::OpenMP>
#endif
                                 >::type;

template <class List>
struct First;
template <class Head, class... Rest>
struct First<TypeList<Head, Rest...>> {
  using type = Head;
  using others = TypeList<Rest...>;
};
/// Serial where it is enabled.
using FirstHostSpace = First<HostSpaces>::type;
using OtherHostSpaces = First<HostSpaces>::others;

using DeviceSpaces = TypeList<
#if defined(KOKKOS_ENABLE_CUDA)
    Kokkos::Cuda
#endif
    >;

/// All but FirstHostSpace.
using OtherSpaces = Concatenation<OtherHostSpaces, DeviceSpaces>::type;

// A quick build has the kernels of the space that it is for, and of elements of 32 and of 16 bits.
#if defined(KACHEL_TESTS_KINDS) && defined(KOKKOS_ENABLE_CUDA)
using SpaceList = DeviceSpaces;
using SpacesOfEveryElement = DeviceSpaces;
using SpacesOfFloat = TypeList<>;
#else
using SpaceList = Concatenation<HostSpaces, DeviceSpaces>::type;
using SpacesOfEveryElement = Concatenation<TypeList<FirstHostSpace>, DeviceSpaces>::type;
using SpacesOfFloat = OtherHostSpaces;  // their kernels are the first one's
#endif
#if defined(KACHEL_TESTS_KINDS)
using Float16List = TypeList<kachel::bfloat16>;
using ElementList = TypeList<float, kachel::bfloat16>;
#else
using Float16List = TypeList<kachel::half, kachel::bfloat16>;
using ElementList = TypeList<float, double, kachel::half, kachel::bfloat16>;
#endif
using WalkedSpaces = Concatenation<TypeList<Kokkos::DefaultHostExecutionSpace>, DeviceSpaces>::type;

/// The cases that tests of some element types, float among them, are typed by.
template <class Elements>
using CasesOf = typename Concatenation<typename Product<SpacesOfEveryElement, Elements>::type,
                                       typename Product<SpacesOfFloat, TypeList<float>>::type>::type;
using CaseList = CasesOf<ElementList>;

using Spaces = ToTesting<SpaceList>::type;
using Float16Types = ToTesting<Float16List>::type;
using Elements = ToTesting<ElementList>::type;
using SpacesAndElements = ToTesting<CaseList>::type;
using SpacesAndFloat16 = ToTesting<Product<SpacesOfEveryElement, Float16List>::type>::type;

/// The names that the typed tests show.
struct Names {
  template <class T>
  static std::string GetName(int) {
    if constexpr (requires { T::name(); })
      return T::name();
    else if constexpr (requires { typename T::Element; })
      return std::string(T::Space::name()) + "_" + std::string(kachel::detail::type_name<typename T::Element>());
    else
      return std::string(kachel::detail::type_name<T>());
  }
};

/// Calls visit.template operator()<T>() for each type of a list.
template <class... T, class Visit>
void for_each_type(TypeList<T...>, const Visit& visit) {
  (visit.template operator()<T>(), ...);
}

}  // namespace kachel_test
