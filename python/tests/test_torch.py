# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on tensors of PyTorch, against PyTorch's own."""

import contextlib
import copy
import itertools
import os
import random
import subprocess
import sys
import unittest
from fractions import Fraction
from unittest import mock

import torch
import torch.nn.functional as F

from torch._subclasses import FakeTensorMode
from torch.autograd import forward_ad

import kachel
import kachel.nn
from kachel import _formulas

# Of each activation PyTorch's function, and parameters that are not the default ones.
TORCH = {
    "celu": (F.celu, {"alpha": 0.7}),
    "elu": (F.elu, {"alpha": 0.7}),
    "gelu": (F.gelu, {}),
    "gelu_tanh": (lambda x: F.gelu(x, approximate="tanh"), {}),
    "hardshrink": (F.hardshrink, {"lambd": 0.3}),
    "hardsigmoid": (F.hardsigmoid, {}),
    "hardswish": (F.hardswish, {}),
    "hardtanh": (F.hardtanh, {"min_val": -0.5, "max_val": 2}),
    "leaky_relu": (F.leaky_relu, {"negative_slope": 0.2}),
    "logsigmoid": (F.logsigmoid, {}),
    "mish": (F.mish, {}),
    "relu": (F.relu, {}),
    "relu6": (F.relu6, {}),
    "rrelu": (F.rrelu, {"lower": 0.1, "upper": 0.3}),
    "selu": (F.selu, {}),
    "sigmoid": (torch.sigmoid, {}),
    "silu": (F.silu, {}),
    "softplus": (F.softplus, {"beta": 1, "threshold": 10}),
    "softshrink": (F.softshrink, {"lambd": 0.3}),
    "softsign": (F.softsign, {}),
    "tanh": (torch.tanh, {}),
    "tanhshrink": (F.tanhshrink, {}),
    "threshold": (F.threshold, {"threshold": 0.1, "value": -2}),
}
# Relative and absolute differences of PyTorch's results from the exact ones.
TOLERANCE = {torch.float64: 1e-12, torch.float32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 2e-2}


def random_tensor(generator, dtype):
    """Of any shape and strides, with none, some and repeated elements."""
    rank = generator.randint(0, 4)
    shape = [generator.choice([1, 2, 3, 5, 8]) for _ in range(rank)]
    if rank and generator.random() < 0.1:
        shape[0] = 0
    x = 3 * torch.randn([2 * extent for extent in shape])
    for dimension, extent in enumerate(shape):
        steps = [slice(None)] * rank
        steps[dimension] = slice(0, extent) if generator.random() < 0.5 else slice(0, 2 * extent, 2)
        x = x[tuple(steps)]
    order = list(range(rank))
    generator.shuffle(order)
    x = x.to(dtype).permute(order)
    return x.expand(3, *x.shape) if generator.random() < 0.2 else x


