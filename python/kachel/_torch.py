# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on tensors of PyTorch: torch.ops.kachel with fake kernels, rules for vmap and derivatives; and calls."""

import copy

import torch
import torch.nn.functional as F
from torch.autograd import forward_ad
from torch.autograd.graph import increment_version
from torch.utils._python_dispatch import _disable_current_modes

from kachel import _formulas, _library

if tuple(int(number) for number in torch.__version__.split(".")[:2]) < (2, 10):
    raise ImportError(f"kachel: PyTorch is {torch.__version__}, expected 2.10 or newer")
torch.ops.load_library(str(_library.FOLDER / "libkachel_torch.so"))
_rules = torch.library.Library("kachel", "IMPL")
_ops, _plain = torch.ops.kachel, torch.ops.kachel_plain
_MASKED = "_with_mask", "_backward_from_mask"
# With parameters, and dx from y has the bits of dx from x, where y tells it.
_SAVE_OUTPUT = "hardtanh", "leaky_relu"
# Whose rounded output tells few digits of the derivative: where it is near its limit, or of log of the sign and below 0
# nothing.
_SAVE_INPUT = "log", "selu"
# In place it saves its output all the same, as PyTorch does.
_SAVE_OUTPUT_IN_PLACE = ("selu",)


def _push_forward(function, primals, tangents):
    """The tangent of function(*primals), by the reverse mode alone: it may be differentiated in forward mode again."""
    y, pull = torch.func.vjp(function, *primals)
    return torch.func.vjp(pull, torch.zeros_like(y))[1](tuple(tangents))[0]


def _primal(tensor):
    functorch = torch._C._functorch
    if functorch.is_batchedtensor(tensor):
        primal = _primal(functorch.get_unwrapped(tensor))
        return functorch._add_batch_dim(primal, functorch.maybe_get_bdim(tensor), functorch.maybe_get_level(tensor))
    return forward_ad.unpack_dual(tensor, level=0).primal


class _OutsideTangents(forward_ad._set_fwd_grad_enabled):
    """Where a jvp runs, PyTorch records no tangents, not those of the transforms around it either. Here it does, and of
    the tensors the tangents of this jvp are left out."""

    def __init__(self, tensors):
        super().__init__(True)
        self.tensors = tensors

    def __enter__(self):
        super().__enter__()
        return [_primal(tensor) for tensor in self.tensors]


class _Bound:
    """An operation and its derivative with the values of their parameters. Of a tuple PyTorch's transforms would make
    arguments of their own."""

    __slots__ = "call", "values"

    def __init__(self, call, values):
        self.call, self.values = call, values

    def formula(self):
        return _formulas.derivative(self.call.name, self.values, self.call.saves_output)


class _Derivative(torch.autograd.Function):
    """dx of dy and of what is saved. Further derivatives are those of PyTorch's function."""

    generate_vmap_rule = True

    @staticmethod
    def forward(dy, saved, bound):
        return bound.call.derivative(dy, saved, *bound.values)

    @staticmethod
    def setup_context(ctx, inputs, output):
        *tensors, bound = inputs
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)
        ctx.formula = bound.formula()

    @staticmethod
    def backward(ctx, ddx):
        return *torch.func.vjp(ctx.formula, *ctx.saved_tensors)[1](ddx), None

    @staticmethod
    def jvp(ctx, ddy, dsaved, _):
        with _OutsideTangents(ctx.saved_tensors) as primals:
            tangents = (torch.zeros_like(of) if d is None else d for of, d in zip(primals, (ddy, dsaved)))
            return _push_forward(ctx.formula, primals, tangents)


def _is_transformed():
    return torch._C._are_functorch_transforms_active() or forward_ad._current_level >= 0


def _gradient(ctx, dy):
    """dx, which is to be differentiated where gradients are recorded, or tangents."""
    (saved,) = ctx.saved_tensors
    bound = ctx.bound
    if torch.is_grad_enabled() or _is_transformed():
        return _Derivative.apply(dy, saved, bound), None
    return bound.call.derivative(dy, saved, *bound.values), None


class _Differentiable(torch.autograd.Function):
    """An operation with its gradient. PyTorch takes 20 us less for this form than for that of _Transformable."""

    @staticmethod
    def forward(ctx, x, bound):
        call = bound.call
        y = call.functional(x, *bound.values)
        ctx.save_for_backward(y if call.saves_output else x)
        ctx.bound = bound
        return y

    backward = staticmethod(_gradient)


class _InPlace(torch.autograd.Function):
    """The same of an operation that saves its output, in the memory of x."""

    @staticmethod
    def forward(ctx, x, bound):
        bound.call.write(x, bound.values, x)
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        ctx.bound = bound
        return x

    backward = staticmethod(_gradient)


