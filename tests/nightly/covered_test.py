#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs covered.py on a copy of the code that has a change: a result must be stale where its code is another, and there
alone."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPIED = ["include/kachel", "benchmarks", "src/backend/cuda", "tests/nightly"]
PARTS = ["machine.txt", "device-code", "every-activation"]


class Covered(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in COPIED:
            shutil.copytree(ROOT / name, self.root / name, ignore=shutil.ignore_patterns("__pycache__", "results"))
        results = self.root / "tests/exhaustive/results"
        results.mkdir(parents=True)
        (results / "machine.txt").write_text("what was compiled\ngelu | a hash\n")
        for part in PARTS:
            self.assertEqual(self.covered("--write", part).returncode, 0)

    def covered(self, *arguments):
        command = [sys.executable, self.root / "tests/nightly/covered.py", *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def change(self, name, old, new):
        file = self.root / name
        self.assertIn(old, file.read_text())
        file.write_text(file.read_text().replace(old, new, 1))

    def assert_stale(self, *parts):
        done = self.covered()
        self.assertEqual(done.returncode, 1 if parts else 0)
        named = [line.split(":")[0].split(",")[0].strip() for line in done.stderr.splitlines()[1:]]
        self.assertEqual(named, list(parts))

    def test_comments_includes_and_lines_do_not_count(self):
        for name in ["math/tanh.hpp", "tile.hpp"]:
            self.change(f"include/kachel/{name}", "#pragma once", "// A comment.\n#pragma once\n\n#include <new>")
        self.assert_stale()

    def test_arithmetic_makes_every_result_stale(self):
        self.change("include/kachel/math/tanh.hpp", "T(-2)", "T(-3)")
        self.assert_stale("all floats", "device-code", "every-activation")

    def test_tiles_benchmarks_kernels_and_costs_are_of_device_code_alone(self):
        for name, old, new in [
            ("include/kachel/tile.hpp", "struct", "union"),
            ("benchmarks/peers/peers.hpp", "namespace", "inline namespace"),
            ("src/backend/cuda/table.cpp", "groups = 2", "groups = 4"),
            ("include/kachel/activations/gelu.hpp", "Cost::high", "Cost::medium"),
        ]:
            with self.subTest(name):
                self.change(name, old, new)
                self.assert_stale("device-code")
                self.change(name, new, old)

    def test_what_is_for_the_cpu_alone_does_not_count(self):
        self.change("include/kachel/detail/backend/host/launch.hpp", "namespace", "inline namespace")
        self.change("benchmarks/loops.cpp", "namespace", "inline namespace")
        self.assert_stale()

    def test_no_result_of_an_unknown_part_is_written(self):
        self.assertIn("there is no floats", self.covered("--write", "floats").stderr)


if __name__ == "__main__":
    unittest.main()
