// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The whole library.
#pragma once

// The layers, each built on those above it.
// clang-format off
#include <kachel/version.hpp>
#include <kachel/detail/math/bit_cast.hpp>
#include <kachel/math/select.hpp>
#include <kachel/math/fma.hpp>
#include <kachel/detail/math/round_to_odd.hpp>
#include <kachel/math/reciprocal.hpp>
#include <kachel/math/square_root.hpp>
#include <kachel/math/exp.hpp>
#include <kachel/math/log.hpp>
#include <kachel/math/gelu.hpp>
#include <kachel/math/mish.hpp>
#include <kachel/math/narrow.hpp>
#include <kachel/math/normal_cdf.hpp>
#include <kachel/math/sigmoid.hpp>
#include <kachel/math/tanh.hpp>
#include <kachel/detail/math/from_16_bits.hpp>
#include <kachel/types/half.hpp>
#include <kachel/types/bfloat16.hpp>
#include <kachel/detail/types/convert.hpp>
#include <kachel/types/element.hpp>
#include <kachel/contract.hpp>
#include <kachel/schedule.hpp>
#include <kachel/pack.hpp>
#include <kachel/pack_math.hpp>
#include <kachel/tile.hpp>
#include <kachel/for_tiles.hpp>
#include <kachel/map.hpp>
#include <kachel/explain.hpp>
#include <kachel/softmax.hpp>
#include <kachel/activations/list.hpp>
#include <kachel/activations/prelu.hpp>
// clang-format on