class _Transformable(torch.autograd.Function):
    """The same, for torch.func and for forward mode."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, bound):
        return bound.call.functional(x, *bound.values)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.bound = inputs
        saved = output if ctx.bound.call.saves_output else x
        ctx.save_for_backward(saved)
        ctx.save_for_forward(saved)

    backward = staticmethod(_gradient)

    @staticmethod
    def jvp(ctx, dx, _):
        with _OutsideTangents(ctx.saved_tensors) as primals:
            return _Derivative.apply(dx, *primals, ctx.bound)  # the derivative is a symmetric matrix


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


def _write(write, arguments, out):
    """Puts an operation's result into a given tensor."""
    if out.is_neg():  # a view whose numbers are the negative of what its memory holds
        result = torch.empty_like(out)
        write(*arguments, out=result)
        out.copy_(result)
        return
    write(*arguments, out=out)
    increment_version(out)  # so that autograd refuses what was saved of it before


class Call:
    """An operation of one tensor, with its gradient."""

    def __init__(self, operation):
        self.name = operation.name
        self.public = getattr(_ops, operation.name).default
        self.functional, self.out = getattr(_plain, operation.name).default, getattr(_plain, operation.name).out
        from_output, from_input = operation.name + "_backward_from_output", operation.name + "_backward"
        self.of_output = None
        if from_input not in _library.operations:  # softmax
            self.saves_output, self.derivative = True, _formulas.derivative(operation.name, (), True)
            return
        of_output = from_output in _library.operations and not operation.parameters
        self.saves_output = of_output and self.name not in _SAVE_INPUT
        self.derivative = getattr(_plain, from_output if self.saves_output else from_input).default
        if operation.name in _SAVE_OUTPUT + _SAVE_OUTPUT_IN_PLACE:
            self.of_output = copy.copy(self)
            self.of_output.saves_output = True
            self.of_output.derivative = getattr(_plain, from_output).default
            self.told = {}

    def saving(self, values, dtype, inplace):
        """The same, which saves its output where that tells the derivative."""
        if self.of_output is None or self.name in _SAVE_OUTPUT_IN_PLACE and not inplace:
            return self
        key = values, dtype
        told = self.told.get(key)  # which another thread may clear
        if told is None:
            if len(self.told) > 100:  # of a parameter that changes at every call
                self.told.clear()
            told = self.told[key] = self.of_output if self._tells(values, dtype) else self
        return told

    def _tells(self, values, dtype):
        """Whether the output tells the derivative for these parameters."""
        with _disable_current_modes():  # what a fake tensor of the caller's would say is not true
            if self.name == "hardtanh" and dtype.itemsize == 2:
                # A bound that is rounded in the output may be that of a number inside.
                bounds = torch.tensor(values, dtype=torch.float32, device="cpu")
                if not torch.equal(bounds.to(dtype).float(), bounds):
                    return False
            nothing = torch.empty(0, device="cpu")
            try:
                self.of_output.derivative(nothing, nothing, *values)
            except RuntimeError:
                return False
            return True

    def __call__(self, x, values, inplace, out, saved):
        if saved is not None:
            masked = self._masked(saved)
        if out is not None:
            if saved is not None:
                raise TypeError(f"kachel.{self.name}: saved and out are given, expected one of them")
            return self._into(x, values, out)
        if torch.compiler.is_compiling():
            run, rest = self.public, values
        elif _is_transformed():
            run, rest = _Transformable.apply, (_Bound(self, values),)
        elif not (x.requires_grad and torch.is_grad_enabled()):
            try:
                return self.write(x, values, x) if inplace else self.functional(x, *values)
            except NotImplementedError:
                raise NotImplementedError(
                    f"kachel.{self.name}: x is a tensor of the layout {x.layout} and the type {x.dtype} on {x.device}, "
                    "expected a dense one of float32, float64, float16 or bfloat16 on cpu or cuda"
                ) from None
        else:
            if inplace:
                self._expect_no_leaf(x)
            if saved is not None:
                run, rest = _WithMask.apply, (*masked, values)
            else:
                bound = _Bound(self.saving(values, x.dtype, inplace), values)
                # PyTorch refuses to write some views, and says so of a Function when it has written.
                if inplace and bound.call.saves_output and not x._is_view():
                    return _InPlace.apply(x, bound)
                run, rest = _Differentiable.apply, (bound,)
        return x.copy_(run(x.clone(), *rest)) if inplace else run(x, *rest)

    def _expect_no_leaf(self, x):
        """PyTorch says so of what is written in place, but not before it is written."""
        base = x._base if x._is_view() else x
        if any(tensor.is_leaf and tensor.requires_grad for tensor in (x, base)):
            raise RuntimeError(
                f"kachel.{self.name}: x is a leaf that requires a gradient, or a view of one, expected inplace=False"
            )

    def _expect_tensor(self, key, tensor):
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"kachel.{self.name}: {key} is {_library.kind(tensor)}, expected a torch.Tensor as x is")

    def _into(self, x, values, out):
        self._expect_tensor("out", out)
        tensors = [x, out, *(value for value in values if isinstance(value, torch.Tensor))]
        if _is_transformed() or torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors):
            raise RuntimeError(
                f"kachel.{self.name}: out is given, and a derivative is asked for, expected torch.no_grad() and no "
                "transform"
            )
        if torch.compiler.is_compiling():
            getattr(_ops, self.name).out(x, *values, out=out)
            return out
        return self.write(x, values, out)

    def write(self, x, values, out):
        if out.is_inference() and not torch.is_inference_mode_enabled():
            raise RuntimeError(
                f"kachel.{self.name}: an inference tensor is written outside of torch.inference_mode, expected a clone"
            )
        try:
            _write(self.out, (x, *values), out)
        except RuntimeError:
            for key, own, expected in ("shape", tuple(out.shape), tuple(x.shape)), ("type", out.dtype, x.dtype):
                if own != expected:
                    raise RuntimeError(
                        f"kachel.{self.name}: out has the {key} {own}, expected {expected} as x has"
                    ) from None
            raise
        return out

    def _masked(self, saved):
        """What writes a mask, and what reads it."""
        with_mask, from_mask = (getattr(_plain, self.name + end, None) for end in _MASKED)
        if saved != "mask" or with_mask is None:
            possible = "None" if with_mask is None else "None or 'mask'"
            raise ValueError(f"kachel.{self.name}: saved is {saved!r}, expected {possible}")
        return with_mask.default, from_mask.default


