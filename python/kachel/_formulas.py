# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's functions of the same names: what second and further derivatives are computed by."""

import torch
import torch.nn.functional as F

_aten = torch.ops.aten

# Each activation, of x and its parameters in their order.
_FUNCTIONS = {
    "celu": F.celu,
    "clamp": torch.clamp,
    "elu": F.elu,
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "hardshrink": F.hardshrink,
    "hardsigmoid_affine": lambda x, alpha, beta: torch.clamp(alpha * x + beta, 0, 1),
    "hardswish": F.hardswish,
    "hardtanh": F.hardtanh,
    "leaky_relu": F.leaky_relu,
    "log": torch.log,
    "logsigmoid": F.logsigmoid,
    "mish": F.mish,
    "quick_gelu": lambda x: x * torch.sigmoid(1.702 * x),
    "relu_squared": lambda x: F.relu(x).square(),
    "rrelu": lambda x, lower, upper: F.leaky_relu(x, (lower + upper) / 2),
    "selu": F.selu,
    "silu": lambda x, beta: x * torch.sigmoid(beta * x),
    "softplus": F.softplus,
    "softshrink": F.softshrink,
    # F.softsign has abs, whose second derivative PyTorch 2.11 does not trace.
    "softsign": lambda x: x / (1 + x * x.sign()),
    "squareplus": lambda x, b: (x + torch.sqrt(x * x + b)) / 2,
    "tanhshrink": F.tanhshrink,
    "threshold": F.threshold,
}

# The derivatives of those that save their output: dx of dy, y and the parameters.
_FROM_OUTPUT = {
    "exp": lambda dy, y: dy * y,
    "hardsigmoid": lambda dy, y: torch.where((y > 0) & (y < 1), dy / 6, 0),
    "hardtanh": _aten.hardtanh_backward,
    "leaky_relu": lambda dy, y, negative_slope: _aten.leaky_relu_backward(dy, y, negative_slope, True),
    "relu": lambda dy, y: _aten.threshold_backward(dy, y, 0),
    "relu6": lambda dy, y: _aten.hardtanh_backward(dy, y, 0, 6),
    "selu": lambda dy, y: _aten.elu_backward(dy, 1.6732632423543772, 1.0507009873554805, 1, True, y),
    "softmax": lambda dy, y: _aten._softmax_backward_data(dy, y, -1, y.dtype),
    "sigmoid": lambda dy, y: _aten.sigmoid_backward(dy, y),
    "tanh": lambda dy, y: _aten.tanh_backward(dy, y),
}


def derivative(name, values, from_output):
    """dx of dy and of what is saved, x or y, as a function that PyTorch differentiates."""
    if from_output:
        return lambda dy, y: _FROM_OUTPUT[name](dy, y, *values)
    function = _FUNCTIONS[name]
    return lambda dy, x: torch.func.vjp(lambda x: function(x, *values), x)[1](dy)[0]
