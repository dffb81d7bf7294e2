"""Folds the stacks of `perf script` (stdin) and draws them as an SVG that a browser zooms into.

usage: flame.py TITLE OUT.svg
"""

import html
import pathlib
import re
import sys
from collections import Counter

WIDTH, ROW, MARGIN = 1200, 17, 40
NARROWEST = 0.15
FRAME = re.compile(r"^\s+[0-9a-f]+\s+(.*)$")


def tidy(symbol):
    """A symbol without its hash, offset and the crates of the standard library's wrapping."""
    symbol = re.sub(r"::h[0-9a-f]{16}$", "", re.sub(r"\+0x[0-9a-f]+$", "", symbol.strip()))
    return symbol.replace(";", ":") or "[unknown]"


def fold(lines):
    """Samples by stack, root first."""
    stacks, stack = Counter(), []
    for line in lines:
        frame = FRAME.match(line)
        if frame:
            stack.append(tidy(frame.group(1)))
        elif line.strip():
            stack = []
            process = line.split()[0]
        elif stack:
            stacks[(process, *reversed(stack))] += 1
            stack = []
    if stack:
        stacks[(process, *reversed(stack))] += 1
    return stacks


class Node:
    def __init__(self):
        self.samples, self.below = 0, {}


def tree(stacks):
    root = Node()
    for stack, samples in stacks.items():
        node = root
        node.samples += samples
        for name in stack:
            node = node.below.setdefault(name, Node())
            node.samples += samples
    return root


def depth(node):
    return 1 + max(map(depth, node.below.values()), default=0)


def color(name):
    hue = 200 if name.startswith(("ringsnake", "<ringsnake")) else 30
    shade = sum(name.encode()) % 40
    return f"hsl({hue + shade // 2},{55 + shade}%,{60 + shade // 4}%)"


def boxes(node, x, y, scale, total):
    """Rectangles of a node's callees, left to right, the widest first, growing downwards."""
    for name, below in sorted(node.below.items(), key=lambda item: -item[1].samples):
        width = below.samples * scale
        if width >= NARROWEST:
            share = 100 * below.samples / total
            yield x, y, width, name, f"{name}: {below.samples} samples, {share:.1f} %"
            yield from boxes(below, x, y + ROW, scale, total)
        x += width


SCRIPT = """
const all = [...document.querySelectorAll('g')], W = %d;
for (const g of all) g.onclick = () => zoom(+g.dataset.x, +g.dataset.w);
function zoom(x0, w0) {
  for (const g of all) {
    const x = (g.dataset.x - x0) * W / w0, w = g.dataset.w * W / w0;
    const left = Math.max(0, x), right = Math.min(W, x + w);
    g.style.display = right > left ? '' : 'none';
    const [rect, text] = [g.children[1], g.children[2]];
    rect.setAttribute('x', left); rect.setAttribute('width', Math.max(0, right - left));
    text.setAttribute('x', left + 3);
    text.textContent = (right - left) > 30 ? g.dataset.n.slice(0, (right - left) / 6.6) : '';
  }
}
zoom(0, W);
"""


def svg(title, root):
    height = MARGIN + ROW * depth(root)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="monospace" font-size="11">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fffdf7"/>',
        f'<text x="8" y="20" font-size="14">{html.escape(title)}: {root.samples} samples. Click a box to zoom in, the uppermost to zoom out.</text>',
    ]
    for x, y, width, name, tip in boxes(root, 0.0, MARGIN - ROW + 8, WIDTH / root.samples, root.samples):
        parts.append(
            f'<g data-x="{x:.2f}" data-w="{width:.2f}" data-n="{html.escape(name)}"><title>{html.escape(tip)}</title>'
            f'<rect x="{x:.2f}" y="{y}" width="{width:.2f}" height="{ROW - 1}" rx="2" fill="{color(name)}"/>'
            f'<text x="{x + 3:.2f}" y="{y + 12}">{html.escape(name[: int(width / 6.6)]) if width > 30 else ""}</text></g>'
        )
    parts.append(f"<script><![CDATA[{SCRIPT % WIDTH}]]></script></svg>")
    return "\n".join(parts)


def main():
    title, out = sys.argv[1], pathlib.Path(sys.argv[2])
    stacks = fold(sys.stdin)
    if not stacks:
        sys.exit("no samples were taken")
    folded = (f"{';'.join(stack)} {samples}\n" for stack, samples in stacks.most_common())
    out.with_suffix(".folded").write_text("".join(folded), encoding="utf-8")
    out.write_text(svg(title, tree(stacks)), encoding="utf-8")


main()
