#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two builds of kachel_bench, an old and a new one, run in turn on one machine.

    compare_builds.py [--rounds 3] [--filter REGEX] [--by_time] [--out FILE] [--only_slow 1.01] OLD NEW [-- OPTION...]

Every round runs both programs, the one that was second first. A row's new / old is the median over the rounds of the
ratio of its x_copy, or of its time where it has no copy. --by_time is for CPUs, whose memcpy of small arrays varies from
process to process more than the functions do: it takes the time of every row. The spread is from the least to the greatest. The table has the
geometric mean of each group, the first word of a row's name, and the rows above --only_slow in every round.
"""
import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

import result_files


def measure(program, options):
    """The figure of each row that both have: time / copy, or the time in us."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.json"
        command = [program, f"--benchmark_filter={options.filter}", f"--benchmark_out={out}", "--benchmark_out_format=json"]
        done = subprocess.run([*command, *options.arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode:
            sys.exit(f"{program} ended with {done.returncode}")
        _, runs = result_files.read(out)
    right = {name: run for name, run in runs.items() if "error_occurred" not in run}
    return {name: run.get("median_us") if options.by_time else run.get("x_copy", run.get("median_us")) for name, run in right.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--filter", default=".", help="the rows to measure, as for kachel_bench")
    parser.add_argument("--by_time", action="store_true", help="compare times, not times / copy")
    parser.add_argument("--only_slow", type=float, default=1.01, help="list rows whose ratio is above in every round")
    parser.add_argument("--out", type=pathlib.Path, help="JSON of every row's ratios")
    parser.add_argument("arguments", nargs="*", help="after --: more for both programs")
    options = parser.parse_args()

    ratios = {}
    for number in range(options.rounds):
        programs = [options.old, options.new]
        figures = {
            program: measure(program, options)
            for program in (programs if number % 2 == 0 else reversed(programs))
        }
        old, new = figures[options.old], figures[options.new]
        if number == 0 and (odd := sorted(old.keys() ^ new.keys())):
            print("in one build alone: " + ", ".join(odd))
        for name in old.keys() & new.keys():
            ratios.setdefault(name, []).append(new[name] / old[name])
    if not ratios:
        sys.exit(f"no row is in both builds and named by '{options.filter}'")
    if options.out:
        options.out.write_text(json.dumps({name: [round(r, 5) for r in ratios[name]] for name in sorted(ratios)}, indent=0))

    groups = {}
    for name, of_row in ratios.items():
        groups.setdefault(name.split("/")[0], []).append(statistics.median(of_row))
    print("group: new / old, geometric mean of the rows' medians")
    for group, medians in sorted(groups.items()):
        mean = math.exp(statistics.fmean(map(math.log, medians)))
        print(f"  {group}: {mean:.4f}, {len(medians)} rows, {min(medians):.3f} to {max(medians):.3f}")
    slow = {name: of_row for name, of_row in ratios.items() if min(of_row) > options.only_slow}
    print(f"rows above {options.only_slow} in every round: {len(slow)}")
    for name, of_row in sorted(slow.items(), key=lambda item: -statistics.median(item[1])):
        print(f"  {name}: {statistics.median(of_row):.3f} ({min(of_row):.3f}-{max(of_row):.3f})")


if __name__ == "__main__":
    main()
