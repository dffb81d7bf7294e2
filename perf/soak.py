"""Watches a server's memory while people come and go, and tells what became of it.
usage: soak.py watch SAMPLES HOST:PORT PID MINUTES
       soak.py tell SAMPLES REPORT REPORT FOLDER"""

import json
import os
import pathlib
import statistics
import sys
import time

import metrics
import plot
import runs

EVERY = 10  # seconds between two samples
LIMIT = 0.10  # growth that fails
COUNTS = {
    "opened": "ringsnake_sockets_opened_total",
    "joins": "ringsnake_joins_total",
    "deaths": "ringsnake_deaths_total",
    "open": "ringsnake_connections",
    "playing": "ringsnake_players",
    "world": "ringsnake_world_bytes",
}


def resident(pid):
    """Bytes in memory, with those that the system has swapped out."""
    lines = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status", encoding="utf-8"))
    return sum(1024 * int(lines.get(name, "0 kB").split()[0]) for name in ("VmRSS", "VmSwap"))


def watch(samples, addr, pid, minutes):
    began, terminal = time.monotonic(), sys.stderr.isatty()
    with open(samples, "w", encoding="utf-8") as file:
        for k in range(1, 60 * minutes // EVERY + 1):
            time.sleep(max(0, began + EVERY * k - time.monotonic()))
            page = metrics.look(addr)
            sample = {"s": EVERY * k, "resident": resident(pid)}
            sample.update((key, int(page[name])) for key, name in COUNTS.items())
            file.write(json.dumps(sample) + "\n")
            if terminal:
                print(f"\r\033[K{line(sample, minutes)}", end="", file=sys.stderr, flush=True)
    if terminal:
        print(file=sys.stderr)


def line(s, minutes):
    return (
        f"{s['s'] / 60:.1f} of {minutes} min: {s['resident'] / 1e6:.1f} MB, {s['playing']} of {s['open']} play; "
        f"{s['opened']:,} came, {s['joins']:,} joins, {s['deaths']:,} deaths"
    )


def quarter(samples, number):
    """Mean of the resident bytes in a quarter of the time, the first being number 0."""
    size = len(samples) // 4
    part = samples[number * size : (number + 1) * size] if number < 3 else samples[-size:]
    return statistics.mean(s["resident"] for s in part)


def by_minute(samples):
    """The means of each minute's gauges and its last counts."""
    for k in range(0, len(samples), 60 // EVERY):
        part = samples[k : k + 60 // EVERY]
        mean = {key: statistics.mean(s[key] for s in part) for key in ("resident", "world", "playing")}
        yield {**part[-1], **mean, "minute": part[-1]["s"] // 60}


class Linear:
    """An axis for `plot`, from 0 to the first whole step beyond the values."""

    def __init__(self, top, start, end):
        power = 10 ** (len(str(int(top))) - 1)
        self.step = power / 2 if top < 3 * power else power
        self.top = self.step * -(-top // self.step)
        self.start, self.end = start, end

    def at(self, value):
        return self.start + value / self.top * (self.end - self.start)

    def ticks(self):
        return [k * self.step for k in range(int(self.top // self.step) + 1)]


def drawing(samples):
    curves = {
        "resident": [(s["s"] / 60, s["resident"] / 1e6) for s in samples],
        "of it snakes, bodies, grid and food": [(s["s"] / 60, s["world"] / 1e6) for s in samples],
    }
    across = Linear(samples[-1]["s"] / 60, plot.LEFT, plot.WIDTH - plot.RIGHT)
    top = 1.2 * max(y for _, y in curves["resident"])  # room for the names
    up = Linear(top, plot.HEIGHT - plot.BOTTOM, plot.TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {plot.WIDTH} {plot.HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><rect width="{plot.WIDTH}" height="{plot.HEIGHT}" fill="white"/>',
        plot.label(plot.WIDTH / 2, 20, "Memory of a server while people come and go", more='font-size="15"'),
        *plot.grid(across, up, "minutes", "MB"),
    ]
    for k, (name, points) in enumerate(curves.items()):
        parts += plot.curve(name, points, plot.COLORS[k], k, across, up, False)
    return "\n".join([*parts, "</svg>"]) + "\n"


def mb(value):
    return f"{value / 1e6:.1f}"


def counted(reports, field):
    return ", ".join(f"{count} {name}" for report in reports for name, count in report[field].items()) or "none"


def tell(samples_path, report_paths, folder):
    samples = [json.loads(text) for text in open(samples_path, encoding="utf-8")]
    reports = [json.loads(pathlib.Path(path).read_text(encoding="utf-8") or "{}") for path in report_paths]
    if not all(reports):
        sys.exit("a swarm ended before its time")
    early, late = quarter(samples, 1), quarter(samples, 3)
    growth = late / early - 1
    facts = {**runs.circumstances(), **({"commit": os.environ["COMMIT"]} if os.environ.get("COMMIT") else {})}
    minutes = list(by_minute(samples))
    counts = ("opened", "joins", "deaths")
    head = ["minute", "resident MB", "of it the world", "playing"]
    head += ["connections so far", "joins so far", "deaths so far"]
    rows = [
        [s["minute"], mb(s["resident"]), mb(s["world"]), f"{s['playing']:.0f}", *(f"{s[key]:,}" for key in counts)]
        for s in minutes
    ]
    text = (
        f"# Memory while people come and go\n\n"
        f"{facts['date']}, commit {facts['commit']}, {facts['cpu']}, {facts['cores']} cores, "
        f"load of the machine at the end {facts['load']}. Made by `perf/soak.sh`.\n\n"
        f"A server without bots on core 0, {reports[0]['clients']} players who stay and join again when they have "
        f"died, and {reports[1]['clients']} who hang up and come back every ten seconds. A sample every {EVERY} s; "
        f"means of a minute, counts at its end. *Resident* is all memory of the process, swapped or not. "
        f"*Playing* is lower where samples fell into the moment in which those are gone.\n\n"
        f"**{growth:+.1%}** from the mean of the second quarter, {early / 1e6:.2f} MB, to that of the last, "
        f"{late / 1e6:.2f} MB; allowed is {LIMIT:+.0%}. Messages out of order: {counted(reports, 'faults')}. "
        f"Connections lost: {counted(reports, 'lost')}.\n\n"
        f"{runs.table(head, rows)}\n![memory](soak.svg)\n"
    )
    folder = pathlib.Path(folder)
    (folder / "soak.svg").write_text(drawing(samples), encoding="utf-8")
    runs.write(folder, "soak", {**facts, "growth": round(growth, 4), "minutes": minutes}, text)
    if not all(samples[-1][key] > samples[-len(samples) // 4][key] for key in counts):
        sys.exit("nobody came and went in the last quarter: this says nothing")
    if growth > LIMIT or any(report["faults"] for report in reports):
        sys.exit("memory grew" if growth > LIMIT else "the server said something out of order")


def main():
    if sys.argv[1] == "watch":
        watch(*sys.argv[2:4], int(sys.argv[4]), int(sys.argv[5]))
    else:
        tell(sys.argv[2], sys.argv[3:5], sys.argv[5])


main()
