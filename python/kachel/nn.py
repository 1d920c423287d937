# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's activation modules with Kachel's operations: kachel.nn.Hardtanh is a torch.nn.Hardtanh."""

import torch

import kachel


def _gelu(module, x):
    return (kachel.gelu_tanh if module.approximate == "tanh" else kachel.gelu)(x)


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
    "ReLU": ("relu",),
    "ReLU6": ("relu6",),
    "SELU": ("selu",),
    "SiLU": ("silu",),
    "Sigmoid": ("sigmoid",),
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
        return function(x, *(getattr(self, name) for name in attributes), inplace=getattr(self, "inplace", False))

    return forward


def _make_module(name, how):
    base = getattr(torch.nn, name)
    return type(name, (base,), {"forward": _forward_of(*how), "__module__": __name__, "__doc__": base.__doc__})


for _name, _how in _FORWARDS.items():
    globals()[_name] = _make_module(_name, _how)

__all__ = [*_FORWARDS, "replace"]


def replace(model):
    """Makes each of a model's activation modules the one of Kachel, in place, and returns the model.

    Modules of classes that inherit from PyTorch's stay as they are.
    """
    for module in model.modules():
        name = type(module).__name__
        if name in _FORWARDS and type(module) is getattr(torch.nn, name):
            module.__class__ = globals()[name]
    return model
