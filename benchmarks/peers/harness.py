# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures candidates from Python as kachel_bench measures its own, with rows of the same names.

Copy and candidate run in turn, after warming up; a row holds the median of the ratio over the pairs and its quartiles.
A candidate runs once on poisoned output before it is timed. It must give what the definitions here give:

- hardtanh: the same bits, any NaN being as good as another;
- hardsigmoid: within one unit in the last place, or the epsilon of the type that it is computed in, whichever is more;
  so that x / 6 may be computed as x * (1 / 6), and (x + 3) / 6 as x / 6 + 1 / 2;
- other activations, of PyTorch alone: within 8 epsilons, or 1e-5, of what the same function of PyTorch gives in double,
  but for infinite inputs. The expressions of several steps round to 16 bits at each.
"""
import argparse
import ctypes
import datetime
import functools
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import torch

TYPES = {"float": torch.float32, "half": torch.float16, "bfloat16": torch.bfloat16, "double": torch.float64}
BITS = {2: torch.int16, 4: torch.int32, 8: torch.int64}
CHUNK = 1 << 24  # elements that are made or checked at once
POISON = 12345.0


def compute_type(dtype):
    return torch.float64 if dtype == torch.float64 else torch.float32


def clamp(x, low, high):
    low, high = x.new_full((), low), x.new_full((), high)
    return torch.where(x < low, low, torch.where(x > high, high, x))


def hardtanh(x):
    return clamp(x, -1, 1)


def hardsigmoid(x):
    return clamp(x + 3, 0, 6) / x.new_full((), 6)  # a tensor of no dimensions: a number would be made a factor


OPERATIONS = {"hardtanh": hardtanh, "hardsigmoid": hardsigmoid}


def is_defined(operation, x, y):
    """Of each element of y whether it is operation(x)."""
    bits = BITS[x.element_size()]
    compute = compute_type(x.dtype)
    expected = OPERATIONS[operation](x.to(compute)).to(x.dtype)
    y_bits, expected_bits = y.view(bits), expected.view(bits)
    right = (y_bits == expected_bits) | (y.isnan() & expected.isnan())
    if operation == "hardsigmoid":
        # Results are not negative: neighbours differ by one as integers too. No NaN is near a number.
        right |= (y_bits.long() - expected_bits.long()).abs() <= 1
        right |= (y.to(compute) - expected.to(compute)).abs() <= torch.finfo(compute).eps
    return right


def is_near(function, x, y):
    """Of each element of y whether it is near to function(x), a number where that is one."""
    tolerance = max(8 * torch.finfo(x.dtype).eps, 1e-5)
    return x.isinf() | torch.isclose(y.double(), function(x.double()), tolerance, tolerance, equal_nan=True)


def fill(x):
    """The inputs of kachel_bench: over the operations' ranges, with NaN, infinities and -0 among them."""
    for begin in range(0, x.numel(), CHUNK):
        i = torch.arange(begin, min(begin + CHUNK, x.numel()), device=x.device)
        hash = ((i ^ (i >> 32)) * 2654435761) & 0xFFFFFFFF
        hash = ((hash ^ (hash >> 15)) * 2246822519) & 0xFFFFFFFF
        hash ^= hash >> 13
        value = (hash >> 8).float() * 2.0**-24 * 12 - 6
        for rest, special in enumerate((float("nan"), float("inf"), -float("inf"), -0.0)):
            value[hash % 4096 == rest] = special
        x[begin : begin + CHUNK] = value


def shape(text):
    rows, columns = text.split("x")
    return int(rows), int(columns)


def commit():
    if "KACHEL_COMMIT" in os.environ:
        return os.environ["KACHEL_COMMIT"]
    described = subprocess.run(
        ["git", "-C", pathlib.Path(__file__).parent, "describe", "--always", "--dirty"], capture_output=True, text=True
    )
    return described.stdout.strip() or "unknown"


