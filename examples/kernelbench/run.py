#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kachel's answers to the 13 activations of KernelBench's level 1, in KernelBench's own harness.

Each answer, the ModelNew of a file beside this one, is judged by the harness: eval_kernel_against_ref, five trials. Then
its timing by CUDA events times ModelNew, the reference Model, Model under torch.compile in two modes, and kernels by hand
for HardTanh and HardSigmoid, in turns, another one first in each: a GPU at its limit of power slows whoever comes later.
A run's ratio is of medians. Three differences: inputs are drawn on the GPU, as a CPU takes 10 s for each; all
times of the harness are kept, which itself rounds their mean to three digits; its static check is left out, as it
expects a kernel's source in the answer. Beside each time is the greatest error against the reference in double. An answer
is wrong too where that exceeds what Kachel promises.
"""
import argparse
import contextlib
import ctypes
import datetime
import io
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import types

import torch

HERE = pathlib.Path(__file__).resolve().parent
ACTIVATIONS = HERE.parents[1] / "include/kachel/activations"
TYPES = {"float": torch.float32, "half": torch.float16, "bfloat16": torch.bfloat16}
MODES = {"compile": "default", "compile_autotune": "max-autotune-no-cudagraphs"}
HANDWRITTEN = {"32_HardTanh": "hardtanh", "28_HardSigmoid": "hardsigmoid"}
TRIALS = 5  # of a turn
CHECKED = 1 << 24  # elements of which errors are measured
DIGITS = {torch.float32: 23, torch.float16: 10, torch.bfloat16: 7}
# In double PyTorch's own has a sixth that is rounded to a float.
EXACT = {"28_HardSigmoid": lambda x: (x + 3).clamp(0, 6) / 6}
LEAST = {torch.float32: -149, torch.float16: -24, torch.bfloat16: -133}


def load_harness(folder):
    """KernelBench's modules eval and timing."""
    # Its modules import these to ask language models, which nothing here does.
    for name, members in {"openai": ["OpenAI"], "litellm": ["completion"], "dotenv": ["load_dotenv"]}.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(dict.fromkeys(members, lambda *arguments, **named: None))
    sys.path.insert(0, str(folder / "src"))
    from kernelbench import eval, timing

    return eval, timing


def handwritten(name):
    """Kernels by hand as functions of a tensor: of one element a thread, and of four."""
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder, "handwritten.so")
        capability = "sm_{}{}".format(*torch.cuda.get_device_capability())
        source = str(HERE / "handwritten.cu")
        subprocess.run(["nvcc", "-O3", "-shared", "-Xcompiler=-fPIC", f"-arch={capability}", "-o", library, source], check=True)
        function = getattr(ctypes.CDLL(library), name)
    function.argtypes = ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p

    def call(is_scalar, x):
        y = torch.empty_like(x)
        function(is_scalar, y.data_ptr(), x.data_ptr(), x.numel(), torch.cuda.current_stream().cuda_stream)
        return y

    return {"scalar": lambda x: call(True, x), "four": lambda x: call(False, x)}


def greatest_error(model, x):
    """In units of the last place of the type of x, of the model in double, whose own steps are below them."""
    x = x.flatten()[:CHECKED]
    exact = model(x.double())
    exponent = torch.frexp(exact.abs()).exponent - 1 - DIGITS[x.dtype]
    unit = torch.ldexp(torch.ones_like(exact), exponent.clamp(min=LEAST[x.dtype]))
    return lambda candidate: ((candidate(x).double() - exact).abs() / unit).max().item()


def promised_error(problem, dtype):
    """That of the activation which an answer calls, in the same units; in 16 bits the rounding's alone."""
    (activation,) = re.findall(r"return kachel\.(\w+)", problem.read_text())
    (ulp,) = re.findall(r"\.ulp = ([\d.]+)", (ACTIVATIONS / f"{activation}.hpp").read_text())
    return float(ulp) if dtype == torch.float32 else 0.5


