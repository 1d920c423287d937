#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of the Markdown files, and the chart, from the results in benchmarks/results.

A machine has a folder there; every JSON file in it counts, those of rivals too. Its folder pytorch/, where there is
one, has a run of compare_pytorch.sh, and tables of its own. The table of all floats is made from
tests/exhaustive/results, where a machine has a file. A table stands between <!-- table:NAME --> and
<!-- /table:NAME -->. report.py writes tables and charts. report.py --check exits with 1 if a file would change, if the
text around the tables has a measured figure, which nothing would renew, or if a result is of a commit that is not in
the history.
"""
import argparse
import functools
import json
import math
import pathlib
import re
import subprocess
import sys

import chart

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks/results"
EXHAUSTIVE = ROOT / "tests/exhaustive/results"
MACHINES = {name: name for name in ("h200", "h200-held-back", "h100")} | {"host": "xeon-6-2-cores"}
TYPES = ["float", "half", "bfloat16", "double"]
PRODUCTS = "CMake|CUDA|Clang|CuPy|GCC|Kokkos|Python|PyTorch|Triton|oneDNN"  # a number behind one is a version
UNITS = r"%|x\b|times\b|percent\b|(?:milli|micro|nano)seconds?\b|[mnuµ]s\b|[GT]B/s"
FIGURE = re.compile(
    rf"((?:{PRODUCTS})\s)?(?<![\w.])(?:\d+\.\d+\s+of\b|\d+(?:\.\d+)?\s?(?:{UNITS})|(\d+\.\d\d+)(?!\.\d))"
)
TABLE = re.compile(r"(<!-- table:(\S+) -->\n).*?(<!-- /table:\2 -->)", re.DOTALL)
# what kachel_contracts writes of the code
MADE_BY_TESTS = re.compile(r"<!-- (contracts|values|kinks|functions) -->.*?<!-- /\1 -->", re.DOTALL)


def source(path, context):
    """The line that says where a file's rows come from."""
    commit = context["kachel_commit"]
    parts = [context["machine"], f"commit {commit}", f"`{context['command']}`"]
    if "versions" in context:
        parts.append(context["versions"])
    return f"`{path.relative_to(ROOT)}`: {'; '.join(parts)}."


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)


@functools.cache
def has_history():
    """A source archive and a shallow clone have none to look in."""
    return git("rev-parse", "--is-shallow-repository").stdout.strip() == "false"


def documents():
    """Every Markdown file; of a checkout those that git has, which leaves out what was built or fetched."""
    names = git("ls-files", "*.md").stdout.splitlines() or ROOT.rglob("*.md")
    return [ROOT / name for name in names]


def check_commit(path, commit):
    if has_history() and git("merge-base", "--is-ancestor", commit, "HEAD").returncode != 0:
        sys.exit(f"{path.relative_to(ROOT)}: measured at {commit}, expected a commit of this history")


def load(machine):
    """The rows of a machine by their path, (bandwidth, operation, type, shape, candidate) for one; bench.json's first."""
    rows = {}
    folder = RESULTS / machine
    for path in sorted(folder.glob("*.txt")):
        for commit in re.findall(r"\bcommit ([\w-]+)", path.read_text()):
            check_commit(path, commit)
    for path in sorted(folder.glob("*.json"), key=lambda path: (path.name != "bench.json", path.name)):
        data = json.loads(path.read_text())
        check_commit(path, data["context"]["kachel_commit"])
        for run in data["benchmarks"]:
            key = tuple(run["name"].split("/iterations:")[0].split("/"))
            if key in rows:
                sys.exit(f"{path}: another file has the row {run['name']}")
            if path.name == "bench.json" and run.get("error_occurred"):
                sys.exit(f"{path.relative_to(ROOT)}: {run['name']}: {run['error_message']}")
            rows[key] = run | {"source": source(path, data["context"])}
    return rows


def table(header, lines):
    if not lines:
        return ""
    out = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(out + ["| " + " | ".join(line) + " |" for line in lines])


def unique(items):
    return list(dict.fromkeys(items))


def brief(run):
    return f"{run['x_copy']:.3f}" if run and "x_copy" in run else ""


def ratio(run):
    return brief(run) and f"{brief(run)} ({run['x_copy_q1']:.3f}-{run['x_copy_q3']:.3f})"


def rate(run):
    return brief(run) and f"{ratio(run)}, {run['GB/s']:.0f} GB/s"


def order(candidates):
    """Kachel first, the others as they were measured."""
    return sorted(unique(candidates), key=lambda name: not name.startswith("kachel"))


