// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pointwise: the function object of an activation, and of its derivatives.
#pragma once

#include <kachel/detail/math/polynomial.hpp>
#include <kachel/map.hpp>

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

/// Whether a parameter is a number. std::isnan is no constant expression.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_not_nan(double parameter) { return parameter == parameter; }

/// Whether a parameter is a finite number.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_finite(double parameter) {
  constexpr double greatest = Kokkos::Experimental::finite_max_v<double>;
  return parameter >= -greatest && parameter <= greatest;
}

/// An activation whose parameters may be wrong: it has a member bool is_valid() const, for device and host. A call of
/// arrays throws where that is false, a call of numbers or packs gives NaN.
template <class F>
concept Validated = detail::Validated<F>;

/// The same of parameters for which y does not tell the derivative: bool is_valid_from_output() const.
template <class F>
concept ValidatedFromOutput = requires(const F& f) {
  F::contract;
  { f.is_valid_from_output() } -> std::same_as<bool>;
};

/// \cond
/// op of numbers or packs of T, or NaN if f, an activation or a derivative, has wrong parameters.
template <class T, class F, class Op, class... X>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto of_values(const F& f, const Op& op, const X&... x) {
  const auto y = detail::evaluate<T>(op, x...);
  if constexpr (requires { f.is_valid(); })
    if (!f.is_valid()) return decltype(y)(static_cast<T>(Kokkos::Experimental::quiet_NaN_v<float>));
  return y;
}

/// The same of numbers of T, also of another library's 16-bit type.
template <class T, class F, class Op, class... X>
KOKKOS_FORCEINLINE_FUNCTION constexpr T of_numbers(const F& f, const Op& op, const X&... x) {
  using Stored = detail::storage_type<T>;
  return detail::bit_cast<T>(
      of_values<Stored>(f, op, static_cast<compute_type<Stored>>(detail::bit_cast<detail::storage_type<X>>(x))...));
}
/// \endcond

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
/// Whether a call is one of whole arrays, also one that map refuses; that of numbers and packs alone is none.
template <class... A>
concept CallOfArrays = !((detail::NumberOperand<A> || is_pack<A>) && ...);

/// Whether a call ends in bare numbers where parameters are expected: after `arrays` operands, with or without an
/// execution space before them, or after `numbers` numbers or packs.
template <std::size_t arrays, std::size_t numbers, class First = void, class... Rest>
inline constexpr bool ends_in_bare_number = [] {
  constexpr bool are_numbers[] = {false, detail::NumberOperand<Rest>...},
                 of_numbers = detail::NumberOperand<First> || is_pack<First>;
  return are_numbers[sizeof...(Rest)] &&
         sizeof...(Rest) + !Kokkos::is_execution_space_v<First> > (of_numbers ? numbers : arrays);
}();

/// Refuses such calls of F's function object.
template <class F, std::size_t arrays, std::size_t numbers>
struct Refusing {
  template <class First, class... Rest>
    requires ends_in_bare_number<arrays, numbers, First, Rest...>
  KOKKOS_FUNCTION constexpr First operator()(const First& first, const Rest&...) const {
    static_assert(sizeof(First) == 0,
                  "kachel: an activation's parameters are expected in braces, each by its name, as in leaky_relu(y, x, "
                  "{.negative_slope = 0.1}); a bare number is given, or one input more than it has");
    return first;
  }
};
/// \endcond

/// The callable form of an activation: of whole Views, of a number, of a pack.
template <class F>
struct Pointwise : Refusing<F, 2, 1> {
  using Refusing<F, 2, 1>::operator();
  using Activation = F;  ///< whose contract holds, where this object itself is a functor

  /// y[i] = f(x[i]) on the default instance of y's execution space; y may be x. Checks and errors are those of
  /// kachel::map.
  template <class Y, class X>
    requires CallOfArrays<Y, X>
  void operator()(const Y& y, const X& x, const F& f = {}) const {
    detail::map_on_default_instance<detail::Extents::equal>(y, f, x);
  }

