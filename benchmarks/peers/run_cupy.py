#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CuPy's ElementwiseKernel, hardtanh and hardsigmoid, and cupy.clip for hardtanh.

Needs a GPU. No rows of bfloat16, which CuPy does not take from PyTorch's tensors.
"""
import cupy
import torch

import harness

BODIES = {
    "hardtanh": "const C t = C(x); y = T(t < C(-1) ? C(-1) : (t > C(1) ? C(1) : t));",
    "hardsigmoid": "const C t = C(x) + C(3); y = T((t < C(0) ? C(0) : (t > C(6) ? C(6) : t)) * C(1.0 / 6));",
}


def elementwise(operation, compute):
    kernel = cupy.ElementwiseKernel(
        "T x", "T y", BODIES[operation], f"{operation}_{compute}", preamble=f"typedef {compute} C;"
    )

    def run(y, x):
        kernel(cupy.asarray(x), cupy.asarray(y))
        return y

    return run


def clip(y, x):
    cupy.clip(cupy.asarray(x), -1, 1, out=cupy.asarray(y))
    return y


bench = harness.Bench(__doc__, versions=(f"cupy {cupy.__version__}",), devices=("cuda",))
for case in bench.cases(types=("float", "half", "double")):
    case.row("cupy_elementwise", elementwise(case.operation, "double" if case.type == "double" else "float"))
    if case.operation == "hardtanh":
        case.row("cupy_clip", clip)
bench.finish()
