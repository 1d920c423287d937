#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails where a function of math/ adds to a product, or subtracts one: a compiler may make one fma of both, and another
not. A product by a constant power of two is exact and does not count.

    check_products.py CLANG SOURCE [FLAG...]

Looks through what Clang makes of the source before it chooses instructions, all functions in line."""
import math
import pathlib
import re
import struct
import subprocess
import sys

OPERATION = re.compile(r"\s+(%[\w.]+) = (fmul|fneg|fadd|fsub)\s+(.*)")
OPERAND = re.compile(r"%[\w.]+|0x[0-9A-F]{16}|-?\d\.\d+e[+-]\d+")


def is_power_of_two(operand):
    if operand.startswith("%"):
        return False
    bits = operand.startswith("0x") and bytes.fromhex(operand[2:])
    value = struct.unpack(">d", bits)[0] if bits else float(operand)
    return value != 0 and abs(math.frexp(value)[0]) == 0.5


def additions_to_products(code):
    function, products = "", set()
    for line in code.splitlines():
        if line.startswith("define"):
            function, products = re.search(r"@(\S+)\(", line)[1], set()
        if match := OPERATION.match(line):
            result, operation, rest = match.groups()
            operands = OPERAND.findall(rest)
            if operation == "fmul" and not any(map(is_power_of_two, operands)):
                products.add(result)
            elif operation == "fneg" and operands[0] in products:
                products.add(result)
            elif operation in ("fadd", "fsub") and products & set(operands):
                yield f"{function}: {line.strip()}"


def main():
    clang, source, *flags = sys.argv[1:]
    optimise = ["-O1", "-fno-vectorize", "-fno-slp-vectorize", "-ffp-contract=off", "-mfma"]
    command = [clang, "-std=c++20", *optimise, *flags, "-S", "-emit-llvm", source, "-o", "-"]
    code = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "fmul" not in code or "fadd" not in code:
        sys.exit(f"{pathlib.Path(source).name}: neither products nor sums, expected those of math/")
    found = sorted(set(additions_to_products(code)))
    sys.exit("\n".join(["products that are added to, expected fma or uncontracted_product:", *found]) if found else 0)


if __name__ == "__main__":
    main()
