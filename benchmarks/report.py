#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of README.md and docs/performance.md from the results in benchmarks/results.

A table stands between <!-- table:NAME --> and <!-- /table:NAME -->.
report.py writes them; report.py --check exits with 1 if a file would change.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = {"h200": "h200/bench.json", "host": "epyc-7003-2-cores/bench.json"}
TYPES = ["float", "half", "bfloat16", "double"]


def load(path):
    """The context, and the rows by their path: (workload, operation, type, shape, candidate)."""
    data = json.loads((ROOT / "benchmarks/results" / path).read_text())
    rows = {}
    for run in data["benchmarks"]:
        key = tuple(run["name"].split("/iterations:")[0].split("/"))
        rows[key] = run
    return data["context"], rows


def table(header, lines):
    out = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(out + ["| " + " | ".join(line) + " |" for line in lines])


def machine(context):
    return (
        f"{context['machine']}; commit {context['kachel_commit']}; `{context['command']}`"
    )


def ratio(run):
    return f"{run['x_copy']:.3f} ({run['x_copy_q1']:.3f}-{run['x_copy_q3']:.3f})"


def order(candidates):
    """Kachel first, the others as they were measured."""
    return sorted(candidates, key=lambda name: not name.startswith("kachel"))


def bandwidth(context, rows, spread):
    keys = [key for key in rows if key[0] == "bandwidth"]
    parts = []
    for operation in dict.fromkeys(key[1] for key in keys):
        chosen = [key for key in keys if key[1] == operation]
        shape = chosen[0][3].replace("x", ", ")
        lines = []
        for candidate in order(dict.fromkeys(key[4] for key in chosen)):
            line = [f"**{candidate}**" if candidate == "kachel" else candidate]
            for kind in TYPES:
                run = rows[("bandwidth", operation, kind, chosen[0][3], candidate)]
                line.append(f"{ratio(run)}, {run['GB/s']:.0f} GB/s" if spread else f"{run['x_copy']:.3f}")
            lines.append(line)
        parts.append(table([f"{operation} ({shape})", *TYPES], lines))
    return "\n\n".join([*parts, f"{machine(context)}."])


def sizes(context, rows, _):
    keys = [key for key in rows if key[0] == "sizes"]
    candidates = order(dict.fromkeys(key[4] for key in keys))
    lines = []
    for size in dict.fromkeys(key[3] for key in keys):
        times = [rows[(*keys[0][:3], size, name)]["median_us"] for name in candidates]
        copy = rows[(*keys[0][:3], size, "kachel")]["copy_us"]
        lines.append([size, *(f"{time:.2f}" for time in times), f"{copy:.2f}"])
    return table(["floats", *(f"{name}, us" for name in candidates), "copy, us"], lines)


def calls(context, rows, _):
    lines = []
    for key, run in rows.items():
        if key[0] == "calls":
            lines.append(
                [key[3], key[4], f"{run['median_us']:.3f} us", f"{run['above_ns']:+.0f} ns"]
            )
    return table(["space", "candidate", "a call", "above kokkos_packs"], lines)


def paces(_, rows, __):
    keys = [key for key in rows if key[0] == "paces"]
    columns = list(dict.fromkeys((*key[2:4], key[6]) for key in keys))
    lines = []
    for block, delay in dict.fromkeys(key[4:6] for key in keys):
        line = [block.removeprefix("block="), delay.removeprefix("delay=") + " ns"]
        for kind, size, place in columns:
            run = rows[("paces", "hardtanh", kind, size, block, delay, place)]
            line.append(f"{run['x_copy']:.3f}")
        lines.append(line)
    names = [
        f"{kind}, {int(size):,}{', in place' if place == 'in_place' else ''}"
        for kind, size, place in columns
    ]
    return table(["block", "delay", *names], lines)


def accesses(_, rows, __):
    keys = [key for key in rows if key[0] == "accesses"]
    sizes = list(dict.fromkeys(key[3] for key in keys))
    lines = []
    for name in dict.fromkeys(key[4] for key in keys):
        line = [name]
        for size in sizes:
            run = rows[("accesses", "hardtanh", "float", size, name)]
            line.append(ratio(run))
        lines.append(line)
    return table(["", *(f"{size} floats" for size in sizes)], lines)


def views(_, rows, __):
    """A line a case, a column a candidate; the path is (views, what, element type or types, case..., candidate)."""
    keys = [key for key in rows if key[0] == "views"]
    candidates = order(dict.fromkeys(key[-1] for key in keys))
    lines = []
    for case in dict.fromkeys(key[1:-1] for key in keys):
        runs = [rows.get(("views", *case, candidate)) for candidate in candidates]
        lines.append([case[0], ", ".join(case[1:]), *(ratio(run) if run else "" for run in runs)])
    return table(["what", "case", *candidates], lines)


def backward(_, rows, __):
    keys = [key for key in rows if key[0] == "backward"]
    candidates = order(dict.fromkeys(key[-1] for key in keys))
    lines = []
    for case in dict.fromkeys(key[1:-1] for key in keys):
        runs = [rows.get(("backward", *case, candidate)) for candidate in candidates]
        lines.append([*case, *(ratio(run) if run else "" for run in runs)])
    return table(["what", "type", "", *candidates], lines)


def widths(_, rows, __):
    """A line a conversion, a column a width; the path is (widths, conversion, width)."""
    keys = [key for key in rows if key[0] == "widths"]
    columns = list(dict.fromkeys(key[2] for key in keys))
    lines = []
    for conversion in dict.fromkeys(key[1] for key in keys):
        lines.append([conversion, *(ratio(rows["widths", conversion, width]) for width in columns)])
    return table(["conversion", *columns], lines)


def tables():
    made = {}
    for name, path in RESULTS.items():
        context, rows = load(path)
        made[name] = bandwidth(context, rows, spread=False)
        for kind in (bandwidth, sizes, calls, views, backward, widths, paces, accesses):
            made[f"{name}-{kind.__name__}"] = kind(context, rows, True)
    return made


def main():
    made, stale = tables(), []
    for path in (ROOT / "README.md", ROOT / "docs/performance.md"):
        old = path.read_text()
        new = re.sub(
            r"(<!-- table:(\S+) -->\n).*?(<!-- /table:\2 -->)",
            lambda match: match[1] + made[match[2]] + "\n" + match[3],
            old,
            flags=re.DOTALL,
        )
        if new != old:
            stale.append(path.name)
            if "--check" not in sys.argv:
                path.write_text(new)
    if stale and "--check" in sys.argv:
        sys.exit(f"not made from benchmarks/results: {', '.join(stale)}; run benchmarks/report.py")


main()
