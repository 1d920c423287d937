#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The activations of KernelBench's level 1, as its references write them: by PyTorch, and by torch.compile.

torch.compile is the faster of its modes "default" and "max-autotune-no-cudagraphs"; the row's label says which. Outputs
are new tensors, as there. Inputs are those of kachel_bench; KernelBench draws them from 0 to 1.
"""
import math

import torch
import torch.nn.functional as F

import harness


def new_gelu(x):
    """minGPT's."""
    return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))


# the problem, the activation's name here, PyTorch's reference
WIDE = (
    ("19 ReLU", "relu", torch.relu),
    ("20 LeakyReLU", "leaky_relu", lambda x: F.leaky_relu(x, negative_slope=0.01)),
    ("21 Sigmoid", "sigmoid", torch.sigmoid),
    ("22 Tanh", "tanh", torch.tanh),
    ("25 Swish", "silu", lambda x: x * torch.sigmoid(x)),
    ("26 GELU", "gelu", F.gelu),
    ("27 SELU", "selu", torch.selu),
    ("28 HardSigmoid", "hardsigmoid", F.hardsigmoid),
    ("29 Softplus", "softplus", F.softplus),
    ("30 Softsign", "softsign", lambda x: x / (1 + torch.abs(x))),
    ("31 ELU", "elu", lambda x: F.elu(x, alpha=1.0)),
    ("32 HardTanh", "hardtanh", lambda x: F.hardtanh(x, min_val=-1.0, max_val=1.0)),
)
SQUARE = (("88 MinGPTNewGelu", "gelu_tanh", new_gelu),)
MODES = ("default", "max-autotune-no-cudagraphs")


def compiled(function, mode):
    of_x = torch.compile(function, mode=mode, dynamic=False)
    return lambda y, x: of_x(x)


bench = harness.Bench(__doc__, versions=harness.installed("triton"))
for type_name in ("float", "half", "bfloat16"):
    for n, problems in (bench.n, WIDE), (8192 * 8192, SQUARE):
        x, y = bench.operands(type_name, n)
        for problem, activation, function in problems:
            case = bench.activation(activation, type_name, function, x, y, fields={"problem": problem})
            case.row("pytorch", lambda y, x: function(x))
            torch.compiler.reset()
            case.fastest("pytorch_compile", {mode: compiled(function, mode) for mode in MODES})
bench.finish()
