#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the pages of machines, the tables and figures of the Markdown files, and the charts, from committed results.

A machine has a folder in benchmarks/results; every result in it counts, those of rivals too. Its folder pytorch/, where
there is one, has a run of compare_pytorch.sh. The page docs/results/MACHINE.md has all of its tables.

A new result is copied there as the benchmark wrote it, NAME.json. report.py replaces it by NAME.json.xz, which has what
tables and charts read: `xz -dc NAME.json.xz | python3 -m json.tool` shows it.

A table that stands in another document is between <!-- table:NAME --> and <!-- /table:NAME -->.

A figure in a text is followed by the key of its row: 1.42<!--n/h200/gelu/double/forward-->. The first word of a key is a
machine, or two such as h200/pytorch for its run of compare_pytorch.sh. The next words must stand in the path of one row
alone, in this order, the last at the path's end. "least" or "greatest" before the machine takes the extreme of several
rows. The figure is time / copy, or what COUNTERS has for one more word. It keeps its number of digits behind the point.
Of the machine "ulp" it is the greatest error in ULP over all floats: 1.955<!--n/ulp/gelu/forward-->.

report.py writes all that. report.py --check exits with 1 if a file would change, if a page's machine has gone, or if a
result is of a commit that is not in the history.
"""
import argparse
import dataclasses
import difflib
import functools
import pathlib
import re
import subprocess
import sys

import chart
import result_files
import tables

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks/results"
EXHAUSTIVE = ROOT / "tests/exhaustive/results"
PAGES = ROOT / "docs/results"
MACHINES = {
    "h200": "an NVIDIA H200",
    "h100": "an NVIDIA H100",
    "xeon-6-2-cores": "two cores of an Intel Xeon 6",
    "epyc-9004-2-cores": "two cores of an AMD EPYC 9004",
    "epyc-9005-2-cores": "two cores of an AMD EPYC (Zen 5)",
    "xeon-5-2-cores": "two cores of an Intel Xeon (Emerald Rapids)",
}
COUNTERS = {"us": "median_us", "copy_us": "copy_us", "GBps": "GB/s"}
EXTREMES = {"least": min, "greatest": max}
read = functools.cache(result_files.read)
TABLE = re.compile(r"(<!-- table:(\S+) -->\n).*?(<!-- /table:\2 -->)", re.DOTALL)
CODE = r"(?ms:^```.*?^```$)|`[^`\n]+`"
FIGURE = re.compile(CODE + r"|(?<![\w.])\d+(?:\.(?P<digits>\d+))?<!--n/(?P<key>[^>]*?)-->")


@dataclasses.dataclass
class Results:
    rows: dict  # by their path, (bandwidth, operation, type, shape, candidate) for one; those of bench.json first
    files: dict  # the context of each file, by its path in the repository

    def on(self, space):
        """Whether kachel_bench ran in an execution space of that name."""
        return any(context.get("execution_space") == space for context in self.files.values())


@dataclasses.dataclass
class Records:
    machines: dict  # names, by function
    errors: dict  # the greatest error in ULP and where it is, by function and direction


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)


@functools.cache
def has_history():
    """A source archive and a shallow clone have none to look in."""
    return git("rev-parse", "--is-shallow-repository").stdout.strip() == "false"


def documents():
    """Every Markdown file that is not made whole; of a checkout those that git has, which leaves out what was built or
    fetched."""
    names = git("ls-files", "*.md").stdout.splitlines() or ROOT.rglob("*.md")
    return [path for path in map(ROOT.joinpath, names) if path.parent != PAGES]


def check_commit(path, commit):
    if has_history() and git("merge-base", "--is-ancestor", commit, "HEAD").returncode != 0:
        sys.exit(f"{path.relative_to(ROOT)}: measured at {commit}, expected a commit of this history")


def results_in(folder):
    """The paths of its results, bench.json first; of two of one name the one that is not packed, which is newer."""
    names = {path.name.removesuffix(".xz") for path in folder.glob("*.json*")}
    paths = [folder / name for name in sorted(names, key=lambda name: (name != "bench.json", name))]
    return [path if path.exists() else path.with_name(path.name + ".xz") for path in paths]


def load(machine):
    rows, files = {}, {}
    folder = RESULTS / machine
    for path in sorted(folder.glob("*.txt")):
        for commit in re.findall(r"\bcommit ([\w-]+)", path.read_text()):
            check_commit(path, commit)
    for path in results_in(folder):
        name = path.relative_to(ROOT).as_posix().removesuffix(".xz") + ".xz"
        files[name], runs = read(path)
        check_commit(path, files[name]["kachel_commit"])
        for run_name, run in runs.items():
            key = tuple(run_name.split("/"))
            if key in rows:
                sys.exit(f"{name}: another file has the row {run_name}")
            if path.name.startswith("bench.json") and run.get("error_occurred"):
                sys.exit(f"{name}: {run_name}: {run['error_message']}")
            rows[key] = run
    return Results(rows, files)


def load_records():
    """What kachel_exhaustive --write has recorded."""
    bits, records = {}, Records({}, {})
    for path in sorted(EXHAUSTIVE.glob("*.txt")):
        for line in path.read_text().splitlines()[1:]:
            function, direction, *numbers, error, at = line.split(" | ")
            if bits.setdefault((function, direction), numbers) != numbers:
                sys.exit(f"{path.relative_to(ROOT)}: {function}, {direction}: another record has other bits")
            if error != "-":
                records.errors[function, direction] = [error, f"`{at}`"]
            records.machines.setdefault(function, []).append(path.stem)
    return records


def words(path):
    return re.split(r"[/\s]+", "/".join(path))


def stand_in(chosen, path):
    """Whether words stand in a path in their order, the last at its end."""
    before_the_last = iter(path[:-1])
    return path[-1] == chosen[-1] and all(word in before_the_last for word in chosen[:-1])


def value(key, rows):
    """The figure of a key. rows are those of every machine by its name. A key that names no row, or several, raises
    ValueError."""
    chosen = key.split("/")
    extreme = EXTREMES.get(chosen[0])
    [machine, *chosen] = chosen[1 if extreme else 0 :] or [""]
    if chosen and f"{machine}/{chosen[0]}" in rows:
        machine += "/" + chosen.pop(0)
    if machine not in rows:
        raise ValueError(f"no machine {machine!r}, expected one of {', '.join(rows)}")
    counter = COUNTERS[chosen.pop()] if chosen and chosen[-1] in COUNTERS else "x_copy"
    if not chosen:
        raise ValueError("no words of a row, expected a machine and words of its row's path")
    of_machine = {tuple(words(path)): run for path, run in rows[machine].items()}
    known = {word for path in of_machine for word in path}
    for word in chosen:
        if word not in known:
            close = ", ".join(difflib.get_close_matches(word, known, 5, 0.5)) or "a word of its page"
            raise ValueError(f"no row of {machine} has the word {word!r}, expected one such as {close}")
    found = {
        " ".join(path): run[counter]
        for path, run in of_machine.items()
        if stand_in(chosen, path) and counter in run
    }
    if not found:
        raise ValueError(f"no row of {machine} has these words in this order, the last at its end")
    if len(found) > 1 and not extreme:
        raise ValueError(f"{len(found)} rows have these words, expected one: {'; '.join([*found][:5])}")
    return (extreme or min)(found.values())


def with_figures(text, rows):
    """A text with the figures of its keys; a key that is wrong raises ValueError."""

    def figure(match):
        if match["key"] is None:  # code
            return match[0]
        try:
            number = value(match["key"], rows)
        except ValueError as error:
            raise ValueError(f"{match['key']}: {error}") from None
        return f"{number:.{len(match['digits'] or '')}f}<!--n/{match['key']}-->"

    if stray := re.search(r"<!--\s*/?n\b.*?-->", FIGURE.sub("", text)):
        raise ValueError(f"{stray[0]} stands behind no number")
    return FIGURE.sub(figure, text)


def with_tables(text, made):
    if stray := re.search(r"<!--\s*/?table:.*", TABLE.sub("", text)):
        raise ValueError(f"{stray[0]}: belongs to no whole table")
    for match in TABLE.finditer(text):
        if not made.get(match[2]):
            raise ValueError(f"{match[2]}: no such table, expected one of {', '.join(made)}")
    return TABLE.sub(lambda match: f"{match[1]}{made[match[2]]}\n{match[3]}", text)


def files_made():
    """The text of every file that results decide on, by its path."""
    if {path.name for path in RESULTS.iterdir()} != set(MACHINES):
        sys.exit(f"benchmarks/results: expected the folders {', '.join(MACHINES)}, which are those that report.py knows")
    machines = {name: load(name) for name in MACHINES}
    comparisons = {name: load(f"{name}/pytorch") for name in MACHINES}
    records = load_records()

    rows = {name: machine.rows for name, machine in machines.items()}
    rows |= {f"{name}/pytorch": comparison.rows for name, comparison in comparisons.items() if comparison.rows}
    rows["ulp"] = {key: {"x_copy": float(error)} for key, (error, _) in records.errors.items()}
    gpus = {name: machine for name, machine in machines.items() if machine.on("Cuda")}
    made = {
        "readme": tables.readme(machines["h200"]),
        "missed": tables.missed(gpus),
        "missed-guests": tables.missed_guests(machines),
        "missed-loops": tables.missed_loops(machines["xeon-6-2-cores"].rows),
        "ahead": tables.ahead({name: comparison for name, comparison in comparisons.items() if comparison.rows}),
        "exhaustive": tables.exhaustive(records),
    }
    new = {
        ROOT / "docs/images/h200.svg": chart.svg(machines["h200"].rows),
        ROOT / "docs/images/h200-kernelbench.svg": chart.kernelbench(comparisons["h200"].rows),
    }
    for name, title in MACHINES.items():
        new[PAGES / f"{name}.md"] = tables.page(title, machines[name], comparisons[name])
    for path in documents():
        try:
            new[path] = with_figures(with_tables(path.read_text(), made), rows)
        except ValueError as error:
            sys.exit(f"{path.relative_to(ROOT)}: {error}")
    return new


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only look whether anything would change")
    options = parser.parse_args()
    new = files_made()
    stale = [path for path, text in new.items() if not path.exists() or path.read_text() != text]
    unpacked = list(RESULTS.rglob("*.json"))
    gone = [path for path in PAGES.glob("*.md") if path not in new] + unpacked
    if not options.check:
        for path in unpacked:
            path.with_name(path.name + ".xz").write_bytes(result_files.pack(*read(path)))
        for path in stale:
            path.parent.mkdir(exist_ok=True)
            path.write_text(new[path])
        for path in gone:
            path.unlink()
    elif stale or gone:
        names = ", ".join(str(path.relative_to(ROOT)) for path in [*stale, *gone])
        sys.exit(f"not made from the results: {names}; run benchmarks/report.py")


main()
