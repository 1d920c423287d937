#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Triton kernel by hand, hardtanh and hardsigmoid: the fastest of blocks of 256 to 8192 and of 4 and 8 warps.

The row's label says which. TRITON_INTERPRET=1 and --device=cpu check the results, not the speed, without a GPU.
"""
import torch
import triton
import triton.language as tl

import harness


@triton.jit
def clamp(v, low: tl.constexpr, high: tl.constexpr):
    # Not tl.clamp, which Triton 3.9 cannot compile for doubles between -1 and 1.
    v = tl.maximum(v, tl.full(v.shape, low, v.dtype), propagate_nan=tl.PropagateNan.ALL)
    return tl.minimum(v, tl.full(v.shape, high, v.dtype), propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def elementwise(y, x, n, hardsigmoid: tl.constexpr, compute: tl.constexpr, block: tl.constexpr):
    i = tl.program_id(0) * block + tl.arange(0, block)
    inside = i < n
    v = tl.load(x + i, mask=inside).to(compute)
    if hardsigmoid:
        v = clamp(v + 3, 0.0, 6.0) * (1.0 / 6)
    else:
        v = clamp(v, -1.0, 1.0)
    tl.store(y + i, v.to(y.dtype.element_ty), mask=inside)


def launcher(operation, block, warps):
    def run(y, x):
        compute = tl.float64 if x.dtype == torch.float64 else tl.float32
        grid = (triton.cdiv(x.numel(), block),)
        elementwise[grid](y, x, x.numel(), operation == "hardsigmoid", compute, block, num_warps=warps)
        return y

    return run


bench = harness.Bench(__doc__, versions=(f"triton {triton.__version__}",))
for case in bench.cases():
    case.fastest(
        "triton",
        {
            f"block={block} warps={warps}": launcher(case.operation, block, warps)
            for block in (256, 512, 1024, 2048, 4096, 8192)
            for warps in (4, 8)
        },
    )
bench.finish()
