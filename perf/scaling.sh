#!/usr/bin/env bash
# Time of a tick from 100 to 100,000 snakes: in the same arena, and at the same density. A table and a plot.
#   perf/scaling.sh [runs]           3 runs a point
source "$(dirname "$0")/common.sh"

need python3 "any version from 3.8"
build_release
warn_if_busy
RINGSNAKE=$PWD/$program python3 perf/scaling.py "$(results)" "${1:-3}"
