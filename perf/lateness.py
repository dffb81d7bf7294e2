"""Runs a swarm and adds to its report how late the server began its ticks in the measured seconds.
usage: lateness.py HOST:PORT COMMAND..."""

import json
import subprocess
import sys
import threading
import time

import metrics

PAUSE = 1.0  # seconds between two looks; one costs the server half a millisecond of its core
LIMIT = 5.0  # ms, what is asked for at p99
NAME = "ringsnake_tick_lateness_seconds"


def watch(addr, looks, over):
    """Looks until it is over: before and after what moments, and what was there."""
    while not over.wait(PAUSE):
        before = time.monotonic()
        try:
            page = metrics.look(addr)
        except (OSError, ValueError):
            continue  # the span that is left is told
        looks.append((before, time.monotonic(), page))


def quantile(rows, part):
    """By a straight line inside the bucket; the upper border where no later bucket has any: there the line means
    nothing. None: beyond all borders."""
    wanted, low, below = part * rows[-1][1], 0.0, 0
    for border, count in rows:
        if count >= wanted:
            if border == float("inf"):
                return None
            return border if count == rows[-1][1] else low + (border - low) * (wanted - below) / (count - below)
        low, below = border, count


def under(rows, limit):
    """The least and the greatest share that may lie below the limit; the same where the limit is a border."""
    total = rows[-1][1]
    low = max((count for border, count in rows if border <= limit + 1e-9), default=0)
    high = next(count for border, count in rows if border >= limit - 1e-9)
    return [round(low / total, 5), round(high / total, 5)]


def lateness(first, last):
    """What lies between two looks. The server notes each turn, and of a turn of several ticks the first."""
    (began, _, old), (_, ended, new) = first, last
    before = dict(metrics.histogram(old, NAME))
    rows = [(1000 * border, count - before[border]) for border, count in metrics.histogram(new, NAME)]
    if not rows or not rows[-1][1]:
        return None
    grown = lambda name: int(new[name] - old[name])
    finite = lambda value: None if value in (None, float("inf")) else round(value, 3)
    return {
        "p50": finite(quantile(rows, 0.5)),
        "p99": finite(quantile(rows, 0.99)),
        "max_bucket": finite(quantile(rows, 1)),
        "under_5": under(rows, LIMIT),
        "turns": int(rows[-1][1]),
        "ticks": grown("ringsnake_ticks_total"),
        "dropped": grown("ringsnake_ticks_dropped_total"),
        "seconds": round(ended - began, 2),
    }


def main():
    addr, command = sys.argv[1], sys.argv[2:]
    looks, over = [], threading.Event()
    threading.Thread(target=watch, args=(addr, looks, over), daemon=True).start()
    swarm = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        line = swarm.stdout.readline()  # it speaks once, when the measured seconds are over
        ended = time.monotonic()
        over.set()
        swarm.wait()
    finally:
        swarm.terminate()
    report = json.loads(line or "{}")
    inside = [one for one in looks if ended - report.get("seconds", 0) <= one[0] and one[1] <= ended]
    if len(inside) > 1:
        report["tick_late_ms"] = lateness(inside[0], inside[-1])
    if report:
        print(json.dumps(report))
    sys.exit(swarm.returncode)


main()
