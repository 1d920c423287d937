# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads results: what a benchmark wrote, and what is kept of it in the repository.

A run is a dictionary from TIMES and REMARKS to what was measured. Its name has no suffix of Google Benchmark's.
"""
import json
import lzma

# What is kept of a result: of the file, of every row, of the rows that have it.
CONTEXT = "command compiler cuda_runtime date execution_space kachel_commit kokkos machine nvcc tuning versions".split()
TIMES = "x_copy x_copy_q1 x_copy_q3 median_us copy_us GB/s".split()
REMARKS = "above_ns formula_far problem label ratios ulp error_occurred error_message".split()
DIGITS = 6  # of a kept number: tables show four at most


def rounded(number):
    if type(number) is list:
        return [rounded(each) for each in number]
    return float(f"{number:.{DIGITS}g}") if type(number) is float else number


def read(path):
    """The context of a result and its runs by name, from what a benchmark wrote, or from what pack made of that."""
    data = json.loads(lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes())
    if "benchmarks" not in data:
        return data["context"], {
            name: {key: time for key, time in zip(TIMES, times) if time is not None} | remarks
            for name, (times, remarks) in data["runs"].items()
        }
    runs = {run["name"].split("/iterations:")[0]: run for run in data["benchmarks"]}
    return data["context"], {
        name: {key: rounded(run[key]) for key in [*TIMES, *REMARKS] if key in run} for name, run in runs.items()
    }


def pack(context, runs):
    """A result without what is not kept, as compressed JSON: for each run its name, its times and its remarks."""
    kept = {
        "context": {key: context[key] for key in CONTEXT if key in context},
        "runs": {
            name: [[run.get(key) for key in TIMES], {key: run[key] for key in REMARKS if key in run}]
            for name, run in runs.items()
        },
    }
    return lzma.compress(json.dumps(kept, separators=(",", ":")).encode(), preset=9)
