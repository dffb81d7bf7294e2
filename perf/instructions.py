"""Holds instruction counts (one JSON summary of gungraun a line) against perf/instructions.json."""

import json
import pathlib
import sys

BLESSED = pathlib.Path(__file__).with_name("instructions.json")
LIMIT = 0.02


def counts(path):
    """Instructions by name of the bench, from gungraun's lines."""
    found = {}
    for line in open(path, encoding="utf-8"):
        if not line.startswith("{"):
            continue
        bench = json.loads(line)
        metrics = bench["profiles"][0]["data"]["parts"][0]["metrics"]
        found[f"{bench['function_name']}::{bench['id']}"] = int(metrics["Ir"]["values"]["new"])
    return found


def bless(found):
    BLESSED.write_text(json.dumps(found, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    print(f"wrote {len(found)} counts to {BLESSED.name}; commit it, and say in the message why they changed")


def verdict(now, before):
    if before is None:
        return "new: bless it"
    if now > before * (1 + LIMIT):
        return "TOO MANY"
    return "fewer: bless it, so that the gain is held" if now < before * (1 - LIMIT) else ""


def compare(found, blessed):
    """Prints the table; the names of the benches that fail."""
    failed = sorted(set(blessed) - set(found))
    for name in failed:
        print(f"{name:32} {'':>12} {blessed[name]:>12}          GONE")
    for name, now in sorted(found.items()):
        before = blessed.get(name)
        change = f"{100 * (now / before - 1):+7.2f} %" if before else " " * 9
        word = verdict(now, before)
        print(f"{name:32} {now:>12,} {before or 0:>12,} {change} {word}")
        if before is None or word == "TOO MANY":
            failed.append(name)
    return failed


def main():
    found = counts(sys.argv[1])
    if not found:
        sys.exit("no counts were found: did the bench run?")
    if "--bless" in sys.argv:
        return bless(found)
    failed = compare(found, json.loads(BLESSED.read_text(encoding="utf-8")))
    if failed:
        sys.exit(
            f"\n{len(failed)} of {len(found)} counts are off: {', '.join(failed)}\n"
            f"Allowed is {LIMIT:.0%} more than perf/instructions.json says. perf/callgrind.sh shows the lines that took them.\n"
            "If the change is wanted: perf/instructions.sh --bless, and commit perf/instructions.json with the reason."
        )
    print(f"\nall {len(found)} counts are within {LIMIT:.0%}")


main()
