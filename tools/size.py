#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the lines of the library: of code, without comments and blank lines, and of comments.

The engine is all of include/ and src/ but the formulas, types and activations: what plans, launches and runs a call.

    python3 tools/size.py [folder of another checkout]
"""
import re
import sys
from pathlib import Path

FORMULAS = re.compile(r"include/kachel/(detail/)?(math|types|activations)/|include/kachel/(kachel|version)\.hpp")
OF_ENGINE = re.compile(r"include/kachel/activations/(pointwise|mask|prelu)\.hpp")
TOKENS = re.compile(r'"(?:\\.|[^"\\])*"|(?P<comment>//[^\n]*|/\*.*?\*/)', re.DOTALL)


def count(text):
    """Lines that have code, and lines that have a comment."""
    comments = sum(match[0].count("\n") + 1 for match in TOKENS.finditer(text) if match["comment"])
    code = TOKENS.sub(lambda match: "" if match["comment"] else match[0], text)
    return sum(bool(line.strip()) for line in code.splitlines()), comments


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    parts = {"engine": [0, 0, 0], "formulas, types, activations": [0, 0, 0]}
    for path in sorted([*root.glob("include/**/*.[ch]pp"), *root.glob("src/**/*.[ch]pp")]):
        name = path.relative_to(root).as_posix()
        part = parts["engine" if OF_ENGINE.match(name) or not FORMULAS.match(name) else "formulas, types, activations"]
        for i, number in enumerate((1, *count(path.read_text()))):
            part[i] += number
    parts["all"] = [sum(numbers) for numbers in zip(*parts.values())]
    for name, (files, code, comments) in parts.items():
        print(f"{name}: {code} lines of code, {comments} of comments ({comments / code:.2f} a line) in {files} files")


main()
