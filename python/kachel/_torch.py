# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on tensors of PyTorch: torch.ops.kachel, its fake kernels and its gradients."""

import torch
from torch.autograd import forward_ad
from torch.autograd.graph import increment_version

from kachel import _formulas, _library

torch.ops.load_library(str(_library.FOLDER / "libkachel_torch.so"))


def _add_rules(operation):
    """What PyTorch asks of an operation beside its kernels: the shape of its results, and how it is mapped."""
    name = f"kachel::{operation.name}"

    def fake(x, *rest):
        # PyTorch's own elementwise operation has the same strides.
        y = torch.relu(x)
        if len(operation.outputs) == 1:
            return y
        return y, x.new_empty(((x.numel() + 7) // 8,), dtype=torch.uint8)

    torch.library.register_fake(name, fake)
    if len(operation.outputs) == 1:
        torch.library.register_fake(f"{name}.out", lambda *arguments, out: None)

    def vmap(info, in_dims, *arguments):
        tensors = [
            tensor.movedim(dim, 0) if dim is not None else tensor.expand(info.batch_size, *tensor.shape)
            for tensor, dim in zip(arguments[: len(operation.inputs)], in_dims)
        ]
        return getattr(torch.ops.kachel, operation.name).default(*tensors, *arguments[len(tensors) :]), 0

    if "mask" not in operation.outputs + operation.inputs:
        torch.library.register_vmap(name, vmap)


for _operation in _library.operations.values():
    _add_rules(_operation)


class _Bound:
    """An operation and its derivative with the values of their parameters. Of a tuple PyTorch's transforms would make
    arguments of their own."""

    __slots__ = "functional", "derivative", "saves_output", "name", "values"

    def __init__(self, call, values):
        self.functional, self.derivative, self.saves_output = call.functional, call.derivative, call.saves_output
        self.name, self.values = call.name, values


class _Derivative(torch.autograd.Function):
    """dx of dy and of what is saved. Further derivatives are those of PyTorch's function."""

    generate_vmap_rule = True

    @staticmethod
    def forward(dy, saved, bound):
        return bound.derivative(dy, saved, *bound.values)

    @staticmethod
    def setup_context(ctx, inputs, output):
        *tensors, bound = inputs
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)
        ctx.formula = _formulas.derivative(bound.name, bound.values)

    @staticmethod
    def backward(ctx, ddx):
        return *torch.func.vjp(ctx.formula, *ctx.saved_tensors)[1](ddx), None

    @staticmethod
    def jvp(ctx, ddy, dsaved, _):
        tangents = [torch.zeros_like(of) if d is None else d for of, d in zip(ctx.saved_tensors, (ddy, dsaved))]
        return torch.func.jvp(ctx.formula, tuple(ctx.saved_tensors), tuple(tangents))[1]


def _gradient(ctx, dy):
    """dx, which is to be differentiated where gradients are recorded."""
    (saved,) = ctx.saved_tensors
    bound = ctx.bound
    if torch.is_grad_enabled():
        return _Derivative.apply(dy, saved, bound), None
    return bound.derivative(dy, saved, *bound.values), None


class _Differentiable(torch.autograd.Function):
    """An operation with its gradient. PyTorch takes 20 us less for this form than for that of _Transformable."""

    @staticmethod
    def forward(ctx, x, bound):
        y = bound.functional(x, *bound.values)
        ctx.save_for_backward(y if bound.saves_output else x)
        ctx.bound = bound
        return y

    backward = staticmethod(_gradient)


class _Transformable(torch.autograd.Function):
    """The same, for torch.func and for forward mode."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, bound):
        return bound.functional(x, *bound.values)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.bound = inputs
        saved = output if ctx.bound.saves_output else x
        ctx.save_for_backward(saved)
        ctx.save_for_forward(saved)

    backward = staticmethod(_gradient)

    @staticmethod
    def jvp(ctx, dx, _):
        return _Derivative.apply(dx, *ctx.saved_tensors, ctx.bound)  # the derivative is a number for each element


_MASKED = "_with_mask", "_backward_from_mask"


class _FromMask(torch.autograd.Function):
    """dx of dy and the mask, and its own derivative, as it is linear in dy."""

    @staticmethod
    def forward(ctx, dy, mask, strides, derivative, values):
        ctx.rest = mask, strides, derivative, values
        if dy.stride() != strides:
            dy = dy.new_empty_strided(dy.shape, strides).copy_(dy)
        return derivative(dy, mask, *values)

    @staticmethod
    def backward(ctx, ddx):
        return _FromMask.apply(ddx, *ctx.rest), None, None, None, None


class _WithMask(torch.autograd.Function):
    """An operation that saves a mask for its gradient: bits in the order of the memory, which has no gaps."""

    @staticmethod
    def forward(ctx, x, with_mask, derivative, values):
        y, mask = with_mask(x if x.is_contiguous() else x.clone(), *values)
        ctx.save_for_backward(mask)
        ctx.rest = y.stride(), derivative, values
        return y

    @staticmethod
    def backward(ctx, dy):
        return _FromMask.apply(dy, *ctx.saved_tensors, *ctx.rest), None, None, None


class Call:
    """An operation of one tensor, with its gradient."""

    def __init__(self, operation):
        ops = torch.ops.kachel
        self.name = operation.name
        self.functional, self.out = getattr(ops, operation.name).default, getattr(ops, operation.name).out
        from_output, from_input = operation.name + "_backward_from_output", operation.name + "_backward"
        if from_input not in _library.operations:  # softmax
            self.saves_output, self.derivative = True, _formulas.derivative(operation.name, ())
            return
        self.saves_output = from_output in _library.operations and not operation.parameters
        self.derivative = getattr(ops, from_output if self.saves_output else from_input).default

    def __call__(self, x, values, inplace, out, saved):
        if out is not None:
            if torch.is_grad_enabled() and (x.requires_grad or out.requires_grad):
                raise RuntimeError(
                    f"kachel.{self.name}: out is given, and a tensor requires a gradient, expected torch.no_grad()"
                )
            return self._write(x, values, out)
        if torch._C._are_functorch_transforms_active() or forward_ad._current_level >= 0:
            y = _Transformable.apply(x, _Bound(self, values))
        elif x.requires_grad and torch.is_grad_enabled():
            x_of_y = x.clone() if inplace else x
            if saved is None:
                y = _Differentiable.apply(x_of_y, _Bound(self, values))
            else:
                y = _WithMask.apply(x_of_y, *self._masked(saved), values)
        elif inplace:
            return self._write(x, values, x)
        else:
            return self.functional(x, *values)
        return x.copy_(y) if inplace else y

    def _write(self, x, values, out):
        self.out(x, *values, out=out)
        increment_version(out)  # so that autograd refuses what was saved of it before
        return out

    def _masked(self, saved):
        """What writes a mask, and what reads it."""
        with_mask, from_mask = (getattr(torch.ops.kachel, self.name + end, None) for end in _MASKED)
        if saved != "mask" or with_mask is None:
            possible = "None" if with_mask is None else "None or 'mask'"
            raise ValueError(f"kachel.{self.name}: saved is {saved!r}, expected {possible}")
        return with_mask.default, from_mask.default