# Each of these makes a table of the rows whose path begins with the function's name. The paths are without it.


def bandwidth(rows, cell=rate):
    """(operation, type, shape, candidate): a table an operation, a line a candidate, a column a type."""
    parts = []
    for operation, shape in unique((key[0], key[2]) for key in rows):
        lines = []
        for name in order(key[3] for key in rows if (key[0], key[2]) == (operation, shape)):
            cells = [cell(rows.get((operation, kind, shape, name))) for kind in TYPES]
            lines.append([f"**{name}**" if name == "kachel" else name, *cells])
        parts.append(table([f"{operation} ({shape.replace('x', ', ')})", *TYPES], lines))
    return "\n\n".join(parts)


def notes(rows):
    """What rows of bandwidth say besides numbers: which variant is the fastest, why there is no number."""
    said = {}
    for (operation, kind, _, candidate), run in rows.items():
        if note := run.get("error_message", run.get("label")):
            said.setdefault((candidate, note.splitlines()[0]), []).append(f"{operation} {kind}")
    return "\n".join(f"- `{name}`, {', '.join(cases)}: {note}" for (name, note), cases in sorted(said.items()))


def sizes(rows):
    """(operation, type, size, candidate): a line a size."""
    candidates = order(key[3] for key in rows)
    lines = []
    for case in unique(key[:3] for key in rows):
        runs = [rows[(*case, name)] for name in candidates]
        lines.append([case[2], *(f"{run['median_us']:.2f}" for run in runs), f"{runs[0]['copy_us']:.2f}"])
    return table(["floats", *(f"{name}, us" for name in candidates), "copy, us"], lines)


def calls(rows):
    """(operation, type, space, candidate): a line each."""
    lines = [[*key[2:], f"{run['median_us']:.3f} us", f"{run['above_ns']:+.0f} ns"] for key, run in rows.items()]
    return table(["space", "candidate", "a call", "above kokkos_packs"], lines)


def blocks(rows):
    """(type, size, block size, loads, place): a line for block size and loads, a column for each of the others."""
    columns = unique((key[0], key[1], key[4]) for key in rows)
    lines = []
    for block, loads in sorted(unique(key[2:4] for key in rows), key=lambda case: (case[1], int(case[0]))):
        lines.append([loads, block, *(brief(rows[(*column[:2], block, loads, column[2])]) for column in columns)])
    names = [f"{kind}, {int(size):,}{', in place' * (place == 'in_place')}" for kind, size, place in columns]
    return table(["loads", "block", *names], lines)


def accesses(rows):
    """(operation, type, size, access): a line an access, a column a size."""
    columns = unique(key[:3] for key in rows)
    lines = []
    for name in unique(key[3] for key in rows):
        lines.append([name, *(ratio(rows[(*column, name)]) for column in columns)])
    return table(["", *(f"{size} floats" for _, _, size in columns)], lines)


def views(rows):
    """(what, element type or types, case..., candidate): a line a case, a column a candidate."""
    candidates = order(key[-1] for key in rows)
    lines = []
    for case in unique(key[:-1] for key in rows):
        cells = [ratio(rows.get((*case, name))) for name in candidates]
        lines.append([case[0], ", ".join(case[1:]), f"{rows[(*case, 'kachel')]['copy_us']:.0f}", *cells])
    return table(["what", "case", "copy, us", *candidates], lines)


def backward(rows):
    """(what, type, place, candidate): a line a case, a column a candidate."""
    candidates = order(key[-1] for key in rows)
    lines = []
    for case in unique(key[:-1] for key in rows):
        lines.append([*case, *(ratio(rows.get((*case, name))) for name in candidates)])
    return table(["what", "type", "", *candidates], lines)


def saved(rows):
    """(operation, type, what): a line for what runs, a column a type; then the times of forward and backward together."""
    kinds = unique(key[1] for key in rows)
    lines = []
    for operation, what in unique((key[0], key[2]) for key in rows):
        runs = [rows.get((operation, kind, what)) for kind in kinds]
        lines.append([operation, what, *(f"{ratio(run)}, {run['median_us']:.0f} us" if run else "" for run in runs)])
    for operation in unique(key[0] for key in rows):
        for kept, forward in {"x": "forward", "y": "forward", "mask": "forward with mask"}.items():
            cells = []
            for kind in kinds:
                step, usual = (
                    rows[operation, kind, forth]["median_us"] + rows[operation, kind, f"backward from {back}"]["median_us"]
                    for forth, back in ((forward, kept), ("forward", "x"))
                )
                cells.append(f"{step:.0f} us" + (f", {step / usual:.3f} of that from x" if kept != "x" else ""))
            lines.append([operation, f"both, from {kept}", *cells])
    return table(["", "", *kinds], lines)


