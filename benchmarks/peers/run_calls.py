#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call from Python costs the host: 1,024 floats, by Kachel, by PyTorch, and relu by PyTorch's three ways to give an
operation a gradient: a Function in Python, register_autograd, a Function in a C++ extension.

Of each: a call without a gradient, one with, and one with the backward pass after it. All in turn, in rounds; a row has
the median of the rounds.
"""
import argparse
import functools
import pathlib
import statistics
import time

import torch
import torch.nn.functional as F
from torch.utils import cpp_extension

import harness
import kachel

EXTENSION = """
#include <torch/extension.h>
struct Relu : torch::autograd::Function<Relu> {
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& x) {
    const at::AutoDispatchBelowADInplaceOrView guard;
    torch::Tensor y = at::relu(x);
    context->save_for_backward({y});
    return y;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list dy) {
    return {at::threshold_backward(dy[0], context->get_saved_variables()[0], 0)};
  }
};
torch::Tensor relu(const torch::Tensor& x) { return Relu::apply(x); }
"""
_relu, _relu_backward = torch.ops.aten.relu.default, torch.ops.aten.threshold_backward.default


class Relu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = _relu(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        return _relu_backward(dy, *ctx.saved_tensors, 0)


def registered():
    """relu as an operation of its own, with register_autograd. Its kernel is in Python, which a call pays too."""
    library = torch.library.Library("kachel_calls", "FRAGMENT")
    library.define("relu(Tensor x) -> Tensor")
    for key in "CPU", "CUDA":
        library.impl("relu", lambda x: _relu(x), key)
    torch.library.register_autograd(
        "kachel_calls::relu",
        lambda ctx, dy: _relu_backward(dy, *ctx.saved_tensors, 0),
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(output),
    )
    registered.library = library  # which ends with its operations
    return torch.ops.kachel_calls.relu.default


def both_ways(function, x, dy):
    function(x).backward(dy)


def microseconds(call, calls, wait):
    begin = time.perf_counter()
    for _ in range(calls):
        call()
    spent = time.perf_counter() - begin
    wait()
    return spent / calls * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--calls", type=int, default=500, help="in a round")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="results in Google Benchmark's JSON")
    options = parser.parse_args()
    extension = cpp_extension.load_inline("kachel_calls", EXTENSION, functions=["relu"])
    on_gpu = options.device == "cuda"
    wait = torch.cuda.synchronize if on_gpu else lambda: None
    candidates = {
        ("relu", "kachel"): kachel.relu,
        ("relu", "pytorch"): torch.relu,
        ("relu", "function"): Relu.apply,
        ("relu", "register_autograd"): registered(),
        ("relu", "extension"): extension.relu,
        ("gelu", "kachel"): kachel.gelu,
        ("gelu", "pytorch"): F.gelu,
        ("hardtanh", "kachel"): functools.partial(kachel.hardtanh, min_val=-2, max_val=2),
        ("hardtanh", "pytorch"): functools.partial(F.hardtanh, min_val=-2, max_val=2),
    }
    x = torch.randn(1024, device=options.device)
    leaf, dy = x.clone().requires_grad_(), torch.ones_like(x)
    cases = {
        (*name, way): call
        for name, function in candidates.items()
        for way, call in {
            "forward": functools.partial(function, x),
            "with_gradient": functools.partial(function, leaf),
            "both_ways": functools.partial(both_ways, function, leaf, dy),
        }.items()
    }
    times = {name: [] for name in cases}
    for round in range(options.rounds + 1):
        for name, call in cases.items():
            spent = microseconds(call, options.calls, wait)
            if round > 0:  # the first warms up
                times[name].append(spent)
    machine = harness.read_proc("/proc/cpuinfo", "model name")
    if on_gpu:
        machine += f", {torch.cuda.get_device_name()}"
    versions = f"torch {torch.__version__}"
    print(f"{machine}; {versions}")
    rows = []
    for (operation, candidate, way), of in times.items():
        median = statistics.median(of)
        row = {"q1": harness.quantile(of, 0.25), "q3": harness.quantile(of, 0.75)}
        name = f"python_calls/{options.device}/{operation}/{way}/{candidate}"
        rows.append({"name": name, "run_type": "iteration", "real_time": median, "time_unit": "us", "median_us": median, **row})
        print(f"{name:58} {median:8.2f} us  {row['q1']:.2f}-{row['q3']:.2f}")
    harness.write_results(options.out, machine, versions, rows)


if __name__ == "__main__":
    main()
