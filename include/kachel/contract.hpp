// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Contract: what a functor promises, and what it costs.
#pragma once

#include <string_view>

namespace kachel {

/// How much arithmetic a functor does for an element. It decides speed alone.
enum class Cost {
  low,     ///< at most about ten instructions in float: every GPU waits for memory alone
  medium,  ///< at most about forty
  high,    ///< more
};

/// Up to two numbers, the lesser first.
class Kinks {
 public:
  constexpr Kinks() = default;                                                         ///< none
  constexpr Kinks(double only) : at_{only}, count_(1) {}                               ///< one
  constexpr Kinks(double lesser, double greater) : at_{lesser, greater}, count_(2) {}  ///< two

  constexpr const double* begin() const { return at_; }         ///< the first
  constexpr const double* end() const { return at_ + count_; }  ///< beyond the last

 private:
  double at_[2] = {};
  int count_ = 0;
};

/// What a functor promises beyond NaN in, NaN out. Tests hold it to this, and docs/numerics.md shows it.
struct Contract {
  std::string_view formula;        ///< y, of x and the parameters
  const char* parameters[4] = {};  ///< the names of the functor's members, all of type double, in their order
  std::string_view expected = {};  ///< what the parameters must be, if not just any numbers
  std::string_view expected_from_output = {};  ///< what they must be besides for backward_from_output
  Kinks kinks = {};                            ///< where the derivative of floats jumps, at the default parameters
  double ulp;  ///< greatest error of float and double results, in units of the last place; 16-bit results have none
               ///< beyond their rounding
  double gradient_ulp = 1;            ///< the same of the derivative, whose rounded value dy multiplies
  double other_ulp = 0;               ///< what `ulp` is with other parameters than the default ones, where that is more
  Cost cost = Cost::medium;           ///< of y
  Cost gradient_cost = Cost::medium;  ///< of the derivative
  Cost cost_from_16_bits = Cost::medium;  ///< of from_16_bits, where there is one
};

}  // namespace kachel
