# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on tensors of PyTorch: torch.ops.kachel, its fake kernels and its gradients."""

import torch

from kachel import _library

torch.ops.load_library(str(_library.FOLDER / "libkachel_torch.so"))


def _add_rules(operation):
    """What PyTorch asks of an operation beside its kernels: the shape of its results, and how it is mapped."""
    name = f"kachel::{operation.name}"
    inputs = operation.arrays - operation.outputs

    def fake(x, *rest):
        # PyTorch's own elementwise operation has the same strides.
        y = torch.relu(x)
        if operation.outputs == 1:
            return y
        return y, x.new_empty(((x.numel() + 7) // 8,), dtype=torch.uint8)

    torch.library.register_fake(name, fake)
    if operation.outputs == 1:
        torch.library.register_fake(f"{name}.out", lambda *arguments, out: None)

        def vmap(info, in_dims, *arguments):
            tensors = [
                tensor.movedim(dim, 0) if dim is not None else tensor.expand(info.batch_size, *tensor.shape)
                for tensor, dim in zip(arguments[:inputs], in_dims)
            ]
            return getattr(torch.ops.kachel, operation.name).default(*tensors, *arguments[inputs:]), 0

        if "mask" not in operation.name:
            torch.library.register_vmap(name, vmap)


for _operation in _library.operations.values():
    _add_rules(_operation)


class _Gradient(torch.autograd.Function):
    """A derivative, of which there is no other."""

    @staticmethod
    def forward(ctx, dy, saved, backward, values):
        ctx.name = backward.name()
        return backward(dy, saved, *values)

    @staticmethod
    def backward(ctx, dy):
        raise RuntimeError(f"{ctx.name}: there is no second derivative, expected PyTorch's function where one is needed")


class _Differentiable(torch.autograd.Function):
    """An operation whose derivative is another one, of the input or of the output."""

    @staticmethod
    def forward(ctx, x, operation, backward, saves_output, values):
        y = operation(x, *values)
        ctx.save_for_backward(y if saves_output else x)
        ctx.derivative, ctx.values = backward, values
        return y

    @staticmethod
    def backward(ctx, dy):
        (saved,) = ctx.saved_tensors
        if torch.is_grad_enabled():  # where the gradient is to be differentiated
            dx = _Gradient.apply(dy, saved, ctx.derivative, ctx.values)
        else:
            dx = ctx.derivative(dy, saved, *ctx.values)
        return dx, None, None, None, None


class Call:
    """An operation of one tensor, with its gradient."""

    def __init__(self, operation):
        ops = torch.ops.kachel
        self.functional, self.out = getattr(ops, operation.name).default, getattr(ops, operation.name).out
        from_output = operation.name + "_backward_from_output"
        self.saves_output = from_output in _library.operations and not operation.parameters
        self.backward = getattr(ops, from_output if self.saves_output else operation.name + "_backward").default

    def __call__(self, x, values, inplace=False, out=None):
        if out is not None:
            self.out(x, *values, out=out)
            return out
        if x.requires_grad and torch.is_grad_enabled():
            if not inplace:
                return _Differentiable.apply(x, self.functional, self.backward, self.saves_output, values)
            return x.copy_(_Differentiable.apply(x.clone(), self.functional, self.backward, self.saves_output, values))
        if not inplace:
            return self.functional(x, *values)
        self.out(x, *values, out=x)
        return x