class Results(unittest.TestCase):
    def test_values_strides_and_gradients_are_pytorchs(self):
        torch.manual_seed(1)
        generator = random.Random(1)
        for name, (reference, parameters) in TORCH.items():
            for dtype, tolerance in TOLERANCE.items():
                for given in ({}, parameters) if name != "threshold" else (parameters,):
                    x = random_tensor(generator, dtype)
                    y, expected = getattr(kachel, name)(x, **given), reference(x, **given)
                    with self.subTest(name, dtype=dtype, shape=tuple(x.shape), strides=x.stride()):
                        self.assertEqual((y.dtype, y.shape), (x.dtype, x.shape))
                        self.assertEqual(y.stride(), torch.relu(x).stride())
                        torch.testing.assert_close(y, expected, rtol=tolerance, atol=tolerance)
                    if dtype in (torch.float32, torch.float64):
                        self.expect_gradients(name, reference, given, x.detach().clone(), tolerance)

    def expect_gradients(self, name, reference, given, x, tolerance):
        gradients = []
        for function in (getattr(kachel, name), reference):
            leaf = x.clone().requires_grad_()
            function(leaf * 1.25, **given).square().sum().backward()
            gradients.append(leaf.grad)
        with self.subTest("gradient", name=name, dtype=x.dtype):
            # PyTorch's derivatives of these have constants in float.
            inexact = 1e-6 if name in ("celu", "hardsigmoid") else 0
            torch.testing.assert_close(*gradients, rtol=20 * tolerance + inexact, atol=20 * tolerance + inexact)

    def test_in_place_and_out(self):
        x = torch.randn(5)
        expected = F.hardtanh(x)
        out = torch.empty(5)
        self.assertIs(kachel.hardtanh(x, out=out), out)
        same = x.clone()
        self.assertIs(kachel.hardtanh(same, -1, 1, True), same)
        self.assertTrue(torch.equal(out, expected) and torch.equal(same, expected))
        leaf = torch.randn(5, requires_grad=True)
        kachel.gelu(leaf * 2, inplace=True).sum().backward()
        again = leaf.detach().clone().requires_grad_()
        F.gelu(again * 2).sum().backward()
        torch.testing.assert_close(leaf.grad, again.grad)
        with self.assertRaisesRegex(RuntimeError, "out is given, and a derivative is asked for"):
            kachel.relu(leaf, out=out)
        for write in (lambda x: kachel.relu(x, inplace=True), lambda x: kachel.relu(same, out=x)):
            saved = torch.randn(5)
            product = leaf * saved
            write(saved)
            with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
                product.sum().backward()

    def test_in_place_with_a_gradient(self):
        for name in ("relu", "relu6", "selu", "hardsigmoid", "tanh", "hardtanh", "leaky_relu", "elu", "hardswish"):
            function, theirs = getattr(kachel, name), torch.tanh if name == "tanh" else getattr(F, name)
            w, dy = torch.randn(5, 7, dtype=torch.float64, requires_grad=True), torch.randn(5, 7, dtype=torch.float64)
            x, view = 3 * w, (3 * w)[:, ::2]
            self.assertIs(function(x, inplace=True), x)
            function(view, inplace=True)
            expected = theirs(3 * w)
            torch.testing.assert_close(x, expected)
            torch.testing.assert_close(view, expected[:, ::2])
            (dx,), (expected_dx,) = (torch.autograd.grad(y, w, dy, create_graph=True) for y in (x, expected))
            torch.testing.assert_close(dx, expected_dx)
            (of_view,) = torch.autograd.grad(view, w, dy[:, ::2])
            torch.testing.assert_close(of_view[:, ::2], expected_dx[:, ::2])
            x = 3 * w
            product = x.exp() * x  # which saves x
            function(x, inplace=True)
            with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
                product.sum().backward()
            before = w.detach().clone()
            for leaf in (w, w[:2]):
                with self.assertRaisesRegex(RuntimeError, f"kachel.{name}: x is a leaf"):
                    function(leaf, inplace=True)
            self.assertTrue(torch.equal(w, before), name)
            of_several = 3 * w
            before = of_several.detach().clone()
            for view in (of_several.chunk(2)[0], of_several.unbind()[1][1:]):
                with self.assertRaisesRegex(RuntimeError, "returns multiple views"):
                    function(view, inplace=True)
            self.assertTrue(torch.equal(of_several, before), name)

    def test_the_output_is_saved_where_it_tells_the_derivative(self):
        x = torch.randn(9, requires_grad=True)
        for name, values, output in (
            ("relu", (), True),
            ("hardtanh", (-0.5, 2), True),
            ("leaky_relu", (0.3,), True),
            ("leaky_relu", (-0.3,), False),
            ("gelu", (), False),
            ("log", (), False),
            ("selu", (), False),
        ):
            y = getattr(kachel, name)(x, *values)
            (saved,) = y.grad_fn.saved_tensors
            self.assertEqual(saved.data_ptr(), (y if output else x).data_ptr(), (name, values))
            theirs = torch.log if name == "log" else getattr(F, name)
            expected = torch.autograd.grad(theirs(x, *values).sum(), x)[0]
            torch.testing.assert_close(torch.autograd.grad(y.sum(), x)[0], expected)

    def test_the_gradient_of_selu_near_its_limit(self):
        for dtype in torch.float16, torch.bfloat16:
            x = torch.linspace(-9, 0, 1000).to(dtype).requires_grad_()
            exact = x.detach().double().requires_grad_()
            dx, expected = (torch.autograd.grad(y.sum(), of)[0] for y, of in ((kachel.selu(x), x), (F.selu(exact), exact)))
            torch.testing.assert_close(dx.double(), expected, rtol=torch.finfo(dtype).eps, atol=0)

    def test_the_gradient_of_log_in_place_is_of_its_input(self):
        for dtype in torch.float64, torch.bfloat16:
            x = torch.tensor([-2.0, -0.5, 3.0, 60000.0], dtype=dtype, requires_grad=True)
            y, expected = kachel.log(1 * x, inplace=True), torch.log(1 * x)
            self.assertTrue(torch.equal(*(torch.autograd.grad(of.sum(), x)[0] for of in (y, expected))))
        x = torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True)
        torch.autograd.gradgradcheck(lambda x: kachel.log(1 * x, inplace=True), x)

    def test_the_gradient_at_bounds_that_16_bits_do_not_have(self):
        for dtype in torch.float16, torch.bfloat16:
            for bounds in (-0.1, 0.1), (-2.3, 0.7), (-0.7, -0.1):
                x = torch.tensor([-3.0, *bounds, 0.0, 3.0], dtype=dtype, requires_grad=True)
                dx, expected = (
                    torch.autograd.grad(of.hardtanh(x, *bounds).sum(), x)[0] for of in (kachel, F)
                )
                self.assertTrue(torch.equal(dx, expected), (dtype, bounds))

    def test_a_fake_tensor_decides_nothing_for_others(self):
        for slope, mode in (0.0, torch.device("meta")), (-0.375, FakeTensorMode()):
            with mode:
                kachel.leaky_relu(torch.randn(3, requires_grad=True), slope)
            x = torch.tensor([-1.0, 2.0], requires_grad=True)
            kachel.leaky_relu(x, slope).sum().backward()
            self.assertEqual(x.grad.tolist(), [slope, 1])

    def test_a_view_that_requires_a_gradient_itself_is_not_written(self):
        x = torch.tensor([-1.0, 2.0])
        view = x[:].requires_grad_()
        with self.assertRaisesRegex(RuntimeError, "kachel.relu: x is a leaf"):
            kachel.relu(view, inplace=True)
        self.assertEqual(x.tolist(), [-1, 2])

    def test_tensors_without_elements_have_the_errors_of_others(self):
        for mode, device in ((FakeTensorMode(), "cpu"), (contextlib.nullcontext(), "meta")):
            with mode:
                x, matrix = torch.empty(3, device=device), torch.empty(3, 2, device=device)
                whole, narrow = x.to(torch.int32), x.to(torch.float8_e5m2)
                for call, message in (
                    (lambda: kachel.hardtanh(x, 3, 1), "min_val is 3 and max_val is 1, expected min_val <= max_val"),
                    (lambda: kachel.hardtanh(x, 3, 1, out=x.clone()), "min_val is 3 and max_val is 1"),
                    (lambda: kachel.relu(whole), "kachel::relu: x has elements of int32, expected float32"),
                    (lambda: kachel.relu(narrow), "x has elements of a type that DLPack has no name for, expected float32"),
                    (lambda: torch.ops.kachel.relu_backward(matrix, x), r"x has the shape \(3,\), expected \(3, 2\) as dy"),
                    (lambda: torch.ops.kachel.relu.out(x, out=matrix), r"out has the shape \(3, 2\), expected \(3,\)"),
                    (lambda: torch.ops.kachel.relu.out(x, out=x.half()), "out has the type torch.float16"),
                ):
                    with self.assertRaisesRegex(RuntimeError, message):
                        call()
                self.assertEqual(torch.ops.kachel.hardtanh_backward(x, x, -1, 1).shape, x.shape)
                channels = torch.empty(2, 4, 3, device=device)
                self.assertEqual(kachel.prelu(channels, torch.empty(4, device=device)).shape, channels.shape)
                with self.assertRaisesRegex(RuntimeError, r"w has extents \(3\), expected \(1\) or \(4\)"):
                    kachel.prelu(channels, x)
                with self.assertRaisesRegex(RuntimeError, "9 dimensions"):
                    kachel.relu(torch.empty((1,) * 9, device=device))

    def test_numbers_that_are_the_negative_of_their_memory(self):
        x = torch.randn(4, dtype=torch.complex64).conj().imag
        expected = torch.relu(x)
        self.assertTrue(torch.equal(kachel.relu(x), expected))
        kachel.relu(x, inplace=True)
        self.assertTrue(torch.equal(x, expected))
        for wrong, message in (torch.ones(1), "shape"), (torch.ones(4).double(), "type"):
            with self.assertRaisesRegex(RuntimeError, f"kachel.relu: out has the {message}"):
                kachel.relu(wrong, out=x)
        self.assertTrue(torch.equal(x, expected))

    def test_wrong_kinds_of_arguments(self):
        x = torch.randn(3)
        with torch.inference_mode():
            inferred = torch.randn(3)
        meta = torch.empty(3, device="meta")
        for call, error, message in (
            (lambda: kachel.rrelu(x, 0.1, 0.2, True), TypeError, "3 arguments after x, expected at most 2"),
            (lambda: kachel.gelu(x, "tanh"), TypeError, "1 arguments after x, expected at most 0"),
            (lambda: kachel.silu(x, True), TypeError, "beta is True, expected a number"),
            (lambda: kachel.hardtanh(x, "a"), TypeError, "min_val is 'a', expected a number"),
            (lambda: kachel.hardtanh(x, b"1"), TypeError, "min_val is b'1', expected a number"),
            (lambda: kachel.clamp(x, torch.ones((), requires_grad=True)), TypeError, "min requires a gradient"),
            (lambda: kachel.softmax(x, 1.0), TypeError, "dim is 1.0, expected a whole number"),
            (lambda: kachel.relu(x, 1), TypeError, "inplace is 1, expected True or False"),
            (lambda: kachel.relu(x, inplace="no"), TypeError, "inplace is 'no', expected True or False"),
            (lambda: kachel.relu(x, out=[1]), TypeError, "out is a list, expected a torch.Tensor"),
            (lambda: kachel.relu(x, inplace=True, out=x), TypeError, "inplace and out are given"),
            (lambda: kachel.relu(x, saved="mask", out=x), TypeError, "saved and out are given"),
            (lambda: kachel.relu(x, saved="foo"), ValueError, "saved is 'foo', expected None or 'mask'"),
            (lambda: kachel.relu(inferred, inplace=True), RuntimeError, "an inference tensor is written"),
            (lambda: kachel.hardtanh(x, -(10**400)), TypeError, "min_val is -1000.*, expected a number that a double"),
            (lambda: kachel.clamp(x, x), TypeError, r"min is a torch.Tensor of the shape \(3,\), expected a number"),
            (lambda: kachel.relu(x.to_sparse()), NotImplementedError, "x is a tensor of the layout torch.sparse_coo"),
            (lambda: kachel.prelu(x, 0.5), TypeError, "weight is a float, expected a torch.Tensor"),
            (lambda: kachel.nn.Softmax(-1)([1.0]), AttributeError, "list"),
            (lambda: kachel.nn.replace([torch.nn.ReLU()]), TypeError, "model is a list, expected a torch.nn.Module"),
            (lambda: torch.ops.kachel.relu_backward(x, meta), RuntimeError, "its arrays are on several devices"),
            (lambda: kachel.relu(x, out=meta), RuntimeError, "its arrays are on several devices"),
        ):
            with self.assertRaisesRegex(error, message):
                call()

    def test_modules_take_meta_tensors(self):
        x = torch.empty(2, 3, device="meta")
        for name in kachel.nn._FORWARDS:
            arguments = {"Softmax": (-1,), "Threshold": (0, 0)}.get(name, ())
            self.assertEqual(getattr(kachel.nn, name)(*arguments).to("meta")(x).shape, x.shape, name)

    def test_errors(self):
        x = torch.randn(3)
        for call, message in (
            (lambda: kachel.softmax(x.int()), "x has elements of int32, expected float32, float16 or bfloat16"),
            (lambda: kachel.softmax(x.double()), "x has elements of float64, expected float32, float16 or bfloat16"),
            (lambda: kachel.hardtanh(x, 3), "min_val is 3 and max_val is 1, expected min_val <= max_val"),
            (lambda: kachel.relu(x.int()), "x has elements of int32, expected float32, float64, float16 or bfloat16"),
            (lambda: kachel.relu(x, out=torch.empty(4)), r"out has the shape \(4,\), expected \(3,\) as x has"),
            (lambda: kachel.softmax(x.view(3, 1), 0, out=x), r"out has the shape \(3,\), expected \(3, 1\) as x has"),
            (lambda: kachel.relu(x, out=torch.empty(3).double()), "out has the type torch.float64, expected torch.float32 as x has"),
        ):
            with self.assertRaisesRegex(RuntimeError, message):
                call()
            self.assertTrue(torch.equal(kachel.relu(x), torch.relu(x)))

    def test_pytorchs_number_of_threads(self):
        x = torch.randn(1 << 20)
        before = torch.get_num_threads()
        results = []
        for threads in (1, 2):
            torch.set_num_threads(threads)
            results.append(kachel.gelu(x))
        torch.set_num_threads(before)
        self.assertTrue(torch.equal(*results))

    def test_threads_are_pytorchs(self):
        program = """
import os, sys
def threads(): return len(os.listdir("/proc/self/task"))
if sys.argv[2] == "first": import kachel
import torch, kachel
torch.set_num_threads(int(sys.argv[1]))
alone = threads()
x = torch.linspace(-1, 1, 1 << 22)
before = threads()
kachel.gelu(x)
print(threads() - before, threads() - alone)
"""
        for threads in 1, 2:
            for order in "first", "second":
                ran = subprocess.run(
                    [sys.executable, "-c", program, str(threads), order], capture_output=True, text=True, check=True
                )
                self.assertEqual((ran.stdout.split()[0], ran.stderr), ("0", ""))
                if threads == 1:
                    self.assertEqual(ran.stdout.split()[1], "0")

    def test_a_child_after_fork_computes(self):
        x = torch.randn(1 << 18)
        expected = kachel.gelu(x)
        child = os.fork()
        if child == 0:
            torch.set_num_threads(1)
            os._exit(0 if torch.equal(kachel.gelu(x), expected) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


NAN, INF = float("nan"), float("inf")


def _compute_type(x):
    return torch.float64 if x.dtype == torch.float64 else torch.float32


def _clamp(x, low, high):
    bounds = [torch.tensor(of, dtype=_compute_type(x)).double() for of in (low, high)]
    x = x.double()
    inside = ((x > bounds[0]) | (low == -INF)) & ((x < bounds[1]) | (high == INF))
    return torch.minimum(torch.maximum(x, bounds[0]), bounds[1]), inside.double()


def _exp(x):
    y = torch.exp(x.double())
    return y, y.to(x.dtype)  # the gradient is computed from what is saved


def _log(x):
    return torch.log(x.double()), 1 / x.double()


def _hardsigmoid_affine(x, alpha, beta):
    alpha, beta = (torch.tensor(of, dtype=_compute_type(x)).double() for of in (alpha, beta))
    y = (alpha * x.double() + beta).to(_compute_type(x)).double()
    if x.dtype == torch.float64:  # near the kinks it matters that fma rounds once
        near = torch.minimum(y.abs(), (y - 1).abs()) < 1e-9
        a, b = Fraction(alpha.item()), Fraction(beta.item())
        y[near] = torch.tensor([float(a * Fraction(of) + b) for of in x[near].tolist()], dtype=x.dtype)
    return y.clamp(0, 1), torch.where((y > 0) & (y < 1), alpha, 0.0)


def _quick_gelu(x):
    x = x.double()
    s = 1 / (1 + torch.exp(-1.702 * x))
    return x * s, s * (1 + 1.702 * x * (1 - s))


def _relu_squared(x):
    positive = x.double().clamp(min=0)
    return positive * positive, (2 * positive).to(_compute_type(x))  # infinite above half the largest number


def _squareplus(x, b):
    x = x.double()
    root = torch.sqrt(x * x + b)
    y = torch.where(x < 0, b / (root - x), x + root) / 2  # below 0 the sum would lose digits
    return y, y / root


class Formulas(unittest.TestCase):
    """Results and first derivatives against formulas in double, of activations that TORCH has not."""

    # Values and derivatives in double, parameters beside the default ones, the places of kinks.
    FORMULAS = {
        "clamp": (_clamp, ((-0.5, 2.0), (-INF, 0.3), (0.0, INF), (2.0, -1.0)), (-0.5, 2.0, 0.3, -1.0)),
        "exp": (_exp, (), ()),
        "hardsigmoid_affine": (_hardsigmoid_affine, ((0.25, 0.5), (-0.3, 0.25)), (2.5, -2.5, 2.0, -2.0, 0.25 / 0.3)),
        "log": (_log, (), (1.0,)),
        "quick_gelu": (_quick_gelu, (), ()),
        "relu_squared": (_relu_squared, (), ()),
        "squareplus": (_squareplus, ((0.25,), (100.0,)), ()),
    }
    # docs/numerics.md: y and dx at -inf, -0, inf.
    SPECIAL = {
        "clamp": ((-INF, -0.0, INF), (1.0, 1.0, 1.0)),
        "exp": ((0.0, 1.0, INF), (0.0, 1.0, INF)),
        "hardsigmoid_affine": ((0.0, 0.5, 1.0), (0.0, 0.2, 0.0)),
        "log": ((NAN, -INF, INF), (-0.0, -INF, 0.0)),
        "quick_gelu": ((-0.0, -0.0, INF), (-0.0, 0.5, 1.0)),
        "relu_squared": ((0.0, 0.0, INF), (0.0, 0.0, INF)),
        "squareplus": ((0.0, 1.0, INF), (0.0, 0.5, 1.0)),
    }

    def inputs(self, dtype, kinks):
        if dtype.itemsize == 2:  # all finite ones
            x = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int32).to(torch.int16).view(dtype)
            return x[x.isfinite()]
        kinks = torch.tensor([*kinks, 1.0], dtype=dtype)
        infinity = torch.tensor(INF, dtype=dtype)
        sizes = torch.exp2(torch.linspace(-100, 100, 2001, dtype=dtype))
        next_to_kinks = [torch.nextafter(kinks, to) for to in (infinity, -infinity)]
        return torch.cat([torch.linspace(-20, 20, 4001, dtype=dtype), sizes, -sizes, kinks, *next_to_kinks])

    def run_both(self, name, x, values, dy):
        x = x.clone().requires_grad_()
        y = getattr(kachel, name)(x, *values)
        return y.detach(), torch.autograd.grad(y, x, dy)[0]

    def test_values_and_derivatives(self):
        torch.manual_seed(9)
        for name, (formula, others, kinks) in self.FORMULAS.items():
            defaults = tuple(kachel._library.operations[name].parameters.values())
            for dtype, values in itertools.product(TOLERANCE, (defaults, *others)):
                x = self.inputs(dtype, kinks)
                dy = (0.5 + torch.rand(x.shape)).to(dtype) * torch.randn(x.shape).sign().to(dtype)
                y, dx = self.run_both(name, x, values, dy)
                expected, slope = formula(x, *values)
                expected_dx = dy.double() * slope.double()
                epsilon, least = torch.finfo(dtype).eps, torch.finfo(dtype).smallest_normal
                # In double the formula itself errs. 16 bits are rounded once, and their slopes before that once.
                relative = {torch.float64: 1e-12, torch.float32: 5 * epsilon}.get(dtype, 1.01 * epsilon)
                absolute = 1e-15 if dtype == torch.float64 else 2 * least * epsilon
                close = {"rtol": relative, "atol": absolute, "equal_nan": True}
                with self.subTest(name, values=values, dtype=dtype):
                    torch.testing.assert_close(y, expected.to(dtype), **close)
                    torch.testing.assert_close(dx, expected_dx.to(dtype), **close)

    def test_infinities_zeros_and_nan(self):
        x = torch.tensor([-INF, -0.0, INF, NAN])
        for name, expected in self.SPECIAL.items():
            for dtype in TOLERANCE:
                found = self.run_both(name, x.to(dtype), (), torch.ones(4, dtype=dtype))
                for of, numbers, result in zip(("y", "dx"), expected, found):
                    with self.subTest(name, of=of, dtype=dtype):
                        numbers = torch.tensor([*numbers, NAN], dtype=dtype)
                        torch.testing.assert_close(result, numbers, rtol=torch.finfo(dtype).eps, atol=0, equal_nan=True)
                        if of == "y" or dtype.itemsize > 2:  # in 16 bits a derivative of 0 has either sign
                            signs = [each[~numbers.isnan()].signbit() for each in (result, numbers)]
                            self.assertTrue(torch.equal(*signs), (result, numbers))
            dy = torch.tensor([1.0, NAN, INF, -INF])
            with self.subTest("dy", name=name):  # a dy that is no number passes, unless the derivative is 0
                dx = self.run_both(name, torch.full((4,), 0.75), (), dy)[1]
                torch.testing.assert_close(dx[1:], dy[1:], equal_nan=True)
        zeros = torch.tensor([-0.0, 0.0])
        for bounds in ((-1, 1), (0, 1), (-1, 0)):
            self.assertEqual(kachel.clamp(zeros, *bounds).signbit().tolist(), [True, False])

    def test_clamp_without_a_bound(self):
        x = torch.tensor([-2.0, 2.0, NAN])
        for bounds in (None, 1), (-1, None), (None, None):
            expected = x if bounds == (None, None) else torch.clamp(x, *bounds)
            self.assertTrue(torch.equal(kachel.clamp(x, *bounds).nan_to_num(7), expected.nan_to_num(7)))
        with self.assertRaisesRegex(TypeError, "min_val is None, expected a number"):
            kachel.hardtanh(x, None)


