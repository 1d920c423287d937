#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the nightly results are of the code as it is now.

covered.txt has a hash of the code that each result covers. Fails where a result is older than its code.

- MACHINE.txt, a record of all floats in tests/exhaustive/results, covers the arithmetic of one number. One machine
  that has every function is enough.
- every-activation, which leaves nothing but that it passed, covers the same.
- device-code, the bytes of device code of kachel_bench, covers what is compiled for a device or decides which kernels
  there are: the headers, benchmarks and sources without those for the CPU alone.

Comments, includes and the layout of lines do not count. The cost of an activation counts for device-code alone: it
decides which kernels there are, and no result. Planted faults have hashes of their own, in tests/faults/report.txt.

`bash .ci/nightly` writes the parts that it has run. After `kachel_exhaustive --write=MACHINE.txt`:

    python3 tests/nightly/covered.py --write MACHINE.txt
"""

import argparse
import hashlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COVERED = HERE / "covered.txt"
RESULTS = ROOT / "tests/exhaustive/results"
INCLUDE = ROOT / "include/kachel"
BENCHMARKS = ROOT / "benchmarks"

ARITHMETIC = ["math", "types", "activations", "detail/math", "detail/types", "detail/activations"]
ARITHMETIC_FILES = ["pack.hpp", "pack_math.hpp", "detail/evaluate.hpp"]
# Without arithmetic of an activation of one number: calls, in activations/, and functions for users, math/narrow.hpp.
OTHERS = {f"activations/{name}.hpp" for name in ("pointwise", "mask", "prelu", "list")} | {"math/narrow.hpp"}

# What is for the CPU alone. A new file counts for device code until it is named here.
OF_CPU = ("compiled.hpp", "explain.hpp", "schedule.hpp", "version.hpp")
OF_CPU += ("detail/backend/host/", "detail/reduce/host.hpp", "detail/row/host", "detail/tile/host_memory.hpp")
BENCHMARKS_OF_CPU = {"all_rows.cpp", "main.cpp", "measure.cpp", "readme_rows.cpp", "table.cpp", "table.hpp"}
BENCHMARKS_OF_CPU |= {"columns.cpp", "cycles.cpp", "formulas.hpp", "lookups.cpp", "loops.cpp", "workloads.hpp"}


def code_hash(paths, uncounted=""):
    texts = [re.sub(r"//.*|#include.*" + uncounted, "", path.read_text()) for path in sorted(paths)]
    return hashlib.sha256("\0".join(word for text in texts for word in text.split()).encode()).hexdigest()[:16]


def arithmetic():
    paths = {path for folder in ARITHMETIC for path in (INCLUDE / folder).glob("*.hpp")}
    paths = paths - {INCLUDE / file for file in OTHERS} | {INCLUDE / file for file in ARITHMETIC_FILES}
    return code_hash(paths, r"|\.\w*cost\w* = Cost::\w+")


def device_code():
    paths = [path for path in INCLUDE.rglob("*.hpp") if not path.relative_to(INCLUDE).as_posix().startswith(OF_CPU)]
    paths += [path for path in BENCHMARKS.glob("*.[ch]pp") if path.name not in BENCHMARKS_OF_CPU]
    return code_hash([*paths, BENCHMARKS / "peers/peers.hpp", ROOT / "src/backend/cuda/table.cpp"])


PARTS = {"device-code": device_code, "every-activation": arithmetic}


def functions(machine):
    return {line.split(" | ")[0] for line in (RESULTS / machine).read_text().splitlines()[1:]}


def stale(covered):
    """What is older than its code, each with the commands that make it anew."""
    machines = {path.name for path in RESULTS.glob("*.txt")}
    everything = set().union(*map(functions, machines))
    if not any(covered.get(name) == arithmetic() and functions(name) == everything for name in machines):
        yield (
            "all floats, of every function by one machine: on one with a GPU kachel_exhaustive --write=MACHINE.txt, "
            "then python3 tests/nightly/covered.py --write MACHINE.txt"
        )
    for part, now in PARTS.items():
        if covered.get(part) != now():
            yield f"{part}: bash .ci/nightly {part}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", metavar="PART", help="its result is of the present code")
    written = parser.parse_args().write
    covered = dict(line.split(": ") for line in COVERED.read_text().splitlines())
    if written:
        if written not in PARTS and not (RESULTS / written).is_file():
            parser.error(f"there is no {written}, expected {', '.join(PARTS)} or a file of {RESULTS.relative_to(ROOT)}")
        covered[written] = PARTS.get(written, arithmetic)()
        COVERED.write_text("".join(f"{name}: {code}\n" for name, code in sorted(covered.items())))
    elif older := list(stale(covered)):
        sys.exit("\n  ".join(["Nightly results are older than the code that they cover. Make and commit new ones:", *older]))


main()
