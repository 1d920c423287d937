// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions of math/: each with its definition by the platform's library, its largest errors, which
/// docs/numerics.md shows, and the inputs near which it changes its ways.
#pragma once

#include <kachel/activations/list.hpp>
#include <kachel/math/exp.hpp>
#include <kachel/math/log.hpp>
#include <kachel/math/normal_cdf.hpp>
#include <kachel/math/sigmoid.hpp>
#include <kachel/math/square_root.hpp>
#include <kachel/math/tanh.hpp>

#include <array>

namespace kachel_test {

// The definitions are called with double anywhere and with long double on hosts alone, of which nvcc warns.
#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20011, 20014
#endif

struct Exp {
  static constexpr const char* name() { return "exp"; }
  static constexpr double float_ulp = 1, double_ulp = 1;
  static constexpr std::array edges = {88.72, -87.33, -103.97, -104.0, 709.78, -708.39, -745.13};
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return kachel::math::exp(x);
  }
  template <class R>
  KOKKOS_FUNCTION static R exact(R x) {
    return Kokkos::exp(x);
  }
};

struct Expm1 {
  static constexpr const char* name() { return "expm1"; }
  static constexpr double float_ulp = 1.6, double_ulp = 2.1;
  static constexpr std::array edges = {
      88.72, -17.32, -20.0, 0.3466, -0.3466, 1.04, -37.4, 709.78, 0x1.71f16b90697c9p-2};
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return kachel::math::expm1(x);
  }
  template <class R>
  KOKKOS_FUNCTION static R exact(R x) {
    return Kokkos::expm1(x);
  }
};

struct Sigmoid {
  static constexpr const char* name() { return "sigmoid"; }
  static constexpr double float_ulp = 1.5, double_ulp = 1.5;
  static constexpr std::array edges = {-87.33, -88.72, -103.97, 16.64, 17.33, -2.74, -708.39, -745.13};
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return kachel::math::sigmoid(x);
  }
  template <class R>
  KOKKOS_FUNCTION static R exact(R x) {
    return 1 / (1 + Kokkos::exp(-x));
  }
};

struct Tanh {
  static constexpr const char* name() { return "tanh"; }
  static constexpr double float_ulp = 1.5, double_ulp = 1.5;
  static constexpr std::array edges = {0.17, 0.52, 9.01, 8.32, 10.0, 19.06, 20.0};
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return kachel::math::tanh(x);
  }
  template <class R>
  KOKKOS_FUNCTION static R exact(R x) {
    return Kokkos::tanh(x);
  }
};

struct Log {
  static constexpr const char* name() { return "log"; }
  static constexpr double float_ulp = 1.5, double_ulp = 1.5;
  static constexpr std::array edges = {0.6666, 1.0, 1.3333, 1.13, 2.6666};
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return kachel::math::log(x);
  }
  template <class R>
  KOKKOS_FUNCTION static R exact(R x) {
    return Kokkos::log(x);
  }
};

struct Log1p {
  static constexpr const char* name() { return "log1p"; }
  static constexpr double float_ulp = 2, double_ulp = 2;
  static constexpr std::array edges = {-1.0, -0.3333, 0.3333, 0.334438, 1.6666};
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return kachel::math::log1p(x);
  }
  template <class R>
  KOKKOS_FUNCTION static R exact(R x) {
    return Kokkos::log1p(x);
  }
};

struct Log1pExpMinusAbs {
  static constexpr const char* name() { return "log1p_exp_minus_abs"; }
  static constexpr double float_ulp = 2, double_ulp = 2;
  static constexpr std::array edges = {87.33, 103.97, 4.85, 16.64, 708.39, 745.13, 0x1.be2da1c77dcp-2};
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return kachel::math::log1p_exp_minus_abs(x);
  }
  template <class R>
  KOKKOS_FUNCTION static R exact(R x) {
    return Kokkos::log1p(Kokkos::exp(-Kokkos::abs(x)));
  }
};

struct NormalCdf {
  static constexpr const char* name() { return "normal_cdf"; }
  static constexpr double float_ulp = 2, double_ulp = 3;
  // It errs most near the last, of all floats.
  static constexpr std::array edges = {-0.727, -14.17, -12.9,         0.727, -1.858, -5.579, 5.4, -36.585369543870655,
                                       -37.5,  -38.4,  -0x1.5e6114p+3};
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return kachel::math::normal_cdf(x);
  }
  template <class R>
  KOKKOS_FUNCTION static R exact(R x) {
    return Kokkos::erfc(x * -static_cast<R>(0.707106781186547524400844362104849039L)) / 2;
  }
};

struct SquareRoot {
  static constexpr const char* name() { return "square_root"; }
  static constexpr double float_ulp = 0.5, double_ulp = 0.5;
  static constexpr std::array edges = {0x1p-60, 0x1p-100, 1.0, 0x1.fffffep127};
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return kachel::math::square_root(x);
  }
  template <class R>
  KOKKOS_FUNCTION static R exact(R x) {
    return Kokkos::sqrt(x);
  }
};

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif

using MathFunctions = kachel::TypeList<Exp, Expm1, Sigmoid, Tanh, Log, Log1p, Log1pExpMinusAbs, NormalCdf, SquareRoot>;

}  // namespace kachel_test
