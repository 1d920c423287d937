// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Inputs of kachel::map that are not as y is: one whose dimension stands at a chosen one of y's, and the index.
#pragma once

namespace kachel {

/// What along makes.
template <class A>
struct Along {
  A array;        ///< of one dimension
  int dimension;  ///< of the first output, at which the array's stands
};

/// What index makes.
struct Index {
  int dimension;  ///< of the first output
};

/// An input of kachel::map: an array of one dimension, which stands at dimension `dimension` of the first output, and
/// repeats along all others. kachel::map(space, y, f, x, kachel::along(w, 1)) has an element of w for each channel.
/// \param array      a View, DynRankView or mdspan of rank 1, of one element or of y.extent(dimension) elements
/// \param dimension  counted from 0, below the first output's rank
template <class A>
Along<A> along(const A& array, int dimension) {
  return {array, dimension};
}

/// An input of kachel::map: each element's index along a dimension of the first output, a std::int64_t. It has no
/// memory, and does not change the type in which other inputs are computed.
/// \param dimension  counted from 0, below the first output's rank
inline Index index(int dimension) { return {dimension}; }

}  // namespace kachel