def optional(module):
    """A module, or None where it is not installed."""
    return importlib.import_module(module) if importlib.util.find_spec(module) else None


def installed(*distributions):
    """Name and version of each distribution that there is."""
    found = {each.name: each.version for each in importlib.metadata.distributions()}
    return [f"{name} {found[name]}" for name in distributions if name in found]


def read_proc(file, key):
    """What follows `key` and a colon on its line in a file of /proc."""
    for line in pathlib.Path(file).read_text().splitlines():
        if line.startswith(key):
            return line.partition(":")[2].strip()
    return ""


def parallel_copy():
    """parallel_copy.cpp as a function, on the threads of PyTorch's OpenMP: a second one would have its own."""
    ctypes.CDLL("libgomp.so.1", mode=os.RTLD_NOLOAD)  # not there under this name: an error
    with tempfile.TemporaryDirectory() as folder:
        source, library = pathlib.Path(__file__).with_name("parallel_copy.cpp"), pathlib.Path(folder, "copy.so")
        subprocess.run(["c++", "-O2", "-fopenmp", "-shared", "-fPIC", "-o", library, source], check=True)
        function = ctypes.CDLL(library).parallel_copy
    function.argtypes = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int
    return function


def quantile(values, q):
    return sorted(values)[int(q * (len(values) - 1) + 0.5)]


def write_results(out, machine, versions, rows):
    """Writes rows in Google Benchmark's JSON to `out`, if it is not None."""
    if not out:
        return
    command = " ".join([pathlib.Path(sys.argv[0]).name, *sys.argv[1:]])
    context = {
        "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "command": command.replace(str(out), out.name),
        "kachel_commit": commit(),
        "machine": machine,
        "versions": versions,
    }
    out.write_text(json.dumps({"context": context, "benchmarks": rows}, indent=1) + "\n")