  /// The same on an execution space instance.
  template <class Space, class Y, class X>
    requires Kokkos::is_execution_space_v<Space>
  void operator()(const Space& space, const Y& y, const X& x, const F& f = {}) const {
    detail::map_or_explain<detail::Extents::equal>(space, y, f, nullptr, x);
  }

  /// f(x) of a number, for use in any kernel; a 16-bit number gives the correctly rounded result. NaN if f's parameters
  /// are what a call of arrays throws for.
  template <class T>
    requires is_floating<detail::storage_type<T>>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x, const F& f = {}) const {
    return of_numbers<T>(f, functor_of<detail::storage_type<T>>(f), x);
  }

  /// The same of each element of a pack.
  template <class T, int width>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto operator()(const Pack<T, width>& x, const F& f = {}) const {
    return of_values<T>(f, functor_of<T>(f), Pack<compute_type<T>, width>(x));
  }

  /// F's own, where this object itself is a functor.
  KOKKOS_FORCEINLINE_FUNCTION double wide(double x) const
    requires detail::HasWide<F, double>
  {
    return F{}.wide(x);
  }

  /// The same.
  KOKKOS_FORCEINLINE_FUNCTION float narrow(float x) const
    requires detail::HasNarrow<F, float>
  {
    return F{}.narrow(x);
  }

  /// The same.
  template <class T>
    requires detail::HasFrom16Bits<F, T>
  KOKKOS_FORCEINLINE_FUNCTION float from_16_bits(float x) const {
    return F{}.template from_16_bits<T>(x);
  }

 private:
  /// What computes a T from a T: where F has no parameters what stands in for it.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr auto functor_of(const F& f) {
    if constexpr (std::is_empty_v<F>)
      return detail::specialized<F, detail::Tuple<T>, detail::Tuple<T>>{};
    else
      return f;
  }
};

/// The gradient that passes where `inside` holds: 0 elsewhere, whatever dy; NaN where x is.
template <class Condition, class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T pass_where(const Condition& inside, const T& dx, const T& x) {
  return select(inside, dx, select(x == x, T(0), x));
}

/// A bound of y as a y of type Stored has it, which was rounded to that.
template <Real T, class Stored>
KOKKOS_FORCEINLINE_FUNCTION constexpr T stored_bound(double bound) {
  using Compute = compute_type<Stored>;
  return T(static_cast<Compute>(static_cast<Stored>(static_cast<Compute>(bound))));
}

/// A limit of y at an infinity as a y of type Stored has it; the limit itself where that type has none but 0 and
/// infinity for it.
template <Real T, class Stored>
KOKKOS_FORCEINLINE_FUNCTION constexpr T stored_limit(double limit) {
  const T stored = stored_bound<T, Stored>(limit);
  return select((stored != T(0)) & (stored - stored == T(0)), stored, T(limit));
}

/// \cond
inline constexpr std::string_view backward_suffix = "_backward", from_output_suffix = "_backward_from_output";

/// F::name with a suffix.
template <class F, const std::string_view& suffix>
struct NameWith {
  static constexpr auto characters = [] {
    std::array<char, F::name.size() + suffix.size()> joined = {};
    std::copy(F::name.begin(), F::name.end(), joined.begin());
    std::copy(suffix.begin(), suffix.end(), joined.begin() + F::name.size());
    return joined;
  }();
  static constexpr std::string_view value = {characters.data(), characters.size()};
};
/// \endcond

/// Whether F has a member float narrow_slope(float x) const: its derivative in fewer instructions, near enough for
/// 16-bit results at an x that was stored in 16 bits.
template <class F>
concept HasNarrowSlope = requires(const F& f) {
  { f.narrow_slope(1.0f) } -> std::same_as<float>;
};

template <class F, class Stored>
struct Backward;