def _prelu_gradients(dy, x, w):
    """dx and dw by PyTorch's operations: where they are to be differentiated."""
    return torch.func.vjp(F.prelu, x, w)[1](dy)


class _PReLUFunction(torch.autograd.Function):
    """prelu with its gradients."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return _plain.prelu.default(x, w)

    @staticmethod
    def backward(ctx, dy):
        return _differentiate_prelu_backward(dy, *ctx.saved_tensors)


class _PReLU(Call):
    """prelu, which has two tensors. Within PyTorch's transforms it is PyTorch's."""

    def __init__(self):
        self.name = "prelu"
        self.public, self.functional, self.out = _ops.prelu.default, _plain.prelu.default, _plain.prelu.out

    def __call__(self, x, weight, out):
        self._expect_tensor("weight", weight)
        weight = weight.reshape(1) if weight.ndim == 0 else weight
        if out is not None:
            return self._into(x, (weight,), out)
        return (self.public if torch.compiler.is_compiling() else _differentiate_prelu)(x, weight)


def _differentiate_prelu(x, w):
    if _is_transformed():
        return F.prelu(x, w)
    if torch.is_grad_enabled() and (x.requires_grad or w.requires_grad):
        return _PReLUFunction.apply(x, w)
    return _plain.prelu.default(x, w)


def _differentiate_prelu_backward(dy, x, w):
    recorded = torch.is_grad_enabled() and any(tensor.requires_grad for tensor in (dy, x, w))
    if recorded or _is_transformed():
        return _prelu_gradients(dy, x, w)
    return _plain.prelu_backward.default(dy, x, w)


def _expect_right(operation, tensors, values, out):
    """The errors of an operation's shapes, types and parameters, of tensors that have no elements to look at."""
    name, first, key_of_first = operation.name, tensors[0], operation.inputs[0]
    named = [*zip(operation.inputs, tensors), *([] if out is None else [("out", out)])]
    for key, each in named:
        if each.device != first.device:
            raise RuntimeError(f"kachel::{name}: its arrays are on several devices, expected one")
        if key not in ("w", "mask") and each.shape != first.shape:
            raise RuntimeError(
                f"kachel::{name}: {key} has the shape {tuple(each.shape)}, expected {tuple(first.shape)} as "
                f"{key_of_first} has"
            )
    if out is not None and out.dtype != first.dtype:
        raise RuntimeError(f"kachel::{name}: out has the type {out.dtype}, expected {first.dtype} as {key_of_first} has")
    if any(isinstance(value, torch.SymFloat) for value in values):  # whose value may be another at each call
        return
    known = all(isinstance(extent, int) for each in tensors for extent in each.shape)
    with _disable_current_modes():
        few = []
        for key, each in zip(operation.inputs, tensors):
            if key in ("w", "mask"):  # as many slopes as there are channels, and a mask of a number
                shape = each.shape if key == "w" and known else (1,)
            else:
                shape = (0, *each.shape[1:]) if known and each.ndim else (0,) * each.ndim
            few.append(torch.empty(shape, dtype=each.dtype, device="cpu"))
        getattr(_plain, name).default(*few, *values)