class Bench:
    """The command line, the buffers, and the rows so far."""

    def __init__(self, description, versions=(), devices=("cuda", "cpu"), only=None):
        parser = argparse.ArgumentParser(description=description.splitlines()[0])
        parser.add_argument("--device", choices=devices, default=devices[0])
        parser.add_argument("--shape", type=shape, metavar="ROWSxCOLUMNS", help="4096x393216; on a CPU 128x393216")
        parser.add_argument("--pairs", type=int, default=31, help="measurements of copy and candidate; 31")
        parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="results in Google Benchmark's JSON")
        if only:
            parser.add_argument("--only", metavar="NAME", help=f"{only}: no others")
        self.options = parser.parse_args()
        self.on_gpu = self.options.device == "cuda"
        if self.on_gpu and not torch.cuda.is_available():
            parser.error("--device=cuda: torch sees no GPU, expected one, or --device=cpu")
        self.rows, self.columns = self.options.shape or (4096 if self.on_gpu else 128, 393216)
        self.n = self.rows * self.columns
        if not 0 < self.n < 2**31 - 2**16:
            parser.error(f"--shape: {self.n} elements, expected more than 0 and so few that 32 bits count them")
        if self.options.out:
            self.options.out.parent.mkdir(parents=True, exist_ok=True)
        self.versions = ", ".join((f"python {platform.python_version()}", f"torch {torch.__version__}", *versions))
        self.results, self.failures = [], 0
        self.buffers = [torch.empty(0, dtype=torch.uint8)] * 2
        self.threads = int(os.environ.get("OMP_NUM_THREADS", len(os.sched_getaffinity(0))))
        torch.set_num_threads(self.threads)
        if not self.on_gpu:
            self.parallel_copy = parallel_copy()
        print(f"{self.machine()}; {self.versions}")
        print(f"{'':62} {'median us':>12} {'GB/s':>9} {'x copy':>8}  quartiles", flush=True)

    def operands(self, type_name, n):
        """x, which is filled, and y, in memory that all measurements share; never smaller than asked for before."""
        dtype = TYPES[type_name]
        size = n * dtype.itemsize
        if size > self.buffers[0].numel():
            self.buffers = []
            self.buffers = [torch.empty(size, dtype=torch.uint8, device=self.options.device) for _ in "xy"]
        x, y = (buffer[:size].view(dtype) for buffer in self.buffers)
        fill(x)
        return x, y

    def cases(self, types=TYPES):
        """Both operations on each of the types, at the shape of the command line."""
        for name in sorted(types, key=lambda name: -TYPES[name].itemsize):
            x, y = self.operands(name, self.n)
            for operation in OPERATIONS:
                prefix = f"bandwidth/{operation}/{name}/{self.rows}x{self.columns}"
                yield Case(self, prefix, x, y, functools.partial(is_defined, operation), operation, name)

    def activation(self, activation, type_name, function, x, y, **options):
        """An activation of PyTorch's on x, under the name that kachel_bench has for it."""
        prefix = f"activations/{activation}/{type_name}/{x.numel()}/forward"
        return Case(self, prefix, x, y, functools.partial(is_near, function), activation, type_name, **options)

    def copy(self, y, x, calls):
        """cudaMemcpyAsync, or memcpy on every thread of OpenMP: candidates run on the same, which are awake on cores of
        their own. Threads that are woken begin on the waker's core, and share it for milliseconds."""
        if self.on_gpu:
            y.copy_(x)
        else:
            self.parallel_copy(y.data_ptr(), x.data_ptr(), x.numel() * x.element_size(), self.threads, calls)

    def time_pairs(self, pairs, calls, candidate, baseline):
        """Seconds of baseline, which is `calls` copies, and as many calls of candidate, in turn: on a GPU, where they
        are one, all are enqueued before the first is waited for; on a CPU fewer where a candidate would take too
        long."""
        if self.on_gpu:
            for _ in range(3):
                baseline(), candidate()
            events = [torch.cuda.Event(enable_timing=True) for _ in range(2 * pairs + 1)]
            events[0].record()
            for i in range(pairs):
                baseline()
                events[2 * i + 1].record()
                candidate()
                events[2 * i + 2].record()
            torch.cuda.synchronize()
            seconds = [begin.elapsed_time(end) * 1e-3 for begin, end in zip(events, events[1:])]
            return list(zip(seconds[::2], seconds[1::2]))
        times = []
        baseline(), candidate()
        while len(times) < pairs and (sum(map(sum, times)) < 0.8 or len(times) < 5):
            begin = time.perf_counter()
            baseline()
            between = time.perf_counter()
            for _ in range(calls):
                candidate()
            times.append((between - begin, time.perf_counter() - between))
        return times

    def add(self, result):
        self.results.append({"run_type": "iteration", "iterations": 1, "time_unit": "us", **result})
        line = f"{result['name']:62} "
        if "x_copy" in result:
            line += f"{result['median_us']:12.2f} {result['GB/s']:9.1f} {result['x_copy']:8.3f}"
            line += f"  {result['x_copy_q1']:.3f}-{result['x_copy_q3']:.3f}  "
        print(line + result.get("label", "") + result.get("error_message", ""), flush=True)

    def machine(self):
        if not self.on_gpu:
            return f"{read_proc('/proc/cpuinfo', 'model name')}, threads: {self.threads}"
        words = read_proc("/proc/driver/nvidia/version", "NVRM version").split()
        driver = next(word for word in words if word.replace(".", "").isdigit())
        return f"{torch.cuda.get_device_name()}, driver {driver}"

    def finish(self):
        """Writes the results; ends the program, with 1 if a candidate was wrong."""
        write_results(self.options.out, self.machine(), self.versions, self.results)
        sys.exit(f"{self.failures} candidates failed" if self.failures else 0)


