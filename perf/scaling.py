"""Scaling curves of the engine. usage: scaling.py FOLDER RUNS"""

import math
import pathlib
import sys

import plot
import runs

SIZES = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000]
CURVES = {
    "same arena, radius 20,000 u": lambda snakes: 20_000,
    "same density as s1": lambda snakes: max(600, round(20_000 * math.sqrt(snakes / 1_000))),
    "same density as s2, a brawl": lambda snakes: max(600, round(2_000 * math.sqrt(snakes / 1_000))),
}


def measure(snakes, arena, count):
    options = ["--workload", "s1", "--snakes", str(snakes), "--arena", str(arena)]
    found = [runs.engine(options) for _ in range(count)]
    return {"snakes": snakes, "arena": arena, "points": found[0]["points"], "bytes": found[0]["bytes"], "us": runs.median(found)}


def main():
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    facts = runs.circumstances()
    curves = {name: [measure(n, arena(n), count) for n in SIZES] for name, arena in CURVES.items()}
    head = ["snakes", *(f"{name}, µs" for name in curves), *(f"ns a snake, {name.split(',')[0]}" for name in curves)]
    rows = []
    for k, snakes in enumerate(SIZES):
        times = [curve[k]["us"] for curve in curves.values()]
        rows.append([f"{snakes:,}", *map(runs.us, times), *(f"{1000 * t / snakes:.0f}" for t in times)])
    lines = {name: [(point["snakes"], point["us"]) for point in curve] for name, curve in curves.items()}
    budget = [(SIZES[0], 33_333), (SIZES[-1], 33_333)]
    drawing = plot.log_log("A tick of the engine on one core", "snakes", "µs", lines, {"a tick of 30 Hz": budget})
    (folder / "scaling.svg").write_text(drawing, encoding="utf-8")
    text = f"# From 100 to 100,000 snakes\n\n{runs.sentence(facts)} One core, medians of {count} runs.\n\n{runs.table(head, rows)}\n![curves](scaling.svg)\n"
    runs.write(folder, "scaling", {**facts, "curves": curves}, text)


main()
