#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_output.py readme|errors PROGRAM: checks what a program of rows prints while it measures, with a small shape.

readme: kachel_bench_readme, whose rows are all right. errors: kachel_bench_errors, of whose rows one is wrong and one
waits for a line on the standard input.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SUFFIX = "/iterations:1/manual_time"  # what Google Benchmark appends to names
RESULT = re.compile(r" +(?:\d+\.\d\d +\d+\.\d +(\d+\.\d{3})  \d+\.\d{3}-\d+\.\d{3}|error: (\d+ of \d+ results are wrong))")
what, program = sys.argv[1:]
small = [program, "--shape=16x4096", "--pairs=3"]


def expect(condition, message):
    if not condition:
        sys.exit(message)


def run(*flags, exit_status=0):
    """Standard output and error of a run that ends with `exit_status`."""
    done = subprocess.run([*small, *flags], stdin=subprocess.DEVNULL, capture_output=True)
    output, errors = done.stdout.decode(), done.stderr.decode()
    expect(done.returncode == exit_status, f"{flags}: exit status {done.returncode}, expected {exit_status}\n{errors}")
    return output, errors


def check_table(text, names):
    """Each row must have one line of the table, in order, with its result. Gives the results."""
    expect("\r" not in text, f"a line is written over:\n{text}")
    header = re.search(r"^ +row +left  name +median us +GB/s +x copy  quartiles$", text, re.MULTILINE)
    expect(header, f"no header:\n{text}")
    column, end_of_ratio = header[0].index("name"), header[0].index("x copy") + len("x copy")
    lines = text[header.end() + 1 :].splitlines()
    results = []
    for number, (line, name) in enumerate(zip(lines, names), 1):
        start = re.fullmatch(r" *(\d+)/(\d+)  +(\d+:\d\d)? *", line[:column])
        expect(start and start.groups()[:2] == (str(number), str(len(names))), f"{line!r} is not row {number}")
        expect((start[3] is None) == (number == 1), f"{line!r}: expected the time left from the second row on")
        expect(line[column:].startswith(name + " "), f"{line!r}: expected {name}")
        result = RESULT.fullmatch(line[column + len(name) :])
        expect(result, f"{line!r} does not end with a result")
        expect(result[2] or line[:end_of_ratio].endswith(result[1]), f"{line!r} is not aligned")
        results.append(result[1] or result[2])
    expect(len(results) == len(names), f"{len(results)} rows, expected {len(names)}:\n{text}")
    errors = [f"{name}: {result}" for name, result in zip(names, results) if "wrong" in result]
    end = lines[len(names) :]
    done = rf"{len(names)} of {len(names)} rows in \d+:\d\d, errors: {len(errors)}"
    expect(end[0] == "" and re.fullmatch(done, end[1]) and end[2:] == errors, f"unexpected end:\n{end}")
    return results


def check_rows(rows, results):
    """Google Benchmark's own rows must say what the table said."""
    said = [row["error_message"] if row.get("error_occurred") else f"{row['x_copy']:.3f}" for row in rows]
    expect(said == results, f"JSON has {said}, the table {results}")


listed, _ = run("--benchmark_list_tests")
names = [line.removesuffix(SUFFIX) for line in listed.splitlines()]
expect(all(line.endswith(SUFFIX) for line in listed.splitlines()), f"unexpected names:\n{listed}")
status = 1 if what == "errors" else 0

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "out.json"
    text, _ = run(f"--benchmark_out={path}", "--benchmark_out_format=json", exit_status=status)
    check_rows(json.loads(path.read_text())["benchmarks"], check_table(text, names))

text, table = run("--benchmark_format=json", exit_status=status)
document = json.loads(text)
check_rows(document["benchmarks"], check_table(table, names))
expect("--shape=16x4096" in document["context"]["command"], f"no command: {document['context']}")

if what == "readme":
    expect({name.split("/")[0] for name in names} == {"bandwidth"}, f"unexpected rows: {names}")
    chosen = [name for name in names if re.search("hardtanh/half/.*/kachel", name)]
    check_table(run("--benchmark_filter=hardtanh/half/.*/kachel")[0], chosen)
    _, message = run("--benchmark_filter=nothing", exit_status=1)
    expect("Failed to match any benchmarks" in message, message)
else:
    expect(names == ["tests/right", "tests/wrong", "tests/waits"], f"unexpected rows: {names}")
    # A row that is measured stands on a line that has begun, all results before it on theirs.
    waiting = subprocess.Popen(small, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = ""
    while not re.search(r"3/3 +\d+:\d\d  tests/waits$", text):
        expect(read := waiting.stdout.read(1), f"ended before it waited:\n{text}")
        text += read.decode()
    check_table(text + waiting.communicate(b"\n")[0].decode(), names)
    expect(waiting.returncode == 1, f"exit status {waiting.returncode}, expected 1")
