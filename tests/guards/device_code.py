#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the kernels of device_kernels.cpp access memory 16 bytes at a time and keep everything in registers."""

import argparse
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

import record

COLUMNS = ["registers", "16-byte loads", "narrower loads", "16-byte stores", "narrower stores"]
TILE_WIDTHS = {"float": 4, "double": 2, "half": 8, "bfloat16": 8}
OPERANDS = {"0": "aligned", "1": "aligned, large", "2": "misaligned", "3": "rows"}  # by the number of a Kernel
ELEMENTS = {"f": "float", "d": "double"}

KERNEL = re.compile(
    r"_ZN6kachel6detail\d+cuda_(?:staged_tilesILi\d+ELi\d+E|tilesILNS_6KernelE(?P<kernel>\d)E)"
    r".*?3MapINS(?:_(?P<backward>8BackwardINS_)?|0_(?P<short>8Of16BitsI)NS_)(?P<length>\d+)"
    r".*?(?:(?:6CursorI|E)NS_7Float16INS_\d+(?P<format>[A-Z][a-z0-9]+)Format|6CursorI(?P<letter>[fd]))"
)
RESOURCES = re.compile(
    r"Compiling entry function '(\w+)'.*\n.*\n *(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads\n"
    r".*Used (\d+) registers(.*)"
)


def cases_of(symbols):
    """What each kernel computes, by its symbol: (functor, direction, element, operands). Those of Kokkos' are left out."""
    cases = {}
    for symbol in symbols:
        if match := KERNEL.match(symbol):
            element = ELEMENTS[match["letter"]] if match["letter"] else match["format"].lower()
            functor = symbol[match.end("length") :][: int(match["length"])]
            direction = "backward" if match["backward"] else "forward at defaults" if match["short"] else "forward"
            cases[symbol] = functor, direction, element, OPERANDS[match["kernel"] or "1"]
    return cases


def inspect(ptx, architecture, ptxas, nvdisasm):
    """{kernel: (registers, accesses...)}, and a line for each kernel that uses local memory."""
    with tempfile.TemporaryDirectory() as folder:
        cubin = Path(folder) / "kernels.cubin"
        command = [ptxas, "-v", f"-arch={architecture}", ptx, "-o", cubin]
        log = subprocess.run(command, check=True, capture_output=True, text=True).stderr
        command = [nvdisasm, "--print-code", cubin]
        code = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    resources = RESOURCES.findall(log)
    names = cases_of(symbol for symbol, *_ in resources)
    kernels, errors = {}, []
    for symbol, stack, stored, loaded, registers, more in resources:
        if name := names.get(symbol):
            if name in kernels:
                errors.append(f'{" ".join(name)}: two kernels, expected one')
            kernels[name] = [int(registers)]
            if {stack, stored, loaded} != {"0"} or "lmem" in more:
                errors.append(f'{" ".join(name)}: {stack} bytes of stack, {stored} and {loaded} of spills, expected none')
    for section in re.split(r"^\s*\.section\s+\.text\.", code, flags=re.MULTILINE)[1:]:
        if name := names.get(re.match(r"\w+", section)[0]):
            accesses = Counter()
            for operation, modifiers in re.findall(r"\b(LDG?|STG?|LDL|STL)((?:\.\w+)*) ", section):
                if operation.endswith("L"):
                    errors.append(f'{" ".join(name)}: {operation}, expected no local memory')
                accesses[operation[:2], ".128" in modifiers] += 1
            kernels[name] += [accesses[kind, wide] for kind in ("LD", "ST") for wide in (True, False)]
    return kernels, errors


def misses_16_bytes(name, counts):
    """Whether full tiles of dense operands take narrower accesses: those of the one tail are as many as its elements."""
    _, direction, element, operands = name
    _, wide_loads, loads, wide_stores, stores = counts
    inputs, width = 2 if direction == "backward" else 1, TILE_WIDTHS[element]
    if operands.startswith("aligned") and (loads > inputs * width or stores > width):
        return True
    return wide_loads < inputs or (operands != "rows" and wide_stores < 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ptx")
    parser.add_argument("--architecture", required=True)
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--nvdisasm", default="nvdisasm")
    parser.add_argument("--record", required=True, help="the table of registers and accesses")
    parser.add_argument("--write", action="store_true", help="write that table instead")
    options = parser.parse_args()

    compiler = "CUDA " + re.search(r"Cuda compilation tools, (release [\d.]+)", Path(options.ptx).read_text())[1]
    kernels, errors = inspect(options.ptx, options.architecture, options.ptxas, options.nvdisasm)
    measured = {" ".join(name): counts for name, counts in kernels.items()}
    if options.write:
        return record.write(options.record, compiler, COLUMNS, measured)
    for name, counts in sorted(kernels.items()):
        line = f'{" ".join(name)}: ' + ", ".join(f"{count} {column}" for column, count in zip(COLUMNS, counts))
        print(line)
        if misses_16_bytes(name, counts):
            errors.append(f"{line}; expected full tiles to take 16 bytes at a time")
    errors += record.differences(options.record, measured, compiler, COLUMNS)
    record.finish(options.record, compiler, errors)


if __name__ == "__main__":
    main()
