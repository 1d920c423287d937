#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows a document to the letter, in a copy of the project: writes the files that it gives, makes the changes that it
gives as differences, and runs its commands in a build that is configured beforehand in build/host.

Fails where a file is there already, a difference does not apply at one place, a command fails, or the lines of a text
are not among those that the commands before it print.
"""

import argparse
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def write(file, text):
    if file.exists():
        sys.exit(f"{file} is there already")
    file.write_text(text)


def change(folder, difference):
    """Makes each part of a difference, which @@ divides: of lines that stay, go and come, as in the unified format."""
    name, *lines = difference.splitlines(keepends=True)
    file = folder / name.removeprefix("--- ").strip()
    text = file.read_text()
    for part in "".join(lines).split("@@\n"):
        marked = [(line[0], line[1:]) for line in part.splitlines(keepends=True)]
        old = "".join(line for mark, line in marked if mark in " -")
        new = "".join(line for mark, line in marked if mark in " +")
        if text.count(old) != 1:
            sys.exit(f"{file} has these lines {text.count(old)} times, expected once:\n{old}")
        text = text.replace(old, new)
    file.write_text(text)


def run(folder, command):
    """Returns what the command prints."""
    print(command, flush=True)
    done = subprocess.run(["bash", "-ec", command], cwd=folder, stdout=subprocess.PIPE, text=True)
    print(done.stdout, flush=True)
    if done.returncode:
        sys.exit(f"fails: {command}")
    return done.stdout


def compare(output, text):
    """Expects each line of the text in the output."""
    missing = [line for line in text.splitlines() if line not in output.splitlines()]
    if missing:
        sys.exit("\n".join(["the commands do not print", *missing]))


def left_out(copy, folder, names):
    """The history, builds, and the copy itself, which may lie in the project."""

    def is_left_out(path):
        return path.name in (".git", "build") or (path / "CMakeCache.txt").exists() or path == copy

    return [name for name in names if is_left_out(Path(folder) / name)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("document", type=Path)
    parser.add_argument("copy", type=Path, help="folder for the copy, which is removed first")
    parser.add_argument("cmake_arguments", nargs="*", help="after --: more for CMake, such as -DKokkos_ROOT=...")
    options = parser.parse_args()

    blocks = BLOCK.findall(options.document.read_text())
    if not any(kind == "sh" for kind, _, _ in blocks):
        sys.exit(f"{options.document} has no commands")
    shutil.rmtree(options.copy, ignore_errors=True)
    shutil.copytree(SOURCE, options.copy, ignore=partial(left_out, options.copy.resolve()))
    configure = ["cmake", "-G", "Ninja", "-S", ".", "-B", "build/host", "-DCMAKE_BUILD_TYPE=Release"]
    configure += ["-DCMAKE_CXX_FLAGS_RELEASE=-O1", "-DKACHEL_BUILD_BENCHMARKS=OFF", *options.cmake_arguments]
    subprocess.run(configure, cwd=options.copy, check=True, stdout=subprocess.DEVNULL)
    output = ""
    for kind, name, text in blocks:
        if kind == "cpp":
            write(options.copy / name, text)
        elif kind == "diff":
            change(options.copy, text)
        elif kind == "sh":
            output = run(options.copy, text)
        elif kind == "text":
            compare(output, text)
        else:
            sys.exit(f"{options.document} has a block of {kind}, expected cpp, diff, sh or text")


if __name__ == "__main__":
    main()
