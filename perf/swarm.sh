#!/usr/bin/env bash
# The server under load: how many clients a core carries, what a frame costs against the bare send, what a
# connection weighs, and what those who mean harm do to the others.
#
#   perf/swarm.sh [PART...]        parts: curve fast floor memory hostile        default: all of them
#
# The server runs on core 0, everybody else on core 1, over loopback. Settings, by environment:
#   SECS=10        seconds measured in each run
#   SIZES="1000 2000 3000 4000 5000 6000"   the curve; it ends with the first size at which the server falls behind
#   PAIRS=3        server and bare send, in turns
#   HARM=60        seconds of the run with readers that stop
#   PRIORITY=-15   weight of these sessions on a machine that others use too (needs root); empty: none
#   PROFILE=release
#   BIN=, FLOOR=   programs that are ready (ringsnake, and the example send_floor): nothing is built then
#   OUT=perf/results/MACHINE
# Results: swarm.jsonl, a line a run, and swarm.md made from it. A figure from a busy machine is worth as much
# as the load average beside it.
source "$(dirname "$0")/common.sh"
secs=${SECS:-10} sizes=${SIZES:-1000 2000 3000 4000 5000 6000} harm=${HARM:-60} pairs=${PAIRS:-3} profile=${PROFILE:-release}
parts=${*:-curve fast floor memory hostile}
[ -n "${BIN:-}" ] || cargo build --quiet --profile "$profile" --bin ringsnake --example send_floor
bin=${BIN:-target/$profile/ringsnake} floor=${FLOOR:-target/$profile/examples/send_floor}
out=${OUT:-$(results)}; mkdir -p "$out"; lines=$out/swarm.jsonl
work=$(mktemp -d); trap 'kill $(jobs -pr) 2>/dev/null || true; rm -rf "$work"' EXIT

# place CORE COMMAND...: sets $placed, the command on that core, in a session of its own: there the scheduler
# gives it a weight of its own.
place() {
  local weigh='[ -z "$1" ] || echo "$1" > /proc/self/autogroup; shift; exec taskset -c "$@"'
  placed=(setsid bash -c "$weigh" - "${PRIORITY--15}" "$@")
}
# Becomes that command. Only ever in the background or in parentheses; $! is then the command itself.
become() { place "$@"; exec "${placed[@]}" 2>>"$work/errors"; }

# address FILE PROCESS: where the process says in the file that it listens.
address() {
  until grep -om1 '127.0.0.1:[0-9]*' "$1"; do
    kill -0 "$2" 2>/dev/null || { tail -n 5 "$work/errors" >&2; exit 1; }
    sleep 0.1
  done
}

