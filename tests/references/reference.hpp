// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reference: the definition of an activation, written once more, to which tests hold the library.
#pragma once

#include <Kokkos_Core.hpp>
#include <support/exact.hpp>

namespace kachel_test {

/// Of an activation F, a specialisation has
///   f            the functor, whose parameters it reads
///   cases        an array of functors: parameters besides the defaults that tests try; absent where there are none
/// and where y is a sum or a product or a few of them
///   operator()   y in IEEE arithmetic of T, float or double, in PyTorch's order of operations
///   backward     dx of dy and x, likewise
///   exact        y as an exact real number, with the parameters as converted to T
/// else, by the functions of the platform's library, or where IEEE arithmetic in PyTorch's order errs by more than
/// ours,
///   value        y in R, a type with more digits than the elements have
///   derivative   the derivative at x, likewise
///   derivative_from_output  the same where f is y; of those that have a backward_from_output
///   exact        as above, of 16-bit numbers alone; absent where value has digits enough
/// All of them run on devices too.
template <class F>
struct Reference;

}  // namespace kachel_test
