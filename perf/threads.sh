#!/usr/bin/env bash
# One thread against two (or so many as are named), in turns, on as many cores.
#   perf/threads.sh [threads] [pairs]              2 threads, 5 pairs
source "$(dirname "$0")/common.sh"

need python3 "any version from 3.8"
build_release
warn_if_busy
RINGSNAKE=$PWD/$program python3 perf/threads.py "$(results)" "${1:-2}" "${2:-5}"