def run(harness, timing, problem, dtype, options):
    """The result of the harness, and of each candidate its times in ms, of each run."""
    reference = next((options.kernelbench / "KernelBench/level1").glob(f"{problem.stem}.py")).read_text()
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        judged = harness.eval_kernel_against_ref(
            reference, problem.read_text(), num_correct_trials=5, precision=dtype, device=torch.device("cuda:0")
        )
    if not (judged and judged.compiled and judged.correctness):
        return judged, {}, {}
    context, own = {}, {}
    exec(reference, context)
    exec(problem.read_text(), own)
    arguments = context["get_init_inputs"]()
    torch.manual_seed(42)
    (x,) = (each.to("cuda", dtype) for each in context["get_inputs"]())
    model = context["Model"](*arguments).cuda()
    candidates = {"kachel": own["ModelNew"](*arguments).cuda(), "eager": model}
    error = greatest_error(EXACT.get(problem.stem, model), x)
    errors = {name: error(candidate) for name, candidate in candidates.items()}
    torch.compiler.reset()
    candidates.update((name, torch.compile(model, mode=mode, dynamic=False)) for name, mode in MODES.items())
    if dtype == torch.float32 and problem.stem in HANDWRITTEN:
        candidates.update(handwritten(HANDWRITTEN[problem.stem]))
    times = {name: [[] for _ in range(options.runs)] for name in candidates}
    with torch.no_grad(), contextlib.redirect_stdout(said):
        for run in range(options.runs):
            for turn in range(options.turns):
                order = list(candidates.items())
                for name, candidate in order[turn % len(order) :] + order[: turn % len(order)]:
                    times[name][run] += timing.time_execution_with_cuda_event(
                        candidate, [x], num_trials=TRIALS, verbose=False, device=torch.device("cuda:0")
                    )
    return judged, times, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernelbench", type=pathlib.Path, help="a clone of KernelBench")
    parser.add_argument("--types", nargs="+", choices=TYPES, default=list(TYPES))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--turns", type=int, default=10, help=f"of each candidate in a run, with {TRIALS} trials each")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="results in Google Benchmark's JSON")
    options = parser.parse_args()
    harness, timing = load_harness(options.kernelbench)
    torch.set_default_device("cuda")
    rows, failures = [], 0
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    for type_name in options.types:
        for problem in sorted(HERE.glob("[0-9]*.py")):
            judged, times, errors = run(harness, timing, problem, TYPES[type_name], options)
            if not times:
                failures += 1
                print(f"{problem.stem} {type_name}: wrong: {judged}", flush=True)
                continue
            promised = promised_error(problem, TYPES[type_name])
            if errors["kachel"] > promised * (1 + 1e-6):  # the reference is rounded to a double
                failures += 1
                print(f"{problem.stem} {type_name}: an error of {errors['kachel']} ulp, promised {promised}", flush=True)
            medians = {name: [statistics.median(of_run) for of_run in runs] for name, runs in times.items()}
            rivals = [name for name in medians if name == "eager" or name in MODES]
            ratios = [
                own / min(of_rivals)
                for own, *of_rivals in zip(medians["kachel"], *(medians[name] for name in rivals))
            ]
            print(
                f"{problem.stem:16} {type_name:9} {judged.metadata.get('correctness_trials')} "
                + " ".join(f"{ratio:.4f}" for ratio in ratios)
                + "  "
                + ", ".join(f"{name} {statistics.median(of):.4f} ms" for name, of in medians.items())
                + "; ulp "
                + ", ".join(f"{name} {error:.2f}" for name, error in errors.items()),
                flush=True,
            )
            for name, of_runs in medians.items():
                row = {"median_us": statistics.median(of_runs) * 1000}
                if name in errors:
                    row["ulp"] = errors[name]
                if name == "kachel":
                    row["ratios"] = ratios
                rows.append({"name": f"harness/{problem.stem}/{type_name}/{name}", "run_type": "iteration", **row})
    if options.out:
        context = {
            "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
            "command": f"run.py KernelBench --runs={options.runs} --turns={options.turns}",
            "kachel_commit": os.environ.get("KACHEL_COMMIT", "unknown"),
            "machine": torch.cuda.get_device_name(),
            "versions": f"torch {torch.__version__}",
        }
        options.out.write_text(json.dumps({"context": context, "benchmarks": rows}, indent=1) + "\n")
    sys.exit(f"{failures} answers are wrong" if failures else 0)


if __name__ == "__main__":
    main()
