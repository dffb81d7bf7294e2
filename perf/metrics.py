"""The page /metrics of a server, read."""

import urllib.request


def look(addr):
    """Value by name, labels included; no page: an OSError."""
    with urllib.request.urlopen(f"http://{addr}/metrics", timeout=5) as page:
        lines = page.read().decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


def histogram(page, name):
    """Upper borders and the counts below them, as they stand: each count includes those before."""
    start, end = name + '_bucket{le="', '"}'
    borders = [(float(key[len(start) : -len(end)]), count) for key, count in page.items() if key.startswith(start)]
    return sorted(borders)