def levers(rows):
    """(operation, type, shape, lever): a line a lever, a column a type."""
    return bandwidth(rows, ratio)


def lookups(rows):
    """(activation, type, size, way): a line for activation, type and size, a column a way."""
    columns = unique(key[3] for key in rows)
    lines = [[*case, *(ratio(rows[(*case, way)]) for way in columns)] for case in unique(key[:3] for key in rows)]
    return table(["activation", "type", "elements", *columns], lines)


def activations(rows):
    """(activation, type, size, direction): a line an activation, a column a direction and type."""
    columns = unique((key[3], key[1]) for key in rows)
    lines = []
    for name, size in unique((key[0], key[2]) for key in rows if key[3] == "backward"):
        cells = [ratio(rows[(name, kind, size, direction)]) for direction, kind in columns]
        lines.append([name, *cells])
    return table(["", *(f"{direction}, {kind}" for direction, kind in columns)], lines)


def widths(rows):
    """(conversion, width): a line a conversion, a column a width."""
    columns = unique(key[1] for key in rows)
    lines = []
    for conversion in unique(key[0] for key in rows):
        lines.append([conversion, *(ratio(rows[conversion, width]) for width in columns)])
    return table(["conversion", *columns], lines)


def eviction(rows):
    """(size, loads, place): a line a size, a column for loads and place."""
    columns = unique(key[1:] for key in rows)
    lines = [[size, *(ratio(rows[(size, *column)]) for column in columns)] for size in unique(key[0] for key in rows)]
    return table(["floats", *(f"{loads}{', in place' * (place == 'in_place')}" for loads, place in columns)], lines)


def pipelining(rows):
    """(activation, candidate): a line an activation, a column a candidate."""
    candidates = unique(key[1] for key in rows)
    lines = [[name, *(ratio(rows[(name, candidate)]) for candidate in candidates)] for name in unique(key[0] for key in rows)]
    return table(["float", *candidates], lines)


def neighbour(rows):
    """(bytes, calls, bytes restored, place): a line for bytes, calls and place, a column for what is restored."""
    columns = unique(key[2] for key in rows)
    lines = []
    for place, size, calls in sorted(unique((key[3], key[0], key[1]) for key in rows), reverse=True):
        runs = [rows.get((size, calls, restored, place)) for restored in columns]
        baseline = f"{next(filter(None, runs))['copy_us']:.2f}"
        case = f"{size}{', after a pass in place' * (place == 'in_place')}"
        lines.append([case, calls, baseline, *map(ratio, runs)])
    header = ["next kernel", "calls", "a call after ordinary loads, us"]
    return table([*header, *(f"{restored} restored" for restored in columns)], lines)


def exhaustive():
    """What kachel_exhaustive --write has recorded: a line a function, with the errors of a machine that has measured
    those of all inputs, and the machines that have recorded the function, whose bits must be the same."""
    bits, errors, machines = {}, {}, {}
    for path in sorted(EXHAUSTIVE.glob("*.txt")):
        for line in path.read_text().splitlines()[1:]:
            function, direction, *numbers, error, at = line.split(" | ")
            if bits.setdefault((function, direction), numbers) != numbers:
                sys.exit(f"{path.relative_to(ROOT)}: {function}, {direction}: another record has other bits")
            if error != "-":
                errors[function, direction] = [error, f"`{at}`"]
            machines.setdefault(function, []).append(path.stem)
    lines = []
    for function, names in sorted(machines.items()):
        cells = [errors.get((function, direction), ["", ""]) for direction in ("forward", "backward")]
        lines.append([f"`{function}`", *cells[0], *cells[1], ", ".join(unique(names))])
    return table(["function", "error of y", "at", "error of dx", "at", "the same bits on"], lines)


# Each of these makes a table of a run of compare_pytorch.sh, "" where it has no such rows: kachel_bench's rows of
# activations, and PyTorch's, whose paths are longer by the candidate.


def time(run):
    return run.get("x_copy", math.inf)


def marked(cell, mark):
    return f"**{cell}**" if mark else cell


