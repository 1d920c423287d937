#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a program has no more bytes of device code than recorded: those of all kernels for one architecture."""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def measure(program):
    """The kernels, and the bytes of their code."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cuobjdump", "--extract-elf", "all", program], cwd=folder, check=True, capture_output=True)
        kernels = size = 0
        for cubin in Path(folder).iterdir():
            sections = subprocess.run(["readelf", "-SW", cubin], check=True, capture_output=True, text=True).stdout
            for bytes_of_one in re.findall(r" \.text\.\S+ +PROGBITS +\w+ \w+ (\w+)", sections):
                kernels, size = kernels + 1, size + int(bytes_of_one, 16)
    return kernels, size


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("--record", required=True, type=Path)
    parser.add_argument("--write", action="store_true", help="write the record instead")
    options = parser.parse_args()
    kernels, size = measure(options.program.resolve())
    line = f"{options.program.name}: {size} bytes in {kernels} kernels"
    print(line)
    if options.write:
        return options.record.write_text(line + "\n")
    recorded = int(re.search(r": (\d+) bytes", options.record.read_text())[1])
    sys.exit(f"expected at most {recorded} bytes as in {options.record.name}" if size > recorded else 0)


main()
