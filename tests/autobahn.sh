#!/usr/bin/env bash
# WebSocket conformance: the Autobahn suite against examples/ws_echo, which is this crate's own front end with
# the limits of a game taken off. Cases 1 to 7, 9 and 10; 12 and 13 are compression, which is not spoken.
#
#   tests/autobahn.sh            exit 0: nothing failed; 1: something did; 2: the suite could not be run
#
# The suite is of 2018 and runs on CPython 2.7 only: PY2, else one of pyenv's, else python2.7. With it come
# the last versions of its dependencies that do. Everything is kept in target/autobahn, the report too.
set -euo pipefail
cd "$(dirname "$0")/.."
home=$PWD/target/autobahn env=$PWD/target/autobahn/env
mkdir -p "$home"

find_python() {
  local python
  for python in ${PY2:-} "$HOME"/.pyenv/versions/2.7*/bin/python2.7 python2.7; do
    if "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (2, 7))' 2>/dev/null; then echo "$python"; return; fi
  done
  echo "tests/autobahn.sh: no CPython 2.7: set PY2" >&2; exit 2
}

# Order matters: each of these has to be there before the next one's setup looks for it.
install_suite() {
  local python; python=$(find_python)
  "$python" -m pip install --quiet --target "$home/bootstrap" 'virtualenv<20.16'
  PYTHONPATH=$home/bootstrap "$python" -m virtualenv --quiet "$env"
  "$env/bin/pip" install --quiet pip==20.3.4 setuptools==44.1.1 wheel==0.36.2
  "$env/bin/pip" install --quiet incremental==16.10.1 cryptography==3.3.2 pyOpenSSL==19.1.0
  "$env/bin/pip" install --quiet --no-build-isolation Twisted==19.10.0
  "$env/bin/pip" install --quiet autobahntestsuite==0.8.2
}
if [ ! -x "$env/bin/wstest" ]; then
  install_suite > "$home/install.log" 2>&1 || { tail -5 "$home/install.log" >&2; exit 2; }
fi

cargo build --quiet --release --example ws_echo
target/release/examples/ws_echo --addr 127.0.0.1:0 > "$home/echo.log" &
echo_server=$!
trap 'kill $echo_server 2>/dev/null' EXIT
until url=$(grep -o 'ws://[^ ]*' "$home/echo.log"); do kill -0 $echo_server; sleep 0.1; done

cat > "$home/spec.json" <<JSON
{
  "outdir": "$home/report",
  "servers": [{"agent": "ringsnake", "url": "$url"}],
  "cases": ["1.*", "2.*", "3.*", "4.*", "5.*", "6.*", "7.*", "9.*", "10.*"],
  "exclude-cases": [], "exclude-agent-cases": {}
}
JSON
rm -rf "$home/report"
timeout 900 "$env/bin/wstest" -m fuzzingclient -s "$home/spec.json" > "$home/run.log" 2>&1 || { tail -5 "$home/run.log" >&2; exit 2; }

# 301 cases; fewer mean that the suite broke off.
python3 - "$home/report/index.json" <<'PY'
import collections, json, sys
cases = json.load(open(sys.argv[1]))["ringsnake"]
good = {"OK", "INFORMATIONAL", "NON-STRICT"}
failed = sorted(name for name, case in cases.items() if not {case["behavior"], case["behaviorClose"]} <= good)
counts = collections.Counter(case["behavior"] for case in cases.values())
print(len(cases), "cases:", ", ".join(f"{count} {kind}" for kind, count in counts.items()))
print("failed:", ", ".join(failed) or "none")
sys.exit(bool(failed) or len(cases) != 301)
PY
