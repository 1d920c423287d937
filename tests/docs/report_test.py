#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs benchmarks/report.py on a copy of the documents and results that has a fault: every kind must be found."""
import json
import lzma
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COPIED = ["benchmarks", "docs", "tests/exhaustive/results"]


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for name in COPIED:
            shutil.copytree(ROOT / name, self.root / name, ignore=shutil.ignore_patterns("__pycache__"))
        self.document = self.root / "figures.md"

    def report(self, *arguments):
        return subprocess.run(
            [sys.executable, self.root / "benchmarks/report.py", *arguments], capture_output=True, text=True
        )

    def assert_passes(self):
        done = self.report("--check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def assert_fails(self, *messages):
        done = self.report("--check")
        self.assertEqual(done.returncode, 1)
        for message in messages:
            self.assertIn(message, done.stderr)

    def packed(self, name):
        return json.loads(lzma.decompress((self.root / f"benchmarks/results/h200/{name}.json.xz").read_bytes()))

    def write(self, text):
        self.document.write_text(text)

    def test_figures_that_are_right_pass(self):
        runs = self.packed("bench")["runs"]
        x_copy, _, _, median_us, *_ = runs["activations/gelu/double/1610612736/forward"][0]
        self.write(
            f"`gelu` takes {x_copy:.3f}<!--n/h200/gelu/double/forward--> of a copy's time, "
            f"{x_copy:.1f}<!--n/h200/activations/gelu/double/forward--> or "
            f"{median_us:.0f}<!--n/h200/gelu/double/forward/us--> us.\n"
        )
        self.assert_passes()

    def test_a_result_as_a_benchmark_wrote_it(self):
        run = {"name": "new/gelu/iterations:1/manual_time", "x_copy": 1.23456789, "cpu_time": 7.0}
        context = {"kachel_commit": "f1fce2c", "command": "kachel_bench", "compiler": "GCC", "machine": "H200", "caches": []}
        result = self.root / "benchmarks/results/h200/new.json"
        result.write_text(json.dumps({"context": context, "benchmarks": [run]}))
        self.write("1.23<!--n/h200/new/gelu-->\n")
        self.assert_fails("new.json")
        self.assertEqual(self.report().returncode, 0)
        self.assertFalse(result.exists())
        kept = self.packed("new")
        self.assertEqual(kept["runs"], {"new/gelu": [[1.23457, None, None, None, None, None], {}]})
        self.assertNotIn("caches", kept["context"])
        self.assert_passes()

    def test_errors_of_all_floats_are_figures(self):
        [line] = [
            line.split(" | ")
            for line in (self.root / "tests/exhaustive/results/h200.txt").read_text().splitlines()
            if line.startswith("gelu | forward | ")
        ]
        self.write(f"An error of {line[4]}<!--n/ulp/gelu/forward-->.\n")
        self.assert_passes()

    def test_a_figure_that_is_wrong_is_found_and_mended(self):
        self.write("`gelu` takes 9.99<!--n/h200/gelu/double/forward--> of a copy's time.\n")
        self.assert_fails("figures.md")
        self.assertEqual(self.report().returncode, 0)
        self.assertNotIn("9.99", self.document.read_text())
        self.assert_passes()

    def test_extremes_of_several_rows(self):
        self.write("0.0<!--n/least/h200/activations/forward--> 0.0<!--n/greatest/h200/activations/forward-->\n")
        self.assertEqual(self.report().returncode, 0)
        least, greatest = (float(part.split("<")[0]) for part in self.document.read_text().split("-->")[:2])
        forward = [
            times[0]
            for name, (times, _) in self.packed("bench")["runs"].items()
            if name.startswith("activations/") and name.endswith("/forward")
        ]
        self.assertEqual((least, greatest), (round(min(forward), 1), round(max(forward), 1)))
        self.assertLess(least, greatest)

    def test_keys_that_name_no_row(self):
        for key, message in {
            "h200/gleu/double/forward": "no row of h200 has the word 'gleu', expected one such as gelu",
            "h2000/gelu/double/forward": "no machine 'h2000', expected one of h200, ",
            "h200/double/gelu/forward": "no row of h200 has these words in this order",
            "h200/gelu/double": "no row of h200 has these words in this order, the last at its end",
            "h200/hardtanh/float/kachel": "rows have these words, expected one: bandwidth hardtanh float ",
            "h200": "expected a machine and words of its row's path",
        }.items():
            with self.subTest(key):
                self.write(f"1.42<!--n/{key}-->\n")
                self.assert_fails(f"figures.md: {key}: ", message)

    def test_a_key_behind_no_number(self):
        self.write("some<!--n/h200/gelu/double/forward-->\n")
        self.assert_fails("figures.md", "stands behind no number")

    def test_code_is_left_alone(self):
        self.write("`9.99<!--n/h200/gelu/double/forward-->`\n\n```\n9.99<!--n/no/key-->\n```\n")
        self.assert_passes()

    def test_tables(self):
        self.write("<!-- table:missed -->\n| an old one |\n<!-- /table:missed -->\n")
        self.assert_fails("figures.md")
        self.write("<!-- table:mist -->\n<!-- /table:mist -->\n")
        self.assert_fails("figures.md: mist: no such table, expected one of readme, ")
        self.write("<!-- table:missed -->\n")
        self.assert_fails("figures.md", "belongs to no whole table")

    def test_pages(self):
        page = self.root / "docs/results/h200.md"
        page.write_text(page.read_text().replace("## Sizes", "## Size"))
        self.assert_fails("docs/results/h200.md")
        self.assertEqual(self.report().returncode, 0)
        self.assert_passes()
        page.rename(page.with_name("gone.md"))
        self.assert_fails("docs/results/h200.md", "docs/results/gone.md")
        self.assertEqual(self.report().returncode, 0)
        self.assertFalse(page.with_name("gone.md").exists())
        self.assert_passes()

    def test_a_machine_that_has_no_folder(self):
        shutil.rmtree(self.root / "benchmarks/results/h100")
        self.assert_fails("benchmarks/results: expected the folders ")


if __name__ == "__main__":
    unittest.main()
