# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activations at copy speed, with the same bits on CPUs and GPUs, for tensors of PyTorch and arrays of NumPy and CuPy.

Each function takes the numbers of PyTorch's function of that name, by their names: kachel.hardtanh(x, min_val=-2).
Its result has the type of x: a tensor, or an array. Differences from PyTorch are those of docs/python.md and numerics.md.
"""

import reprlib
import sys
from inspect import Parameter, Signature
from math import isinf

from kachel import _library

__version__ = "0.1.0"


def _call_array(operation, inputs, values, out, saved=None):
    name, x = operation.name, inputs[0]
    modules = (sys.modules.get(module) for module in ("numpy", "cupy"))
    module = next((module for module in modules if module and isinstance(x, module.ndarray)), None)
    if module is None:
        raise TypeError(
            f"kachel.{name}: x is {_library.kind(x)}, expected a torch.Tensor, a numpy.ndarray or a cupy.ndarray"
        )
    if saved is not None:
        raise TypeError(f"kachel.{name}: saved is given, and x is an array, expected a tensor, which has a gradient")
    named = (*zip(operation.arguments[1:], inputs[1:]), *(() if out is None else [("out", out)]))
    for key, array in named:
        if not isinstance(array, module.ndarray):
            raise TypeError(
                f"kachel.{name}: {key} is {_library.kind(array)}, expected {_library.kind(x)} as x is"
            )
    from kachel import _numpy

    return _numpy.call(module, operation, inputs, values, out)


# Whose functions in PyTorch have inplace after the parameters that Kachel has.
_INPLACE = set("celu elu hardsigmoid hardswish hardtanh leaky_relu mish relu relu6 selu threshold".split())


def _number(name, key, value, default):
    if type(value) is float:
        return value
    if value is None and isinf(default):  # PyTorch's word for no bound
        return default
    if getattr(value, "requires_grad", False):
        raise TypeError(f"kachel.{name}: {key} requires a gradient, which it would not get, expected a number")
    try:
        if not isinstance(value, (bool, str, bytes, bytearray)):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    shape = getattr(value, "shape", None)
    shown = reprlib.repr(value) if shape is None else f"{_library.kind(value)} of the shape {tuple(shape)}"
    raise TypeError(f"kachel.{name}: {key} is {shown}, expected a number that a double can hold")


def _values(name, defaults, positional, named):
    """Values for all parameters, and whether inplace comes after them."""
    names, most = list(defaults), len(defaults) + (name in _INPLACE)
    inplace = False
    if len(positional) > most:
        raise TypeError(f"kachel.{name}: {len(positional)} arguments after x, expected at most {most}")
    if len(positional) > len(names):
        *positional, inplace = positional
    given = dict(zip(names, positional))
    for key, value in named.items():
        if key not in defaults:
            known = ", ".join([*names, "inplace", "out", "saved"])
            raise TypeError(f"kachel.{name}: there is no parameter {key}, expected one of {known}")
        if key in given:
            raise TypeError(f"kachel.{name}: {key} is given twice")
        given[key] = value
    return tuple(_number(name, key, given.get(key, default), default) for key, default in defaults.items()), inplace


def _expect_true(name, inplace, out):
    if inplace is not True:
        raise TypeError(f"kachel.{name}: inplace is {inplace!r}, expected True or False")
    if out is not None:
        raise TypeError(f"kachel.{name}: inplace and out are given, expected one of them")


def _make_function(operation):
    """The function of an activation: x, its parameters in PyTorch's order, inplace, out, saved."""
    name, defaults = operation.name, operation.parameters
    default_values = tuple(defaults.values())
    tensor, call_tensor = (), None  # known once PyTorch is loaded

    def function(x, *positional, inplace=False, out=None, saved=None, **named):
        nonlocal tensor, call_tensor
        values = default_values
        if positional or named:
            values, also_inplace = _values(name, defaults, positional, named)
            inplace = also_inplace if inplace is False else inplace
        if inplace is not False:
            _expect_true(name, inplace, out)
        if isinstance(x, tensor):
            return call_tensor(x, values, inplace, out, saved)
        torch = sys.modules.get("torch")
        if torch is None or not isinstance(x, torch.Tensor):
            return _call_array(operation, (x,), values, x if inplace else out, saved)
        from kachel import _torch

        if torch.compiler.is_compiling():  # which would take what is kept here for an effect of what it compiles
            return _torch.calls[name](x, values, inplace, out, saved)
        call_tensor = _torch.calls[name]
        tensor = torch.Tensor  # last: another thread reads it first
        return call_tensor(x, values, inplace, out, saved)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    parameters = [Parameter(key, Parameter.POSITIONAL_OR_KEYWORD, default=value) for key, value in defaults.items()]
    inplace_kind = Parameter.POSITIONAL_OR_KEYWORD if name in _INPLACE else Parameter.KEYWORD_ONLY
    function.__signature__ = Signature(
        [
            Parameter("x", Parameter.POSITIONAL_OR_KEYWORD),
            *parameters,
            Parameter("inplace", inplace_kind, default=False),
            Parameter("out", Parameter.KEYWORD_ONLY, default=None),
            Parameter("saved", Parameter.KEYWORD_ONLY, default=None),
        ]
    )
    function.__doc__ = f"""{name}{function.__signature__}: element by element.

    inplace: x gets the result. out: an array or a tensor that gets it. saved="mask": for the gradient a bit of each
    element is saved instead of the element, where the derivative has two values; an x that is not contiguous is copied.
    """
    return function


def softmax(x, dim=-1, out=None):
    """e^x over the sum of e^x along a dimension, as torch.nn.functional.softmax; float, half or bfloat16.

    dim: the dimension. out: an array or a tensor that gets the result; none of x, or x itself.
    """
    if not hasattr(x, "swapaxes"):
        return _softmax(x)  # which says what is wrong
    if x.ndim == 0:
        raise ValueError("kachel.softmax: x has no dimension, expected one or more")
    if not hasattr(dim, "__index__") or isinstance(dim, bool):
        raise TypeError(f"kachel.softmax: dim is {dim!r}, expected a whole number")
    if not -x.ndim <= dim < x.ndim:
        raise ValueError(f"kachel.softmax: dim is {dim} of an x of {x.ndim} dimensions, expected one of them")
    if out is not None:
        if getattr(out, "shape", None) != x.shape:
            return _softmax(x, out=out)  # which says what is wrong
        _softmax(x.swapaxes(dim, -1), out=out.swapaxes(dim, -1))
        return out
    if hasattr(x, "contiguous"):  # a tensor: PyTorch's result is contiguous, that of _softmax has the strides of x
        x = x.contiguous()
    return _softmax(x.swapaxes(dim, -1)).swapaxes(dim, -1)


def prelu(x, weight, out=None):
    """x where it is above 0, else weight * x, as torch.nn.functional.prelu.

    weight: of one element, or of one for each channel: dimension 1 of x; a tensor or an array, of the type of x. out: an
    array or a tensor that gets the result; none of x, or x itself.
    """
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(x, torch.Tensor):
        return _call_array(_library.operations["prelu"], (x, weight), (), out)
    from kachel import _torch

    return _torch.prelu(x, weight, out)


_activations = [
    of for of in _library.operations.values() if of.inputs == ("x",) and f"{of.name}_backward" in _library.operations
]
_softmax = _make_function(_library.operations["softmax"])
for _operation in _activations:
    globals()[_operation.name] = _make_function(_operation)

__all__ = [*(operation.name for operation in _activations), "prelu", "softmax"]