# Those of which Kachel saves the output. PyTorch's own hardsigmoid has no second derivative.
DERIVABLE = {
    "exp": torch.exp,
    "hardsigmoid": lambda x: torch.clamp(x + 3, 0, 6) / 6,
    "relu": torch.relu,
    "relu6": F.relu6,
    "selu": F.selu,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
}


class Derivatives(unittest.TestCase):
    """Further ones than the first, which Results has."""

    def each(self):
        torch.manual_seed(3)
        for name in TORCH | DERIVABLE | _formulas._FUNCTIONS:
            reference = _formulas._FUNCTIONS.get(name) or DERIVABLE[name]
            values = {"threshold": (0.1, -2.0), "clamp": (-1.0, 1.0)}.get(name)
            values = tuple(kachel._library.operations[name].parameters.values()) if values is None else values
            yield name, lambda x: getattr(kachel, name)(x, *values), lambda x: reference(x, *values)

    def test_second_ones(self):
        for name, function, _ in self.each():
            x = (0.2 + torch.rand(6, dtype=torch.float64)).requires_grad_()  # no kink, and the logarithm is there
            dy = torch.randn(6, dtype=torch.float64, requires_grad=True)
            with self.subTest(name):
                self.assertTrue(torch.autograd.gradcheck(function, x))
                self.assertTrue(torch.autograd.gradgradcheck(function, x, dy, atol=2e-5))

    def test_third_one(self):
        for function, reference in ((kachel.tanh, torch.tanh), (kachel.gelu, F.gelu)):
            derivatives = []
            for of in (function, reference):
                x = torch.linspace(-2, 2, 5, dtype=torch.float64, requires_grad=True)
                y = of(x)
                for _ in range(3):
                    (y,) = torch.autograd.grad(y.sum(), x, create_graph=True)
                derivatives.append(y)
            torch.testing.assert_close(*derivatives, rtol=1e-9, atol=1e-12)

    def test_forward_mode_and_transforms(self):
        func = torch.func
        x = 0.2 + torch.rand(3, 4, dtype=torch.float64)
        for name, function, reference in self.each():
            sum_of, sum_of_reference = (lambda x, f=f: (f(x) * f(x)).sum() for f in (function, reference))
            for transform in (
                lambda f, of: func.grad(of)(x),
                lambda f, of: func.vmap(func.grad(of))(x),
                lambda f, of: func.grad(lambda x: func.vmap(f)(x).sum())(x),
                lambda f, of: func.jacrev(f)(x),
                lambda f, of: func.jacfwd(f)(x),
                lambda f, of: func.hessian(of)(x),
                lambda f, of: func.jacrev(func.jacrev(of))(x),
                lambda f, of: func.jvp(f, (x,), (x,))[1],
            ):
                with self.subTest(name):
                    torch.testing.assert_close(
                        transform(function, sum_of), transform(reference, sum_of_reference), rtol=1e-6, atol=1e-9
                    )
            with forward_ad.dual_level():
                tangent = forward_ad.unpack_dual(function(forward_ad.make_dual(x, x))).tangent
            with self.subTest("dual numbers", name=name):
                torch.testing.assert_close(tangent, func.jvp(reference, (x,), (x,))[1], rtol=1e-6, atol=1e-9)

    def test_every_order_of_forward_and_reverse(self):
        func = torch.func
        x = torch.tensor([0.3, -0.7, 1.1], dtype=torch.float64)
        for function, reference in ((kachel.gelu, F.gelu), (kachel.tanh, torch.tanh)):
            for order in 1, 2, 3:
                for transforms in itertools.product((func.jacfwd, func.jacrev), repeat=order):
                    results = []
                    for derivative in function, reference:
                        for transform in transforms:
                            derivative = transform(derivative)
                        results.append(derivative(x))
                    torch.testing.assert_close(*results, rtol=1e-6, atol=1e-9)
            nested = function, reference
            for _ in range(3):
                nested = [lambda t, f=f: func.jvp(f, (t,), (torch.ones_like(t),))[1] for f in nested]
            torch.testing.assert_close(*(f(x) for f in nested))
            sums = [lambda x, f=f: f(x).sum() for f in (function, reference)]
            torch.testing.assert_close(*(func.hessian(f)(x) for f in sums))
            in_place = func.grad(lambda x: function(x * 1, inplace=True).sum())(x)
            torch.testing.assert_close(in_place, func.grad(sums[1])(x))

    def test_dual_numbers_through_the_reverse_mode(self):
        for create_graph in True, False:
            tangents = []
            for function in kachel.gelu, F.gelu:
                leaf = torch.tensor([0.3, 0.7], requires_grad=True)
                with forward_ad.dual_level():
                    dual = forward_ad.make_dual(leaf, torch.ones(2))
                    (gradient,) = torch.autograd.grad(function(dual).sum(), dual, create_graph=create_graph)
                    tangents.append(forward_ad.unpack_dual(gradient).tangent)
            torch.testing.assert_close(*tangents)

    def test_of_the_operations_themselves(self):
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = torch.nn.Linear(3, 3)

            def forward(self, x):
                h = self.linear(x)
                return h + kachel.gelu(h)

        model, x = Model(), torch.randn(2, 3)
        exported = torch.export.export(model, (x,)).module()
        for each in exported, model:
            each(x).sum().backward()
        for own, of_model in zip(exported.parameters(), model.parameters()):
            torch.testing.assert_close(own.grad, of_model.grad)
        x.requires_grad_()
        dx = torch.autograd.grad(torch.ops.kachel.gelu(x).sum(), x, create_graph=True)[0]
        self.assertTrue(torch.equal(dx, torch.autograd.grad(kachel.gelu(x).sum(), x)[0]))
        torch.testing.assert_close(*(torch.autograd.grad(d.sum(), x)[0] for d in (dx, torch.autograd.grad(F.gelu(x).sum(), x, create_graph=True)[0])))
        with self.assertRaisesRegex(RuntimeError, "it is called within torch.func and has no rule for that"):
            torch.func.grad(lambda x: torch.ops.kachel.gelu(x).sum())(x.detach())

    def test_the_form_that_writes_a_tensor_says_so_too(self):
        x = torch.randn(3, requires_grad=True)
        saved = x.sigmoid()
        for tensors in ((x, torch.empty(3)), (x.detach(), saved)):
            with self.assertRaisesRegex(RuntimeError, "kachel.relu.out: it has no gradient"):
                torch.ops.kachel.relu.out(tensors[0], out=tensors[1])
        torch.ops.kachel.relu.out(x.detach(), out=saved.detach())
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            saved.sum().backward()
        negated = torch.zeros(2, dtype=torch.complex64).conj().imag
        torch.ops.kachel.relu.out(torch.tensor([5.0, -6.0]), out=negated)
        self.assertEqual(negated.tolist(), [5, 0])

    def test_an_operation_without_one_says_so(self):
        for name in "relu_backward", "hardtanh_backward_from_output", "relu_with_mask", "relu_backward_from_mask":
            inputs = kachel._library.operations[name].inputs
            tensors = [torch.zeros(1, dtype=torch.uint8) if key == "mask" else torch.randn(8) for key in inputs]
            run = getattr(torch.ops.kachel, name)
            run(*tensors)
            tensors[0].requires_grad_()
            with self.assertRaisesRegex(RuntimeError, f"kachel.{name}: it has no gradient .* or kachel.(relu|hardtanh)$"):
                run(*tensors)
            with torch.no_grad():
                run(*tensors)

    def test_of_softmax(self):
        torch.manual_seed(4)
        for shape, dim in (((7, 40), -1), ((7, 40), 0), ((3, 5, 8), 1), ((9,), 0)):
            x = torch.randn(shape)
            leaves = [x.clone().requires_grad_() for _ in range(2)]
            results = [kachel.softmax(leaves[0], dim), torch.softmax(leaves[1], dim)]
            torch.testing.assert_close(*results)
            self.assertEqual(results[0].stride(), results[1].stride())
            first = [torch.autograd.grad((y * y).sum(), of, create_graph=True)[0] for y, of in zip(results, leaves)]
            torch.testing.assert_close(*first)
            torch.testing.assert_close(*(torch.autograd.grad((d * d).sum(), of)[0] for d, of in zip(first, leaves)))
            for transform in (
                lambda f: torch.func.jacfwd(f)(x),
                lambda f: torch.func.hessian(lambda x: (f(x) ** 2).sum())(x),
                lambda f: torch.func.vmap(lambda row: f(row) if x.ndim == 1 else f(row[None])[0])(x[None])[0],
            ):
                torch.testing.assert_close(
                    *(transform(lambda x, f=f: f(x, dim)) for f in (kachel.softmax, torch.softmax)), rtol=1e-4, atol=1e-5
                )
        for dtype in torch.float16, torch.bfloat16:
            torch.testing.assert_close(kachel.softmax(x.to(dtype)), torch.softmax(x.to(dtype), -1))
        compiled = torch.compile(lambda x: kachel.softmax(x, 0) + 1, fullgraph=True, backend="aot_eager")
        self.assertTrue(torch.equal(compiled(x), kachel.softmax(x, 0) + 1))
        strided = torch.randn(2, 6, 5).transpose(0, 1)
        for dim in range(3):
            y, expected = kachel.softmax(strided, dim), torch.softmax(strided, dim)
            torch.testing.assert_close(y, expected)
            self.assertEqual(y.stride(), expected.stride())
        out = torch.empty(4, 3)
        self.assertIs(kachel.softmax(torch.ones(4, 3), 0, out=out), out)
        self.assertTrue(torch.equal(out, torch.full((4, 3), 0.25)))
        for call, message in (
            (lambda: kachel.softmax(torch.randn(3).double()), "expected float32, float16 or bfloat16"),
            (lambda: kachel.softmax(x, 5), "dim is 5 of an x of 1 dimensions"),
            (lambda: kachel.softmax(torch.tensor(1.0)), "x has no dimension"),
        ):
            with self.assertRaisesRegex((RuntimeError, ValueError), message):
                call()

    def test_of_a_mask(self):
        x = torch.randn(5, 3).t()
        for name, _, _ in self.each():
            if f"{name}_with_mask" not in kachel._library.operations:
                with self.assertRaisesRegex(ValueError, "saved is 'mask', expected None"):
                    getattr(kachel, name)(x.clone().requires_grad_(), saved="mask")
                continue
            gradients = []
            for saved in (None, "mask"):
                leaf = x.clone().requires_grad_()
                values = {"threshold": (0.1, -2.0), "clamp": (-1.0, 1.0)}.get(name, ())
                y = getattr(kachel, name)(leaf, *values, saved=saved)
                gradients.append(torch.autograd.grad(y.sum(), leaf, create_graph=saved == "mask")[0])
            self.assertTrue(torch.equal(*gradients), name)


