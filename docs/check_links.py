#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exits with 1 unless every relative link, anchor and path in the repository's Markdown files leads somewhere.

A path is a word in code (`detail/backend/host/`, python3 benchmarks/report.py) that names a file by its extension or begins with
a folder's name; the repository has it if a file or folder there ends with it, or with .xz besides. Links to other sites
must be well formed: nothing is fetched.
"""
import collections
import fnmatch
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXTENSIONS = (".cmake", ".cpp", ".hpp", ".json", ".md", ".py", ".sh", ".toml", ".txt")
BUILT = ("build",)  # folders that git ignores

MADE = re.compile(r"^```\w+ (\S+)$", re.MULTILINE)  # a file that a document gives in full
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"""\]\((?:([^()\s]*)\s+(?:"[^"]*"|'[^']*')|([^)]*))\)""")  # with a title or without
OTHER_LINK = re.compile(
    r"""^\[[^\]]+\]:\s*(\S+)|\b(?:src|href)\s*=\s*(?:["']([^"']*)["']|([^\s"'>]+))""", re.IGNORECASE | re.MULTILINE
)
REFERENCE = re.compile(r"\]\[([^\]]*)\]")
WORD = re.compile(r"[\w.*-]+(?:/[\w.*-]*)*")
SITE = re.compile(r"https?://[\w-]+(\.[\w-]+)+(/[\w./~%?=&#+-]*)?")


def repository():
    """Files and folders, relative to the root: what git has, or all where there is no history."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.splitlines()
    paths = map(ROOT.joinpath, tracked) if tracked else ROOT.rglob("*")
    files = {path.relative_to(ROOT) for path in paths if path.is_file()}
    files |= {path.with_suffix("") for path in files if path.suffix == ".xz"}
    return files, {folder for path in files for folder in path.parents}


def blank(match):
    """As many lines, so that what follows keeps its line's number."""
    return "\n" * match[0].count("\n")


def anchors(text):
    """The anchors of a file's headings, as GitHub makes them."""
    count, made = collections.Counter(), set()
    for heading in re.findall(r"^#+ +(.*)$", FENCE.sub(blank, text), re.MULTILINE):
        plain = LINK.sub("]", heading).strip().lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        made.add(f"{slug}-{count[slug]}" if count[slug] else slug)
        count[slug] += 1
    return made


def wrong_link(path, target, targets):
    """What is wrong with a link of the file at path, or None."""
    if re.match(r"\w+:", target):
        return None if SITE.fullmatch(target) else "is no well-formed address"
    name, _, anchor = target.partition("#")
    file = pathlib.Path(os.path.normpath(path.parent / name)) if name else path
    if file not in targets:
        return "leads to no file"
    if anchor and anchor not in anchors((ROOT / file).read_text()):
        return f"leads to no heading of {file.name}"
    return None


def wrong_word(word, files, folders):
    """What is wrong with a word in code, or None."""
    parts = word.strip("/").split("/")
    if ".*" in parts:  # of a regular expression
        return None
    is_folder = "/" in word and parts[0] in {folder.name for folder in folders}
    if parts[0] in BUILT or not (is_folder or word.endswith(EXTENSIONS)):
        return None
    pattern = "/".join(parts)
    known = any(
        fnmatch.fnmatch(str(path), pattern) or fnmatch.fnmatch(str(path), f"*/{pattern}") for path in files | folders
    )
    return None if known else "is no path of the repository"


def wrong(path, files, folders):
    text = (ROOT / path).read_text()
    targets = files | folders
    files = files | {pathlib.Path(name) for name in MADE.findall(text)}
    prose = FENCE.sub(blank, text)
    linked = SPAN.sub("", prose)
    lines = []
    for match in (*LINK.finditer(linked), *OTHER_LINK.finditer(linked)):
        target = match[match.lastindex]
        lines.append((linked.count("\n", 0, match.start()) + 1, target, wrong_link(path, target, targets)))
    for match in REFERENCE.finditer(linked):
        known = re.search(rf"^\[{re.escape(match[1])}\]:", linked, re.MULTILINE)
        lines.append((linked.count("\n", 0, match.start()) + 1, match[0], None if known else "has no definition"))
    for pattern, where in ((FENCE, text), (SPAN, prose)):
        for match in pattern.finditer(where):
            code = re.sub(r"<\w+>", "*", match[0])  # a placeholder
            for word in WORD.finditer(code):
                number = where.count("\n", 0, match.start()) + code.count("\n", 0, word.start()) + 1
                lines.append((number, word[0], wrong_word(word[0], files, folders)))
    return [f"{path}:{number}: {what} {why}" for number, what, why in sorted(lines, key=lambda line: line[0]) if why]


def main():
    files, folders = repository()
    sys.exit("\n".join(line for path in sorted(files) if path.suffix == ".md" for line in wrong(path, files, folders)) or 0)


main()