# start TOML-LINES: a server without bots; sets $server, the process, $addr and $url. The circle grows as fast as a
# ramp of thousands in a few seconds needs it; at a tenth of that all would be measured in one heap.
start() {
  printf '[world.arena]\nexpand_speed = 2000.0\n[server]\nbots = 0\nconnections_max = 20000\n%b' "${1:-}" \
    > "$work/config.toml"
  : > "$work/stdout"
  become 0 "$bin" serve --addr 127.0.0.1:0 --seed 1 --config "$work/config.toml" > "$work/stdout" &
  server=$!
  addr=$(address "$work/stdout" "$server")
  url=ws://$addr/ws
}
stop() { kill "$server"; wait "$server" 2>/dev/null || true; }
# The report of a swarm, with how late the server's ticks began meanwhile.
swarm() {
  place 1 "$bin" swarm --url "$url" --pid "$server" --ramp 1000 --json "$@"
  taskset -c 1 python3 perf/lateness.py "$addr" "${placed[@]}" 2>>"$work/errors" || true
}
# note PART LABEL: files the report on stdin.
note() {
  python3 -c '
import json, sys
report = json.loads(sys.stdin.read() or "{}")
print(json.dumps({"part": sys.argv[1], "label": sys.argv[2], **report}))' "$1" "$2" |
    tee -a "$work/lines" | cut -c1-200
}
# A tick in a hundred begins 5 ms late, a state in a hundred is older than 150 ms, or snapshots come less often than the
# slowest rate of the config.
falls_behind() { tail -1 "$work/lines" | python3 -c '
import json, sys
run = json.load(sys.stdin)
late = (run.get("tick_late_ms") or {}).get("p99")
fine = late is not None and late < 5 and run["age_ms"]["p99"] < 150 and run["client"]["snapshots_s"] > 10
sys.exit(1 if fine else 0)'; }

curve() {
  for n in $sizes; do
    start; swarm --clients "$n" --seconds "$secs" | note curve "$n at 15 Hz"; stop
    if falls_behind; then break; fi
  done
}

fast() { start 'snapshot_every = 1\n'; swarm --clients 3000 --seconds "$secs" | note fast "3000 at 30 Hz"; stop; }

# The same number of frames of the same size, by hand, right after the server's own run; in turns.
floor() { for _ in $(seq "$pairs"); do floor_pair; done; }
floor_pair() {
  start; swarm --clients 2000 --seconds "$secs" | note floor "server, 2000"; stop
  local bytes; bytes=$(tail -1 "$work/lines" | python3 -c '
import json, sys
r = json.load(sys.stdin); print(max(1, round(r["bytes_s"] * r["seconds"] / r["snapshots"])))')
  become 0 "$floor" write --clients 2000 --bytes "$bytes" --seconds "$secs" > "$work/floor" &
  local writer=$! to
  to=$(address "$work/floor" $writer)
  (become 1 "$floor" read --addr "$to" --clients 2000)
  wait $writer
  grep '^{' "$work/floor" | note floor "bare send, 2000"
}

# Watchers who say nothing: the connection, and what the server remembers of it. None of them plays.
memory() {
  for n in 100 3100; do
    start; swarm --clients $n --seconds 5 --settle 3 --mode silent | note memory "$n watchers"; stop
  done
}

# others MODE CLIENTS SECONDS: sets $others, a swarm beside the one that is measured.
others() {
  become 1 "$bin" swarm --url "$url" --clients "$2" --mode "$1" --seconds $(($3 + 12)) --settle 0 --ramp 1000 \
    --check-every 1000 --json > "$work/others" &
  others=$!
  sleep 2
}
# paired LABEL MODE CLIENTS SECONDS [INSTEAD]: 900 play, first alone (or beside as many who do INSTEAD), then beside those
# who mean harm.
paired() {
  start
  [ -z "${5:-}" ] || others "$5" "$3" "$4"
  swarm --clients 900 --seconds "$4" | note hostile "$1: before"
  [ -z "${5:-}" ] || wait "$others" || true
  others "$2" "$3" "$4"
  swarm --clients 900 --seconds "$4" | note hostile "$1: beside"
  wait "$others" || true
  note harm "$1" < "$work/others"; stop
}
hostile() {
  paired "100 stop reading" slow 100 "$harm"
  paired "500 dribble a handshake" dribble 500 "$secs"
  paired "500 say nothing after connecting" halfopen 500 "$secs"
  paired "one floods" flood 1 "$secs"
  # They play between their calls, and would cost as much if they stayed.
  paired "1000 hang up and return at once" reconnect 1000 $((secs + 10)) play
}

for part in $parts; do $part; done
{ [ ! -f "$lines" ] || python3 - "$work/lines" "$lines" <<'PY'
# Parts that were not run this time stay as they were.
import json, sys
new = {json.loads(line)["part"] for line in open(sys.argv[1])}
print("".join(line for line in open(sys.argv[2]) if json.loads(line)["part"] not in new), end="")
PY
  cat "$work/lines"; } > "$work/all"
mv "$work/all" "$lines"
python3 perf/swarm_table.py "$lines" > "$out/swarm.md"
echo "$out/swarm.md"
