# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tanh(x) / x as a quotient of polynomials of x^2 up to where tanh is rounded to 1, for math/from_16_bits.hpp.

python3 tools/from_16_bits/fit_tanh.py >> tools/from_16_bits/constants.txt    needs numpy

Least squares of the relative error at Chebyshev's nodes, weighted again and again by the error that is left (C. L.
Lawson's algorithm), of a quotient whose denominator is weighted by that of the step before. search.cpp
begins with what this prints.
"""

import numpy


def fit(limit, numerator_degree, denominator_degree):
    nodes = limit / 2 * (1 - numpy.cos(numpy.pi * (numpy.arange(4000) + 0.5) / 4000))
    x = nodes.astype(numpy.longdouble)
    w, y = x * x, numpy.tanh(x) / x
    # P(w) - y Q(w) = 0, the leading coefficient of Q being 1.
    columns = [w**i for i in range(numerator_degree + 1)] + [-y * w**i for i in range(denominator_degree)]
    terms, right = numpy.stack(columns, 1), y * w**denominator_degree
    denominator, weights = numpy.ones_like(x), numpy.ones_like(x)
    for _ in range(60):
        scale = numpy.sqrt(weights) / numpy.abs(y * denominator)
        rows = (terms * scale[:, None]).astype(float)
        units = numpy.abs(rows).max(0)
        solution = numpy.zeros(len(columns), numpy.longdouble)
        for _ in range(4):  # the last digits by what is left
            rest = ((right - terms @ solution) * scale).astype(float)
            solution = solution + numpy.linalg.lstsq(rows / units, rest, rcond=None)[0] / units
        p, q = solution[: numerator_degree + 1], numpy.append(solution[numerator_degree + 1 :], 1)
        denominator = sum(c * w**i for i, c in enumerate(q))
        error = numpy.abs(sum(c * w**i for i, c in enumerate(p)) / denominator / y - 1)
        weights = numpy.maximum(weights * error / (weights * error).max(), 1e-12)
    return p, q, error.max()


for name, limit, degree in (("half", 4.6, 3), ("bfloat16", 3.6, 2)):
    p, q, error = fit(limit, degree, degree)
    print(f"tanh, {name}, up to {limit}: relative error 2 ^ {numpy.log2(float(error)):.2f}")
    scale = 2.0 ** -int(numpy.log2(float(p[0])))
    for part, coefficients in (("numerator", p), ("denominator", q)):
        print(f"  {part}:", *(float(numpy.float32(c * scale)).hex() for c in coefficients))
