// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What tests/layers must refuse.
#pragma once

#include <kachel/map.hpp>
