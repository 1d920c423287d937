#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA Tile for Python, hardtanh and hardsigmoid: the fastest of tiles of 256 to 16384 elements.

The row's label says which. Needs a GPU.
"""
import cuda.tile as ct
import torch

import harness

COMPILER = ("nvidia-cuda-tileiras", "nvidia-cuda-nvcc", "nvidia-nvvm")


@ct.kernel
def hardtanh(y, x, tile: ct.Constant[int]):
    i = ct.bid(0)
    v = ct.astype(ct.load(x, index=(i,), shape=(tile,)), ct.float64 if x.dtype == ct.float64 else ct.float32)
    v = ct.minimum(ct.maximum(v, -1.0, propagate_nan=True), 1.0, propagate_nan=True)
    ct.store(y, index=(i,), tile=ct.astype(v, y.dtype))


@ct.kernel
def hardsigmoid(y, x, tile: ct.Constant[int]):
    i = ct.bid(0)
    v = ct.astype(ct.load(x, index=(i,), shape=(tile,)), ct.float32)
    v = ct.minimum(ct.maximum(v + 3.0, 0.0, propagate_nan=True), 6.0, propagate_nan=True) * (1.0 / 6)
    ct.store(y, index=(i,), tile=ct.astype(v, y.dtype))




@ct.kernel
def hardsigmoid_of_double(y, x, tile: ct.Constant[int]):
    """By a division: a factor of 1 / 6 would be that of float."""
    i = ct.bid(0)
    v = ct.load(x, index=(i,), shape=(tile,))
    v = ct.minimum(ct.maximum(v + 3.0, 0.0, propagate_nan=True), 6.0, propagate_nan=True) / 6.0
    ct.store(y, index=(i,), tile=v)


def launcher(kernel, tile):
    def run(y, x):
        grid = (ct.cdiv(x.numel(), tile), 1, 1)
        ct.launch(torch.cuda.current_stream(), grid, kernel, (y, x, tile))
        return y

    return run


def kernel_of(case):
    if case.operation == "hardtanh":
        return hardtanh
    return hardsigmoid_of_double if case.type == "double" else hardsigmoid


bench = harness.Bench(__doc__, versions=harness.installed("cuda-tile", *COMPILER), devices=("cuda",))
for case in bench.cases():
    kernel = kernel_of(case)
    case.fastest("cuda_tile", {f"tile={2**k}": launcher(kernel, 2**k) for k in range(8, 15)})
bench.finish()
