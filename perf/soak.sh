#!/usr/bin/env bash
# Is memory flat while people come and go? A server, players who stay (they die and join again), and others who
# hang up and come back every ten seconds. Fails when the last quarter of the time has over a tenth more memory
# than the second, or when the server said something out of order.
#
#   perf/soak.sh
#
# The server runs on core 0, everybody else on core 1. Settings, by environment:
#   MINUTES=20  STAY=300  RETURN=100    how long, players who stay, and who hang up and come back
#   BIN=                                a ringsnake that is ready: nothing is built then; COMMIT= says what it is
#   OUT=perf/results/MACHINE            where soak.md, soak.svg and soak.json go
source "$(dirname "$0")/common.sh"
minutes=${MINUTES:-20} out=${OUT:-$(results)}
need python3 "any version from 3.8"
need taskset "Debian: apt install util-linux"
if [ -n "${BIN:-}" ]; then program=$BIN; else build_release; fi
warn_if_busy
mkdir -p "$out"
work=$(mktemp -d)

# A server that was told to stop says farewell first; nobody waits for that longer than five seconds.
end() {
    trap - INT TERM
    kill $(jobs -pr) 2>/dev/null || true
    for _ in {1..50}; do
        [ -n "$(jobs -pr)" ] || break
        sleep 0.1
    done
    kill -KILL $(jobs -pr) 2>/dev/null || true
    rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

taskset -c 0 "$program" serve --addr 127.0.0.1:0 --bots 0 --seed 1 >"$work/stdout" 2>"$work/log" &
server=$!
for _ in {1..100}; do
    addr=$(grep -om1 '127.0.0.1:[0-9]*' "$work/stdout" || true)
    [ -z "$addr" ] || break
    sleep 0.1
done
[ -n "$addr" ] || { cat "$work/log" >&2; exit 1; }

# swarm NAME SEED OPTIONS: in the background, a little longer than is watched.
swarm() {
    local name=$1 seed=$2; shift 2
    taskset -c 1 "$program" swarm --url "ws://$addr/ws" --seed "$seed" --ramp 100 --settle 0 \
        --seconds $((60 * minutes + 5)) --json "$@" >"$work/$name" 2>>"$work/errors" &
}
swarm stay 1 --clients "${STAY:-300}"; stay=$!
swarm return 2 --clients "${RETURN:-100}" --mode reconnect; return=$!

# In the background and waited for: so a signal is heard at once.
taskset -c 1 python3 perf/soak.py watch "$work/samples" "$addr" "$server" "$minutes" & watch=$!
wait $watch || { tail -n 5 "$work/log" "$work/errors" >&2; exit 1; }
wait $stay $return || true # their reports tell
python3 perf/soak.py tell "$work/samples" "$work/stay" "$work/return" "$out" || { cat "$work/errors" >&2; exit 1; }
