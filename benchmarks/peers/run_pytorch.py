#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's hardtanh and hardsigmoid: into a given tensor, into a new one, in place, and by torch.compile.

torch.compile is the faster of its modes "default" and "max-autotune-no-cudagraphs"; the row's label says which. Where
the Python package kachel is, its functions run beside them.
"""
import torch
import torch.nn.functional as F

import harness

kachel = harness.optional("kachel")

OUT = {
    "hardtanh": lambda y, x: torch.ops.aten.hardtanh.out(x, -1.0, 1.0, out=y),
    "hardsigmoid": lambda y, x: torch.ops.aten.hardsigmoid.out(x, out=y),
}
EAGER = {"hardtanh": F.hardtanh, "hardsigmoid": F.hardsigmoid}


def compiled(operation):
    runs = {}
    for mode in ("default", "max-autotune-no-cudagraphs"):
        of_x = torch.compile(EAGER[operation], mode=mode, dynamic=False)
        runs[mode] = lambda y, x, of_x=of_x: of_x(x)
    return runs


bench = harness.Bench(__doc__, versions=harness.installed("triton"))
for case in bench.cases():
    eager = EAGER[case.operation]
    case.row("pytorch_out", OUT[case.operation])
    case.row("pytorch", lambda y, x: eager(x))
    case.row("pytorch_in_place", lambda y, x: eager(x, inplace=True), in_place=True)
    if kachel:
        of_kachel = getattr(kachel, case.operation)
        case.row("kachel_python", lambda y, x: of_kachel(x, out=y))
    torch.compiler.reset()
    case.fastest("pytorch_compile", compiled(case.operation))
bench.finish()
