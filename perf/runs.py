"""Runs of the engine and of the peer on one core, taken in turns, and what is known of the machine they ran on."""

import datetime
import json
import os
import pathlib
import statistics
import subprocess

ENGINE = os.environ.get("RINGSNAKE", "target/release/ringsnake")
PEER = "perf/peer/node-engine.mjs"

# Hits of the canonical workload with its own warm-up and ticks: exact, and by the published rules.
EXACT = {"s1": 25258, "s2": 3391629, "s3": 2084456}
PUBLISHED = {"s1": 25258, "s2": 3391629, "s3": 2060173}


def last_core():
    """The core that a run is pinned to: the last one, as interrupts like the first."""
    return str(max(os.sched_getaffinity(0)))


def run(command, cores):
    done = subprocess.run(["taskset", "-c", cores, *command], check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def engine(options, cores=None):
    return run([ENGINE, "sim", "--json", *options], cores or last_core())


def peer(options):
    return run(["node", "--max-old-space-size=8192", PEER, *options], last_core())


def median(found):
    """Median over runs of a run's median tick, µs."""
    return statistics.median(one["tick_us"]["p50"] for one in found)


def text_of(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def circumstances():
    """What has to stand beside a figure."""
    cpu = dict(map(str.strip, line.split(":", 1)) for line in open("/proc/cpuinfo", encoding="utf-8") if ":" in line)
    changed = text_of(["git", "status", "--porcelain", "--untracked-files=no", "--", "src", "Cargo.toml", "Cargo.lock"])
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "commit": text_of(["git", "rev-parse", "--short", "HEAD"]) + ("+changes" if changed else ""),
        "cpu": f"{cpu.get('model name', '?')} (family {cpu.get('cpu family', '?')}, model {cpu.get('model', '?')})",
        "cores": os.cpu_count(),
        "load": float(open("/proc/loadavg", encoding="utf-8").read().split()[0]),
        "rustc": text_of(["rustc", "--version"]),
        "node": text_of(["node", "--version"]),
    }


def sentence(facts):
    return (
        f"{facts['date']}, commit {facts['commit']}, {facts['cpu']}, {facts['cores']} cores, "
        f"load of the machine at the start {facts['load']}, {facts['rustc']}, Node.js {facts['node']}."
    )


def us(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def table(head, rows):
    """A table in Markdown; all but the first column are numbers."""
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def write(folder, name, value, text):
    """The figures as JSON and as a page."""
    folder = pathlib.Path(folder)
    (folder / f"{name}.json").write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
    (folder / f"{name}.md").write_text(text, encoding="utf-8")
    print(text)
    print(f"{folder}/{name}.md, {folder}/{name}.json")
