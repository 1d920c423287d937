#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the loops of host_loops.cpp compute with packed instructions. Fails where one has none, or scalar ones."""

import argparse
import re
import subprocess

import record

COLUMNS = ["packed instructions", "scalar instructions"]
MAX_SCALAR_SHARE = 1 / 3  # of the packed ones, few with AVX-512: a parameter may be compared before the loop

ARITHMETIC = r"v?(?:add|sub|mul|div|min|max|sqrt|cmp\w*|u?comi|fn?m(?:add|sub)\d*)"
PACKED = re.compile(ARITHMETIC + r"p[sd]$")
SCALAR = re.compile(ARITHMETIC + r"s[sd]$|v?p(?:ins|ext)rw$|movzwl$")  # also what moves 16-bit elements one by one
FUNCTION = re.compile(r"\w+ <void kachel::(forward|backward|rows|user_loop)<kachel::(\w+), (?:kachel::Float16<kachel::)?(\w+)")


def count_instructions(objdump, object_file):
    """{kernel: (packed, scalar)}"""
    command = [objdump, "-d", "-C", "--no-show-raw-insn", object_file]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    counts = {}
    for function in listing.split("\n\n"):
        if match := FUNCTION.match(function):
            mnemonics = re.findall(r"^ *\w+:\s+(\w+)", function, re.MULTILINE)
            direction, functor, element = match.groups()
            counts[f'{functor} {direction} {element.removesuffix("Format").lower()}'] = (
                sum(bool(PACKED.match(mnemonic)) for mnemonic in mnemonics),
                sum(bool(SCALAR.match(mnemonic)) for mnemonic in mnemonics),
            )
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("object_file")
    parser.add_argument("--objdump", default="objdump")
    parser.add_argument("--compiler", help="its name and version, where its counts are those of the table")
    parser.add_argument("--record", required=True, help="the table of the counts")
    parser.add_argument("--write", action="store_true", help="write that table instead")
    options = parser.parse_args()

    counts = count_instructions(options.objdump, options.object_file)
    if options.write:
        return record.write(options.record, options.compiler, COLUMNS, counts)
    errors = []
    for kernel, (packed, scalar) in sorted(counts.items()):
        print(f"{kernel}: {packed} packed, {scalar} scalar")
        if packed == 0 or scalar > packed * MAX_SCALAR_SHARE:
            errors.append(f"{kernel}: {packed} packed and {scalar} scalar instructions, expected packed ones alone")
    errors += record.differences(options.record, counts, options.compiler, COLUMNS)
    record.finish(options.record, options.compiler, errors)


if __name__ == "__main__":
    main()