class PReLU(unittest.TestCase):
    """Which has a tensor of slopes."""

    def test_values_and_gradients_are_pytorchs(self):
        generator = random.Random(7)
        torch.manual_seed(7)
        for dtype, tolerance in TOLERANCE.items():
            for _ in range(30):
                x, one = random_tensor(generator, dtype), generator.random() < 0.5
                w = torch.randn(1 if one or x.ndim < 2 else x.shape[1]).to(dtype)
                given = [each.detach().requires_grad_() for each in (x, w, x, w)]
                y, expected = kachel.prelu(*given[:2]), F.prelu(*given[2:])
                self.assertTrue(torch.equal(y, expected))
                self.assertEqual((y.dtype, y.stride()), (dtype, kachel.relu(x).stride()))
                dy = torch.randn(y.shape).to(dtype)
                dx, dw = torch.autograd.grad(y, given[:2], dy)
                expected_dx, expected_dw = torch.autograd.grad(expected, given[2:], dy)
                self.assertTrue(torch.equal(dx, expected_dx))
                # PyTorch rounds each product to the type before it adds them.
                torch.testing.assert_close(dw, expected_dw, rtol=10 * tolerance, atol=30 * tolerance)

    def test_higher_derivatives_and_transforms(self):
        x, w = torch.randn(3, 4, dtype=torch.float64, requires_grad=True), torch.rand(4, dtype=torch.float64)
        w.requires_grad_()
        self.assertTrue(torch.autograd.gradcheck(kachel.prelu, (x, w)))
        self.assertTrue(torch.autograd.gradgradcheck(kachel.prelu, (x, w)))
        of_rows = torch.func.vmap(torch.func.grad(lambda x, w: kachel.prelu(x[None], w).sum(), argnums=1), (0, None))
        self.assertTrue(torch.equal(of_rows(x, w), torch.where(x > 0, 0, x)))
        compiled = torch.compile(lambda x, w: kachel.prelu(x * 2, w) + 1, fullgraph=True, backend="aot_eager")
        y, expected = compiled(x, w), F.prelu(x * 2, w) + 1
        self.assertTrue(torch.equal(y, expected))
        for a, b in zip(torch.autograd.grad(y.sum(), (x, w)), torch.autograd.grad(expected.sum(), (x, w))):
            torch.testing.assert_close(a, b)

    def test_out_modules_and_errors(self):
        x, w, out = torch.randn(2, 3), torch.rand(3), torch.empty(2, 3)
        self.assertIs(kachel.prelu(x, w, out=out), out)
        self.assertTrue(torch.equal(out, F.prelu(x, w)))
        self.assertTrue(torch.equal(kachel.prelu(x, w[0]), F.prelu(x, w[0])))
        with self.assertRaisesRegex(RuntimeError, r"w has extents \(2\), expected \(1\) or \(3\)"):
            kachel.prelu(x, w[:2])
        with self.assertRaisesRegex(TypeError, "weight is a float"):
            kachel.prelu(x, 0.25)
        with self.assertRaisesRegex(RuntimeError, "out is given, and a derivative is asked for"):
            kachel.prelu(x, w.requires_grad_(), out=out)


