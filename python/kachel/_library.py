# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C interface, include/kachel/kachel.h, by ctypes."""

import ctypes
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent

SUCCESS, INVALID, UNSUPPORTED, FAILED = range(4)
CPU, CUDA = 1, 2


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class _Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Array(ctypes.Structure):
    """kachel_array."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("rank", ctypes.c_int32),
        ("type", _Type),
        ("extents", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Parameter(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_double)]


class _Operation(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("arrays", ctypes.c_int),
        ("outputs", ctypes.c_int),
        ("parameters", ctypes.c_int),
        ("array_names", ctypes.POINTER(ctypes.c_char_p)),
        ("parameter_names", ctypes.POINTER(ctypes.c_char_p)),
        ("defaults", ctypes.POINTER(ctypes.c_double)),
    ]


@dataclass(frozen=True)
class Operation:
    """An operation of the library: its name, those of its arrays, and its parameters with their defaults."""

    name: str
    outputs: tuple
    inputs: tuple
    parameters: dict
    handle: int = field(repr=False)

    @property
    def arguments(self):
        """The inputs by the names that Python's functions give them."""
        return ["weight" if name == "w" else name for name in self.inputs]


_c = ctypes.CDLL(str(FOLDER / "libkachel_c.so"))
_c.kachel_operations.restype = ctypes.POINTER(_Operation)
_c.kachel_operations.argtypes = [ctypes.POINTER(ctypes.c_size_t)]
_c.kachel_run.restype = ctypes.c_int
_c.kachel_run.argtypes = [
    ctypes.c_void_p,
    ctypes.POINTER(ctypes.POINTER(Array)),
    ctypes.POINTER(_Parameter),
    ctypes.c_size_t,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_char_p,
    ctypes.c_size_t,
]


def _read_operations():
    count = ctypes.c_size_t()
    first = _c.kachel_operations(ctypes.byref(count))
    for number in range(count.value):
        of = first[number]
        arrays = tuple(of.array_names[k].decode() for k in range(of.arrays))
        parameters = {of.parameter_names[k].decode(): of.defaults[k] for k in range(of.parameters)}
        yield Operation(of.name.decode(), arrays[: of.outputs], arrays[of.outputs :], parameters, ctypes.addressof(of))


operations = {operation.name: operation for operation in _read_operations()}


def kind(value):
    """What a value is, for messages: a torch.Tensor, an int."""
    of = type(value)
    name = of.__qualname__ if of.__module__ == "builtins" else f"{of.__module__}.{of.__qualname__}"
    return ("an " if name[0] in "aeiou" else "a ") + name


def array(address, device, device_id, type_code, bits, shape, strides):
    """A kachel_array; strides in elements. It keeps what it points to."""
    rank = len(shape)
    integers = ctypes.c_int64 * max(rank, 1)
    made = Array(address, (device, device_id), rank, (type_code, bits, 1), integers(*shape), integers(*strides), 0)
    return made


def run(operation, arrays, values, stream=None):
    """Runs an operation over arrays, outputs first, with the values of its parameters in their order.

    Raises ValueError for a wrong argument, TypeError for elements or a device that the library has not, else
    RuntimeError.
    """
    pointers = (ctypes.POINTER(Array) * len(arrays))(*map(ctypes.pointer, arrays))
    named = (_Parameter * max(len(values), 1))(*((k.encode(), value) for k, value in zip(operation.parameters, values)))
    message = ctypes.create_string_buffer(512)
    status = _c.kachel_run(operation.handle, pointers, named, len(values), stream, None, message, len(message))
    if status != SUCCESS:
        error = {INVALID: ValueError, UNSUPPORTED: TypeError}.get(status, RuntimeError)
        raise error(message.value.decode())
