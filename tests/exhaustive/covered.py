#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the results of all floats are of the code as it is now.

covered.txt has, for each machine's file, a hash of the code that the results cover. Fails unless one machine that
has every function has walked through the present code. After `kachel_exhaustive --write=results/MACHINE.txt`:

    python3 tests/exhaustive/covered.py --write MACHINE.txt
"""

import argparse
import hashlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
COVERED = HERE / "covered.txt"
INCLUDE = HERE.parents[1] / "include/kachel"
FOLDERS = ["math", "types", "activations", "detail/math", "detail/types", "detail/activations"]
FILES = ["pack.hpp", "pack_math.hpp", "detail/evaluate.hpp"]
OF_CALLS = {"pointwise.hpp", "mask.hpp", "prelu.hpp", "list.hpp"}  # in activations/, without arithmetic of one number


def code_hash():
    """Comments, includes, the layout of lines and the cost of an activation do not count."""
    paths = [path for folder in FOLDERS for path in (INCLUDE / folder).glob("*.hpp") if path.name not in OF_CALLS]
    paths += [INCLUDE / file for file in FILES]
    texts = [re.sub(r"//.*|#include.*|\.\w*cost\w* = Cost::\w+", "", path.read_text()) for path in sorted(paths)]
    return hashlib.sha256("\0".join(word for text in texts for word in text.split()).encode()).hexdigest()[:16]


def functions(name):
    return {line.split(" | ")[0] for line in (RESULTS / name).read_text().splitlines()[1:]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", metavar="MACHINE.txt", help="its results are of the present code")
    written = parser.parse_args().write
    covered = dict(line.split(": ") for line in COVERED.read_text().splitlines()) if COVERED.exists() else {}
    if written:
        functions(written)  # there must be such a file
        covered[written] = code_hash()
        COVERED.write_text("".join(f"{name}: {code}\n" for name, code in sorted(covered.items())))
        return
    everything = set().union(*(functions(path.name) for path in RESULTS.glob("*.txt")))
    if not any(code == code_hash() and functions(name) == everything for name, code in covered.items()):
        sys.exit(
            "The results of all floats are older than include/kachel, expected those of one machine with every function to "
            "be of the present code. CONTRIBUTING.md says how to record them."
        )


main()
