// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What results are held to: the references, correctly rounded or in IEEE arithmetic.
#pragma once

#include <kachel/activations/list.hpp>

#include <references/list.hpp>
#include <support/nearest.hpp>

#include <cmath>
#include <vector>

namespace kachel_test {

/// Whether the reference of F is a function in a wider type, not arithmetic with the result's own bits.
template <class F>
concept HasWiderReference = requires(const Reference<F>& reference) { reference.value(1.0L); };

/// The functor with its defaults, and with the reference's other parameters.
template <class F>
std::vector<F> parameter_cases() {
  std::vector<F> cases = {F{}};
  if constexpr (requires { Reference<F>::cases; })
    cases.insert(cases.end(), std::begin(Reference<F>::cases), std::end(Reference<F>::cases));
  return cases;
}

/// A functor with its parameters, for messages.
template <class F>
std::string show_case(const F& f) {
  std::string text(F::name);
  std::size_t i = 0;
  for (const auto value : kachel::detail::parameter_values(f))
    text.append(", ").append(F::contract.parameters[i++]).append(" ").append(show(value));
  return text;
}

/// The reference of f. Where it is in a wider type it has the parameters as T, in which f computes, has them.
template <class T, class F>
Reference<F> reference_of(const F& f) {
  if constexpr (HasWiderReference<F> && kachel::detail::parameter_count<F> > 0) {
    auto values = kachel::detail::parameter_values(f);
    for (double& value : values) {
      const volatile T narrow = static_cast<T>(value);  // GCC 12 drops the conversion of two neighbours at once
      value = static_cast<double>(narrow);
    }
    return {kachel::detail::bit_cast<F>(values)};
  } else {
    return {f};
  }
}

/// The correctly rounded result; a zero has the sign that arithmetic, in float or in a wider type, gives it.
template <class T, class F>
T correctly_rounded(const F& f, T x) {
  const Reference<F> reference = reference_of<float>(f);
  const auto value = static_cast<float>(x);
  const auto y = [&] {
    if constexpr (HasWiderReference<F>)
      return reference.value(static_cast<long double>(value));
    else
      return reference(value);
  }();
  if (std::isnan(y)) return std::numeric_limits<T>::quiet_NaN();
  T result;
  if constexpr (requires { reference.exact(value); })
    result = nearest<T>(reference.exact(value));
  else
    result = nearest<T>([y](double other) { return (y > other) - (y < other); });
  return magnitude_bits(result) == 0 && std::signbit(y) ? nearest<T>(-0.0) : result;
}

/// Whether there is one result of F in T that a test can expect: not where float and double have an error of their own.
template <class F, class T>
inline constexpr bool has_one_result = kachel::is_float16<T> || !HasWiderReference<F>;

/// What kachel::map is to give for x: the correctly rounded value of the formula in 16 bits, the IEEE formula's
/// otherwise.
template <class F, class T>
  requires has_one_result<F, T>
T expected_result(const F& f, T x) {
  if constexpr (kachel::is_float16<T>)
    return correctly_rounded(f, x);
  else
    return Reference<F>{f}(x);
}

/// dy times the derivative at x, or where the output is that: 0 where it stops dy, whatever that is.
template <class F, class T>
T exact_gradient(const Reference<F>& reference, T dy, T derivative, T x_or_y) {
  if constexpr (requires { reference.stops(x_or_y); })
    if (reference.stops(x_or_y)) return 0;
  return dy * derivative;
}

/// What the backward of kachel::map is to give: the formula's in the compute type, rounded once. With a reference in a
/// wider type the formula is the functor's own, held to that reference elsewhere.
template <class F, class T>
  requires has_one_result<F, T>
T expected_gradient(const F& f, T dy, T x) {
  using Compute = kachel::compute_type<T>;
  if constexpr (kachel::is_float16<T> && kachel::HasNarrowSlope<F>)
    return static_cast<T>(static_cast<float>(dy) * f.narrow_slope(static_cast<float>(x)));
  else if constexpr (HasWiderReference<F>)
    return static_cast<T>(f.backward(static_cast<Compute>(dy), static_cast<Compute>(x)));
  else
    return static_cast<T>(Reference<F>{f}.backward(static_cast<Compute>(dy), static_cast<Compute>(x)));
}

}  // namespace kachel_test
