// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pointwise: the function object of an activation; Contract: what its functor promises.
#pragma once

#include <kachel/map.hpp>

// Device code cannot name a constant object of the host's, not even an empty one.
#if defined(__CUDA_ARCH__)
#define KACHEL_FUNCTION_OBJECT static __device__ constexpr
#else
#define KACHEL_FUNCTION_OBJECT inline constexpr
#endif

namespace kachel {

/// What a functor promises beyond NaN in, NaN out. Tests hold it to this.
struct Contract {
  double ulp;  ///< greatest error of float and double results, in units of the last place; 16-bit results have none
               ///< beyond their rounding
};

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
    requires(Kokkos::is_view_v<Y> && Kokkos::is_view_v<X>)
  void operator()(const Y& y, const X& x, const F& f = {}) const {
    kachel::map(y, f, x);
  }

  /// f(x) of a number, for use in any kernel; a 16-bit number gives the correctly rounded result.
  template <class T>
    requires(std::is_floating_point_v<T> || is_float16<T>)
  KOKKOS_FORCEINLINE_FUNCTION constexpr T operator()(T x, const F& f = {}) const {
    return kachel::evaluate<T>(f, static_cast<compute_type<T>>(x));
  }

  /// The same of each element of a pack.
  template <class T, int width>
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto operator()(const Pack<T, width>& x, const F& f = {}) const {
    if constexpr (is_float16<T>)
      return kachel::evaluate<T>(f, Pack<float, width>(x));
    else
      return kachel::apply(f, x);
  }
};

}  // namespace kachel
