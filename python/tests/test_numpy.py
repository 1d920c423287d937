# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on arrays of NumPy."""

import inspect
import pathlib
import re
import subprocess
import sys
import unittest

import numpy as np

import kachel


class Results(unittest.TestCase):
    def test_hardtanh_of_every_type(self):
        for dtype in (np.float32, np.float64, np.float16):
            x = np.array([-3, -1, 0.5, np.nan, 7], dtype)
            y = kachel.hardtanh(x)
            self.assertEqual(y.dtype, dtype)
            np.testing.assert_array_equal(y, np.array([-1, -1, 0.5, np.nan, 1], dtype))

    def test_every_activation_runs(self):
        x = np.linspace(0.1, 0.9, 101, dtype=np.float32)
        for name in kachel.__all__:
            y = getattr(kachel, name)(x, *([x[:1]] if name == "prelu" else []))
            self.assertEqual((y.shape, y.dtype), (x.shape, x.dtype), name)
            self.assertTrue(np.isfinite(y).all(), name)

    def test_parameters_by_place_and_by_name(self):
        x = np.array([-3, 3], np.float32)
        expected = np.array([-2, 1.5], np.float32)
        np.testing.assert_array_equal(kachel.hardtanh(x, -2, 1.5), expected)
        np.testing.assert_array_equal(kachel.hardtanh(x, max_val=1.5, min_val=-2), expected)
        np.testing.assert_array_equal(kachel.hardtanh(x, -2, max_val=1.5), expected)

    def test_arrays_of_any_strides(self):
        x = np.arange(-12, 12, dtype=np.float32).reshape(2, 3, 4)
        for view in (x.T, x[:, ::2, ::-1], x[..., 0], x[0:0], np.broadcast_to(x[0, 0], (3, 4)), np.float32(x[0, 0, 0:1])[0:1]):
            np.testing.assert_array_equal(kachel.relu(view), np.maximum(view, 0))
        self.assertEqual(kachel.relu(x.T).strides, x.T.strides)
        self.assertEqual(kachel.relu(np.array(-1.0)).shape, ())

    def test_softmax_along_each_dimension(self):
        x = np.linspace(-4, 4, 60, dtype=np.float32).reshape(3, 4, 5)
        for dim in (-1, 0, 1, 2):
            weights = np.exp(x.astype(np.float64))
            y = kachel.softmax(x, dim)
            np.testing.assert_allclose(y, weights / weights.sum(dim, keepdims=True), rtol=1e-6)
            out = np.empty_like(x)
            self.assertIs(kachel.softmax(x, dim, out=out), out)
            np.testing.assert_array_equal(out, y)

    def test_prelu_of_channels(self):
        x = np.linspace(-4, 4, 60, dtype=np.float32).reshape(3, 4, 5)
        w = np.array([0.5, -1, 0, 2], np.float32)
        expected = np.where(x > 0, x, w[:, None] * x)
        np.testing.assert_array_equal(kachel.prelu(x, w), expected)
        out = np.empty_like(x)
        self.assertIs(kachel.prelu(x, w, out=out), out)
        np.testing.assert_array_equal(out, expected)
        with self.assertRaisesRegex(TypeError, "weight is a float, expected a numpy.ndarray as x is"):
            kachel.prelu(x, 0.25)
        with self.assertRaisesRegex(ValueError, r"w has extents \(3\), expected \(1\) or \(4\)"):
            kachel.prelu(x, w[:3])

    def test_in_place_and_out(self):
        x = np.array([-3, 0.5], np.float32)
        out = np.zeros(2, np.float32)
        self.assertIs(kachel.hardtanh(x, out=out), out)
        self.assertIs(kachel.hardtanh(x, inplace=True), x)
        np.testing.assert_array_equal(x, out)


class Documents(unittest.TestCase):
    def test_every_signature(self):
        text = (pathlib.Path(__file__).parents[2] / "docs/python.md").read_text()
        (listed,) = re.findall(r"^## Functions\n.*?```text\n(.*?)```", text, re.DOTALL | re.MULTILINE)
        signatures = (f"{name}{inspect.signature(getattr(kachel, name))}" for name in sorted(kachel.__all__))
        self.assertEqual(listed.splitlines(), [re.sub(r"(, \*)?, out=None(, saved=None)?", "", each) for each in signatures])


