#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax of the rows that kachel_bench has: PyTorch into a given tensor, and on a GPU torch.compile, Liger and QuACK.

torch.compile is the faster of its modes "default" and "max-autotune-no-cudagraphs"; the row's label says which. Liger,
QuACK and the Python package kachel take part where they are installed.
"""
import importlib.util

import torch

import harness

kachel = harness.optional("kachel")

LENGTHS = (10, 40, 49, 256, 577, 768, 1000, 1001, 1024, 2048, 8192, 12288, 32768, 50257, 128256)
TOLERANCES = {"float": (1e-5, 0), "half": (2**-9, 2**-23), "bfloat16": (2**-6, 0)}


def is_right(type_name, x, y):
    """Of each row of y whether it is near to softmax in double."""
    relative, absolute = TOLERANCES[type_name]
    return torch.isclose(y.double(), torch.softmax(x.double(), -1), relative, absolute).all(-1)


def compiled():
    runs = {}
    for mode in ("default", "max-autotune-no-cudagraphs"):
        of_x = torch.compile(lambda x: torch.softmax(x, -1), mode=mode, dynamic=False)
        runs[mode] = lambda y, x, of_x=of_x: of_x(x)
    return runs


def others():
    """What is installed, by name, as functions of x."""
    found = {}
    if importlib.util.find_spec("liger_kernel"):
        from liger_kernel.ops.softmax import LigerSoftmaxFunction

        found["liger"] = LigerSoftmaxFunction.apply
    if importlib.util.find_spec("quack"):
        from quack.softmax import softmax

        found["quack"] = softmax
    return found


def beyond(candidate, length, size):
    """Why a candidate has no rows of `length` elements, if so."""
    if candidate == "liger" and length > 65536:
        return "has rows of at most 65536 elements"
    if candidate == "quack" and length * size % 16:
        return "has rows of whole 16 bytes"
    return None


bench = harness.Bench(
    __doc__,
    versions=harness.installed("triton", "liger_kernel", "quack-kernels"),
    only="rows of so many elements, as in 577,1001",
)
lengths = LENGTHS if bench.options.only is None else [int(length) for length in bench.options.only.split(",")]
most = min(bench.n, 2**28 if bench.on_gpu else 2**25)
for name in TOLERANCES:
    for length in lengths:
        rows = max(1, most >> (length - 1).bit_length())
        x, y = (each.view(rows, length) for each in bench.operands(name, rows * length))
        x[~x.isfinite()] = 1
        case = harness.Case(
            bench, f"softmax/{name}/{rows}x{length}", x, y, lambda x, y: is_right(name, x, y), "softmax", name
        )
        case.row("pytorch_out", lambda y, x: torch.softmax(x, -1, out=y))
        if kachel:
            case.row("kachel_python", lambda y, x: kachel.softmax(x, -1, out=y))
        if bench.on_gpu:
            torch.compiler.reset()
            case.fastest("pytorch_compile", compiled())
            for candidate, run in others().items():
                if limit := beyond(candidate, length, x.element_size()):
                    case.error(candidate, limit, known=True)
                else:
                    case.row(candidate, lambda y, x: run(x))
bench.finish()
