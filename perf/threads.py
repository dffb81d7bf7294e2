"""One thread against more. usage: threads.py FOLDER THREADS PAIRS"""

import os
import sys

import runs

ROWS = {
    "s1": ["--workload", "s1"],
    "s2, a brawl": ["--workload", "s2"],
    "s1, 10,000 snakes": ["--workload", "s1", "--snakes", "10000"],
    "s2's density, 10,000 snakes": ["--workload", "s2", "--snakes", "10000", "--arena", "6325"],
    "s1, 100,000 snakes": ["--workload", "s1", "--snakes", "100000"],
}


def measure(name, options, threads, pairs):
    cores = ",".join(map(str, sorted(os.sched_getaffinity(0))))
    one, many = [], []
    for _ in range(pairs):
        one.append(runs.engine(options, cores))
        many.append(runs.engine([*options, "--threads", str(threads)], cores))
        if [one[-1][key] for key in ("hits", "hsum", "state_hash")] != [many[-1][key] for key in ("hits", "hsum", "state_hash")]:
            sys.exit(f"{name}: {threads} threads find something else than one")
    a, b = runs.median(one), runs.median(many)
    return {"row": name, "one_us": a, "many_us": b, "ratio": a / b}


def main():
    folder, threads, pairs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    facts = runs.circumstances()
    rows = [measure(name, options, threads, pairs) for name, options in ROWS.items()]
    head = ["workload", "1 thread, µs a tick", f"{threads} threads, µs", "ratio"]
    shown = [[r["row"], runs.us(r["one_us"]), runs.us(r["many_us"]), f"{r['ratio']:.2f}"] for r in rows]
    text = (
        f"# One thread and {threads}\n\n{runs.sentence(facts)} Runs in turns, medians. Only the narrowphase is shared out: "
        f"moving and the indexes stay on one thread. Hits and state hashes are the same.\n\n{runs.table(head, shown)}"
    )
    runs.write(folder, "threads", {**facts, "threads": threads, "rows": rows}, text)


main()
