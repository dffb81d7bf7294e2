#!/usr/bin/env python3
"""Makes the page of perf/swarm.sh from its lines."""
import json
import statistics
import sys


def late(run, cell):
    """Of the lateness of ticks, which older lines lack."""
    return cell(run["tick_late_ms"]) if run.get("tick_late_ms") else "-"


def p99(late):
    """Where no later bucket has any it is known only by the bucket's border."""
    if late["p99"] is None:
        return "beyond all"
    return ("≤ " if late["p99"] == late["max_bucket"] else "") + f'{late["p99"]:.1f}'


def shares(low, high):
    """One where 5 ms is a border of the server's buckets, else the two nearest."""
    return f"{low:.2%}" if low == high else f"{low:.2%} to {high:.2%}"


COLUMNS = [
    ("run", lambda r: r["label"]),
    ("playing", lambda r: f'{r.get("playing", 0):.0f}'),
    ("snapshots/s each", lambda r: f'{r["client"]["snapshots_s"]:.2f}'),
    ("kB/s each", lambda r: f'{r["client"]["bytes_s"] / 1000:.2f}'),
    ("age p50 ms", lambda r: f'{r["age_ms"]["p50"]:.1f}'),
    ("p99", lambda r: f'{r["age_ms"]["p99"]:.1f}'),
    ("p99.9", lambda r: f'{r["age_ms"]["p999"]:.1f}'),
    ("late snapshots", lambda r: f'{r["gaps"]["share"]:.2%}'),
    ("tick late p99 ms", lambda r: late(r, p99)),
    ("under 5 ms", lambda r: late(r, lambda late: shares(*late["under_5"]))),
    ("dropped", lambda r: late(r, lambda late: str(late["dropped"]))),
    ("server core", lambda r: f'{r["server"]["cpu"]:.0%}'),
    ("waited", lambda r: f'{r["server"]["waited"]:.0%}'),
    ("us a frame", lambda r: f'{r["server"]["us_a_frame"]:.1f}'),
    ("resident MB", lambda r: f'{r["server"]["resident"] / 1e6:.0f}'),
    ("swarm core", lambda r: f'{r["swarm"]["cpu"]:.0%}'),
    ("waited", lambda r: f'{r["swarm"]["waited"]:.0%}'),
    ("faults", lambda r: str(sum(r["faults"].values()))),
    ("load", lambda r: f'{r["load_average"][0]:.1f}'),
]


def table(runs):
    print("| " + " | ".join(name for name, _ in COLUMNS) + " |")
    print("| --- " + "| ---: " * (len(COLUMNS) - 1) + "|")
    for run in runs:
        print("| " + " | ".join(cell(run) for _, cell in COLUMNS) + " |")
    print()


def floors(runs):
    """Server and bare send in turns; what stands at the end is the median of the ratios."""
    servers, bares = runs[0::2], runs[1::2]
    us = [run["server"]["cpu"] * run["seconds"] * 1e6 / run["snapshots"] for run in servers]
    print("CPU for a snapshot, all that the server does included, against a write of as many bytes by hand; in turns.\n")
    print("| sockets | bytes a write | server, µs a snapshot | by hand, µs a write | times |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for each, bare in zip(us, bares):
        by_hand = bare["us_a_frame"]
        print(f'| {bare["clients"]} | {bare["bytes"]} | {each:.2f} | {by_hand:.2f} | {each / by_hand:.2f} |')
    middle = statistics.median(each / bare["us_a_frame"] for each, bare in zip(us, bares))
    print(f"\n**{middle:.2f} times the floor**, the median. (Board, map and news travel in the write of a snapshot, so the")
    print("frames in the table are more than the writes.)\n")
    table(servers)


def main():
    runs = [json.loads(line) for line in open(sys.argv[1])]
    part = lambda name: [run for run in runs if run["part"] == name]
    print("# The server under load\n")
    print("Made by `perf/swarm.sh`. Server on core 0, clients on core 1, over loopback, no bots. *Waited* is the part")
    print("of the time in which a process was ready and had no core: on a busy machine ages mean little where it is")
    print("large. *Load* is the load average of the machine over the last minute, these runs included. An age is")
    print("counted from the earliest arrival of its second. *Late* are snapshots that came a tick or more after their turn.")
    print("*Tick late* is how long after it was due a tick began, by the server\'s own histogram in the measured seconds;")
    print("*under 5 ms* is the share that began less late than that: two figures where 5 ms lies inside a bucket.")
    print("*Dropped* are ticks that the server gave up.\n")
    for name, title in [("curve", "Clients at 15 Hz, until it breaks"), ("fast", "30 Hz")]:
        if part(name):
            print(f"## {title}\n")
            table(part(name))
    if part("floor"):
        print("## A frame against the bare send\n")
        floors(part("floor"))
    if len(part("memory")) == 2:
        few, many = part("memory")
        each = (many["server"]["resident"] - few["server"]["resident"]) / (many["clients"] - few["clients"])
        print("## Memory\n")
        print(f'{each / 1024:.1f} KiB a connection in the process: {few["label"]} against {many["label"]}. The kernel\'s sockets come on top.\n')
    if part("hostile"):
        print("## Beside those who mean harm\n")
        print("900 play; first alone, then with the others there. Those who hang up and return also play: before, as many others stay.\n")
        table(part("hostile"))
        for run in part("harm"):
            lost = ", ".join(f"{count} {how}" for how, count in run["lost"].items()) or "nobody"
            print(f'- {run["label"]}: {run["connected"]:.0f} connected on average; sent away or lost: {lost}.')


main()
