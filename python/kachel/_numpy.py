# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on arrays of NumPy and of CuPy."""

from kachel import _library

# DLPack's codes of the kinds of numbers.
_KINDS = {"f": 2, "i": 0, "u": 1, "c": 5, "b": 6}


def _describe(operation, array, name):
    is_bfloat16 = array.dtype.name == "bfloat16"
    if not is_bfloat16 and array.dtype.kind not in _KINDS:
        raise TypeError(
            f"kachel.{operation.name}: {name} has elements of {array.dtype}, expected float32, float64, float16 or bfloat16"
        )
    itemsize = array.dtype.itemsize
    if array.dtype.byteorder not in "=|" and not array.dtype.isnative:
        raise TypeError(f"kachel.{operation.name}: {name} has another byte order than this machine, expected its own")
    if any(stride % itemsize for stride in array.strides):
        raise ValueError(
            f"kachel.{operation.name}: {name} has elements that lie {array.strides} bytes apart, expected multiples of "
            f"their {itemsize} bytes"
        )
    code = 4 if is_bfloat16 else _KINDS[array.dtype.kind]
    strides = [stride // itemsize for stride in array.strides]
    if hasattr(array, "__cuda_array_interface__"):
        place = array.data.ptr, _library.CUDA, array.device.id
    else:
        place = array.ctypes.data, _library.CPU, 0
    return _library.array(*place, code, 8 * itemsize, array.shape, strides)


def _stream_of(module, array):
    return module.cuda.get_current_stream().ptr if hasattr(array, "__cuda_array_interface__") else None


def call(module, operation, inputs, values, out):
    """The operation of arrays of `module`, numpy or cupy, into `out`, or a new array where that is None."""
    described = [_describe(operation, array, name) for name, array in zip(operation.arguments, inputs)]
    if out is None:
        out = module.empty_like(inputs[0])
    for key, error in ("shape", ValueError), ("dtype", TypeError):
        own, expected = getattr(out, key), getattr(inputs[0], key)
        if own != expected:
            raise error(f"kachel.{operation.name}: out has the {key} {own}, expected {expected} as x has")
    name = "x" if out is inputs[0] else "out"
    if not getattr(out.flags, "writeable", True):
        raise ValueError(f"kachel.{operation.name}: {name} is read-only, expected an array that can be written")
    arrays = [_describe(operation, out, name), *described]
    _library.run(operation, arrays, values, _stream_of(module, inputs[0]))
    return out
