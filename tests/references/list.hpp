// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The reference of every activation in kachel/activations/list.hpp.
#pragma once

#include <references/hardsigmoid.hpp>
#include <references/hardsigmoid_affine.hpp>
#include <references/hardtanh.hpp>