def _fake_of(operation):
    """The shapes of results. Their strides are those of PyTorch's own elementwise operations."""

    def fake(x, *rest, out=None):
        others = len(operation.inputs) - 1
        tensors = (x, *rest[:others])
        _expect_right(operation, tensors, rest[others:], out)
        if out is not None:
            return None
        y = torch.relu(x)
        if len(operation.outputs) == 1:
            return y
        dw = operation.inputs[-1] == "w"
        return y, torch.empty_like(tensors[-1]) if dw else x.new_empty(((x.numel() + 7) // 8,), dtype=torch.uint8)

    return fake


def _vmap_of(operation, overload):
    def vmap(info, in_dims, *arguments):
        tensors = [
            tensor.movedim(dim, 0) if dim is not None else tensor.expand(info.batch_size, *tensor.shape)
            for tensor, dim in zip(arguments[: len(operation.inputs)], in_dims)
        ]
        return overload(*tensors, *arguments[len(tensors) :]), 0

    return vmap


def _add_rules(operation):
    """What PyTorch asks of an operation beside its kernels."""
    name = operation.name
    for space, namespace in ("kachel", _ops), ("kachel_plain", _plain):
        torch.library.register_fake(f"{space}::{name}", _fake_of(operation))
        if len(operation.outputs) == 1:
            torch.library.register_fake(f"{space}::{name}.out", _fake_of(operation))
        if not {"mask", "w"} & {*operation.outputs, *operation.inputs}:
            overload = getattr(namespace, name).default
            torch.library.register_vmap(f"{space}::{name}", _vmap_of(operation, overload))


_differentiable = set()  # names of operations


def _add_derivative(name, function, call):
    """What PyTorch calls to differentiate an operation by its own name: the Function."""

    operation, plain = _library.operations[name], getattr(_plain, name).default
    inputs, defaults = len(operation.inputs), tuple(operation.parameters.values())

    def differentiate(*arguments):
        tensors, values = arguments[:inputs], arguments[inputs:]
        recorded = torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)
        if not recorded and not _is_transformed():
            return plain(*arguments)
        if torch._C._are_functorch_transforms_active():
            raise RuntimeError(
                f"torch.ops.kachel.{name}: it is called within torch.func and has no rule for that, expected the "
                f"function kachel.{call.name}, and no torch.compile around torch.func"
            )
        values += defaults[len(values) :]  # PyTorch leaves out the last arguments where they are the defaults
        return function.apply(*tensors, _Bound(call, values))

    _rules.impl(name, differentiate, "Autograd")
    _differentiable.add(name)


def _add_derivatives(call):
    """Those of an activation and of its derivative, or of softmax."""
    _add_derivative(call.name, _Transformable, call)
    if call.name + "_backward" in _library.operations:
        end = "_backward_from_output" if call.saves_output else "_backward"
        _add_derivative(call.name + end, _Derivative, call)


def _expect_no_gradient(operation, end, tensors):
    """An operation that has no gradient by its own name says so: PyTorch would lose it."""
    if torch.is_grad_enabled() and any(each.requires_grad for each in tensors):
        activation = operation.name.partition("_backward")[0].removesuffix(_MASKED[0])
        raise RuntimeError(
            f"torch.ops.kachel.{operation.name}{end}: it has no gradient and a tensor requires one, expected "
            f"torch.no_grad() around it, or kachel.{activation}"
        )


def _refuse_derivative(operation):
    plain = getattr(_plain, operation.name).default

    def refuse(*arguments):
        _expect_no_gradient(operation, "", arguments[: len(operation.inputs)])
        return plain(*arguments)

    _rules.impl(operation.name, refuse, "Autograd")


def _add_write(operation):
    """The form of an operation that writes a given tensor."""
    plain = getattr(_plain, operation.name)

    def write(*arguments, out):
        _expect_no_gradient(operation, ".out", (*arguments[: len(operation.inputs)], out))
        _write(plain.out, arguments, out)

    _rules.impl(f"{operation.name}.out", write, "Autograd")


for _operation in _library.operations.values():
    _add_rules(_operation)
calls = {of.name: Call(of) for of in _library.operations.values() if of.outputs + of.inputs == ("y", "x")}
for _call in calls.values():
    _add_derivatives(_call)
prelu = _PReLU()
_rules.impl("prelu", _differentiate_prelu, "Autograd")
_rules.impl("prelu_backward", _differentiate_prelu_backward, "Autograd")
for _operation in _library.operations.values():
    if _operation.name not in _differentiable | {"prelu", "prelu_backward"}:
        _refuse_derivative(_operation)
    if len(_operation.outputs) == 1:
        _add_write(_operation)
