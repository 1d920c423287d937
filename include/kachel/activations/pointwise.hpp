// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pointwise: the function object of an activation; Contract: what its functor promises.
#pragma once

#include <kachel/map.hpp>
#include <kachel/math/polynomial.hpp>

/// \def KACHEL_FUNCTION_OBJECT
/// Declares the function object of an activation, also of a project's own: `KACHEL_FUNCTION_OBJECT Pointwise<F> f;`.
#if defined(__CUDA_ARCH__)  // device code cannot name a constant object of the host's, not even an empty one
#define KACHEL_FUNCTION_OBJECT static __device__ constexpr
#else
#define KACHEL_FUNCTION_OBJECT inline constexpr
#endif

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace kachel {

/// What a functor promises beyond NaN in, NaN out. Tests hold it to this, and docs/numerics.md shows it.
struct Contract {
  std::string_view formula;        ///< y, of x and the parameters
  const char* parameters[4] = {};  ///< the names of the functor's members, all of type double, in their order
  std::string_view expected = {};  ///< what the parameters must be, if not just any numbers
  double ulp;  ///< greatest error of float and double results, in units of the last place; 16-bit results have none
               ///< beyond their rounding
  double gradient_ulp = 1;  ///< the same of the derivative times dy
};

/// \cond
/// \throws std::invalid_argument  always: names each parameter, its value, and what was expected
[[noreturn]] void reject_parameters(std::string_view operation, const Contract& contract,
                                    std::span<const double> values);

/// How many parameters an activation has.
template <class F>
inline constexpr std::size_t parameter_count = std::is_empty_v<F> ? 0 : sizeof(F) / sizeof(double);

/// An activation's parameters, in the order of its members.
template <class F>
auto parameter_values(const F& f) {
  if constexpr (std::is_empty_v<F>)
    return std::array<double, 0>{};
  else
    return kachel::bit_cast<std::array<double, parameter_count<F>>>(f);
}
/// \endcond

/// \cond
/// Whether F is made of as many doubles as its contract names, which makes parameter_values true.
template <class F>
constexpr bool has_named_doubles() {
  std::size_t named = 0;
  for (const char* const parameter : F::contract.parameters) named += parameter != nullptr;
  return named == parameter_count<F> && []<std::size_t... k>(std::index_sequence<k...>) {
    return requires(double value) { F{(static_cast<void>(k), value)...}; };
  }(std::make_index_sequence<parameter_count<F>>{});
}
/// \endcond

/// For the member `check` of an activation.
/// \param operation  the call's name in messages, as in kachel::hardtanh
/// \param f          the activation
/// \param valid      whether its parameters are what its contract expects
/// \throws std::invalid_argument  they are not; names each, its value, and what was expected
template <class F>
void expect_parameters(std::string_view operation, const F& f, bool valid) {
  static_assert(has_named_doubles<F>(),
                "kachel::expect_parameters: f is expected to have members of type double alone, each named in its "
                "contract");
  if (!valid) reject_parameters(operation, F::contract, parameter_values(f));
}

/// \cond
template <class T>
inline constexpr bool is_real_pack = false;
template <class T, int width>
inline constexpr bool is_real_pack<Pack<T, width>> = math::RealNumber<T>;
/// \endcond

/// What an activation computes with: a float, a double, or a pack of them.
template <class T>
concept Real = math::RealNumber<T> || is_real_pack<T>;

/// \cond
/// Whether a call is one of whole arrays, also one that map refuses; that of numbers alone is none.
template <class... A>
concept CallOfArrays = !(NumberOperand<A> && ...);
/// \endcond

/// The callable form of an activation: of whole Views, of a number, of a pack.
template <class F>
struct Pointwise {
  /// y[i] = f(x[i]) on an execution space instance; y may be x. Checks and errors are those of kachel::map.
  template <class Space, class Y, class X>
    requires Kokkos::is_execution_space_v<Space>
  void operator()(const Space& space, const Y& y, const X& x, const F& f = {}) const {
    kachel::map(space, y, f, x);
  }

  /// The same on the default instance of y's execution space.
  template <class Y, class X>
    requires CallOfArrays<Y, X>
  void operator()(const Y& y, const X& x, const F& f = {}) const {
    kachel::map(y, f, x);
  }

  /// f(x) of a number, for use in any kernel; a 16-bit number gives the correctly rounded result.
  template <class T>
    requires is_floating<storage_type<T>>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x, const F& f = {}) const {
    if constexpr (is_floating<T>)
      return kachel::evaluate<T>(f, static_cast<compute_type<T>>(x));
    else
      return bit_cast<T>((*this)(bit_cast<storage_type<T>>(x), f));
  }

  /// The same of each element of a pack.
  template <class T, int width>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto operator()(const Pack<T, width>& x, const F& f = {}) const {
    if constexpr (is_float16<T>)
      return kachel::evaluate<T>(f, Pack<float, width>(x));
    else
      return kachel::apply(f, x);
  }

  /// F's own, where this object itself is a functor.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const
    requires HasWide<F, double>
  {
    return F{}.wide(x);
  }
};

