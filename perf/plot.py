"""Curves over two logarithmic axes, as SVG, with nothing but the standard library."""

import html
import math

WIDTH, HEIGHT = 760, 480
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 44, 52
COLORS = ["#0b6e4f", "#c84630", "#2f4b9b", "#8a5a00", "#6a2c70"]


class Axis:
    """Takes a value's logarithm to a place between two edges."""

    def __init__(self, values, start, end):
        self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        self.start, self.end = start, end

    def at(self, value):
        share = (math.log10(value) - self.low) / max(1, self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self):
        return [10**power for power in range(self.low, self.high + 1)]


def label(x, y, text, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{html.escape(text)}</text>'


def grid(across, up, x_name, y_name):
    bottom = HEIGHT - BOTTOM
    for value in across.ticks():
        x = across.at(value)
        yield f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="#ddd"/>' + label(x, bottom + 18, f"{value:,.10g}")
    for value in up.ticks():
        y = up.at(value)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>' + label(LEFT - 8, y + 4, f"{value:,.10g}", "end")
    yield label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x_name)
    yield label(LEFT, TOP - 8, y_name, "end")


def curve(name, points, color, k, across, up, dashed):
    places = [(across.at(x), up.at(y)) for x, y in points]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    dash = ' stroke-dasharray="6 4"' if dashed else ""
    yield f'<path d="{path}" fill="none" stroke="{color}" stroke-width="2"{dash}/>'
    if not dashed:
        yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in places)
    y = TOP + 18 + 18 * k
    yield f'<path d="M{LEFT + 14} {y - 4}h24" stroke="{color}" stroke-width="2"{dash}/>' + label(LEFT + 46, y, name, "start")


def log_log(title, x_name, y_name, curves, limits):
    """Curves by name, each a list of (x, y) above 0; limits are drawn dashed."""
    points = [point for line in [*curves.values(), *limits.values()] for point in line]
    across = Axis([x for x, _ in points], LEFT, WIDTH - RIGHT)
    up = Axis([y for _, y in points], HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        label(WIDTH / 2, 20, title, more='font-size="15"'),
        *grid(across, up, x_name, y_name),
    ]
    for k, (name, line) in enumerate({**curves, **limits}.items()):
        parts += curve(name, line, COLORS[k % len(COLORS)], k, across, up, name in limits)
    return "\n".join([*parts, "</svg>"]) + "\n"
