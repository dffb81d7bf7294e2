#!/usr/bin/env bash
# A flame graph of the engine: where a tick's time goes, by call stack.
#   perf/flame.sh [options of ringsnake sim]      default: --workload s2 --ticks 5000
#   perf/flame.sh --pid PID [seconds]             of a server that runs (build it as build_profiling does)
source "$(dirname "$0")/common.sh"

need perf "Debian: apt install linux-perf"
need python3 "any version from 3.8"
event=cycles
if ! perf stat -e cycles true 2>&1 | grep -qE '[0-9] +cycles'; then
    event=cpu-clock
    echo "no hardware counters here: sampling by the software clock" >&2
fi

out=target/perf/flame
mkdir -p "$out"
record=(perf record --quiet --event "$event" --freq 1999 --call-graph fp --output "$out/perf.data")
if [[ ${1:-} == --pid ]]; then
    title="process $2"
    "${record[@]}" --pid "$2" -- sleep "${3:-10}"
else
    build_profiling
    [[ $# -gt 0 ]] || set -- --workload s2 --ticks 5000
    title="ringsnake sim $*"
    "${record[@]}" -- "$program" sim "$@"
fi
perf script --input "$out/perf.data" --fields comm,ip,sym 2>/dev/null |
    python3 perf/flame.py "$title ($event)" "$out/flame.svg"
echo "$out/flame.svg; the stacks stand in $out/flame.folded"
