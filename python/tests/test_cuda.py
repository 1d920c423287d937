# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on CUDA, for tensors of PyTorch and arrays of CuPy: the bits of the CPU. Without a GPU nothing runs."""

import importlib.util
import unittest

import numpy as np
import torch

import kachel
import kachel.nn

TYPES = torch.float32, torch.float64, torch.float16, torch.bfloat16


def same(a, b):
    """Any NaN is as good as another."""
    return torch.equal(a.nan_to_num(7.0), b.nan_to_num(7.0))


@unittest.skipUnless(torch.cuda.is_available(), "there is no GPU")
class Tensors(unittest.TestCase):
    def test_every_operation_has_the_bits_of_the_cpu(self):
        torch.manual_seed(1)
        for name, operation in kachel._library.operations.items():
            values = tuple(operation.parameters.values())
            run = getattr(torch.ops.kachel, name).default
            for dtype in TYPES if name != "softmax" else set(TYPES) - {torch.float64}:
                of_cpu = [(3 * torch.randn(40, 1003)).to(dtype) for _ in operation.inputs]
                if "mask" in operation.inputs:
                    of_cpu[operation.inputs.index("mask")] = torch.randint(0, 256, (5015,), dtype=torch.uint8)
                slopes = [torch.rand(40, dtype=dtype)] if operation.inputs[-1] == "w" else []
                of_cpu[len(of_cpu) - len(slopes) :] = slopes
                of_gpu = [each.cuda() for each in of_cpu]
                if "mask" not in operation.inputs + operation.outputs:
                    of_cpu, of_gpu = ([each.t()[::2] if each.ndim == 2 else each for each in of] for of in (of_cpu, of_gpu))
                expected, found = run(*of_cpu, *values), run(*of_gpu, *values)
                if len(operation.outputs) == 1:
                    expected, found = (expected,), (found,)
                for a, b in zip(expected, found):
                    self.assertTrue(same(a, b.cpu()), (name, dtype))
                    self.assertEqual(a.stride(), b.stride())

    def test_gradients_have_the_bits_of_the_cpu(self):
        x, dy = torch.randn(100), torch.randn(100)
        for name in kachel.__all__:
            if name in ("softmax", "prelu"):  # whose gradients are PyTorch's
                continue
            gradients = []
            for device in "cpu", "cuda":
                leaf = x.to(device, copy=True).requires_grad_()
                getattr(kachel, name)(leaf).backward(dy.to(device))
                gradients.append(leaf.grad.cpu())
            self.assertTrue(same(*gradients), name)

    def test_gradients_of_prelu_have_the_bits_of_the_cpu(self):
        for dtype in TYPES:
            for slopes in 1, 30:
                leaves = [torch.randn(40, 30, 1003).to(dtype), torch.randn(slopes).to(dtype)]
                dy = torch.randn(40, 30, 1003).to(dtype)
                gradients = []
                for device in "cpu", "cuda":
                    x, w = (leaf.to(device, copy=True).requires_grad_() for leaf in leaves)
                    kachel.prelu(x, w).backward(dy.to(device))
                    gradients.append((x.grad.cpu(), w.grad.cpu()))
                self.assertTrue(all(map(same, *gradients)), (dtype, slopes))

    def test_graphs_and_streams(self):
        x = torch.randn(1000, device="cuda")
        expected = kachel.gelu(x.cpu())
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y = kachel.gelu(x)
        y.zero_()
        graph.replay()
        self.assertTrue(torch.equal(y.cpu(), expected))
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            y = kachel.gelu(x)
        stream.synchronize()
        self.assertTrue(torch.equal(y.cpu(), expected))

    def test_compile(self):
        x = torch.randn(40, 50, device="cuda", requires_grad=True)
        y = torch.compile(lambda x: kachel.tanh(x * 2) + 1, fullgraph=True)(x)
        y.sum().backward()
        self.assertTrue(torch.equal(y, kachel.tanh(x * 2) + 1))
        torch.testing.assert_close(x.grad, 2 - 2 * torch.tanh(2 * x.detach()) ** 2)

    def test_autocast_keeps_the_type(self):
        with torch.autocast("cuda", torch.float16):
            y = kachel.gelu(torch.randn(8, 8, device="cuda") @ torch.randn(8, 8, device="cuda"))
        self.assertEqual(y.dtype, torch.float16)

    def test_errors(self):
        x = torch.randn(3, device="cuda")
        for call, message in (
            (lambda: kachel.hardtanh(x, 3), "min_val is 3 and max_val is 1, expected min_val <= max_val"),
            (lambda: kachel.relu(x, out=torch.empty(3)), "its arrays are on several devices, expected one"),
            (lambda: kachel.relu(x[:2], out=x[1:]), "overlaps"),
        ):
            with self.assertRaisesRegex(RuntimeError, message):
                call()
            self.assertTrue(torch.equal(kachel.relu(x), torch.relu(x)))

    @unittest.skipUnless(torch.cuda.device_count() > 1, "there is one GPU")
    def test_several_gpus(self):
        for current in range(2):
            for device in 1, 0:
                x = torch.linspace(-3, 3, 1001).to(f"cuda:{device}")
                for dtype in TYPES:
                    with torch.cuda.device(current):
                        y = kachel.gelu(x.to(dtype))
                        self.assertEqual(torch.cuda.current_device(), current)
                    self.assertEqual(y.device, x.device)
                    self.assertTrue(torch.equal(y.cpu(), kachel.gelu(x.cpu().to(dtype))))
        with self.assertRaisesRegex(RuntimeError, "its arrays are on several devices, expected one"):
            kachel.relu(torch.zeros(3, device="cuda:0"), out=torch.zeros(3, device="cuda:1"))


@unittest.skipUnless(torch.cuda.is_available() and importlib.util.find_spec("cupy"), "there is no CuPy")
class Arrays(unittest.TestCase):
    def test_cupy(self):
        import cupy

        x = np.linspace(-4, 4, 1001)
        for dtype in np.float32, np.float64, np.float16:
            own = cupy.asarray(x.astype(dtype))
            for view in own, own[::-3], own.reshape(7, 143).T:
                np.testing.assert_array_equal(kachel.gelu(view).get(), kachel.gelu(view.get()))
        with cupy.cuda.Stream() as stream:
            y = kachel.relu(own, inplace=True)
            stream.synchronize()
        self.assertIs(y, own)
        with self.assertRaisesRegex(ValueError, "expected min_val <= max_val"):
            kachel.hardtanh(own, 3)
        with self.assertRaisesRegex(TypeError, "expected float32, float64, float16 or bfloat16"):
            kachel.relu(own.astype(cupy.int32))


if __name__ == "__main__":
    unittest.main()
