// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functor that changes nothing: what it writes is what was read, as the output's type.
#pragma once

#include <Kokkos_Core.hpp>

namespace kachel_test {

struct Identity {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x;
  }
};

}  // namespace kachel_test
