#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants the faults of faults.toml one at a time in a copy of the project, and reports which test catches each.

Fails if a fault's code is not found, or replaced by itself, a test fails without a fault, a fault does not compile, or
none catches it. report.txt has what caught each. Its line is of the fault, and of the code in the fault's file: where that
has changed, the fault is stale, and is planted again by

    python3 tests/faults/plant_faults.py --stale --write
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
COPIED = ["CMakeLists.txt", "cmake", "include", "src", "tests"]
LEAST_WITH_HEIR = 0.9  # of the faults of heirs.toml
TIMEOUT_S = 300  # a fault may make a test run for ever


def read_faults():
    faults = tomllib.loads((HERE / "faults.toml").read_text())["fault"]
    for fault in faults:
        count = (SOURCE / fault["file"]).read_text().count(fault["old"])
        if count != 1:
            sys.exit(f'{fault["name"]}: {fault["file"]} has its code {count} times, expected once')
        if fault["new"] == fault["old"]:
            sys.exit(f'{fault["name"]}: its new code is the old')
        if not (SOURCE / "tests" / fault["test"]).is_file():
            sys.exit(f'{fault["name"]}: there is no test source {fault["test"]}')
    return faults


def label(fault):
    """Its name, and a hash of what is planted, where, and run. Files may be moved, and comments changed."""
    code = re.sub(r"//.*|#include.*", "", (SOURCE / fault["file"]).read_text()).split()
    planted = "\0".join([*(fault[key] for key in ("old", "new", "test")), *code])
    return f'{fault["name"]} ({hashlib.sha256(planted.encode()).hexdigest()[:8]})'


def read_report():
    """{label: line} of the faults that were caught."""
    lines = (HERE / "report.txt").read_text().splitlines()
    return {line.split(": caught by ")[0]: line for line in lines}


def check_report(faults):
    caught, expected = read_report(), [label(fault) for fault in faults]
    if missing := [fault for fault in expected if fault not in caught]:
        sys.exit("\n".join(["report.txt has none of these caught, as their code is now; plant --stale ones:", *missing]))
    if gone := caught.keys() - set(expected):
        sys.exit("\n".join(["report.txt has faults that are gone:", *gone]))


def check_heirs(faults):
    table = tomllib.loads((HERE / "heirs.toml").read_text())
    heirs, gone = table["heirs"], table["gone"]
    names = {fault["name"] for fault in faults}
    lost = [f"{name}: its heir is no fault: {heir}" for name, heir in heirs.items() if heir not in names]
    lost += [f"{name}: has an heir and is gone" for name in heirs.keys() & gone.keys()]
    if lost:
        sys.exit("\n".join(["heirs.toml:", *lost]))
    share = len(heirs) / (len(heirs) + len(gone))
    if share < LEAST_WITH_HEIR:
        sys.exit(f"heirs.toml: {share:.0%} of the faults have an heir, expected {LEAST_WITH_HEIR:.0%}")