def kernelbench(rows):
    """The problems of KernelBench: a line for problem and type, marked where PyTorch is ahead."""
    lines = []
    for key in sorted((key for key in rows if key[-1] == "pytorch"), key=lambda key: rows[key]["problem"]):
        runs = [rows[key[:-1]], rows[key], rows[(*key[:-1], "pytorch_compile")]]
        speed_up = min(map(time, runs[1:])) / time(runs[0])
        lines.append([rows[key]["problem"], key[2], *map(ratio, runs), marked(f"{speed_up:.3f}", speed_up < 1)])
    return table(["problem", "type", "kachel", "pytorch", "pytorch_compile", "over the better"], lines)


def pytorch(rows):
    """Outputs given: a line for activation and type, two columns a size, PyTorch marked where it is ahead."""
    given = [key for key in rows if key[-1] == "pytorch_out"]
    sizes = sorted(unique(int(key[3]) for key in given), reverse=True)
    lines = []
    for path in unique(key[:3] for key in given):
        line = [*path[1:]]
        for size in sizes:
            ours, theirs = (rows[(*path, str(size), "forward", *candidate)] for candidate in ((), ("pytorch_out",)))
            line += [ratio(ours), marked(ratio(theirs), time(theirs) < time(ours))]
        lines.append(line)
    columns = [f"{candidate}, {size:,}" for size in sizes for candidate in ("kachel", "pytorch_out")]
    return table(["activation", "type", *columns], sorted(lines, key=lambda line: TYPES.index(line[1])))


def tables(results, comparisons):
    """The tables by their names; under each a line for every file that it comes from."""
    made = {"exhaustive": exhaustive()}
    for machine, rows in comparisons.items():
        sources = "\n\n".join(unique(run["source"] for run in rows.values()))
        for kind in (kernelbench, pytorch):
            if lines := kind(rows):
                made[f"{machine}-{kind.__name__}"] = f"{lines}\n\n{sources}"
    for machine, rows in results.items():
        kinds = (bandwidth, activations, sizes, calls, views, backward, saved, widths, accesses, blocks, eviction, pipelining, neighbour, levers, lookups)
        for kind in kinds:
            chosen = {key[1:]: run for key, run in rows.items() if key[0] == kind.__name__}
            sources = "\n\n".join(unique(run["source"] for run in chosen.values()))
            parts = [kind(chosen), notes(chosen) if kind is bandwidth else "", sources]
            made[f"{machine}-{kind.__name__}"] = "\n\n".join(filter(None, parts))
            if kind is bandwidth:
                made[machine] = f"{bandwidth(chosen, brief)}\n\n{sources}"
    return made


def figures(text):
    """What looks measured outside of tables and code: two digits behind a point, shares, percents, times, rates,
    factors. 1.00 is the speed of a copy."""
    for other in (TABLE, MADE_BY_TESTS, r"(?ms)^```.*?^```$", r"`[^`\n]+`", r"\]\([^)]*\)"):
        text = re.sub(other, "", text)
    return [match[0] for match in FIGURE.finditer(text) if not (match[2] and (match[1] or match[2] == "1.00"))]


def filled(made, name):
    return made.get(name) or sys.exit(f"{name}: no result has rows for this table")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only look whether anything would change")
    options = parser.parse_args()
    if other := {path.name for path in RESULTS.iterdir()} - set(MACHINES.values()):
        sys.exit(f"benchmarks/results: {', '.join(sorted(other))}: no folder of a machine that report.py knows")
    results = {name: load(folder) for name, folder in MACHINES.items()}
    comparisons = {name: load(f"{folder}/pytorch") for name, folder in MACHINES.items()}
    made = tables(results, comparisons)
    new = {ROOT / "docs/images/h200.svg": chart.svg(results["h200"])}
    if comparisons["h200"]:
        new[ROOT / "docs/images/h200-kernelbench.svg"] = chart.kernelbench(comparisons["h200"])
    for path in documents():
        text = path.read_text()
        if stray := re.search(r"<!--\s*/?table:.*", TABLE.sub("", text)):
            sys.exit(f"{path.relative_to(ROOT)}: {stray[0]}: belongs to no whole table")
        new[path] = TABLE.sub(lambda match: match[1] + filled(made, match[2]) + "\n" + match[3], text)
    stale = [path for path, text in new.items() if not path.exists() or path.read_text() != text]
    if not options.check:
        for path in stale:
            path.parent.mkdir(exist_ok=True)
            path.write_text(new[path])
    elif stale:
        names = ", ".join(str(path.relative_to(ROOT)) for path in stale)
        sys.exit(f"not made from the results: {names}; run benchmarks/report.py")
    for path in documents():
        if found := figures(path.read_text()):
            sys.exit(f"{path.relative_to(ROOT)}: figures outside of tables: {', '.join(map(repr, found))}")


main()
