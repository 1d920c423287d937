// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// kachel::map: y[i] = f(x[i]...) over whole Views.
#pragma once

#include <kachel/launch/access_plan.hpp>
#include <kachel/launch/for_tiles.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace kachel {

/// The tile program of map.
template <class F, class T, int inputs>
struct Map {
  F f;
  bool aligned;
  T* y;
  Kokkos::Array<const T*, inputs> x;

  template <class Tile>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Tile& tile) const {
    if (aligned)
      run(tile.assume_aligned(), std::make_index_sequence<inputs>{});
    else
      run(tile, std::make_index_sequence<inputs>{});
  }

 private:
  template <class Tile, std::size_t... k>
  KOKKOS_FORCEINLINE_FUNCTION void run(const Tile& tile, std::index_sequence<k...>) const {
    tile.map(f, y, x[k]...);
  }
};

/// The name of an element type in kernel labels.
template <class T>
constexpr std::string_view type_name() {
  if constexpr (std::is_same_v<T, float>) return "float";
  if constexpr (std::is_same_v<T, double>) return "double";
  if constexpr (std::is_same_v<T, half>) return "half";
  if constexpr (std::is_same_v<T, bfloat16>) return "bfloat16";
}

/// The name of an operation in messages and kernel labels: the functor's own, where it has one.
template <class F>
constexpr std::string_view operation_name() {
  if constexpr (requires { std::bool_constant<(std::string_view(F::name), true)>{}; })
    return F::name;
  else
    return "map";
}

/// The same with the library's name before it.
template <class F>
const std::string& operation_label() {
  static const std::string label = "kachel::" + std::string(operation_name<F>());
  return label;
}

/// What the checks need to know of a View.
template <class View>
Operand describe(std::string_view name, const View& view) {
  Operand operand{name, view.data(), sizeof(typename View::value_type), View::rank(), {}, {}};
  for (int dimension = 0; dimension < operand.rank; ++dimension) {
    operand.extents[dimension] = view.extent(dimension);
    operand.strides[dimension] = view.stride(dimension);
  }
  return operand;
}

/// Whether no dimension has two different static extents.
template <class A, class B>
constexpr bool static_extents_agree() {
  for (int dimension = 0; dimension < static_cast<int>(A::rank()); ++dimension) {
    const auto a = A::static_extent(dimension), b = B::static_extent(dimension);
    if (a != 0 && b != 0 && a != b) return false;
  }
  return true;
}

/// y[i] = f(x[i]...) for every element. f receives float for the 16-bit types, whose results are rounded once, and
/// double for double. An x may be y. Asynchronous on a device, blocking on a host.
/// \param space  the execution space instance
/// \param y      the output: dense, of any rank; element type float, double, half or bfloat16
/// \param f      callable on Space with one value a View x; an extended lambda names its types: (float a, float b)
/// \param x      the inputs, of y's element type, rank and extents, dense in the same order of memory
/// \throws std::logic_error, std::invalid_argument  as plan_access and the functor's check say, before any launch
template <class Space, class Y, class F, class... X>
  requires(Kokkos::is_execution_space_v<Space> && Kokkos::is_view_v<Y> && (Kokkos::is_view_v<X> && ...))
void map(const Space& space, const Y& y, const F& f, const X&... x) {
  using T = typename Y::value_type;
  static_assert(sizeof...(X) >= 1 && sizeof...(X) <= 8, "kachel::map: expected 1 to 8 input Views after the functor");
  static_assert(
      std::is_same_v<T, float> || std::is_same_v<T, double> || is_float16<std::remove_const_t<T>> || std::is_const_v<T>,
      "kachel::map: the element type of y is expected to be float, double, kachel::half or kachel::bfloat16");
  static_assert(!std::is_const_v<T>, "kachel::map: y is written to and cannot be a View of const elements");
  static_assert((std::is_same_v<T, typename X::non_const_value_type> && ...),
                "kachel::map: every input is expected to have the element type of y");
  static_assert(((X::rank() == Y::rank()) && ...), "kachel::map: every input is expected to have the rank of y");
  static_assert((static_extents_agree<Y, X>() && ...), "kachel::map: a static extent of an input differs from y's");
  static_assert(Kokkos::SpaceAccessibility<Space, typename Y::memory_space>::accessible &&
                    (Kokkos::SpaceAccessibility<Space, typename X::memory_space>::accessible && ...),
                "kachel::map: the execution space cannot reach the memory of every View");
  static_assert(!Y::traits::memory_traits::is_atomic && !(X::traits::memory_traits::is_atomic || ...),
                "kachel::map: atomic Views are not supported");
  static_assert(std::is_invocable_v<const F&, compute_type<typename X::non_const_value_type>...>,
                "kachel::map: f is expected to be callable, when const, with one value of the compute type a View x");
  const std::string& operation = operation_label<F>();
  static const std::string label = operation + "<" + std::string(type_name<T>()) + ">";
  static constexpr std::string_view single[] = {"x"};
  static constexpr std::string_view several[] = {"x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8"};

  if constexpr (requires { f.check(); }) f.check();
  const std::string_view* name = sizeof...(X) == 1 ? single : several;
  const Operand inputs[] = {kachel::describe(*name++, x)...};
  const AccessPlan plan = plan_access(operation, kachel::describe("y", y), inputs, sizeof...(X));

  kachel::for_tiles<T>(label, space, plan.size, Map<F, T, sizeof...(X)>{f, plan.aligned, y.data(), {x.data()...}},
                       plan.in_place);
}

/// The same on the default instance of y's execution space.
template <class Y, class F, class... X>
  requires(Kokkos::is_view_v<Y> && (Kokkos::is_view_v<X> && ...))
void map(const Y& y, const F& f, const X&... x) {
  check_initialized(operation_label<F>());
  kachel::map(typename Y::execution_space{}, y, f, x...);
}

}  // namespace kachel
