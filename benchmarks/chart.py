# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bar charts as SVG of time / copy, several panels beside each other."""
import statistics

OPERATIONS = ["hardtanh", "hardsigmoid"]
TYPES = ["float", "half", "bfloat16"]
LARGEST = 3  # longer bars are broken
VALUE, GAP = 60, 26  # widths: of a value behind a bar, between panels
TOP, BETWEEN = 66, 10  # heights: of what is above the bars, between the bars of two names

# An image in <img> sees the reader's preference, not the colour of the page's text.
STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
.title, .kachel { font-weight: 600; }
.tick { font-size: 12px; fill: #59636e; }
.axis { stroke: #d1d9e0; }
.copy { stroke: #59636e; stroke-dasharray: 3 3; }
.bar { fill: #9aa4af; }
.bar.kachel { fill: #0969da; }
.bar.second { fill: #d1d9e0; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .tick { fill: #9198a1; }
  .axis { stroke: #3d444d; }
  .copy { stroke: #9198a1; }
  .bar { fill: #656c76; }
  .bar.kachel { fill: #4493f8; }
  .bar.second { fill: #3d444d; }
}
"""


def text(x, y, content, kind="", anchor="start"):
    return f'<text x="{x:g}" y="{y:g}" class="{kind.strip()}" text-anchor="{anchor}">{content}</text>'


def line(x, top, bottom, kind):
    return f'<path d="M{x:g} {top}V{bottom}" class="{kind}"/>'


def piece(begin, end, y, height, kind, left=0, right=0):
    """A rectangle whose sides may slant by so much."""
    path = f"M{begin + left:.1f} {y}H{end + right:.1f}L{end - right:.1f} {y + height}H{begin - left:.1f}z"
    return f'<path d="{path}" class="{kind}"/>'


def bar(x, y, width, height, value, kind):
    """Its length is proportional to the value, to the width for LARGEST; one that is longer has a slanted gap."""
    end = x + min(value, LARGEST) / LARGEST * width
    if value <= LARGEST:
        drawn = piece(x, end, y, height, kind)
    else:
        drawn = piece(x, end - 26, y, height, kind, right=4) + piece(end - 20, end, y, height, kind, left=4)
    return drawn + text(round(end + 6, 1), y + height - 2, f"{value:.3f}", kind.removeprefix("bar"))


def panels(title, names, columns, width, height, legend=()):
    """A line for each of the names, a dictionary to their kind of text; a panel of such a width for each of the
    columns, a dictionary to the bars by name: values and their kinds, of such a height."""
    most = max(len(bars) for column in columns.values() for bars in column.values())
    pitch = most * height + BETWEEN
    left = 16 + 8 * max(map(len, names))
    bottom = TOP + pitch * len(names)
    right, end = left + len(columns) * (width + VALUE) + (len(columns) - 1) * GAP, bottom + 12 + 22 * bool(legend)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right} {end}" width="{right}" height="{end}">',
        f"<title>{title}</title>",
        f"<style>{STYLE}</style>",
        text(left, 18, title, "title"),
    ]
    for place, (name, kind) in enumerate(names.items()):
        out.append(text(left - 10, TOP + place * pitch + (pitch + 14) // 2 - 2, name, kind, "end"))
    for number, (heading, column) in enumerate(columns.items()):
        x = left + number * (width + VALUE + GAP)
        out.append(text(x, 42, heading))
        for tick in range(LARGEST + 1):
            place = x + tick / LARGEST * width
            out.append(text(place, 58, "1 = copy" if tick == 1 else tick, "tick", "middle"))
            out.append(line(place, TOP - 4, TOP if tick else bottom, "axis"))
        for place, name in enumerate(names):
            y = TOP + place * pitch + BETWEEN // 2
            for value, kind in column.get(name, ()):
                out.append(bar(x, y, width, height, value, "bar" + kind))
                y += height
        out.append(line(x + width / LARGEST, TOP - 4, bottom, "copy"))
    for number, (name, kind) in enumerate(legend):
        x = left + 160 * number
        out.append(piece(x, x + 24, bottom + 12, 12, "bar" + kind) + text(x + 32, bottom + 23, name, kind))
    return "\n".join([*out, "</svg>", ""])


def svg(rows):
    """Every candidate for two operations on float, of a machine's rows by their path; the fastest on top."""
    ratios, shapes = {}, set()
    for (workload, *key), run in rows.items():
        if workload == "bandwidth" and key[0] in OPERATIONS and key[1] == "float" and "x_copy" in run:
            ratios.setdefault(key[3], {})[key[0]] = run["x_copy"]
            shapes.add(key[2])
    [shape] = shapes
    fastest = sorted(ratios, key=lambda name: (statistics.mean(ratios[name].values()), name))
    kinds = {name: " kachel" if name.startswith("kachel") else "" for name in fastest}
    columns = {
        operation: {name: [(ratios[name][operation], kinds[name])] for name in fastest if operation in ratios[name]}
        for operation in OPERATIONS
    }
    title = f"Time / time of a copy, float ({shape.replace('x', ', ')}): shorter is faster"
    return panels(title, kinds, columns, width=262, height=14)


def kernelbench(rows):
    """KernelBench's problems by Kachel, torch.compile and PyTorch, of a comparison's rows by their path."""
    candidates = {(): " kachel", ("pytorch_compile",): "", ("pytorch",): " second"}
    columns = {kind: {} for kind in TYPES}
    for key in sorted((key for key in rows if key[-1] == "pytorch"), key=lambda key: rows[key]["problem"]):
        runs = [(rows[(*key[:-1], *candidate)], kind) for candidate, kind in candidates.items()]
        columns[key[2]][rows[key]["problem"]] = [(run["x_copy"], kind) for run, kind in runs if "x_copy" in run]
    names = dict.fromkeys(columns["float"], "")
    legend = [("kachel", " kachel"), ("torch.compile", ""), ("pytorch", " second")]
    title = "KernelBench level 1, time / time of a copy: shorter is faster"
    return panels(title, names, columns, width=170, height=13, legend=legend)
