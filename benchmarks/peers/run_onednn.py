#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""oneDNN's eltwise primitive on a CPU, hardtanh (clip_v2) and hardsigmoid, into a second tensor and in place.

The row's label names the implementation that oneDNN chose, and says if NaN is lost.
"""
import ctypes
import pathlib
import sys

import harness

# Of dnnl_types.h, the same in all of oneDNN 3.
CPU, IN_ORDER, FORWARD_INFERENCE, TAG_A, IMPLEMENTATION = 1, 1, 96, 2, 8
ARGUMENT_SOURCE, ARGUMENT_DESTINATION = 1, 17
UNIMPLEMENTED = 3
DATA_TYPES = {"float": 3, "half": 1, "bfloat16": 2, "double": 7}
ALGORITHMS = {"hardtanh": (0x2F, -1, 1), "hardsigmoid": (0x28, 1 / 6, 1 / 2)}  # clip_v2, hardsigmoid; alpha, beta


class Argument(ctypes.Structure):
    _fields_ = [("index", ctypes.c_int), ("memory", ctypes.c_void_p)]


class Version(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("major", "minor", "patch")]


class Unimplemented(Exception):
    pass


library = ctypes.CDLL(pathlib.Path(sys.prefix) / "lib/libdnnl.so.3")
library.dnnl_version.restype = ctypes.POINTER(Version)


def call(function, *arguments):
    status = getattr(library, function)(*arguments)
    if status == UNIMPLEMENTED:
        raise Unimplemented(f"{function}: not implemented for this type on this CPU")
    if status:
        raise RuntimeError(f"{function}: status {status}")


def create(function, *arguments):
    made = ctypes.c_void_p()
    call(function, ctypes.byref(made), *arguments)
    return made


engine = create("dnnl_engine_create", CPU, ctypes.c_size_t(0))
stream = create("dnnl_stream_create", engine, IN_ORDER)


def eltwise(operation, type_name, n):
    """run(y, x), and the name of the implementation."""
    algorithm, alpha, beta = ALGORITHMS[operation]
    shape = (ctypes.c_int64 * 1)(n)
    layout = create("dnnl_memory_desc_create_with_tag", 1, shape, DATA_TYPES[type_name], TAG_A)
    descriptor = create(
        "dnnl_eltwise_forward_primitive_desc_create",
        *(engine, FORWARD_INFERENCE, algorithm, layout, layout, ctypes.c_float(alpha), ctypes.c_float(beta), None),
    )
    primitive = create("dnnl_primitive_create", descriptor)
    implementation = ctypes.c_char_p()
    call("dnnl_primitive_desc_query", descriptor, IMPLEMENTATION, 0, ctypes.byref(implementation))
    source, destination = (create("dnnl_memory_create", layout, engine, None) for _ in "xy")
    arguments = (Argument * 2)((ARGUMENT_SOURCE, source), (ARGUMENT_DESTINATION, destination))

    def run(y, x):
        call("dnnl_memory_set_data_handle", source, ctypes.c_void_p(x.data_ptr()))
        call("dnnl_memory_set_data_handle", destination, ctypes.c_void_p(y.data_ptr()))
        call("dnnl_primitive_execute", primitive, stream, 2, arguments)
        call("dnnl_stream_wait", stream)
        return y

    return run, implementation.value.decode()


version = library.dnnl_version().contents
versions = (f"oneDNN {version.major}.{version.minor}.{version.patch}",)
bench = harness.Bench(__doc__, versions, devices=("cpu",))
for case in bench.cases():
    try:
        run, implementation = eltwise(case.operation, case.type, bench.n)
    except Unimplemented as missing:
        case.error("onednn", str(missing), known=True)
        continue
    case.row("onednn", run, label=implementation, swallows_nan=True)
    case.row("onednn_in_place", run, in_place=True, label=implementation, swallows_nan=True)
bench.finish()