/// \cond
template <class F>
inline constexpr int wide_ulps<Pointwise<F>> = wide_ulps<F>;
/// \endcond

/// The gradient that passes where `inside` holds: 0 elsewhere, whatever dy; NaN where x is.
template <class Condition, class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T pass_where(const Condition& inside, const T& dx, const T& x) {
  return select(inside, dx, select(x == x, T(0), x));
}

/// \cond
/// F::name and "_backward".
template <class F>
struct BackwardName {
  static constexpr auto characters = [] {
    constexpr std::string_view suffix = "_backward";
    std::array<char, F::name.size() + suffix.size()> joined = {};
    std::copy(F::name.begin(), F::name.end(), joined.begin());
    std::copy(suffix.begin(), suffix.end(), joined.begin() + F::name.size());
    return joined;
  }();
  static constexpr std::string_view value = {characters.data(), characters.size()};
};
/// \endcond

/// The derivative of f as a functor of dy and x: F's member T backward(T dy, T x) const, a template of Real T.
template <class F>
struct Backward {
  static constexpr std::string_view name = BackwardName<F>::value;  ///< f's with "_backward" after it
  static constexpr std::string_view output_names[1] = {"dx"};       ///< in messages
  static constexpr std::string_view input_names[2] = {"dy", "x"};   ///< in messages

  F f;  ///< the activation

  /// dx: dy times f's derivative at x.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T dy, T x) const {
    return f.backward(dy, x);
  }

  /// \throws std::invalid_argument  as f's own check says
  void check(std::string_view operation) const { kachel::check_parameters(f, operation); }
};

/// The callable form of an activation's derivative: of whole Views, of numbers, of packs.
template <class F>
struct PointwiseBackward {
  /// dx[i] = dy[i] times f's derivative at x[i], on an execution space instance; dx may be dy or x. 16-bit results are
  /// those of float32, rounded once. Checks and errors are those of kachel::map.
  template <class Space, class DX, class DY, class X>
    requires Kokkos::is_execution_space_v<Space>
  void operator()(const Space& space, const DX& dx, const DY& dy, const X& x, const F& f = {}) const {
    kachel::map(space, dx, Backward<F>{f}, dy, x);
  }

  /// The same on the default instance of dx's execution space.
  template <class DX, class DY, class X>
    requires CallOfArrays<DX, DY, X>
  void operator()(const DX& dx, const DY& dy, const X& x, const F& f = {}) const {
    kachel::map(dx, Backward<F>{f}, dy, x);
  }

  /// The same of numbers, for use in any kernel.
  template <class T>
    requires is_floating<storage_type<T>>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T dy, T x, const F& f = {}) const {
    if constexpr (is_floating<T>)
      return kachel::evaluate<T>(Backward<F>{f}, static_cast<compute_type<T>>(dy), static_cast<compute_type<T>>(x));
    else
      return bit_cast<T>((*this)(bit_cast<storage_type<T>>(dy), bit_cast<storage_type<T>>(x), f));
  }

  /// The same of packs.
  template <class T, int width>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto operator()(const Pack<T, width>& dy, const Pack<T, width>& x,
                                                        const F& f = {}) const {
    if constexpr (is_float16<T>)
      return kachel::evaluate<T>(Backward<F>{f}, Pack<float, width>(dy), Pack<float, width>(x));
    else
      return kachel::apply(Backward<F>{f}, dy, x);
  }
};

}  // namespace kachel
