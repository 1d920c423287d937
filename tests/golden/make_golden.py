#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the golden values to golden.tar.xz: what PyTorch's CPU kernels give, as bits in hexadecimal.

An element type has a file. Its first line names the version of PyTorch. Every further one is a column: its name, then
its values. Run with the version that is to be the reference, and commit what changes:

    python3 make_golden.py

With --exhaustive nothing is written: PyTorch's hardsigmoid of all 2^32 floats is compared with float32 arithmetic,
min(max(x + 3, 0), 6) / 6, to which the C++ tests hold kachel::hardsigmoid.
"""
import io
import pathlib
import sys
import tarfile

import numpy
import torch

F = torch.nn.functional
# of clamp and the shrinks with parameters that each type holds: PyTorch rounds them to the tensor's type, of clamp for the
# derivative alone
COLUMNS = {
    "hardtanh": F.hardtanh,
    "hardtanh(-0.3,0.7)": lambda x: F.hardtanh(x, -0.3, 0.7),
    "hardsigmoid": F.hardsigmoid,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "exp": torch.exp,
    "log": torch.log,
    "relu": F.relu,
    "relu6": F.relu6,
    "clamp(0,inf)": lambda x: torch.clamp(x, min=0),
    "clamp(-inf,0.75)": lambda x: torch.clamp(x, max=0.75),
    "clamp(-0.25,0.75)": lambda x: torch.clamp(x, -0.25, 0.75),
    "clamp(0.75,-0.25)": lambda x: torch.clamp(x, 0.75, -0.25),
    "hardshrink": F.hardshrink,
    "hardshrink(0.75)": lambda x: F.hardshrink(x, 0.75),
    "hardshrink(-1)": lambda x: F.hardshrink(x, -1),
    "softshrink": F.softshrink,
    "softshrink(0.75)": lambda x: F.softshrink(x, 0.75),
    "threshold": lambda x: F.threshold(x, 0, 0),
    "threshold(0.3,-7)": lambda x: F.threshold(x, 0.3, -7),
    "leaky_relu": F.leaky_relu,
    "leaky_relu(-0.3)": lambda x: F.leaky_relu(x, -0.3),
    "rrelu": F.rrelu,
    "rrelu(0.1,0.4)": lambda x: F.rrelu(x, 0.1, 0.4),
    "hardswish": F.hardswish,
    "elu": F.elu,
    "elu(0.75)": lambda x: F.elu(x, 0.75),
    "selu": F.selu,
    "celu": F.celu,
    "celu(0.75)": lambda x: F.celu(x, 0.75),
    "silu": F.silu,
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "mish": F.mish,
    "logsigmoid": F.logsigmoid,
    "softplus": F.softplus,
    "softplus(2,5)": lambda x: F.softplus(x, 2, 5),
    "softsign": F.softsign,
    "tanhshrink": F.tanhshrink,
    "prelu(0.75)": lambda x: F.prelu(x, torch.tensor([0.75], dtype=x.dtype)),
}
# functions of which the derivative at x, times dy, makes a column; where x is NaN it has PyTorch's number, which depends on
# the element's place
BACKWARD_COLUMNS = {f"{name}_backward": function for name, function in COLUMNS.items()}
# torch type, integer type of the same size, bits, fraction bits, random inputs
TYPES = {
    "float": (torch.float32, torch.int32, 32, 23, 250),
    "double": (torch.float64, torch.int64, 64, 52, 130),
    "half": (torch.float16, torch.int16, 16, 10, 250),
    "bfloat16": (torch.bfloat16, torch.int16, 16, 7, 250),
}


def inputs(dtype, integer, bits, fraction_bits, random_count):
    """Every special value with its neighbours, then random numbers in the interesting range and random bits."""
    one = torch.tensor(1, dtype=dtype).view(integer).item()
    infinity = torch.tensor(float("inf"), dtype=dtype).view(integer).item()
    centres = [0, 1 << fraction_bits, infinity, infinity | 1 << (fraction_bits - 1)]
    for value in (0.3, 0.5, 0.7, 1, 1.5, 2, 3, 6):
        centres.append(torch.tensor(value, dtype=torch.float64).to(dtype).view(integer).item())
    patterns = {max(centre + step, 0) for centre in centres for step in range(-4, 5)}
    generator = numpy.random.default_rng(2015)
    values = torch.from_numpy(generator.uniform(-4, 4, random_count)).to(dtype)
    patterns |= {pattern & ((1 << (bits - 1)) - 1) for pattern in values.view(integer).tolist()}
    patterns |= set(generator.integers(0, 1 << (bits - 1), random_count // 4, dtype=numpy.uint64).tolist())
    patterns |= set(range(one, one + (3 << fraction_bits), (3 << fraction_bits) // 64 + 1))
    signed = sorted(patterns)
    signed += [pattern - (1 << (bits - 1)) for pattern in signed]
    return torch.tensor(signed, dtype=integer).view(dtype)


def gradients(x):
    """As many numbers as x has: each of the special ones at every kind of x, and random ones."""
    dy = torch.from_numpy(numpy.random.default_rng(2026).uniform(-4, 4, len(x))).to(x.dtype)
    special = (0.0, -0.0, float("inf"), float("-inf"), float("nan"), torch.finfo(x.dtype).tiny, torch.finfo(x.dtype).max)
    for place, value in enumerate(special):
        dy[place :: 3 * len(special)] = value
    return dy


def derivative(function, dy, x):
    leaf = x.clone().requires_grad_()
    function(leaf).backward(dy)
    return leaf.grad


def hexadecimal(values, integer, bits):
    mask = (1 << bits) - 1
    return [f"{pattern & mask:0{bits // 4}x}" for pattern in values.view(integer).tolist()]


def add(archive, name, text):
    """A file without a date or an owner, so that the same values give the same archive."""
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(text), 0o644
    archive.addfile(member, io.BytesIO(text.encode()))


def write(archive):
    for name, (dtype, integer, bits, fraction_bits, random_count) in TYPES.items():
        x = inputs(dtype, integer, bits, fraction_bits, random_count)
        columns = [hexadecimal(x, integer, bits)]
        columns += [hexadecimal(function(x), integer, bits) for function in COLUMNS.values()]
        dy = gradients(x)
        columns.append(hexadecimal(dy, integer, bits))
        columns += [hexadecimal(derivative(function, dy, x), integer, bits) for function in BACKWARD_COLUMNS.values()]
        lines = [f"PyTorch {torch.__version__}"]
        lines += [" ".join([name, *column]) for name, column in zip(["x", *COLUMNS, "dy", *BACKWARD_COLUMNS], columns)]
        add(archive, f"{name}.txt", "\n".join(lines) + "\n")
        print(f"{name}: {len(x)} inputs")


def exhaustive():
    wrong = 0
    chunk = 1 << 26
    for begin in range(0, 1 << 32, chunk):
        x = numpy.arange(begin, begin + chunk, dtype=numpy.uint64).astype(numpy.uint32).view(numpy.float32)
        with numpy.errstate(invalid="ignore"):
            total = x + numpy.float32(3)
            expected = numpy.minimum(numpy.maximum(total, numpy.float32(0)), numpy.float32(6)) / numpy.float32(6)
        actual = F.hardsigmoid(torch.from_numpy(x)).numpy()
        equal = expected.view(numpy.uint32) == actual.view(numpy.uint32)
        wrong += int(numpy.count_nonzero(~(equal | (numpy.isnan(expected) & numpy.isnan(actual)))))
    print(f"hardsigmoid, float32, PyTorch {torch.__version__}: {wrong} of {1 << 32} inputs differ from t / 6")
    return wrong


if __name__ == "__main__":
    if "--exhaustive" in sys.argv[1:]:
        sys.exit(exhaustive() != 0)
    with tarfile.open(pathlib.Path(__file__).parent / "golden.tar.xz", "w:xz", preset=9) as archive:
        write(archive)
