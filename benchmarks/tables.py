# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Markdown of results: a page for each machine, and the tables that documents have between markers.

Rows are a dictionary from a row's path, ("activations", "gelu", "float", "1610612736", "forward") for one, to what was
measured. report.py reads them and says where the Markdown goes.
"""
import math
import statistics

TYPES = ["float", "half", "bfloat16", "double"]


def table(header, lines):
    if not lines:
        return ""
    cells = [[cell.replace("|", r"\|") for cell in line] for line in (header, *lines)]
    [first, *others] = ["| " + " | ".join(line) + " |" for line in cells]
    return "\n".join([first, "|" + "---|" * len(header), *others])


def unique(items):
    return list(dict.fromkeys(items))


def brief(run):
    return f"{run['x_copy']:.3f}" if run and "x_copy" in run else ""


def ratio(run):
    return brief(run) and f"{brief(run)} ({run['x_copy_q1']:.3f}-{run['x_copy_q3']:.3f})"


def rate(run):
    return brief(run) and f"{ratio(run)}, {run['GB/s']:.0f} GB/s"


def order(candidates):
    """Kachel first, the others as they were measured."""
    return sorted(unique(candidates), key=lambda name: not name.startswith("kachel"))


# Each of these makes a page's table of the rows whose path begins with the function's name. The paths are without it.


def bandwidth(rows, cell=rate):
    """(operation, type, shape, candidate): a table an operation, a line a candidate, a column a type."""
    parts = []
    for operation, shape in unique((key[0], key[2]) for key in rows):
        lines = []
        for name in order(key[3] for key in rows if (key[0], key[2]) == (operation, shape)):
            cells = [cell(rows.get((operation, kind, shape, name))) for kind in TYPES]
            lines.append([f"**{name}**" if name == "kachel" else name, *cells])
        parts.append(table([f"{operation} ({shape.replace('x', ', ')})", *TYPES], lines))
    return "\n\n".join(parts)


def notes(rows):
    """What rows of bandwidth say besides numbers: which variant is the fastest, why there is no number."""
    said = {}
    for (operation, kind, _, candidate), run in rows.items():
        if note := run.get("error_message", run.get("label")):
            said.setdefault((candidate, note.splitlines()[0]), []).append(f"{operation} {kind}")
    lines = [[name, ", ".join(cases), note] for (name, note), cases in sorted(said.items())]
    return table(["candidate", "rows", "note"], lines)


def sizes(rows):
    """(operation, type, size, candidate): a line a size."""
    candidates = order(key[3] for key in rows)
    lines = []
    for case in unique(key[:3] for key in rows):
        runs = [rows[(*case, name)] for name in candidates]
        lines.append([case[2], *(f"{run['median_us']:.2f}" for run in runs), f"{runs[0]['copy_us']:.2f}"])
    return table(["floats", *(f"{name}, us" for name in candidates), "copy, us"], lines)


def calls(rows):
    """(operation, type, space, candidate): a line each."""
    lines = [[*key[2:], f"{run['median_us']:.3f} us", f"{run['above_ns']:+.0f} ns"] for key, run in rows.items()]
    return table(["space", "candidate", "a call", "above kokkos_packs"], lines)


def blocks(rows):
    """(type, size, block size, loads, place): a line for block size and loads, a column for each of the others."""
    columns = unique((key[0], key[1], key[4]) for key in rows)
    lines = []
    for block, loads in sorted(unique(key[2:4] for key in rows), key=lambda case: (case[1], int(case[0]))):
        lines.append([loads, block, *(brief(rows[(*column[:2], block, loads, column[2])]) for column in columns)])
    names = [f"{kind}, {int(size):,}{', in place' * (place == 'in_place')}" for kind, size, place in columns]
    return table(["loads", "block", *names], lines)


def accesses(rows):
    """(operation, type, size, access): a line an access, a column a size."""
    columns = unique(key[:3] for key in rows)
    lines = []
    for name in unique(key[3] for key in rows):
        lines.append([name, *(ratio(rows[(*column, name)]) for column in columns)])
    return table(["", *(f"{size} floats" for _, _, size in columns)], lines)


def views(rows):
    """(what, element type or types, case..., candidate): a line a case, a column a candidate."""
    candidates = order(key[-1] for key in rows)
    lines = []
    for case in unique(key[:-1] for key in rows):
        cells = [ratio(rows.get((*case, name))) for name in candidates]
        lines.append([case[0], ", ".join(case[1:]), f"{rows[(*case, 'kachel')]['copy_us']:.0f}", *cells])
    return table(["what", "case", "copy, us", *candidates], lines)


def backward(rows):
    """(what, type, place, candidate): a line a case, a column a candidate."""
    candidates = order(key[-1] for key in rows)
    lines = []
    for case in unique(key[:-1] for key in rows):
        lines.append([*case, *(ratio(rows.get((*case, name))) for name in candidates)])
    return table(["what", "type", "", *candidates], lines)


def saved(rows):
    """(operation, type, what): a line for what runs, a column a type; then the times of forward and backward together."""
    kinds = unique(key[1] for key in rows)
    lines = []
    for operation, what in unique((key[0], key[2]) for key in rows):
        runs = [rows.get((operation, kind, what)) for kind in kinds]
        lines.append([operation, what, *(f"{ratio(run)}, {run['median_us']:.0f} us" if run else "" for run in runs)])
    for operation in unique(key[0] for key in rows):
        for kept, forward in {"x": "forward", "y": "forward", "mask": "forward with mask"}.items():
            cells = []
            for kind in kinds:
                step, usual = (
                    rows[operation, kind, forth]["median_us"] + rows[operation, kind, f"backward from {back}"]["median_us"]
                    for forth, back in ((forward, kept), ("forward", "x"))
                )
                cells.append(f"{step:.0f} us" + (f", {step / usual:.3f} of that from x" if kept != "x" else ""))
            lines.append([operation, f"both, from {kept}", *cells])
    return table(["", "", *kinds], lines)


def levers(rows):
    """(operation, type, shape, lever): a line a lever, a column a type."""
    return bandwidth(rows, ratio)


def lookups(rows):
    """(activation, type, size, way): a line for activation, type and size, a column a way."""
    columns = unique(key[3] for key in rows)
    lines = [[*case, *(ratio(rows.get((*case, way))) for way in columns)] for case in unique(key[:3] for key in rows)]
    return table(["activation", "type", "elements", *columns], lines)


COMPILERS = {"gcc": "GCC", "clang": "Clang"}
INDICES = {"kachel": "64 bits", "kachel_int": "int"}
OF_KOKKOS = {"max": "a reduction by max", "min": "a reduction by min", "six_views": "a loop over six Views, with tanh"}


def nanoseconds(microseconds, elements):
    return f"{microseconds * 1e3 / int(elements):.2f}"


def loops(rows):
    """(compiler, what, type, elements, candidate): a table a compiler, a line for activation and type, three columns an
    index; then one of what Kokkos has too."""
    parts, others = [], []
    for compiler in (name for name in COMPILERS if any(key[0] == name for key in rows)):
        lines = []
        for case in unique(key[:4] for key in rows if key[0] == compiler):
            cells = []
            for run in (rows[(*case, candidate)] for candidate in INDICES if (*case, candidate) in rows):
                times = [nanoseconds(run[counter], case[3]) for counter in ("median_us", "copy_us")]
                cells += [*times, ratio(run)]
            if case[1] in OF_KOKKOS:
                others.append([COMPILERS[compiler], OF_KOKKOS[case[1]], case[2], *cells])
            else:
                lines.append([*case[1:3], *cells, f"{rows[(*case, 'kachel')]['formula_far']:.0f}"])
        columns = [
            f"{column}, {index}" for index in INDICES.values() for column in ("kachel, ns", "formula, ns", "kachel / formula")
        ]
        parts.append(table([COMPILERS[compiler], "type", *columns, "formula far off"], lines))
    parts.append(table(["compiler", "what", "type", "kachel, ns", "kokkos, ns", "kachel / kokkos"], others))
    return "\n\n".join(filter(None, parts))


def activations(rows):
    """(activation, type, size, direction): a line an activation, a column a direction and type."""
    columns = unique((key[3], key[1]) for key in rows)
    lines = []
    for name, size in unique((key[0], key[2]) for key in rows if key[3] == "backward"):
        cells = [ratio(rows[(name, kind, size, direction)]) for direction, kind in columns]
        lines.append([name, *cells])
    return table(["", *(f"{direction}, {kind}" for direction, kind in columns)], lines)


def by_type(rows, cell):
    """(activation, type, size, direction): a line an activation, a column a type."""
    columns = [kind for kind in TYPES if any(key[1] == kind for key in rows)]
    lines = []
    for name, size in unique((key[0], key[2]) for key in rows):
        lines.append([name, *(cell(rows.get((name, kind, size, "forward"))) for kind in columns)])
    return table(["", *columns], lines)


def broadcast(rows):
    """(function, type, kind, candidate): a line a function, type and candidate, a column a kind."""
    columns = unique(key[2] for key in rows)
    lines = []
    for name, element, candidate in unique((key[0], key[1], key[3]) for key in rows):
        cells = [ratio(rows.get((name, element, kind, candidate))) for kind in columns]
        lines.append([f"{name}, {element}", candidate, *cells])
    return table(["", "by", *columns], lines)


def softmax(rows):
    """(type, matrix, candidate): a line a type and a candidate, a column a matrix."""
    columns = unique(key[1] for key in rows)
    lines = []
    for element, candidate in unique((key[0], key[2]) for key in rows):
        lines.append([element, candidate, *(ratio(rows.get((element, matrix, candidate))) for matrix in columns)])
    return table(["", "by", *columns], lines)


def cycles(rows):
    return by_type(rows, lambda run: brief(run) and f"{run['x_copy']:.2f}, {run['GB/s']:.0f} GB/s")


def plain_loop(rows):
    return by_type(rows, ratio)


def widths(rows):
    """(conversion, width): a line a conversion, a column a width."""
    columns = unique(key[1] for key in rows)
    lines = []
    for conversion in unique(key[0] for key in rows):
        lines.append([conversion, *(ratio(rows[conversion, width]) for width in columns)])
    return table(["conversion", *columns], lines)


def eviction(rows):
    """(size, loads, place): a line a size, a column for loads and place."""
    columns = unique(key[1:] for key in rows)
    lines = [[size, *(ratio(rows[(size, *column)]) for column in columns)] for size in unique(key[0] for key in rows)]
    return table(["floats", *(f"{loads}{', in place' * (place == 'in_place')}" for loads, place in columns)], lines)


def pipelining(rows):
    """(activation, type, "a tile a thread" or "3 tiles, 8 blocks of 128"): a line an activation and a type, a column for
    a tile a thread, one for each number of blocks."""
    tiles, runs = {}, {}
    for (name, kind, candidate), run in rows.items():
        staged = candidate.partition(" tiles, ")
        tiles.setdefault((name, kind), "")
        if staged[1]:
            tiles[name, kind] = staged[0]
        runs[name, kind, staged[2] or staged[0]] = run
    columns = unique(key[2] for key in runs)
    columns.sort(key=lambda column: int(column.split()[0]) if column[0].isdigit() else 0)
    lines = [
        [f"{name}, {kind}", of_thread, *(ratio(runs.get((name, kind, column))) for column in columns)]
        for (name, kind), of_thread in tiles.items()
    ]
    return table(["", "tiles of the staged", *columns], lines)


def neighbour(rows):
    """(bytes, calls, bytes restored, place): a line for bytes, calls and place, a column for what is restored."""
    columns = unique(key[2] for key in rows)
    lines = []
    for place, size, calls in sorted(unique((key[3], key[0], key[1]) for key in rows), reverse=True):
        runs = [rows.get((size, calls, restored, place)) for restored in columns]
        baseline = f"{next(filter(None, runs))['copy_us']:.2f}"
        case = f"{size}{', after a pass in place' * (place == 'in_place')}"
        lines.append([case, calls, baseline, *map(ratio, runs)])
    header = ["next kernel", "calls", "a call after ordinary loads, us"]
    return table([*header, *(f"{restored} restored" for restored in columns)], lines)


# Each of these makes a page's table of a run of compare_pytorch.sh, "" where it has no such rows: kachel_bench's rows of
# activations, and PyTorch's, whose paths are longer by the candidate.


def time(run):
    return run.get("x_copy", math.inf)


def marked(cell, mark):
    return f"**{cell}**" if mark else cell


def lead(rows, ours, *theirs):
    """How much longer the faster of PyTorch's rows takes than Kachel's."""
    return min(time(rows[key]) for key in theirs) / time(rows[ours])


def problems(rows):
    """KernelBench's problems: names, types and paths of Kachel's row."""
    cases = [(run["problem"], key[2], key[:-1]) for key, run in rows.items() if key[-1] == "pytorch"]
    return sorted(cases, key=lambda case: case[0])


def kernelbench(rows):
    """The problems of KernelBench: a line for problem and type, marked where PyTorch is ahead."""
    lines = []
    for problem, kind, key in problems(rows):
        paths = key, (*key, "pytorch"), (*key, "pytorch_compile")
        ahead = lead(rows, *paths)
        lines.append([problem, kind, *(ratio(rows[path]) for path in paths), marked(f"{ahead:.3f}", ahead < 1)])
    return table(["problem", "type", "kachel", "pytorch", "pytorch_compile", "over the better"], lines)


def pytorch(rows):
    """Outputs given: a line for activation and type, two columns a size, PyTorch marked where it is ahead."""
    given = [key for key in rows if key[-1] == "pytorch_out"]
    sizes = sorted(unique(int(key[3]) for key in given), reverse=True)
    lines = []
    for path in unique(key[:3] for key in given):
        line = [*path[1:]]
        for size in sizes:
            ours = (*path, str(size), "forward")
            theirs = (*ours, "pytorch_out")
            line += [ratio(rows[ours]), marked(ratio(rows[theirs]), lead(rows, ours, theirs) < 1)]
        lines.append(line)
    columns = [f"{candidate}, {size:,}" for size in sizes for candidate in ("kachel", "pytorch_out")]
    return table(["activation", "type", *columns], sorted(lines, key=lambda line: TYPES.index(line[1])))


def milliseconds(run):
    return f"{run['median_us'] / 1000:.4f}" if run else ""


def harness(rows):
    """(problem, type, candidate): a line a problem and type, marked where PyTorch is ahead by more than 0.005."""
    lines = []
    for problem, kind in unique(key[:2] for key in rows):
        runs = {key[2]: run for key, run in rows.items() if key[:2] == (problem, kind)}
        ratios = runs["kachel"]["ratios"]
        lines.append(
            [problem.replace("_", " "), kind, marked(" ".join(f"{each:.4f}" for each in ratios), statistics.median(ratios) > 1.005)]
            + [milliseconds(runs.get(name)) for name in HARNESS]
            + [f"{runs[name]['ulp']:.2f}" for name in ("kachel", "eager")]
        )
    return table(["problem", "type", "over PyTorch's better", *(f"{name}, ms" for name in HARNESS), "kachel, ULP", "eager, ULP"], lines)


HARNESS = "kachel", "eager", "compile", "compile_autotune", "scalar", "four"


def python_package(rows):
    """(activation, type, size, direction, candidate): a line an activation and type, marked where PyTorch is ahead by 0.05."""
    lines = []
    for case in unique(key[:4] for key in rows if key[4] == "kachel_python"):
        own, theirs = rows[(*case, "kachel_python")], rows[(*case, "pytorch_out")]
        over = time(own) / time(theirs)
        lines.append([*case[:2], ratio(own), ratio(theirs), marked(f"{over:.3f}", over > 1.05)])
    return table(["activation", "type", "kachel", "pytorch", "kachel / pytorch"], lines)


def python_calls(rows):
    """(device, operation, way, candidate): a line a device, operation and candidate, a column a way."""
    ways = unique(key[2] for key in rows)
    lines = [
        [*case, *(f"{rows[(*case[:2], way, case[2])]['median_us']:.1f}" for way in ways)]
        for case in unique((key[0], key[1], key[3]) for key in rows)
    ]
    return table(["device", "function", "by", *(f"{way.replace('_', ' ')}, us" for way in ways)], lines)


# What stands above a page's table: the heading, and what the rows are.
OF_A_MACHINE = {
    bandwidth: (
        "Every candidate",
        "hardtanh and hardsigmoid of Views of one shape, by Kachel and by its rivals. Cells end with the bytes a second. "
        "What each candidate is: [performance.md](../performance.md#rivals).",
    ),
    activations: (
        "Every activation",
        "A derivative reads two arrays and writes one. Its copy moves as many bytes. The slopes: `prelu` has one, `prelu "
        "of planes` one for each of up to 64 planes of rows, `prelu of columns` one for each column.",
    ),
    sizes: ("Sizes", "hardtanh in float, by the number of elements."),
    harness: (
        "KernelBench's own harness",
        "The activations of level 1 through the Python package: `ModelNew` of "
        "[examples/kernelbench](../../examples/kernelbench/run.py). Beside it are the problem's `Model`, the same by "
        "torch.compile in two modes, and kernels by hand with one and with four floats a thread. A ratio is of medians of 50, once for each of "
        "three runs. It is in bold where the middle one is above 1.005. Errors are the greatest of 2^24 elements.",
    ),
    python_package: (
        "The Python package and PyTorch",
        "Each activation of PyTorch's from Python, on 12,582,912 elements, into a given tensor. The package is a wheel for any "
        "x86-64 processor. Where PyTorch is ahead by more than 0.05 the last column is in bold. PyTorch's `softsign` and "
        "`tanhshrink` take several passes.",
    ),
    python_calls: (
        "Calls from Python",
        "What a call on 1,024 floats costs the host, without a gradient, with one, and with the backward pass after it. "
        "PyTorch has three ways to give an operation a gradient. `function`, `register_autograd` and `extension` are its "
        "relu with each.",
    ),
    calls: ("Calls", "The time for which a call holds the thread that makes it; the kernel's own time is left out."),
    views: (
        "Views of every kind",
        "hardtanh of operands that are no whole aligned Views of one type. A `RangePolicy` or `MDRangePolicy` runs "
        "over the elements (`kokkos`) or over short rows (`kokkos_rows`). A kernel by hand loads elements one by one and "
        "stores 16 aligned bytes a thread (`cuda`). In `y+1,x+3` the output begins 1 element "
        "after a multiple of 16 bytes, and the input 3. In `1024 of 1029 and 1027` rows of 1024 elements are 1029 apart "
        "in the output and 1027 in the input. The copy of `rows` goes between the same rows: by `cudaMemcpy2DAsync` on a "
        "GPU, by memcpy of each row on the CPU.",
    ),
    broadcast: (
        "Inputs that repeat",
        "`scale` is a product, `bias_gelu` gelu of a sum, `narrow_bias_gelu` the same by `narrow_gelu`, `ramp` a sum with half of the second input. "
        "That is a number, or a row or a column of the "
        "matrix, or the `index` of a column. In `channel` it has one element for each of 64 channels of images, of (112, 64, 512, 512) on a GPU. In `single "
        "extent` it is a column as a matrix, whose extent of 1 shows at run time. "
        "Lines by `kokkos` are a `parallel_for` over all elements.",
    ),
    softmax: (
        "Softmax",
        "Of each row of a matrix; those with `left` are in LayoutLeft. `kokkos` is a team of threads a row, which reads it three times.",
    ),
    widths: ("Conversions", "By the number of elements that a work item converts, in blocks of 128."),
    backward: (
        "Derivatives against CUDA by hand",
        "Time / time of a CUDA kernel by hand that reads two arrays and writes one, 16 bytes a thread. In place, the "
        "gradient is overwritten. The training step is 25 layers of 2^16 elements, forward and backward, 50 calls in a "
        "CUDA graph, over the same step by hand.",
    ),
    saved: (
        "With a mask, and from the output",
        "hardtanh forward, with and without a bit mask, and its derivative from x, from y and from the mask. The last "
        "lines add a forward and a backward pass up.",
    ),
    blocks: (
        "Blocks and loads",
        "Kachel's kernel of hardtanh in blocks of other sizes, with ordinary loads and with the L2 cache hint evict_last.",
    ),
    accesses: ("Loads and stores", "hardtanh in float by hand, in blocks of 256."),
    pipelining: (
        "Bytes in flight",
        "Functions in float, by one or several tiles a thread in flight. The blocks' registers are so few that a "
        "multiprocessor holds as many blocks as named.",
    ),
    eviction: ("The L2 cache hint evict_last", "hardtanh in float by size."),
    neighbour: (
        "The next kernel after evict_last",
        "A kernel over so many bytes, called so many times after a pass with evict_last over (4096, 393216) floats. The "
        "baseline comes after a pass with ordinary loads. `restored` are the bytes whose hint the pass resets.",
    ),
    levers: ("Levers on the CPU", "hardsigmoid without one of the things that make it fast."),
    lookups: (
        "Lookup tables in 16 bits",
        "Computed, taken from a lookup table that is there, and from one that the call fills.",
    ),
    cycles: (
        "Cycles an element",
        "The arithmetic of each activation: 16,384 elements in cache, by one thread, in cycles of the processor. Then the "
        "bytes that it reads and writes a second at that pace. Where memory gives a core fewer, it is memory that limits.",
    ),
    plain_loop: (
        "The plain loop",
        "Time / time of `Kokkos::parallel_for` over the elements, which calls the same function, out of cache.",
    ),
    loops: (
        "A user's own loops",
        "Functions of one number inside `Kokkos::parallel_for`, on one thread of OpenMP, 16,384 elements in cache: "
        "Kachel's, and the standard library's in the plain formula. A time is for one element. A ratio compares two "
        "loops, measured in turn. The index has 64 bits, or is an `int`. GCC compiles the loops with the options that "
        "[the guide](../guide.md#inside-your-own-kernels) names. The last column counts the elements whose formula is off "
        "by more than 64 ULP, or loses NaN or an infinity.",
    ),
}
OF_A_COMPARISON = {
    kernelbench: (
        "KernelBench's activations",
        "By Kachel, by PyTorch as the problem's reference writes it, and by the faster of two modes of torch.compile. The "
        "last column is the better time of PyTorch over Kachel's, in bold where PyTorch is ahead.",
    ),
    pytorch: (
        "PyTorch, out of cache and in cache",
        "By the number of elements. Outputs are given, but `torch.prelu` makes its own. PyTorch is in bold where it is "
        "ahead.",
    ),
}


def sources(files):
    """Where rows come from: a line a file, of a dictionary from its path in the repository to its context."""
    lines = []
    for path, context in files.items():
        built = [f"{name} {context[key]}" for name, key in (("nvcc", "nvcc"), ("Kokkos", "kokkos")) if key in context]
        versions = context.get("versions") or ", ".join([context["compiler"], *built])
        lines.append([f"`{path}`", context["kachel_commit"], f"`{context['command']}`", versions])
    return table(["file", "commit", "command", "versions"], lines)


def page(title, machine, comparison):
    """All tables of a machine: of its results, and of its run of compare_pytorch.sh."""
    files = machine.files | comparison.files
    measured = "; ".join(unique(context["machine"] for context in files.values()))
    parts = [
        f"# {title[0].upper()}{title[1:]}",
        f"How fast is each operation of Kachel on {title}, and how fast are its rivals? What the figures mean, and what "
        "limits them: [performance.md](../performance.md).",
        f"Measured on: {measured}. A cell is the time divided by the time of a copy of the same bytes. It is the median of "
        "up to 31 pairs in one run, then the quartiles. Less is faster. `benchmarks/report.py` makes this page of:",
        sources(files),
    ]
    for make, (heading, what) in OF_A_MACHINE.items():
        chosen = {key[1:]: run for key, run in machine.rows.items() if key[0] == make.__name__}
        if made := make(chosen):
            parts += [f"## {heading}", what, made, notes(chosen) if make is bandwidth else ""]
    for make, (heading, what) in OF_A_COMPARISON.items():
        if made := make(comparison.rows):
            parts += [f"## {heading}", what, made]
    return "\n\n".join(filter(None, parts)) + "\n"


# Each of these makes a table that stands in a document.


def exhaustive(bits):
    """A line a function, with the errors of a machine that has measured those of all inputs, and the machines that have
    recorded the function, whose bits must be the same."""
    lines = []
    for function, machines in sorted(bits.machines.items()):
        cells = [bits.errors.get((function, direction), ["", ""]) for direction in ("forward", "backward")]
        lines.append([f"`{function}`", *cells[0], *cells[1], ", ".join(unique(machines))])
    return table(["function", "error of y", "at", "error of dx", "at", "the same bits on"], lines)


BESIDE_KACHEL = {
    "best CUDA by hand": ["cuda_scalar", "cuda_strided", "cuda_float4", "cuda_tile"],
    "CUB": ["cub_transform"],
    "PyTorch": ["pytorch_out", "pytorch", "pytorch_compile"],
    "Triton": ["triton"],
}


def readme(machine):
    """hardtanh by Kachel and by the best of each kind of rival, a column a type; then which was the best."""
    [shape] = {key[3] for key in machine.rows if key[:2] == ("bandwidth", "hardtanh")}
    lines, best = [], []
    for name, candidates in ({"**Kachel**": ["kachel"]} | BESIDE_KACHEL).items():
        cells, chosen = [], {}
        for kind in TYPES:
            runs = {candidate: machine.rows["bandwidth", "hardtanh", kind, shape, candidate] for candidate in candidates}
            fastest = min(candidates, key=lambda candidate: time(runs[candidate]))
            cells.append(brief(runs[fastest]))
            chosen.setdefault(fastest, []).append(kind)
        lines.append([name, *cells])
        if len(candidates) > 1:
            of = ", ".join(f"`{candidate}`" for candidate in candidates)
            took = [
                f"`{candidate}` in {'every type' if kinds == TYPES else ', '.join(kinds)}"
                for candidate, kinds in chosen.items()
            ]
            best.append(f"{name[0].upper()}{name[1:]} is the fastest of {of}: {'; '.join(took)}.")
    return "\n\n".join([table([f"hardtanh ({shape.replace('x', ', ')})", *TYPES], lines), " ".join(best)])


FORMULA_SPEED = 1.05  # what takes less counts as at the speed of the formula


def missed_loops(rows):
    """Activations in a user's own loop that take longer than the formula: a line for compiler, index and activation."""
    cells = {}
    for (family, *path), run in rows.items():
        if family == "loops" and path[1] not in OF_KOKKOS and run["x_copy"] > FORMULA_SPEED:
            compiler, name, kind, _, candidate = path
            cells.setdefault((compiler, candidate, name), {})[kind] = brief(run)
    lines = []
    for (compiler, candidate, name), kinds in sorted(cells.items(), key=lambda item: item[0][:2], reverse=True):
        scalar = compiler == "gcc" and candidate == "kachel_int"
        reason = "the loop is scalar" if scalar else "vectorised, and keeps what the formula loses"
        times = [kinds.get(kind, "") for kind in ("float", "double")]
        lines.append([COMPILERS[compiler], INDICES[candidate], f"`{name}`", *times, reason])
    return table(["compiler", "index", "", "float", "double", "reason"], lines)


