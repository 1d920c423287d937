// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What results are held to: the references, correctly rounded or in IEEE arithmetic.
#pragma once

#include <kachel/activations/list.hpp>

#include <references/list.hpp>
#include <support/nearest.hpp>

#include <cmath>
#include <vector>

namespace kachel_test {

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
  for (const auto value : kachel::parameter_values(f))
    text.append(", ").append(F::contract.parameters[i++]).append(" ").append(show(value));
  return text;
}

/// The correctly rounded result; a zero has the sign that arithmetic in float gives it.
template <class T, class F>
T correctly_rounded(const F& f, T x) {
  if (is_nan(x)) return x;
  const Reference<F> reference{f};
  const auto value = static_cast<float>(x);
  const T result = nearest<T>(reference.exact(value));
  const bool is_minus_zero = magnitude_bits(result) == 0 && std::signbit(reference(value));
  return is_minus_zero ? nearest<T>(-0.0) : result;
}

/// What kachel::map is to give for x: the correctly rounded value of the formula in 16 bits, the IEEE formula's
/// otherwise.
template <class F, class T>
T expected_result(const F& f, T x) {
  if constexpr (kachel::is_float16<T>)
    return correctly_rounded(f, x);
  else
    return Reference<F>{f}(x);
}

/// What the backward of kachel::map is to give: the formula's in the compute type, rounded once.
template <class F, class T>
T expected_gradient(const F& f, T dy, T x) {
  using Compute = kachel::compute_type<T>;
  return static_cast<T>(Reference<F>{f}.backward(static_cast<Compute>(dy), static_cast<Compute>(x)));
}

}  // namespace kachel_test