class Copy:
    """A copy of the project with a build of its own."""

    def __init__(self, folder, cmake_arguments):
        self.source, self.build = folder / "source", folder / "build"
        shutil.rmtree(self.source, ignore_errors=True)
        self.source.mkdir(parents=True)
        for name in COPIED:  # with the time of now: objects of an earlier run may hold a fault
            if (SOURCE / name).is_dir():
                shutil.copytree(SOURCE / name, self.source / name, copy_function=shutil.copy)
            else:
                shutil.copy(SOURCE / name, self.source / name)
        subprocess.run(
            ["cmake", "-G", "Ninja", "-S", HERE / "programs", "-B", self.build, f"-DKACHEL_SOURCE={self.source}"]
            + ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"]
            + cmake_arguments,
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def run(self, test):
        """Builds and runs a test: the names of those that fail, or None if it does not compile but for an assertion."""
        program = Path(test).stem
        command = ["cmake", "--build", self.build, "--target", program, "-j1"]
        built = subprocess.run(command, capture_output=True, text=True)
        if test.startswith(("compile_fail/", "headers/")):
            return failures_of_compiler(self.source / "tests" / test, built.stdout)
        if built.returncode:
            asserted = re.search(rf"{re.escape(test)}:\d+(?=:\d+: error: static[ _]assert)", built.stdout)
            return [f"the static_assert in {asserted[0]}"] if asserted else None
        return failures(self.build / program)

    def run_with(self, fault):
        file = self.source / fault["file"]
        sound = file.read_text()
        file.write_text(sound.replace(fault["old"], fault["new"]))
        try:
            return self.run(fault["test"])
        finally:
            file.write_text(sound)


def failures_of_compiler(source, output):
    """What is wrong with the errors of a source: expected are those that its comments name."""
    errors = re.findall(r"error: .*", output)
    for expected in re.findall(r"// expected: (.*)", source.read_text()):
        found = next((error for error in errors if expected in error), None)
        if found is None:
            return [f"the compiler, which does not say: {expected}"]
        errors.remove(found)
    return [f"the compiler ({len(errors)} errors that no comment expects)"] if errors else []


def failures(program):
    environment = dict(os.environ, OMP_NUM_THREADS="2", OMP_PROC_BIND="false")
    try:
        done = subprocess.run([program], capture_output=True, text=True, timeout=TIMEOUT_S, env=environment)
        output, status = done.stdout, done.returncode
    except subprocess.TimeoutExpired as expired:
        output, status = (expired.stdout or b"").decode(), "ran out of time"
    failed = list(dict.fromkeys(re.findall(r"\[  FAILED  \] (\w[\w/]*\.\w+)", output)))
    if not failed and status != 0:
        started = re.findall(r"\[ RUN      \] (\S+)", output)
        failed = [f"{started[-1] if started else program.name} (exit {status})"]
    return failed


def verdict(failed, test):
    if failed is None:
        return False, "does not compile"
    if not failed:
        return False, f"SURVIVES {test}"
    more = f" and {len(failed) - 1} more" if len(failed) > 1 else ""
    return True, f"caught by {failed[0]}{more}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="only look whether each fault's code is there, was caught, and has its heir"
    )
    parser.add_argument("--smoke", action="store_true", help="only the faults marked so")
    parser.add_argument("--stale", action="store_true", help="only those that report.txt does not have as they are now")
    parser.add_argument("--write", action="store_true", help="put what catches them into report.txt")
    parser.add_argument("--only", default="", help="only faults whose name or file this regular expression finds")
    parser.add_argument("--build", type=Path, default=SOURCE / "build/faults", help="folder for the copies")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="faults at a time")
    parser.add_argument("cmake_arguments", nargs="*", help="after --: more for CMake, such as -DKokkos_ROOT=...")
    options = parser.parse_args()

    faults = read_faults()
    if options.check:
        check_report(faults)
        check_heirs(faults)
        return print(f"{len(faults)} faults can be planted, and report.txt says what caught each")
    chosen = [
        fault
        for fault in faults
        if (fault.get("smoke") or not options.smoke) and re.search(options.only, fault["name"] + " " + fault["file"])
    ]
    report = read_report()
    if options.stale:
        chosen = [fault for fault in chosen if label(fault) not in report]
    if not chosen:
        sys.exit("no fault is chosen")
    by_test = {}
    for fault in chosen:
        by_test.setdefault(fault["test"], []).append(fault)
    left = sorted(by_test.items(), key=lambda item: len(item[1]))  # taken from the end
    caught = 0

    def work(index):
        nonlocal caught
        copy = Copy(options.build / str(index), options.cmake_arguments)
        while left:
            test, group = left.pop()
            failed = copy.run(test)
            if failed != []:
                print(f"{test} fails without a fault: {failed}", flush=True)
                continue
            for fault in group:
                is_caught, text = verdict(copy.run_with(fault), test)
                print(f"{label(fault)}: {text}", flush=True)
                if is_caught:
                    report[label(fault)] = f"{label(fault)}: {text}"
                caught += is_caught

    workers = max(1, min(options.jobs, len(left)))
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, range(workers)))
    if options.write:
        lines = [report[label(fault)] for fault in faults if label(fault) in report]
        (HERE / "report.txt").write_text("\n".join(lines) + "\n")
    print(f"{caught} of {len(chosen)} faults caught")
    sys.exit(caught != len(chosen))


if __name__ == "__main__":
    main()