COPY_SPEED = 1.01  # what takes less counts as at the speed of a copy


def missed(machines):
    """Activations that take longer than a copy on one of the machines, a dictionary; a cell has all of their times."""
    cells = {}
    rows = [machine.rows for machine in machines.values()]
    for key in (key for key in rows[0] if key[0] == "activations" and (*key[:4], "backward") in rows[0]):
        times = [of_machine[key]["x_copy"] for of_machine in rows]
        if max(times) > COPY_SPEED:
            cells.setdefault((key[1], key[4]), {})[key[2]] = " / ".join(f"{time:.2f}" for time in times)
    lines = []
    for (name, direction), kinds in cells.items():
        lines.append([f"`{name}`", direction, *(kinds.get(kind, "") for kind in TYPES)])
    return table([" / ".join(machines), "", *TYPES], lines)


REPEATED = {"scale": "`a * x`", "bias_gelu": "`gelu(x + b)`", "narrow_bias_gelu": "`gelu(x + b)`, `narrow`"}


def missed_repeated(rows, on_gpu):
    """Inputs that repeat, whose time is too long: a line for each, with the aim.

    Times are over those of the copy beside each, since a shared machine is not as fast in one row as in another."""
    for key, run in rows.items():
        if key[0] != "broadcast" or key[1] not in REPEATED or key[-1] != "kachel" or key[3] == "number":
            continue
        function, kind, place = key[1:4]
        of_number = run["x_copy"] / rows[*key[:3], "number", "kachel"]["x_copy"]
        if not on_gpu:
            times, aim, of = of_number, 1.15, "of a number's time"
        elif function == "scale":
            times, aim, of = run["x_copy"], 1.0 if kind == "float" else 1.005, "of a copy"
        elif kind == "float":
            times, aim, of = run["x_copy"], 1.01, "of a copy"
        else:
            times, aim, of = of_number, 1.02, "of a number's time"
        if round(times, 3) > aim:
            yield f"{REPEATED[function]}, {place}", kind, f"{times:.3f}", f"at most {aim} {of}"
        compiled = rows.get((*key[:4], "pytorch_compile"))
        if compiled and kind != "float" and run["x_copy"] > compiled["x_copy"]:
            aim = f"ahead of torch.compile, {compiled['x_copy']:.3f}"
            yield f"{REPEATED[function]}, {place}", kind, f"{run['x_copy']:.3f}", aim


