#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every activation that PyTorch shares with Kachel, on a CPU, into a given tensor: out of cache and in cache.

Functions without an `out=` do as PyTorch's own do, with their outputs given; where those are several passes, the row's
label says so; `prelu` has nothing of the sort, and makes its output. Where the Python package kachel is, its functions run
beside PyTorch's. In cache a measurement is 200 calls from Python, of
which each takes its time.
"""
import functools
import math

import torch

import harness

kachel = harness.optional("kachel")

nn = torch._C._nn  # what torch.nn.functional calls


def softsign(y, x):
    torch.abs(x, out=y)
    return torch.div(x, y.add_(1), out=y)


def tanhshrink(y, x):
    return torch.sub(x, torch.tanh(x, out=y), out=y)


@functools.cache
def slope(dtype):
    return torch.full((1,), 0.25, dtype=dtype)


# of the defaults
OUT = {
    "hardtanh": lambda y, x: nn.hardtanh(x, -1, 1, out=y),
    "hardsigmoid": lambda y, x: nn.hardsigmoid(x, out=y),
    "relu": lambda y, x: torch.clamp_min(x, 0, out=y),
    "relu6": lambda y, x: nn.hardtanh(x, 0, 6, out=y),
    "clamp": lambda y, x: torch.clamp(x, -math.inf, math.inf, out=y),
    "hardshrink": lambda y, x: torch.ops.aten.hardshrink.out(x, out=y),
    "softshrink": lambda y, x: nn.softshrink(x, out=y),
    "threshold": lambda y, x: torch.ops.aten.threshold.out(x, 0, 0, out=y),
    "leaky_relu": lambda y, x: nn.leaky_relu(x, out=y),
    "rrelu": lambda y, x: nn.leaky_relu(x, (1 / 8 + 1 / 3) / 2, out=y),
    "hardswish": lambda y, x: nn.hardswish(x, out=y),
    "sigmoid": lambda y, x: torch.sigmoid(x, out=y),
    "tanh": lambda y, x: torch.tanh(x, out=y),
    "exp": lambda y, x: torch.exp(x, out=y),
    "log": lambda y, x: torch.log(x, out=y),
    "elu": lambda y, x: nn.elu(x, out=y),
    "selu": lambda y, x: nn.elu(x, 1.6732632423543772, 1.0507009873554805, out=y),
    "celu": lambda y, x: nn.elu(x, 1, 1, 1, out=y),
    "gelu": lambda y, x: nn.gelu(x, out=y),
    "gelu_tanh": lambda y, x: nn.gelu(x, approximate="tanh", out=y),
    "silu": lambda y, x: nn.silu(x, out=y),
    "mish": lambda y, x: nn.mish(x, out=y),
    "logsigmoid": lambda y, x: nn.log_sigmoid(x, out=y),
    "softplus": lambda y, x: nn.softplus(x, out=y),
    "softsign": softsign,
    "tanhshrink": tanhshrink,
    "prelu": lambda y, x: torch.prelu(x, slope(x.dtype)),
}
GIVEN = {"threshold": lambda dtype: (0, 0), "prelu": lambda dtype: (slope(dtype),)}  # what has no default
LABELS = {"softsign": "three passes", "tanhshrink": "two passes", "prelu": "its output is not given"}

bench = harness.Bench(__doc__, devices=("cpu",), only="an activation's name")
chosen = {name: run for name, run in OUT.items() if bench.options.only in (None, name)}
for n, calls in ((bench.n, 1), (1 << 14, 200), (1 << 16, 200)) if chosen else ():
    for name in harness.TYPES if n == bench.n else ("float", "half", "bfloat16"):
        x, y = bench.operands(name, n)
        for activation, run in chosen.items():
            case = bench.activation(activation, name, lambda x: run(torch.empty_like(x), x), x, y, calls=calls)
            case.row("pytorch_out", run, label=LABELS.get(activation, ""))
            if own := getattr(kachel, activation, None):
                given = GIVEN.get(activation, lambda dtype: ())(x.dtype)
                case.row("kachel_python", lambda y, x: own(x, *given, out=y))
bench.finish()
