// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The reference of every activation in kachel/activations/list.hpp.
#pragma once

// References are called with double anywhere and with long double on hosts alone, of which nvcc warns; and that on a
// device constants have the digits of a double, which are enough there, for floats.
#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20011, 20014, 20208
#endif

#include <references/celu.hpp>
#include <references/clamp.hpp>
#include <references/elu.hpp>
#include <references/exp.hpp>
#include <references/gelu.hpp>
#include <references/gelu_tanh.hpp>
#include <references/hardshrink.hpp>
#include <references/hardsigmoid.hpp>
#include <references/hardsigmoid_affine.hpp>
#include <references/hardswish.hpp>
#include <references/hardtanh.hpp>
#include <references/leaky_relu.hpp>
#include <references/log.hpp>
#include <references/logsigmoid.hpp>
#include <references/mish.hpp>
#include <references/quick_gelu.hpp>
#include <references/relu.hpp>
#include <references/relu6.hpp>
#include <references/relu_squared.hpp>
#include <references/rrelu.hpp>
#include <references/selu.hpp>
#include <references/sigmoid.hpp>
#include <references/silu.hpp>
#include <references/softplus.hpp>
#include <references/softshrink.hpp>
#include <references/softsign.hpp>
#include <references/squareplus.hpp>
#include <references/tanh.hpp>
#include <references/tanhshrink.hpp>
#include <references/threshold.hpp>

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
