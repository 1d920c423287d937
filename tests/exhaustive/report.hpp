// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the program is asked for, and what becomes of the outcomes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace kachel_test {

/// The program's own flags.
struct Options {
  std::string space;        ///< where to compute
  std::int64_t stride = 1;  ///< of which inputs to measure the errors: every stride-th
  std::int64_t sample = 1;  ///< which inputs to walk through: every sample-th, and no comparison with the records
  bool errors = false;      ///< whether to print the error of each chunk
  std::string record;       ///< where to write the outcomes; empty for nowhere
};
Options& options();

/// What a walk has come to.
struct Outcome {
  std::uint64_t hash = 0;      ///< of the inputs' and the results' bits
  std::int64_t nans = 0;       ///< how many results are NaN
  std::int64_t nans_lost = 0;  ///< how many NaNs gave a number
  double error = -1;           ///< the greatest, in units of the last place; negative where none was measured
  double at = 0;               ///< its input
};

/// Prints the outcome of a walk, expects NaNs for NaNs, an error of at most `bound`, and the hash of each record in
/// tests/exhaustive/results that has the function, at least two, or with the option --write keeps it for that.
void report(const std::string& function, const std::string& direction, const Outcome& outcome, double bound);

/// Puts what report() kept into the record, in the place of rows of the same function and direction.
void write_record();

}  // namespace kachel_test