class Transforms(unittest.TestCase):
    def test_opcheck(self):
        shapes_and_types = (
            ((), torch.float32),
            ((0, 3), torch.float32),
            ((3, 4), torch.float64),
            ((3, 4), torch.float16),
            ((3, 4), torch.bfloat16),
            ("strided", torch.float32),
            ("gradient", torch.float32),
        )
        quick = "test_schema", "test_autograd_registration", "test_faketensor"
        traced = itertools.cycle(range(len(shapes_and_types) - 1))  # tracing takes a tenth of a second

        def arguments(operation, kind, dtype):
            shape = (3, 4) if isinstance(kind, str) else kind
            x = [(0.1 + torch.rand(shape)).to(dtype) for _ in operation.inputs]  # of which no function gives NaN
            if kind == "strided":
                x[0] = 0.1 + torch.rand(4, 3).t() if "mask" in operation.outputs else (0.1 + torch.rand(8, 3))[::2].t()
            if "mask" in operation.inputs:
                x[0] = x[0].contiguous()
                x[1] = torch.zeros((x[0].numel() + 7) // 8, dtype=torch.uint8)
            if operation.inputs[-1] == "w":
                x[-1] = torch.rand(4 if shape == (3, 4) else shape[1:] or 1).to(dtype)
            if kind == "gradient":
                x = [of.requires_grad_() if of.is_floating_point() else of for of in x]
            return *x, *(min(max(value, -9.0), 9.0) for value in operation.parameters.values())

        for name, operation in kachel._library.operations.items():
            overloads, with_tracing = getattr(torch.ops.kachel, name), next(traced)
            has_gradient = torch._C._dispatch_has_kernel_for_dispatch_key(f"kachel::{name}", "AutogradCPU")
            for number, (kind, dtype) in enumerate(shapes_and_types):
                if name == "softmax" and (kind == () or dtype == torch.float64):
                    continue
                if kind == "gradient" and not has_gradient:
                    continue
                given = arguments(operation, kind, dtype)
                also = ("test_aot_dispatch_dynamic",) if kind == "gradient" or number == with_tracing else ()
                with self.subTest(name, kind=kind, dtype=dtype):
                    torch.library.opcheck(overloads.default, given, test_utils=quick + also)
                    if len(operation.outputs) == 1 and kind != "gradient":
                        out = {"out": torch.empty(given[0].shape, dtype=dtype)}
                        torch.library.opcheck(overloads.out, given, out, test_utils=quick + also)

    def test_the_first_call_within_a_compiled_operation(self):
        program = """
import torch, kachel
from torch.utils.checkpoint import checkpoint
compiled = torch.compile(
    lambda x: checkpoint(lambda y: kachel.gelu(y * 2), x, use_reentrant=False), fullgraph=True, backend="aot_eager"
)
x = torch.randn(3, 4, requires_grad=True)
assert torch.equal(compiled(x), kachel.gelu(x * 2))
torch._dynamo.config.error_on_recompile = True
again = torch.compile(lambda x: kachel.relu(x), fullgraph=True, backend="eager")
assert torch.equal(again(x), again(x))
"""
        subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)

    def test_importing_is_quick_and_starts_nothing(self):
        program = """
import os, time, torch
def threads(): return len(os.listdir("/proc/self/task"))
before, start = threads(), time.perf_counter()
import kachel
print(threads() - before, time.perf_counter() - start)
"""
        took = []
        for _ in range(3):
            ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
            started, seconds = ran.stdout.split()
            self.assertEqual((started, ran.stderr), ("0", ""))
            took.append(float(seconds))
        self.assertLess(min(took), 0.05)

    def test_compile_export_and_vmap(self):
        x = torch.randn(4, 5, requires_grad=True)
        compiled = torch.compile(lambda x: kachel.hardtanh(x * 2) + 1, fullgraph=True, backend="aot_eager")
        y = compiled(x)
        y.sum().backward()
        self.assertTrue(torch.equal(y, F.hardtanh(x * 2) + 1))
        self.assertTrue(torch.equal(x.grad, 2.0 * ((x * 2).abs() < 1)))
        in_place = torch.compile(lambda x: kachel.gelu(x.clone(), inplace=True), fullgraph=True, backend="aot_eager")
        self.assertTrue(torch.equal(in_place(x.detach()), kachel.gelu(x.detach())))
        self.assertTrue(torch.equal(torch.vmap(kachel.gelu, in_dims=1)(x.detach()), kachel.gelu(x.detach().t())))
        program = torch.export.export(torch.nn.Sequential(kachel.nn.Hardtanh()), (x.detach(),))
        self.assertIn("kachel.hardtanh", program.graph_module.code)

    def test_compiled_out(self):
        x = torch.randn(3, 4)
        for function, theirs in (
            (kachel.relu, torch.relu),
            (kachel.softmax, lambda x: torch.softmax(x, -1)),
            (lambda x, out: kachel.prelu(x, torch.ones(1), out=out), lambda x: x),
        ):
            out = torch.empty(3, 4)
            compiled = torch.compile(lambda x, out: function(x, out=out) + 1, fullgraph=True, backend="aot_eager")
            torch.testing.assert_close(compiled(x, out), theirs(x) + 1)
            torch.testing.assert_close(out, theirs(x))

    def test_autocast_keeps_the_type(self):
        with torch.autocast("cpu", torch.bfloat16):
            y = kachel.gelu(torch.randn(3, 3) @ torch.randn(3, 3))
        self.assertEqual(y.dtype, torch.bfloat16)


