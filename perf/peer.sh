#!/usr/bin/env bash
# The engine beside the game as it was published, on Node.js: same workload, same core, in turns.
#   perf/peer.sh [pairs] [--quick]   5 pairs of runs a row; --quick: fewer ticks and no sums to check
source "$(dirname "$0")/common.sh"

need node "Node.js 20 or later"
need taskset "Debian: apt install util-linux"
build_release
warn_if_busy
RINGSNAKE=$PWD/$program python3 perf/peer.py "$(results)" "$@"