/// \cond
/// What dy is multiplied by for 16 bits, as a functor of x.
template <class F>
struct NarrowSlope : F {
  KOKKOS_FORCEINLINE_FUNCTION float operator()(float x) const { return this->narrow_slope(x); }
};

/// What stands in for a derivative at default parameters: that of what stands in for the activation, or itself.
template <class F, class Stored>
struct DefaultsOf {
  using type = Backward<F, Stored>;
};
template <class F, class Stored>
  requires(requires(const typename F::AtDefaults& f) { f.backward(1.0f, 1.0f); } &&
           HasNarrowSlope<typename F::AtDefaults> == HasNarrowSlope<F>)
struct DefaultsOf<F, Stored> {
  using type = Backward<typename F::AtDefaults, Stored>;
};
/// \endcond

/// The derivative of f as a functor of dy and x: F's member T backward(T dy, T x) const, a template of Real T.
/// \tparam Stored  the type in which x was stored
template <class F, class Stored = double>
struct Backward {
  static_assert(
      requires { std::string_view(F::name); },
      "kachel::Backward: F::name is expected to be a static constexpr std::string_view");
  static_assert(
      HasNarrowSlope<F> || !requires { requires detail::is_function_pointer<decltype(&F::narrow_slope)>; },
      "kachel::Backward: f.narrow_slope is expected to be callable, when const, with a float, and to return a float");

  static constexpr std::string_view name = NameWith<F, backward_suffix>::value;  ///< f's with "_backward" after it
  static constexpr Cost cost = detail::contract_of<F>().gradient_cost;           ///< what f's contract says
  static constexpr std::string_view output_names[1] = {"dx"};                    ///< in messages
  static constexpr std::string_view input_names[2] = {"dy", "x"};                ///< in messages

  /// What stands in for Backward{}.
  using AtDefaults = typename DefaultsOf<F, Stored>::type;
  /// What dy is multiplied by for 16 bits, where f has a member narrow_slope.
  using Factor = std::conditional_t<is_float16<Stored> && HasNarrowSlope<F>, NarrowSlope<F>, void>;

  F f;  ///< the activation

  /// dx: dy times f's derivative at x.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T dy, T x) const {
    return f.backward(dy, x);
  }

  /// The same for 16 bits, where f has a member narrow_slope.
  KOKKOS_FORCEINLINE_FUNCTION float narrow(float dy, float x) const
    requires(is_float16<Stored> && HasNarrowSlope<F>)
  {
    return dy * f.narrow_slope(x);
  }

  /// Whether f's parameters are right.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const
    requires Validated<F>
  {
    return f.is_valid();
  }

  /// \throws std::invalid_argument  f's parameters are wrong
  void check(std::string_view operation) const { detail::check_parameters(f, operation); }
};

/// Whether the derivative of F can be computed from its output: F has a member T backward_from_output(T dy, T y) const,
/// a template of Real T.
template <class F>
concept HasBackwardFromOutput = requires(const F& f) { f.backward_from_output(1.0f, 1.0f); };

/// \cond
/// Whether that is a template of the type in which y was stored, too.
template <class F, class Stored, class T>
concept HasStoredBounds =
    requires(const F& f, const T& value) { f.template backward_from_output<Stored, T>(value, value); };
/// \endcond

/// The derivative of f as a functor of dy and y = f(x).
/// \tparam Stored  the type in which y was stored. Where bounds or limits of y are to be rounded to that, the member
///                 is a template of it first: f.backward_from_output<Stored, T>(dy, y)
template <class F, class Stored = double>
struct BackwardFromOutput {
  static_assert(HasBackwardFromOutput<F>, "kachel::BackwardFromOutput: F has no member backward_from_output");

  static constexpr std::string_view name =
      NameWith<F, from_output_suffix>::value;                           ///< f's with "_backward_from_output" after it
  static constexpr Cost cost = detail::contract_of<F>().gradient_cost;  ///< what f's contract says
  static constexpr std::string_view output_names[1] = {"dx"};           ///< in messages
  static constexpr std::string_view input_names[2] = {"dy", "y"};       ///< in messages

