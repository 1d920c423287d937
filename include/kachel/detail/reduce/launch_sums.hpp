// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// launch_sums: sums over the elements of each channel, of the backend.
#pragma once

#include <kachel/detail/reduce/device.hpp>
#include <kachel/detail/reduce/host.hpp>
