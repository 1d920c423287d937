# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's activation modules with Kachel's operations: kachel.nn.Hardtanh is a torch.nn.Hardtanh."""

import torch
from torch.fx import Proxy

import kachel
import kachel._torch  # so that torch.ops.kachel is there


def _gelu(module, x):
    if module.approximate not in ("none", "tanh"):
        return torch.nn.GELU.forward(module, x)  # which says what is wrong
    return (kachel.gelu_tanh if module.approximate == "tanh" else kachel.gelu)(x)


def _rrelu(module, x):
    if module.training:  # the slopes are random, of PyTorch's generator
        return torch.nn.RReLU.forward(module, x)
    return kachel.rrelu(x, module.lower, module.upper, inplace=bool(module.inplace))


def _softmax(module, x):
    # PyTorch's is faster along other dimensions. It has doubles and tensors without dimensions.
    if isinstance(x, torch.Tensor) and x.ndim and module.dim in (-1, x.ndim - 1) and x.dtype != torch.float64:
        return kachel.softmax(x)
    return torch.nn.Softmax.forward(module, x)


# Of each module what its forward calls, and the attributes that are its parameters.
_FORWARDS = {
    "CELU": ("celu", "alpha"),
    "ELU": ("elu", "alpha"),
    "GELU": (_gelu,),
    "Hardshrink": ("hardshrink", "lambd"),
    "Hardsigmoid": ("hardsigmoid",),
    "Hardswish": ("hardswish",),
    "Hardtanh": ("hardtanh", "min_val", "max_val"),
    "LeakyReLU": ("leaky_relu", "negative_slope"),
    "LogSigmoid": ("logsigmoid",),
    "Mish": ("mish",),
    "PReLU": (lambda module, x: kachel.prelu(x, module.weight),),
    "RReLU": (_rrelu,),
    "ReLU": ("relu",),
    "ReLU6": ("relu6",),
    "SELU": ("selu",),
    "SiLU": ("silu",),
    "Sigmoid": ("sigmoid",),
    "Softmax": (_softmax,),
    "Softplus": ("softplus", "beta", "threshold"),
    "Softshrink": ("softshrink", "lambd"),
    "Softsign": ("softsign",),
    "Tanh": ("tanh",),
    "Tanhshrink": ("tanhshrink",),
    "Threshold": ("threshold", "threshold", "value"),
}


def _forward_of(operation, *attributes):
    if callable(operation):
        return operation
    function = getattr(kachel, operation)

    def forward(self, x):
        return function(x, *(getattr(self, name) for name in attributes), inplace=bool(getattr(self, "inplace", False)))

    return forward


def _without_autocast(base, compute):
    """compute, but PyTorch's own forward within autocast."""

    def forward(self, x):
        has_autocast = isinstance(x, torch.Tensor) and x.device.type != "meta"
        within = has_autocast and torch.is_autocast_enabled(x.device.type)
        return (base.forward if within else compute)(self, x)

    return forward


def _make_module(name, how):
    base, compute = getattr(torch.nn, name), _forward_of(*how)
    if name in ("PReLU", "Softmax", "Softplus"):  # whose types there are PyTorch's choice
        compute = _without_autocast(base, compute)

    def forward(self, input):  # PyTorch's name for it
        if isinstance(input, Proxy):  # torch.fx records a module as one call where it lies in torch.nn; so does this
            path = input.tracer.path_of_module(self)
            return input.tracer.create_proxy("call_module", path, (input,), {}) if path else base.forward(self, input)
        return compute(self, input)

    return type(name, (base,), {"forward": forward, "__module__": __name__, "__doc__": base.__doc__})


for _name, _how in _FORWARDS.items():
    globals()[_name] = _make_module(_name, _how)

__all__ = [*_FORWARDS, "replace"]


def replace(model):
    """Makes each of a model's activation modules the one of Kachel, in place, and returns the model.

    Modules of classes that inherit from PyTorch's stay as they are.
    """
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"kachel.nn.replace: model is {kachel._library.kind(model)}, expected a torch.nn.Module")
    for module in model.modules():
        name = type(module).__name__
        if name in _FORWARDS and type(module) is getattr(torch.nn, name):
            module.__class__ = globals()[name]
    return model