  F f;  ///< the activation

  /// dx: dy times f's derivative where f is y.
  template <Real T>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T dy, T y) const {
    if constexpr (HasStoredBounds<F, Stored, T>)
      return f.template backward_from_output<Stored, T>(dy, y);
    else
      return f.backward_from_output(dy, y);
  }

  /// Whether f's parameters are right, and such that y tells the derivative.
  KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_valid() const
    requires Validated<F>
  {
    if constexpr (ValidatedFromOutput<F>)
      return f.is_valid() && f.is_valid_from_output();
    else
      return f.is_valid();
  }

  /// \throws std::invalid_argument  f's parameters are wrong, or y does not tell the derivative for them
  void check(std::string_view operation) const {
    detail::check_parameters(f, operation);
    if constexpr (ValidatedFromOutput<F>)
      detail::expect_parameters(operation, f, f.is_valid_from_output(), F::contract.expected_from_output);
  }
};

/// \cond
// Where F is empty these have a byte that nobody writes. The attribute for members without an address would take it
// away, but nvcc's kernels then read what follows from other places than hosts write it to.
template <class F, class Stored>
inline constexpr bool detail::is_stateless<Backward<F, Stored>> = detail::is_stateless<F>;
template <class F, class Stored>
inline constexpr bool detail::is_stateless<BackwardFromOutput<F, Stored>> = detail::is_stateless<F>;
/// \endcond

/// What of the forward pass a derivative is computed from.
enum class Saved { input, output };

/// The callable form of an activation's derivative: of whole Views, of numbers, of packs. `saved` is x, or y where it
/// is computed from the output. That y has been rounded once from the type in which the forward pass computed: its own
/// compute type, or double for a float y.
template <class F, Saved from = Saved::input>
struct PointwiseBackward : Refusing<F, 3, 2> {
  using Refusing<F, 3, 2>::operator();
  /// The functor, for a `saved` of elements of type T.
  template <class T>
  using Functor = std::conditional_t<from == Saved::input, Backward<F, T>, BackwardFromOutput<F, T>>;

  /// dx[i] = dy[i] times f's derivative at saved[i], on the default instance of dx's execution space; dx may be dy or
  /// saved. 16-bit results are those of float32, rounded once. Checks and errors are those of kachel::map.
  template <class DX, class DY, class S>
    requires CallOfArrays<DX, DY, S>
  void operator()(const DX& dx, const DY& dy, const S& saved, const F& f = {}) const {
    detail::map_on_default_instance<detail::Extents::equal>(dx, Functor<detail::stored_element<S>>{f}, dy, saved);
  }

  /// The same on an execution space instance.
  template <class Space, class DX, class DY, class S>
    requires Kokkos::is_execution_space_v<Space>
  void operator()(const Space& space, const DX& dx, const DY& dy, const S& saved, const F& f = {}) const {
    detail::map_or_explain<detail::Extents::equal>(space, dx, Functor<detail::stored_element<S>>{f}, nullptr, dy,
                                                   saved);
  }

  /// The same of numbers, for use in any kernel. NaN if f's parameters are what a call of arrays throws for.
  template <class T>
    requires is_floating<detail::storage_type<T>>
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T dy, T saved, const F& f = {}) const {
    const Functor<detail::storage_type<T>> functor{f};
    return of_numbers<T>(functor, functor, dy, saved);
  }

  /// The same of packs.
  template <class T, int width>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto operator()(const Pack<T, width>& dy, const Pack<T, width>& saved,
                                                        const F& f = {}) const {
    using Values = Pack<compute_type<T>, width>;
    return of_values<T>(Functor<T>{f}, Functor<T>{f}, Values(dy), Values(saved));
  }
};

}  // namespace kachel