# Of matrices on a GPU: in float, and in 16 bits.
SOFTMAX_AIMS = {
    "1048576x256": (0.99, 1.05), "131072x2048": (0.99, 1.02), "32768x8192": (0.99, 1.02), "8192x32768": (1.02, 1.05)
}


def missed_softmax(rows, on_gpu):
    """Rows of softmax whose time is too long: on a GPU over a copy, on a CPU over PyTorch's, each over its own copy."""
    for key, run in rows.items():
        if key[0] != "softmax":
            continue
        kind, shape, candidate = key[1:]
        if on_gpu and candidate == "kachel" and shape in SOFTMAX_AIMS:
            aim = SOFTMAX_AIMS[shape][kind != "float"]
            if round(run["x_copy"], 3) > aim:
                yield f"softmax of {shape}", kind, f"{run['x_copy']:.3f}", f"at most {aim} of a copy"
        elif not on_gpu and candidate == "kachel_python" and shape in ("32768x1024", "524288x40"):
            times = rows[*key[:3], "pytorch_out"]["x_copy"] / run["x_copy"]
            if times < 1.5:
                yield f"softmax of {shape}", kind, f"{times:.2f}", "PyTorch takes at least 1.5 times as long"


def missed_guests(machines):
    """Inputs that repeat and softmax, where they miss their aims: a line for machine, row and type."""
    lines = []
    for name, machine in machines.items():
        for find in missed_repeated, missed_softmax:
            lines += [[name, *line] for line in find(machine.rows, machine.on("Cuda"))]
    return table(["machine", "", "type", "measured", "aim"], lines)


def ahead(comparisons):
    """Who is ahead in the runs of compare_pytorch.sh: a line a machine."""
    lines = []
    for machine, comparison in comparisons.items():
        rows, leads = comparison.rows, {}
        for problem, kind, key in problems(rows):
            leads[f"{problem}, {kind}"] = lead(rows, key, (*key, "pytorch"), (*key, "pytorch_compile"))
        for key in (key for key in rows if key[-1] == "pytorch_out"):
            leads[", ".join(key[1:4])] = lead(rows, key[:-1], key)
        behind = [f"{name}: {times:.3f}" for name, times in leads.items() if times < 1]
        spread = [f"{function(leads.values()):.3f}" for function in (min, statistics.median, max)]
        lines.append([machine, str(len(leads)), str(len(leads) - len(behind)), *spread, "; ".join(behind)])
    return table(["machine", "rows", "Kachel ahead", "least lead", "median", "greatest", "PyTorch ahead"], lines)
