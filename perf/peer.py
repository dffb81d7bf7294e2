"""Engine against peer, in turns. usage: peer.py FOLDER [PAIRS] [--quick]"""

import sys

import runs

ROWS = {
    "s1": ["--workload", "s1"],
    "s2, a brawl": ["--workload", "s2"],
    "s3, 50 giants": ["--workload", "s3"],
    "s1, 10,000 snakes": ["--workload", "s1", "--snakes", "10000"],
    "s1, 100,000 snakes": ["--workload", "s1", "--snakes", "100000"],
}
# A tick of 100,000 takes the peer seconds.
TICKS = {"s1, 100,000 snakes": ["--warmup", "10", "--ticks", "20"]}
QUICK = {"s1, 100,000 snakes": ["--warmup", "1", "--ticks", "2"]}


def check(name, ours, theirs):
    """The sums that are known: exact ones for the engine, those of its own rules for the peer."""
    workload = name[:2]
    if ours["snakes"] == 1000 and ours["ticks"] == 1000:
        if ours["hits"] != runs.EXACT[workload] or theirs["hits"] != runs.PUBLISHED[workload]:
            sys.exit(f"{name}: {ours['hits']} and {theirs['hits']} hits are not the known sums")
    elif ours["hits"] < theirs["hits"]:
        sys.exit(f"{name}: the engine found {ours['hits']} hits, the peer {theirs['hits']}")


def measure(name, options, pairs):
    ours, theirs = [], []
    for _ in range(pairs):
        ours.append(runs.engine(options))
        theirs.append(runs.peer(options))
        check(name, ours[-1], theirs[-1])
    a, b = runs.median(ours), runs.median(theirs)
    print(f"{name}: {runs.us(a)} against {runs.us(b)} µs", file=sys.stderr)
    return {
        "row": name, "pairs": pairs, "simd": ours[0]["simd"], "ticks": ours[0]["ticks"],
        "engine_us": a, "peer_us": b, "ratio": b / a,
        "engine_hits": ours[0]["hits"], "peer_hits": theirs[0]["hits"],
        "engine_runs_us": [one["tick_us"]["p50"] for one in ours],
        "peer_runs_us": [one["tick_us"]["p50"] for one in theirs],
    }


def main():
    numbers = [argument for argument in sys.argv[2:] if argument.isdigit()]
    pairs, quick = int(numbers[0]) if numbers else 5, "--quick" in sys.argv
    facts = runs.circumstances()
    rows = []
    for name, options in ROWS.items():
        ticks = QUICK.get(name, ["--warmup", "10", "--ticks", "30"]) if quick else TICKS.get(name, [])
        # The longest row takes minutes a run; its ratio is the least doubtful.
        rows.append(measure(name, options + ticks, min(pairs, 2) if "100,000" in name else pairs))
    head = ["workload", "ringsnake, µs a tick", "published rules on Node.js, µs", "ratio", "hits", "hits by the published rules"]
    shown = [[r["row"], runs.us(r["engine_us"]), runs.us(r["peer_us"]), f"{r['ratio']:.1f}", r["engine_hits"], r["peer_hits"]] for r in rows]
    text = (
        "# Beside the game as it was published\n\n"
        + runs.sentence(facts)
        + f" One core, runs in turns, medians of the median tick; SIMD level {rows[0]['simd']}."
        + (" A quick run: few ticks." if quick else "")
        + "\n\n"
        + runs.table(head, shown)
        + "\nThe peer is perf/peer/node-engine.mjs. It misses hits of giants, as its rules do: it looks 65 u around a head.\n"
    )
    runs.write(sys.argv[1], "peer", {"quick": quick, **facts, "rows": rows}, text)


main()
