# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A committed table of what one compiler made of each kernel, header or call.

The names hold for all its versions. Numbers are compared with the recorded version's alone.
"""

import sys
from pathlib import Path

SKIPPED = 77  # the tests' SKIP_RETURN_CODE


def write(path, compiler, columns, measured):
    lines = [f"# {compiler}", f'# {", ".join(columns)}']
    lines += [f'{name}: {" ".join(map(str, values))}' for name, values in sorted(measured.items())]
    Path(path).write_text("\n".join(lines) + "\n")


def read(path):
    """The compiler, and {name: values, as they are written}."""
    first, _, *rows = Path(path).read_text().splitlines()
    return first.removeprefix("# "), {name: values.split() for name, values in (row.split(": ") for row in rows)}


def differences(path, measured, compiler=None, columns=()):
    """A line for each name in the table or in `measured` alone, and for each number that is not the compiler's recorded
    one."""
    recorded_by, recorded = read(path)
    file = Path(path).name
    found = [f"{name}: not in {file}" for name in measured if name not in recorded]
    found += [f"{name}: in {file}, but not compiled" for name in recorded if name not in measured]
    for name in sorted(measured.keys() & recorded.keys()) if compiler == recorded_by else []:
        for column, now, expected in zip(columns, measured[name], recorded[name]):
            if str(now) != expected:
                found.append(f"{name}: {now} {column}, expected {expected} as in {file}")
    return found + ["CONTRIBUTING.md says which target writes it anew."] if found else []


def finish(path, compiler, errors):
    """Fails with the errors; without any, ends as skipped where the numbers are another compiler's."""
    recorded_by, _ = read(path)
    if not errors and compiler not in (None, recorded_by):
        print(f"not compared with {Path(path).name}, which is of {recorded_by}, not of {compiler}")
        sys.exit(SKIPPED)
    sys.exit("\n".join(errors) or 0)