class Case:
    """An operation on one element type: the path of its rows, its operands, is_right(x, y) of each element of y. A
    candidate is run(y, x), which returns the tensor that holds operation(x). `calls` of it are a measurement, on a CPU.
    Each row has `fields` too."""

    def __init__(self, bench, prefix, x, y, is_right, operation, type_name, calls=1, fields={}):
        self.bench, self.prefix, self.x, self.y, self.is_right = bench, prefix, x, y, is_right
        self.operation, self.type, self.calls, self.fields = operation, type_name, calls, fields

    def name(self, candidate):
        return f"{self.prefix}/{candidate}"

    def add(self, candidate, result):
        self.bench.add({"name": self.name(candidate), **self.fields, **result})

    def error(self, candidate, message, known=False):
        """A row that says why there is none. Known: it does not count as a failure."""
        self.bench.failures += not known
        self.add(candidate, {"error_occurred": True, "error_message": message})

    def wrong(self, run, in_place):
        """How many results are wrong of inputs that are NaN, and of the others; and one that was wrong."""
        self.y.fill_(POISON)
        if in_place:
            self.y.copy_(self.x)
        result = run(self.y, self.y if in_place else self.x)
        if result.shape != self.x.shape or result.dtype != self.x.dtype:
            raise TypeError(f"gave {result.dtype} of {list(result.shape)}, expected those of the input")
        wrong, example = [0, 0], ""
        for begin in range(0, len(self.x), CHUNK):
            x, y = self.x[begin : begin + CHUNK], result[begin : begin + CHUNK]
            where = (~self.is_right(x, y)).nonzero().flatten()
            if where.numel():
                nans = int(x[where].isnan().sum())
                wrong[0] += nans
                wrong[1] += where.numel() - nans
                example = example or f"of {x[where[0]].item()} gave {y[where[0]].item()}"
        return *wrong, example

    def time_pairs(self, pairs, run, in_place=False):
        candidate = functools.partial(run, self.y, self.y if in_place else self.x)
        baseline = functools.partial(self.bench.copy, self.y, self.x, self.calls)
        return self.bench.time_pairs(pairs, self.calls, candidate, baseline)

    def row(self, candidate, run, in_place=False, label="", swallows_nan=False):
        """Adds a row. In place, x is y. swallows_nan: results of NaN may be wrong, which the label then says."""
        try:
            nans, others, example = self.wrong(run, in_place)
            if others or (nans and not swallows_nan):
                return self.error(candidate, f"{nans + others} of {self.x.numel()} results are wrong: {example}")
            times = self.time_pairs(self.bench.options.pairs, run, in_place)
        except Exception as error:
            return self.error(candidate, f"{type(error).__name__}: {error}")
        if nans:
            label = ", ".join(filter(None, (label, f"NaN is lost: {example}")))
        ratios = [of_candidate / of_baseline for of_baseline, of_candidate in times]
        median = quantile([of_candidate for _, of_candidate in times], 0.5) / self.calls
        self.add(
            candidate,
            {
                "real_time": median * 1e6,
                "cpu_time": 0.0,
                "median_us": median * 1e6,
                "copy_us": quantile([of_baseline for of_baseline, _ in times], 0.5) / self.calls * 1e6,
                "GB/s": 2 * self.x.numel() * self.x.element_size() / median * 1e-9,
                "x_copy": quantile(ratios, 0.5),
                "x_copy_q1": quantile(ratios, 0.25),
                "x_copy_q3": quantile(ratios, 0.75),
                "pairs": len(times),
                "label": label,
            },
        )

    def fastest(self, candidate, runs, **kwargs):
        """Adds a row of the fastest of runs, a dictionary by what the label is to say, by a few pairs of each."""
        ratios, failure = {}, None
        for label, run in runs.items():
            try:
                ratios[label] = statistics.median(b / a for a, b in self.time_pairs(5, run))
            except Exception as error:
                failure = f"{type(error).__name__}: {error}"
                print(f"{self.name(candidate)} {label}: {failure}", file=sys.stderr)
        if not ratios:
            return self.error(candidate, f"none of {', '.join(runs)} runs; the last: {failure}")
        best = min(ratios, key=ratios.get)
        self.row(candidate, runs[best], label=best, **kwargs)
