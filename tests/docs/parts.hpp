// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of the documents' C++ that is no whole program. It is compiled, and never run.
#pragma once

#include <kachel/kachel.hpp>

#include <tuple>

extern const Kokkos::DefaultExecutionSpace space;
extern const Kokkos::View<float*> x, y, dx, dy, w, dw;