class Modules(unittest.TestCase):
    def test_replace(self):
        model = torch.nn.Sequential(
            torch.nn.Linear(8, 8), torch.nn.GELU("tanh"), torch.nn.Hardtanh(-0.5, 0.5, inplace=True), torch.nn.ELU(0.3)
        )
        ours = kachel.nn.replace(copy.deepcopy(model))
        x = torch.randn(4, 8)
        self.assertEqual([type(module).__module__ for module in ours[1:]], ["kachel.nn"] * 3)
        self.assertEqual(repr(ours), repr(model))
        torch.testing.assert_close(ours(x), model(x))
        self.assertEqual(ours.state_dict().keys(), model.state_dict().keys())

    def test_every_module(self):
        x = torch.randn(3, 5)
        for name in kachel.nn.__all__[:-1]:
            arguments = {"Threshold": (0.1, -2.0), "Softmax": (-1,)}.get(name, ())
            ours, theirs = (getattr(of, name)(*arguments).eval() for of in (kachel.nn, torch.nn))
            torch.testing.assert_close(ours(x), theirs(x), msg=name)
            torch.testing.assert_close(ours(input=x), theirs(input=x), msg=name)

    def test_torch_fx_records_a_module_as_one_call(self):
        model = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.PReLU(), torch.nn.RReLU(), torch.nn.Softmax(1))
        ours = kachel.nn.replace(copy.deepcopy(model))
        traced, x = torch.fx.symbolic_trace(ours), torch.randn(4, 3)
        self.assertEqual(str(traced.graph), str(torch.fx.symbolic_trace(model).graph))
        self.assertEqual([type(module) for module in traced.children()], [type(module) for module in ours])
        for training in True, False:
            results = []
            for module in traced, ours, model:
                torch.manual_seed(6)
                results.append(module.train(training)(x))
            self.assertTrue(torch.equal(results[0], results[1]))
            torch.testing.assert_close(*results[1:])
        alone = torch.fx.symbolic_trace(kachel.nn.ReLU())
        self.assertTrue(torch.equal(alone(x), torch.relu(x)))

    def test_rrelu_is_random_in_training_alone(self):
        x = torch.randn(50)
        for inplace in False, True:
            theirs = torch.nn.RReLU(0.1, 0.4, inplace)
            ours = kachel.nn.replace(copy.deepcopy(theirs))
            for training in True, False:
                with mock.patch.object(kachel, "rrelu", wraps=kachel.rrelu) as of_kachel:
                    results, inputs = [], []
                    for module in ours, theirs:
                        torch.manual_seed(5)
                        inputs.append(x.clone())
                        results.append(module.train(training)(inputs[-1]))
                    torch.testing.assert_close(*results)
                    torch.testing.assert_close(*inputs)
                    self.assertEqual(of_kachel.call_count, not training)

    def test_prelu_under_autocast(self):
        model = kachel.nn.replace(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.PReLU()))
        with torch.autocast("cpu", torch.bfloat16):
            y = model(torch.randn(3, 4))
        y.sum().backward()
        self.assertEqual([y.dtype, model[1].weight.grad.dtype], [torch.bfloat16, torch.float32])

    def test_softplus_has_pytorchs_type_under_autocast(self):
        x = torch.randn(5, dtype=torch.bfloat16)
        with torch.autocast("cpu", torch.bfloat16):
            y, expected = kachel.nn.Softplus()(x), torch.nn.Softplus()(x)
        self.assertIs(y.dtype, expected.dtype)
        self.assertTrue(torch.equal(y, expected))

    def test_softmax_is_kachels_where_it_has_that(self):
        x = torch.randn(2, 3, 4)
        autocast = torch.autocast("cpu", torch.bfloat16)
        for dim, x, context, of_kachel in (
            (-1, x, contextlib.nullcontext(), True),
            (2, x.half(), contextlib.nullcontext(), True),
            (1, x, contextlib.nullcontext(), False),
            (-2, x, contextlib.nullcontext(), False),
            (0, torch.tensor(3.0), contextlib.nullcontext(), False),
            (-1, torch.tensor(3.0), contextlib.nullcontext(), False),
            (-1, x.double(), contextlib.nullcontext(), False),
            (-1, x.bfloat16(), autocast, False),
        ):
            theirs = torch.nn.Softmax(dim)
            ours = kachel.nn.replace(copy.deepcopy(theirs))
            with self.subTest(dim, x=x), context, mock.patch.object(kachel, "softmax", wraps=kachel.softmax) as softmax:
                torch.testing.assert_close(ours(x), theirs(x))  # the types too
                self.assertEqual(softmax.call_count, of_kachel)
        with self.assertWarnsRegex(UserWarning, "Implicit dimension choice"):
            self.assertEqual(kachel.nn.Softmax()(x).shape, x.shape)
        compiled = torch.compile(kachel.nn.Softmax(-1), fullgraph=True, backend="aot_eager")
        torch.testing.assert_close(compiled(x), torch.softmax(x, -1))


if __name__ == "__main__":
    unittest.main()
