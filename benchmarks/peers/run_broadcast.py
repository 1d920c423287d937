#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of an array and a small one that repeats along it, the rows that kachel_bench has: PyTorch, and torch.compile.

torch.compile is the faster of its modes "default" and "max-autotune-no-cudagraphs"; the row's label says which. The
product is PyTorch's into a given tensor; gelu(x + w) gives new ones.
"""
import functools

import torch
import torch.nn.functional as F

import harness

MODES = ("default", "max-autotune-no-cudagraphs")


def scale(x, w):
    return w * x


def bias_gelu(x, w):
    return F.gelu(x + w)


def is_right(function, w, x, y):
    """Of each part of y along its first dimension whether it is near to function(x, w) in double, by parts that are small
    beside the GPU's memory."""
    parts = zip(*(each.split(max(1, harness.CHUNK // x[0].numel())) for each in (x, w.expand_as(x), y)))
    return torch.cat([
        harness.is_near(functools.partial(function, w=of_w.double()), of_x, of_y).flatten(1).all(1)
        for of_x, of_w, of_y in parts
    ])


def compiled(function, w, mode):
    of_both = torch.compile(function, mode=mode, dynamic=False)
    return lambda y, x: of_both(x, w)


bench = harness.Bench(__doc__, versions=harness.installed("triton"))
side = 512 if bench.n >= 2**28 else 32
matrix = bench.rows, bench.columns
images = max(1, bench.n // 6 * 7 // (64 * side**2)), 64, side, side
KINDS = {"row": (matrix, (bench.columns,)), "column": (matrix, (bench.rows, 1)), "channel": (images, (64, 1, 1))}
for function in scale, bias_gelu:
    for name in "float", "bfloat16":
        for kind, (shape, repeated) in KINDS.items():
            x, y = (each.view(shape) for each in bench.operands(name, torch.Size(shape).numel()))
            w = torch.empty(torch.Size(repeated).numel(), dtype=x.dtype, device=x.device)
            harness.fill(w)
            w[~w.isfinite()] = 1
            w = w.view(repeated)
            case = harness.Case(
                bench, f"broadcast/{function.__name__}/{name}/{kind}", x, y, functools.partial(is_right, function, w),
                function.__name__, name,
            )
            if function is scale:
                case.row("pytorch_out", lambda y, x: torch.mul(x, w, out=y))
            else:
                case.row("pytorch", lambda y, x: function(x, w))
            if bench.on_gpu:
                torch.compiler.reset()
                case.fastest("pytorch_compile", {mode: compiled(function, w, mode) for mode in MODES})
bench.finish()
