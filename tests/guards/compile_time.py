#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether calls of each activation, and all headers at once, compile in about the time and memory recorded for them.

Both are those of the compiler over what <Kokkos_Core.hpp> alone takes, or of one call over what a loop of Kokkos' takes.
Memory hardly varies; processor time depends on what else the machine does, so what seems slow is measured again. The
target record_compile_time writes the table.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import record

COLUMNS = ["times the time", "times the memory"]
LIMITS, SLACK = [2, 1.1], 0.05  # values may be this many times the recorded ones, and so much more
ATTEMPTS = 3
REFERENCE = "#include <Kokkos_Core.hpp>\n"
ALL_HEADERS = "kachel/kachel.hpp"
ONE_CALL = """#include <kachel/kachel.hpp>
void call(const Kokkos::View<float*>& y, const Kokkos::View<float*>& x) { kachel::tanh(y, x); }
"""
LOOP = """#include <Kokkos_Core.hpp>
void call(const Kokkos::View<float*>& y, const Kokkos::View<float*>& x) {
  Kokkos::parallel_for(y.size(), KOKKOS_LAMBDA(std::size_t i) { y(i) = Kokkos::tanh(x(i)); });
}
"""
LIST = "kachel/activations/list.hpp"
CALLS = """#include <kachel/activations/{name}.hpp>
template <class T>
using Matrix = Kokkos::View<T**>;
void call(const Matrix<float>& y, const Matrix<float>& x) {{ kachel::{name}(y, x{w}); }}
void call(const Matrix<kachel::half>& dx, const Matrix<kachel::half>& dy, const Matrix<kachel::half>& x) {{
  kachel::{name}_backward(dx{dw}, dy, x{w});
}}
"""


def calls(include):
    """{name: (code, reference)} of a call of each activation, of floats, and of its derivative, of halves."""
    names = re.findall("<kachel/activations/([a-z0-9_]+)[.]hpp>", (include / LIST).read_text())
    # Which prelu, not of the list, has besides.
    operands = dict.fromkeys(names, ("", "")) | {"prelu": (", 0.25f", ', Kokkos::View<float*>("dw", 1)')}
    return {
        f"{name} and {name}_backward": (CALLS.format(name=name, w=w, dw=dw), REFERENCE)
        for name, (w, dw) in operands.items()
    }


def compile_command(build, launcher):
    """The command by which the build compiles a header alone, but for the source and what it writes."""
    entries = json.loads((build / "compile_commands.json").read_text())
    source = "/tests/headers/" + ALL_HEADERS.replace(".hpp", ".cpp")
    entry = next(entry for entry in entries if entry["file"].endswith(source))
    words = shlex.split(entry["command"])
    for option in ("-MT", "-MF", "-o", "-c"):
        if option in words:
            at = words.index(option)
            del words[at : at + 2]
    return shlex.split(launcher) + [word for word in words if word != "-MD"], entry["directory"]


def measure(command, directory, code):
    """Seconds of processor time and bytes of memory of the compiler."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "source.cpp"
        source.write_text(code)
        process = subprocess.Popen(
            command + ["-c", source, "-o", source.with_suffix(".o")],
            cwd=directory,
            env=dict(os.environ, CCACHE_DISABLE="1"),
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        if status:
            sys.exit(f"does not compile:\n{code}")
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, help="the build's folder, with compile_commands.json")
    parser.add_argument("--include", type=Path, required=True, help="the folder of the headers")
    parser.add_argument("--compiler", required=True, help="its name and version, as in the table")
    parser.add_argument("--record", type=Path, required=True, help="the table of times and memory")
    parser.add_argument("--launcher", default="", help="what the build puts before the compiler's command")
    parser.add_argument("--only", default="", help="only what this regular expression finds, a name of the table")
    parser.add_argument("--write", action="store_true", help="write that table instead")
    options = parser.parse_args()

    sources = calls(options.include) | {
        ALL_HEADERS: (f"#include <{ALL_HEADERS}>\n", REFERENCE),
        "tanh over a loop of Kokkos'": (ONE_CALL, LOOP),
    }
    command, directory = compile_command(options.build, options.launcher)

    def ratios(ours, theirs):
        return [round(own / other, 2) for own, other in zip(ours, theirs)]

    if options.write:
        # In rounds: what disturbs a machine lasts for seconds, and would hit all attempts at one source.
        every = {code for pair in sources.values() for code in pair}
        rounds = [{code: measure(command, directory, code) for code in every} for _ in range(ATTEMPTS)]
        least = {code: min(measured[code] for measured in rounds) for code in every}
        measured = {name: ratios(least[code], least[reference]) for name, (code, reference) in sources.items()}
        return record.write(options.record, options.compiler, COLUMNS, measured)

    recorded_by, recorded = record.read(options.record)
    errors = record.differences(options.record, sources)
    if errors or recorded_by != options.compiler:
        record.finish(options.record, options.compiler, errors)
    sources = {name: pair for name, pair in sources.items() if re.search(options.only, name)}
    # Of several, since all ratios are to it.
    least = {
        reference: min(measure(command, directory, reference) for _ in range(ATTEMPTS))
        for reference in {reference for _, reference in sources.values()}
    }
    for name, (code, reference) in sources.items():
        limits = [round(float(value) * limit + SLACK, 2) for value, limit in zip(recorded[name], LIMITS)]
        values = ratios(measure(command, directory, code), least[reference])
        for _ in range(ATTEMPTS - 1):
            if values[0] > limits[0]:
                beside = measure(command, directory, reference)
                values = min(values, ratios(measure(command, directory, code), beside))
        print(f"{name}: {values[0]} {COLUMNS[0]}, {values[1]} {COLUMNS[1]}")
        for value, limit, column in zip(values, limits, COLUMNS):
            if value > limit:
                errors.append(f"{name}: {value} {column}, expected at most {limit}")
    record.finish(options.record, options.compiler, errors)


if __name__ == "__main__":
    main()
