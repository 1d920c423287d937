// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: kachel: an activation's parameters are expected in braces, each by its name
#include <kachel/kachel.hpp>

void call(kachel::Pack<float, 4> p) { kachel::leaky_relu_backward(p, p, 0.1); }