class Errors(unittest.TestCase):
    def expect(self, error, message, call):
        with self.assertRaisesRegex(error, message):
            call()
        self.assertEqual(kachel.relu(np.array([-1.0]))[0], 0)  # the next call works

    def test_wrong_types(self):
        for dtype in "U3", "M8[s]", "O", "V0":
            self.expect(TypeError, "kachel.relu: x has elements of .*, expected float32", lambda: kachel.relu(np.empty(3, dtype)))

    def test_wrong_arguments(self):
        x = np.zeros(4, np.float32)
        self.expect(ValueError, "min_val is 3 and max_val is 1, expected min_val <= max_val", lambda: kachel.hardtanh(x, 3))
        self.expect(TypeError, "there is no parameter max, expected one of min_val, max_val, inplace, out, saved", lambda: kachel.hardtanh(x, max=3))
        self.expect(TypeError, "min_val is given twice", lambda: kachel.hardtanh(x, 3, min_val=3))
        self.expect(TypeError, "4 arguments after x, expected at most 3", lambda: kachel.hardtanh(x, 1, 2, False, 4))
        self.expect(TypeError, "x is a list, expected", lambda: kachel.hardtanh([1.0]))
        self.expect(TypeError, "x is a numpy.float32, expected a torch.Tensor", lambda: kachel.hardtanh(x.mean()))
        self.expect(TypeError, "out is an int, expected a numpy.ndarray as x is", lambda: kachel.relu(x, out=3))
        self.expect(TypeError, "min is -1000.*, expected a number that a double", lambda: kachel.clamp(x, -(10**400)))
        self.expect(TypeError, r"max is a numpy.ndarray of the shape \(4,\), expected a number", lambda: kachel.clamp(x, 0, x))
        self.expect(TypeError, "x has elements of int32, expected float32, float64, float16 or bfloat16", lambda: kachel.relu(x.astype(np.int32)))
        self.expect(TypeError, "byte order", lambda: kachel.relu(x.astype(">f4")))
        self.expect(TypeError, "out has the dtype float64, expected float32", lambda: kachel.relu(x, out=np.zeros(x.shape)))
        self.expect(ValueError, r"out has the shape \(3,\), expected \(4,\) as x has", lambda: kachel.relu(x, out=np.zeros(3, np.float32)))
        both = np.zeros(5, np.float32)
        self.expect(ValueError, "x overlaps y", lambda: kachel.relu(both[1:], out=both[:-1]))
        both.flags.writeable = False
        self.expect(ValueError, "read-only", lambda: kachel.relu(x, out=both[:4]))
        rows = np.zeros(8, np.dtype([("a", np.float32), ("b", np.int16)]))["a"]
        self.expect(ValueError, "expected multiples of their 4 bytes", lambda: kachel.relu(rows))


class Processes(unittest.TestCase):
    def run_python(self, text, **environment):
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env={**__import__("os").environ, **environment})
        self.assertEqual((done.returncode, done.stderr), (0, ""), text)
        return done.stdout

    def test_nothing_is_said_and_torch_is_not_imported(self):
        said = self.run_python(
            "import sys, numpy as np, kachel; kachel.relu(np.zeros(3)); print('torch' in sys.modules, kachel.relu.__name__)"
        )
        self.assertEqual(said, "False relu\n")

    def test_all_levels_have_the_same_bits(self):
        text = """
import hashlib, numpy as np, kachel
bits = np.arange(1 << 16, dtype=np.uint32)
sixteen, wide = bits.astype(np.uint16).view(np.float16), (bits * 65537).view(np.float32)
digest = hashlib.sha256()
for name in kachel.__all__:
    for x in (sixteen, wide, wide.astype(np.float64))[: 2 if name == "softmax" else 3]:
        y = getattr(kachel, name)(x, *([x[-1:]] if name == "prelu" else []))
        digest.update(np.where(np.isnan(y), 0, y).tobytes())
print(digest.hexdigest())
"""
        levels = {level: self.run_python(text, KACHEL_LEVEL=level, PYTHONWARNINGS="ignore") for level in ("x86-64", "x86-64-v3", "")}
        self.assertEqual(len(set(levels.values())), 1, levels)


if __name__ == "__main__":
    unittest.main()
