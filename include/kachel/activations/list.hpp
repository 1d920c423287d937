// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The list of the activations, over which the tests iterate.
#pragma once

#include <kachel/activations/celu.hpp>
#include <kachel/activations/clamp.hpp>
#include <kachel/activations/elu.hpp>
#include <kachel/activations/exp.hpp>
#include <kachel/activations/gelu.hpp>
#include <kachel/activations/gelu_tanh.hpp>
#include <kachel/activations/hardshrink.hpp>
#include <kachel/activations/hardsigmoid.hpp>
#include <kachel/activations/hardsigmoid_affine.hpp>
#include <kachel/activations/hardswish.hpp>
#include <kachel/activations/hardtanh.hpp>
#include <kachel/activations/leaky_relu.hpp>
#include <kachel/activations/log.hpp>
#include <kachel/activations/logsigmoid.hpp>
#include <kachel/activations/mish.hpp>
#include <kachel/activations/quick_gelu.hpp>
#include <kachel/activations/relu.hpp>
#include <kachel/activations/relu6.hpp>
#include <kachel/activations/relu_squared.hpp>
#include <kachel/activations/rrelu.hpp>
#include <kachel/activations/selu.hpp>
#include <kachel/activations/sigmoid.hpp>
#include <kachel/activations/silu.hpp>
#include <kachel/activations/softplus.hpp>
#include <kachel/activations/softshrink.hpp>
#include <kachel/activations/softsign.hpp>
#include <kachel/activations/squareplus.hpp>
#include <kachel/activations/tanh.hpp>
#include <kachel/activations/tanhshrink.hpp>
#include <kachel/activations/threshold.hpp>

namespace kachel {

/// Types, for a template to iterate over.
template <class... T>
struct TypeList {};

/// The functor of every activation.
using Activations =
    TypeList<HardTanh, HardSigmoid, HardSigmoidAffine, ReLU, ReLU6, Clamp, HardShrink, SoftShrink, Threshold, LeakyReLU,
             RReLU, ReLUSquared, HardSwish, Sigmoid, Tanh, Exp, Log, ELU, SELU, CELU, GELU, GELUTanh, QuickGELU, SiLU,
             Mish, LogSigmoid, Softplus, Softsign, TanhShrink, Squareplus>;

}  // namespace kachel
