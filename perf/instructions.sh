#!/usr/bin/env bash
# Counts the instructions of benches/instructions.rs and compares them with perf/instructions.json.
#   perf/instructions.sh             fails when a count grew by more than 2 %
#   perf/instructions.sh --bless     writes the counts down as the new ones
#   perf/instructions.sh --install   installs the runner first (the version that Cargo.toml names)
source "$(dirname "$0")/common.sh"

version=$(sed -nE 's/^iai-callgrind = .*version = "=([^"]+)".*/\1/p' Cargo.toml)
compare=()
for option in "$@"; do
    case $option in
        --install) cargo install --locked gungraun-runner --version "=$version" ;;
        --bless) compare+=(--bless) ;;
        *) sed -n '2,5s/^# \?//p' "$0"; exit 2 ;;
    esac
done

need valgrind "Debian: apt install valgrind"
need python3 "any version from 3.8"
need gungraun-runner "perf/instructions.sh --install, or: cargo install --locked gungraun-runner --version =$version"

found=$(mktemp)
trap 'rm -f "$found"' EXIT
# The folder of the profiles is emptied, so that no earlier run is compared with.
rm -rf target/gungraun
cargo bench --no-default-features --bench instructions -- --output-format=json >"$found"
python3 perf/instructions.py "$found" "${compare[@]}"
