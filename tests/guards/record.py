# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A committed table of what one compiler made of each kernel or header. With another compiler it is not compared."""

from pathlib import Path


def write(path, compiler, columns, measured):
    lines = [f"# {compiler}", f'# {", ".join(columns)}']
    lines += [f'{name}: {" ".join(map(str, values))}' for name, values in sorted(measured.items())]
    Path(path).write_text("\n".join(lines) + "\n")


def read(path, compiler):
    """{name: values, as they are written}, or None if the table is of another compiler."""
    first, _, *rows = Path(path).read_text().splitlines()
    return {name: values.split() for name, values in (row.split(": ") for row in rows)} if first == f"# {compiler}" else None


def differences(path, compiler, columns, measured):
    """A line for each number that is not the recorded one, and for each name in one of the two alone."""
    recorded = read(path, compiler)
    if recorded is None:
        return []
    file = Path(path).name
    found = [f"{name}: not in {file}" for name in measured if name not in recorded]
    found += [f"{name}: in {file}, but not compiled" for name in recorded if name not in measured]
    for name in sorted(measured.keys() & recorded.keys()):
        for column, now, expected in zip(columns, measured[name], recorded[name]):
            if str(now) != expected:
                found.append(f"{name}: {now} {column}, expected {expected} as in {file}")
    return found + ["The target record_guards writes it anew."] if found else []
