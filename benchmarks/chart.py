# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A bar chart as SVG: time / copy of every candidate for two operations on float, beside each other."""
import statistics

OPERATIONS = ["hardtanh", "hardsigmoid"]
LARGEST = 3  # longer bars are broken
PANEL, VALUE, GAP = 262, 60, 26  # widths: of a panel's bars, of a value behind a bar, between panels
TOP, PITCH, BAR = 66, 24, 14

# An image in <img> sees the reader's preference, not the colour of the page's text.
STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
.title, .kachel { font-weight: 600; }
.tick { font-size: 12px; fill: #59636e; }
.axis { stroke: #d1d9e0; }
.copy { stroke: #59636e; stroke-dasharray: 3 3; }
.bar { fill: #9aa4af; }
.bar.kachel { fill: #0969da; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .tick { fill: #9198a1; }
  .axis { stroke: #3d444d; }
  .copy { stroke: #9198a1; }
  .bar { fill: #656c76; }
  .bar.kachel { fill: #4493f8; }
}
"""


def text(x, y, content, kind="", anchor="start"):
    return f'<text x="{x:g}" y="{y:g}" class="{kind.strip()}" text-anchor="{anchor}">{content}</text>'


def line(x, top, bottom, kind):
    return f'<path d="M{x:g} {top}V{bottom}" class="{kind}"/>'


def piece(begin, end, y, kind, left=0, right=0):
    """A rectangle whose sides may slant by so much."""
    path = f"M{begin + left:.1f} {y}H{end + right:.1f}L{end - right:.1f} {y + BAR}H{begin - left:.1f}z"
    return f'<path d="{path}" class="{kind}"/>'


def bar(x, y, value, kind):
    """Its length is proportional to the value; one that is longer than the axis has a slanted gap."""
    end = x + min(value, LARGEST) / LARGEST * PANEL
    if value <= LARGEST:
        drawn = piece(x, end, y, kind)
    else:
        drawn = piece(x, end - 26, y, kind, right=4) + piece(end - 20, end, y, kind, left=4)
    return drawn + text(round(end + 6, 1), y + BAR - 2, f"{value:.3f}", kind.removeprefix("bar"))


def svg(rows):
    """The chart of a machine's rows by their path; the fastest candidate on top."""
    ratios, shapes = {}, set()
    for (workload, *key), run in rows.items():
        if workload == "bandwidth" and key[0] in OPERATIONS and key[1] == "float" and "x_copy" in run:
            ratios.setdefault(key[3], {})[key[0]] = run["x_copy"]
            shapes.add(key[2])
    [shape] = shapes
    fastest = sorted(ratios, key=lambda name: (statistics.mean(ratios[name].values()), name))
    kinds = {name: " kachel" if name.startswith("kachel") else "" for name in fastest}
    names = 16 + 8 * max(map(len, fastest))
    bottom = TOP + PITCH * len(fastest)
    width, height = names + 2 * (PANEL + VALUE) + GAP, bottom + 12
    title = f"Time / time of a copy, float ({shape.replace('x', ', ')}): shorter is faster"
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<title>{title}</title>",
        f"<style>{STYLE}</style>",
        text(names, 18, title, "title"),
    ]
    for place, name in enumerate(fastest):
        out.append(text(names - 10, TOP + place * PITCH + (PITCH + BAR) // 2 - 2, name, kinds[name], "end"))
    for number, operation in enumerate(OPERATIONS):
        x = names + number * (PANEL + VALUE + GAP)
        out.append(text(x, 42, operation))
        for tick in range(LARGEST + 1):
            place = x + tick / LARGEST * PANEL
            out.append(text(place, 58, "1 = copy" if tick == 1 else tick, "tick", "middle"))
            out.append(line(place, TOP - 4, TOP if tick else bottom, "axis"))
        for place, name in enumerate(fastest):
            if operation in ratios[name]:
                y = TOP + place * PITCH + (PITCH - BAR) // 2
                out.append(bar(x, y, ratios[name][operation], "bar" + kinds[name]))
        out.append(line(x + PANEL / LARGEST, TOP - 4, bottom, "copy"))
    return "\n".join([*out, "</svg>", ""])
