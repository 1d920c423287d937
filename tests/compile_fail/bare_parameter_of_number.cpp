// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel: an activation's parameters are expected in braces, each by its name
#include <kachel/kachel.hpp>

float call(float x) { return 2 * kachel::leaky_relu_backward(x, x, 0.1f); }
