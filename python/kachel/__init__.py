# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activations at copy speed, with the same bits on CPUs and GPUs, for tensors of PyTorch and arrays of NumPy and CuPy.

Each function takes the parameters of PyTorch's function of that name, by their names: kachel.hardtanh(x, min_val=-2).
Its result has the type of x: a tensor, or an array. Differences from PyTorch are those of docs/numerics.md.
"""

import sys
from inspect import Parameter, Signature

from kachel import _library

__version__ = "0.1.0"

_torch_calls = {}


def _call_torch(name, x, values, inplace, out):
    call = _torch_calls.get(name)
    if call is None:
        from kachel import _torch

        call = _torch_calls[name] = _torch.Call(_library.operations[name])
    return call(x, values, inplace, out)


def _call(name, x, values, inplace=False, out=None):
    kind = type(x).__module__.partition(".")[0]
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        return _call_torch(name, x, values, inplace, out)
    module = sys.modules.get(kind)
    if kind in ("numpy", "cupy") and isinstance(x, module.ndarray):
        from kachel import _numpy

        return _numpy.call(module, _library.operations[name], (x,), values, x if inplace else out)
    raise TypeError(
        f"kachel.{name}: x is a {type(x).__qualname__}, expected a torch.Tensor, a numpy.ndarray or a cupy.ndarray"
    )


def _values(name, defaults, positional, named):
    """Values for all parameters; `inplace` may come after them, as PyTorch's functions have it."""
    values = list(defaults.values())
    if len(positional) > len(values) + 1:
        raise TypeError(f"kachel.{name}: {len(positional)} arguments after x, expected at most {len(values) + 1}")
    values[: len(positional)] = positional[: len(values)]
    names = list(defaults)
    for key, value in named.items():
        if key not in defaults:
            raise TypeError(f"kachel.{name}: there is no parameter {key}, expected {', '.join(names) or 'none'}")
        if names.index(key) < len(positional):
            raise TypeError(f"kachel.{name}: {key} is given twice")
        values[names.index(key)] = value
    return values


def _make_function(operation):
    """The function of an activation: x, its parameters in PyTorch's order, inplace, out."""
    name, defaults = operation.name, operation.parameters
    default_values, count = tuple(defaults.values()), len(defaults)

    def function(x, *positional, inplace=False, out=None, **named):
        if not positional and not named:
            return _call(name, x, default_values, inplace, out)
        values = _values(name, defaults, positional, named)
        return _call(name, x, values, inplace or (len(positional) > count and positional[count]), out)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    parameters = [Parameter(key, Parameter.POSITIONAL_OR_KEYWORD, default=value) for key, value in defaults.items()]
    function.__signature__ = Signature(
        [
            Parameter("x", Parameter.POSITIONAL_OR_KEYWORD),
            *parameters,
            Parameter("inplace", Parameter.POSITIONAL_OR_KEYWORD, default=False),
            Parameter("out", Parameter.KEYWORD_ONLY, default=None),
        ]
    )
    function.__doc__ = f"{name}{function.__signature__}: element by element, as PyTorch's function of that name."
    return function


_suffixes = ("_backward", "_backward_from_output", "_with_mask", "_backward_from_mask")
_activations = [name for name in _library.operations if not name.endswith(_suffixes)]
for _name in _activations:
    globals()[_name] = _make_function(_library.operations[_name])

__all__ = [*_activations]
